"""What gates cost: `python -m benchmarks gates`, in the pack of policies and without an engine."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import count, islice
from pathlib import Path
from statistics import mean, median
from typing import Final

from pulumi_cutlist.preview import Preview, preview
from pulumi_cutlist.subjects import subjects_of

from cutlist.errors import Place
from cutlist.gates import judge, read_gates
from cutlist.known_rules import known_rules
from cutlist.rules import Subject
from tests.policies.pack import POLICIES, ROOT, Said, running

_SUBJECTS: Final = 500
_EMPTY: Final = """
from pulumi_policy import EnforcementLevel, PolicyPack, ResourceValidationPolicy

NOTHING = ResourceValidationPolicy("nothing", "a policy that looks at nothing", lambda args, report: None)
PolicyPack(name="empty", policies=[NOTHING], enforcement_level=EnforcementLevel.ADVISORY)
"""


def report(stack: str, runs: int) -> int:
    """Print the round trip of each resource of a stack through the pack and, as a reference, through a pack whose one policy
    does nothing, medians of so many runs; then the time to judge 500 resources without an engine."""
    made = preview(ROOT, stack)
    print(f"{len(made.recording.resources)} resources of the stack {stack}\n")
    print("| pack | start | resource, mean | slowest | which |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "__main__.py").write_text(_EMPTY, "utf-8")
        for name, where in (("one empty policy", Path(folder)), ("Cutlist's", POLICIES)):
            print(_row(name, where, made, runs))
    subjects = list(islice(_copies(subjects_of(made.recording)), _SUBJECTS))
    gates = read_gates(None, known_rules(), lambda path: Place(path=path))
    today = datetime.now(UTC).date()
    print(f"\n{len(subjects)} resources without an engine: {_seconds(lambda: judge(subjects, gates, today), runs):.3f} s")
    return 0


def _row(name: str, folder: Path, made: Preview, runs: int) -> str:
    began = time.perf_counter()
    with running(made.config, folder) as pack:
        pack.policies()
        start = time.perf_counter() - began
        took = [(_seconds(partial(pack.analyze, one, Said()), runs), one.name) for one in made.recording.resources.values()]
    slowest, which = max(took)
    average = mean(seconds for seconds, _ in took)
    return f"| {name} | {start:.2f} s | {average * 1000:.2f} ms | {slowest * 1000:.2f} ms | {which} |"


def _copies(subjects: Sequence[Subject]) -> Iterator[Subject]:
    """The subjects over and over, each time under other names."""
    return (replace(one, name=f"{one.name}-{turn}") for turn in count() for one in subjects)


def _seconds(what: Callable[[], object], runs: int) -> float:
    """The median time of some runs by the clock on the wall: most of it is spent in another process."""
    what()
    found = []
    for _ in range(runs):
        start = time.perf_counter()
        what()
        found.append(time.perf_counter() - start)
    return median(found)
