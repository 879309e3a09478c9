"""The live Karpenter: `python -m tests.live COMMAND`.

build   build the programs into .live, once
run     run scenarios, all or those that are named, and hold Cutlist's answers against what Karpenter did;
        days, ten minutes each, only with --kind day
record  put what was run last into the recordings of the project
list    name the scenarios
up      start a cluster, and leave it running: `run` then uses it
down    stop it
"""

from __future__ import annotations

import argparse
import fcntl
import math
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests import evidence
from tests.live.build import BuildError, build
from tests.live.processes import StartError
from tests.live.recordings import take_in
from tests.live.running import Run, Verdict, in_order, run_all
from tests.live.scenario import VERSIONS, Scenario
from tests.live.scenarios import ALL
from tests.live.scenarios.days import DAYS, Day
from tests.live.servers import Karpenter, Servers
from tests.recorded import PROJECT

SCRATCH = PROJECT / ".live"
_SECONDS = {"scheduling": 10, "disruption": 50, "day": 620}
"""How long a scenario of a kind takes."""


def main(arguments: Sequence[str]) -> int:
    """Do what a command says. Exit code 1 when an answer differs or something does not run, 2 for a wrong command."""
    options = _parser().parse_intermixed_args(arguments)
    try:
        return _done(options)
    except (BuildError, StartError) as error:
        _say(f"error: {error}")
        return 1


def _parser() -> argparse.ArgumentParser:
    form = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m tests.live", description=__doc__, formatter_class=form)
    parser.add_argument("command", choices=("build", "run", "record", "list", "up", "down"))
    parser.add_argument("names", nargs="*", help="scenarios to run; a part of a name stands for all that have it; default: all")
    parser.add_argument("--karpenter", action="append", choices=VERSIONS, help="the minors to run; default: all")
    parser.add_argument("--kind", choices=("scheduling", "disruption", "day"), help="only scenarios of this kind")
    parser.add_argument(
        "--clusters", type=int, default=1, choices=range(1, 10), help="how many clusters run side by side; default: 1"
    )
    parser.add_argument("--folder", type=Path, default=SCRATCH, help="where clusters and recordings are; default: .live")
    parser.add_argument("--programs", type=Path, default=SCRATCH, help="where the programs are; default: .live")
    return parser


def _done(options: argparse.Namespace) -> int:
    servers = Servers(options.folder, options.programs)
    match options.command:
        case "build":
            build(options.programs, _say)
        case "run":
            return _run(options)
        case "record":
            for archive in take_in(options.folder / "recordings", {**ALL, **DAYS}):
                _say(f"{archive.relative_to(PROJECT)}: {archive.stat().st_size:,} bytes")
            evidence.write()
        case "list":
            for scenario in (*ALL.values(), *DAYS.values()):
                _say(f"{scenario.name:40} {scenario.kind:11} {scenario.about}")
        case "up":
            servers.up()
            servers.run_karpenter(Karpenter((options.karpenter or VERSIONS)[0]))
            _say(f"up: export KUBECONFIG={servers.kubeconfig()}")
        case "down":
            for run in [*options.folder.glob("run"), *options.folder.glob("*/run")]:
                Servers(run.parent, options.programs).down()
    return 0


def _run(options: argparse.Namespace) -> int:
    """Run the scenarios that are chosen, and say what came of each."""
    scenarios = _chosen(options.names, options.kind)
    runs = in_order(scenarios, options.karpenter or VERSIONS)
    if not runs:
        asked = [*options.names, *filter(None, [options.kind]), *(options.karpenter or ())]
        _say(f"error: no scenario is chosen by {', '.join(asked)}; `list` names them all")
        return 2
    _say(_cost(runs, options.clusters))
    began = time.monotonic()
    number = 0

    def report(verdict: Verdict) -> None:
        nonlocal number
        number += 1
        own = [f"        {line[:600]}" for line in verdict.lines]
        _say("\n".join([f"{number:3}/{len(runs)} {verdict.run!s:48} {verdict.word:9} {verdict.seconds:4.0f} s", *own]))

    with _alone(options.folder):
        verdicts = run_all(runs, _clusters(options), options.folder, report)
    good = [verdict for verdict in verdicts if verdict.is_good]
    _say(f"{len(good)} of {len(runs)} equal or free, in {time.monotonic() - began:.0f} s")
    if len(good) < len(runs):
        named = {str(verdict.run) for verdict in good}
        _say(f"not so: {', '.join(str(run) for run in runs if str(run) not in named)}")
    return 0 if len(good) == len(runs) else 1


def _cost(runs: Sequence[Run], clusters: int) -> str:
    minutes = math.ceil(sum(_SECONDS[run.scenario.kind] for run in runs) / clusters / 60)
    return f"{len(runs)} runs, {clusters} at a time: some {minutes} minutes, {0.9 * clusters:.1f} GB of memory"


def _chosen(names: Sequence[str], kind: str | None) -> list[Scenario | Day]:
    """Return the scenarios of a kind that are named: by their name, or by a part of it that is no scenario's name."""
    known: Mapping[str, Scenario | Day] = DAYS if kind == "day" else ALL
    own = [scenario for scenario in known.values() if kind in (None, scenario.kind)]
    if not names:
        return own
    exact = known.keys() & set(names)
    parts = [name for name in names if name not in exact]
    return [scenario for scenario in own if scenario.name in exact or any(part in scenario.name for part in parts)]


def _clusters(options: argparse.Namespace) -> list[Servers]:
    """Return the clusters that run side by side: in the folder, and in numbered ones within it."""
    folders = [options.folder, *(options.folder / str(number) for number in range(2, options.clusters + 1))]
    return [Servers(folder, options.programs) for folder in folders]


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other runs out of a folder. Raises StartError where one is there."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StartError(f"another run uses {folder}; give this one a --folder of its own") from None
        yield


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # whatever ends the command, no server outlives it
        signal.signal(number, signal.default_int_handler)
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
