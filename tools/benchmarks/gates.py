"""The cost of gates: `python -m tools.benchmarks gates`, in the policy pack and without an engine."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import count, islice
from pathlib import Path
from statistics import mean
from typing import Final

from pulumi_cutlist.recorded.policy_resources import recorded_resources
from pulumi_cutlist.stack.preview import Preview, preview

from cutlist.policy.gates import judge, read_gates
from cutlist.policy.registry import known_rules
from cutlist.policy.rules import Resource
from tests.policies.pack import POLICIES, ROOT, Said, running
from tools.benchmarks.timing import median_seconds

_RESOURCES: Final = 500
_EMPTY: Final = """
from pulumi_policy import EnforcementLevel, PolicyPack, ResourceValidationPolicy

NOTHING = ResourceValidationPolicy("nothing", "a policy that looks at nothing", lambda args, report: None)
PolicyPack(name="empty", policies=[NOTHING], enforcement_level=EnforcementLevel.ADVISORY)
"""


def report(stack: str, runs: int) -> int:
    """Print the processor time of each resource of a stack in the pack's process and, as a reference, in that of a pack whose
    one policy does nothing, as medians; then that of judging 500 resources without an engine."""
    previewed = preview(ROOT, stack)
    print(f"{len(previewed.recording.resources)} resources of the stack {stack}\n")
    print("| pack | start | resource, mean | slowest | which |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "__main__.py").write_text(_EMPTY, "utf-8")
        for name, where in (("one empty policy", Path(folder)), ("Cutlist's", POLICIES)):
            print(_row(name, where, previewed, runs))
    resources = list(islice(_copies(recorded_resources(previewed.recording)), _RESOURCES))
    gates = read_gates(None, known_rules())
    today = datetime.now(UTC).date()
    judging = median_seconds(lambda: judge(resources, gates, today), runs)
    print(f"\n{len(resources)} resources without an engine: {judging:.3f} s of the processor")
    return 0


def _row(name: str, folder: Path, previewed: Preview, runs: int) -> str:
    with running(previewed.config, folder) as pack:
        pack.policies()
        spent = partial(_processor, pack.pid)
        start = spent()
        requests = ((partial(pack.analyze, r, Said()), r.name) for r in previewed.recording.resources.values())
        took = [(median_seconds(ask, runs, spent), name) for ask, name in requests]
    slowest, which = max(took)
    average = mean(seconds for seconds, _ in took)
    return f"| {name} | {start:.2f} s | {average * 1000:.2f} ms | {slowest * 1000:.2f} ms | {which} |"


def _processor(pid: int) -> float:
    """Return the processor seconds of all threads of a process, by the clock that Linux has for each."""
    return time.clock_gettime(~pid << 3 | 2)


def _copies(resources: Sequence[Resource]) -> Iterator[Resource]:
    """Yield the resources over and over, each time under other names."""
    return (replace(resource, name=f"{resource.name}-{turn}") for turn in count() for resource in resources)
