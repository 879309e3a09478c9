"""The heaviest functions of a command on a standard input: `python -m tools.benchmarks profile VERB`.

What starting takes is left out: `start` measures it.
"""

from __future__ import annotations

import contextlib
import cProfile
import io
import pstats
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from cutlist_cli import main
from cutlist_cli.__main__ import collect_rarely
from cutlist_cli.commands import load
from tools.benchmarks.standard_input import CHANGED, CLUSTER, ENVIRONMENT, LOG, REGION, write_input

PODS: Final = 3_000
"""Pods of the standard input, on 300 nodes where it is a cluster."""
FEW: Final[Mapping[str, int]] = {"suggest": 100}
"""Those of commands that make many plans."""
_SHOWN: Final = 10
_ROOT: Final = f"{Path(__file__).resolve().parents[2]}/"
_MODULES: Final = "site-packages/"
_PLANNED: Final = ("-f", ENVIRONMENT, "--region", REGION)
_RUNNING: Final = ("-f", ENVIRONMENT, "-f", CLUSTER, "--region", REGION)
VERBS: Final[Mapping[str, tuple[str, ...]]] = {
    "plan": _PLANNED,
    "explain": ("deployment/service-1", *_PLANNED),
    "types": _PLANNED,
    "diff": (ENVIRONMENT, CHANGED, "--region", REGION),
    "gate": _PLANNED,
    "validate": ("-f", ENVIRONMENT),
    "suggest": (*_PLANNED, "--plans", "5"),
    "nodes": ("-f", CLUSTER, "--region", REGION),
    "disrupt": _RUNNING,
    "interrupt": (*_RUNNING, "--spot-in", f"{REGION}a"),
    "why": ("deployment/waiting-0", *_RUNNING),
    "budgets": ("-f", ENVIRONMENT),
    "upgrade": (*_PLANNED, "--from", "1.12.0", "--target", "1.13.0"),
    "convert": ("-f", ENVIRONMENT),
    "verify": (*_PLANNED, "--cluster", CLUSTER, "--allow-empty"),
    "history": ("-f", LOG),
    "simulate": (*_PLANNED, "--days", "1"),
}
"""The arguments of each command that is profiled."""


def report(verb: str, most: int = PODS) -> int:
    """Print the functions of a command in which most time passes, without what they call; return 1 if the command fails. The
    input has `most` pods, or fewer."""
    pods = min(most, FEW.get(verb, PODS))
    load(verb)  # so that its modules are there
    collect_rarely()
    profile, shown = cProfile.Profile(), io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), contextlib.redirect_stdout(shown):
        write_input(Path(folder), pods)
        code = profile.runcall(_exit_code, (verb, *VERBS[verb]))
    stats = pstats.Stats(profile)
    print(f"cutlist {verb} {' '.join(VERBS[verb])}, {pods:,} pods: exit code {code}\n")
    print("| function | calls | seconds in it | seconds with what it calls |\n|---|---|---|---|")
    rows = stats.stats.items()  # type: ignore[attr-defined]  # which typeshed leaves out
    for (file, line, name), (_, calls, own, whole, _) in sorted(rows, key=lambda row: -row[1][2])[:_SHOWN]:
        print(f"| {_named(file, line, name)} | {calls:,} | {own:.3f} | {whole:.3f} |")
    return 0 if code in (0, 1) else 1


def _exit_code(arguments: tuple[str, ...]) -> int:
    try:
        main(arguments)
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def _named(file: str, line: int, name: str) -> str:
    """Return a function with the place where it is written, as far as it is in a file of ours or of a package."""
    where = file.removeprefix(_ROOT).rpartition(_MODULES)[2]
    return f"`{name}` ({where}:{line})" if line else f"`{name}`"
