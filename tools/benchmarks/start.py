"""The processor time of short commands, each with its limit: `python -m tools.benchmarks start`.

A limit is what a user does not notice, on two cores with nothing else to do: below it, nothing is made faster at the price of
code that is harder to read. `plan --watch` is measured as well: it makes plans in one process, without a start of each.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Final

from tools.benchmarks.redraw import LIMIT, redraw_seconds

_ROOT: Final = Path(__file__).resolve().parents[2]
CUTLIST: Final = ("-m", "cutlist_cli")
_POOLS: Final = "examples/shop/pools.yaml"
_WORKLOADS: Final = "examples/shop/workloads.yaml"
_REPLICAS: Final = "12"  # of a Deployment of these workloads
_EXAMPLE: Final = ("-f", _POOLS, "-f", _WORKLOADS, "--region", "us-west-2")


@dataclass(frozen=True, slots=True)
class Start:
    """A program for the interpreter, and the most seconds that it may take; infinite for one to compare with."""

    name: str
    arguments: tuple[str, ...]
    limit: float


_STARTS: Final = (
    Start("import cutlist", ("-c", "import cutlist"), 0.15),
    Start("cutlist --help", (*CUTLIST, "--help"), inf),
    Start("plan", (*CUTLIST, "plan", *_EXAMPLE), 0.6),
    Start("explain", (*CUTLIST, "explain", "deployment/trainer", *_EXAMPLE), inf),
    Start("types", (*CUTLIST, "types", *_EXAMPLE), inf),
    Start("diff", (*CUTLIST, "diff", _POOLS, _POOLS, "-f", _WORKLOADS, "--region", "us-west-2"), inf),
    Start("gate -f", (*CUTLIST, "gate", *_EXAMPLE), inf),
    Start("validate", (*CUTLIST, "validate", *_EXAMPLE[:4]), inf),
    Start("nodes", (*CUTLIST, "nodes", *_EXAMPLE, "--allow-empty"), inf),
    Start("schema", (*CUTLIST, "schema", "NodePool"), inf),
    Start("import pulumi, pulumi_aws", ("-c", "import pulumi, pulumi_aws"), inf),
    Start("preview", (*CUTLIST, "preview", "--stack", "dev"), 1.8),
    Start("gate --stack", (*CUTLIST, "gate", "--stack", "dev"), inf),
)


def report(runs: int, *, is_check: bool) -> int:
    """Print a table of commands; return 1 if `is_check` and one of them takes more than its limit, else 0."""
    print("| command | processor time | limit |\n|---|---|---|")
    slow = [start.name for start in _STARTS if _printed(start, processor_seconds(start.arguments, runs)) > start.limit]
    redraw = redraw_seconds((_ROOT / _POOLS, _ROOT / _WORKLOADS), _REPLICAS, runs)
    print(f"\n`plan --watch` after a change: {redraw:.3f} s, limit {LIMIT:g} s")
    slow += ["plan --watch"] if redraw > LIMIT else []
    if slow:
        print(f"\nover the limit: {', '.join(slow)}")
    return 1 if slow and is_check else 0


def _printed(start: Start, seconds: float) -> float:
    """Print the row of a command; return its seconds."""
    limit = f"{start.limit:g} s" if start.limit < inf else ""
    print(f"| {start.name} | {seconds:.3f} s | {limit} |", flush=True)
    return seconds


def processor_seconds(arguments: Sequence[str], runs: int, *, is_compiled: bool = False) -> float:
    """Return the least processor time of a program in several runs, after one that compiles its modules."""
    if not is_compiled:
        _run(arguments)
    return min(_run(arguments) for _ in range(runs))


def _run(arguments: Sequence[str]) -> float:
    before = _of_children()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, *arguments], cwd=_ROOT, env=environment, capture_output=True, check=False)
    return _of_children() - before


def _of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
