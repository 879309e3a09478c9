"""`python -m tools.benchmarks disruption FILE...`: consolidation of large clusters, compared with Karpenter's own code if
available."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.evaluation import MethodInputs
from cutlist.disruption.methods import Method, evaluate
from tests.conformance.disrupt import DisruptionScenario
from tools.benchmarks.measure import MeasuringError, ended

VARIABLE = "CUTLIST_ORACLE_BENCHDISRUPT"
METHODS = ("multi", "single")
_LINE = re.compile(r"(?P<method>multi|single)\s+(?P<wall>[\dms.]+)\s+[\dms.µ]+\s+(?P<result>\S.*)")
_PART = re.compile(r"([\d.]+)(ms|m|s)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0}


@dataclass(frozen=True, slots=True)
class Measured:
    """A method on a file: seconds of the decision only, nodes removed (0 for none), seconds of processor time."""

    seconds: float
    nodes: int
    busy: float = 0.0


def report(bench: str | None, files: Sequence[str], runs: int) -> int:
    """Print a row per file and method; return 2 without the program, 1 when a file could not be measured or the two decide
    differently."""
    program = bench or os.environ.get(VARIABLE)
    if program and not Path(program).is_file():
        sys.stderr.write(f"{program} is not a file; without --bench and {VARIABLE} Cutlist is measured alone\n")
        return 2
    print("| input | nodes | pods | method | decision | Cutlist | processor | Karpenter | ratio | runs |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    return max([_rows(program, file, runs) for file in files], default=0)


def _rows(program: str | None, file: str, runs: int) -> int:
    try:
        cluster = DisruptionScenario(Path(file)).cluster_state()
        theirs = _karpenter(program, file) if program else {}
    except (MeasuringError, OSError, ValueError) as problem:
        sys.stderr.write(f"{file}: {type(problem).__name__}: {problem}\n")
        return 1
    pods = sum(len(n.pods) for n in cluster.nodes)
    ours = {method: [_measure(cluster, Method(method)) for _ in range(runs)] for method in METHODS}
    code = 0
    for method, measured in ours.items():
        mine, other = median(m.seconds for m in measured), theirs.get(method)
        decision = f"{measured[0].nodes} go" if measured[0].nodes else "nothing"
        if other is not None and other.nodes != measured[0].nodes:
            decision, code = f"{decision}, Karpenter {other.nodes}", 1
        beside = f"{other.seconds:.3f} s | x {other.seconds / mine:,.1f}" if other is not None else "- | -"
        name = Path(file).name
        times = f"{mine:.3f} s | {median(m.busy for m in measured):.3f} s"
        print(f"| {name} | {len(cluster.nodes):,} | {pods:,} | {method} | {decision} | {times} | {beside} | {runs} |")
        sys.stdout.flush()
    return code


def _measure(cluster: ClusterState, method: Method) -> Measured:
    """Measure one method on a cluster that has not been evaluated, so that no cached results remain from the run before."""
    started, busy = time.perf_counter(), time.process_time()
    outcome = evaluate(method, MethodInputs.of(cluster))
    took, busy = time.perf_counter() - started, time.process_time() - busy
    return Measured(took, sum(len(c.candidates) for c in outcome.commands), busy)


def _karpenter(program: str, file: str) -> dict[str, Measured]:
    """Return the program's decisions by method. Raises MeasuringError when it ends with an error or decides nothing."""
    done = subprocess.run([program, file], capture_output=True, text=True, check=False)
    decisions: dict[str, Measured] = {}
    for line in done.stdout.splitlines():
        match = _LINE.search(line)
        if match is not None:
            removals = re.search(r"(?:delete|replace) of (\d+)", match["result"])
            decisions[match["method"]] = Measured(_seconds(match["wall"]), int(removals[1]) if removals else 0)
    if done.returncode or not decisions:
        raise MeasuringError(ended(program, done))
    return decisions


def _seconds(text: str) -> float:
    return sum(float(number) * _SECONDS[unit] for number, unit in _PART.findall(text))
