"""The processor time of short commands, as multiples of one that does next to nothing: `python -m tools.benchmarks start`.

Multiples, since machines differ; processor time, since other work on a machine does not count. All are measured in one run.
`plan --watch` is measured as well: it makes plans in one process, for which start-up does not count.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
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
    """A program for the interpreter, and the most that it may take, in multiples of another program's time.

    The limit is infinite for a program that is only there to compare with.
    """

    name: str
    arguments: tuple[str, ...]
    limit: float


_HELP: Final = Start("cutlist --help", (*CUTLIST, "--help"), 1)
_OF_HELP: Final = (
    Start("plan", (*CUTLIST, "plan", *_EXAMPLE), 5),
    Start("explain", (*CUTLIST, "explain", "deployment/trainer", *_EXAMPLE), 6),
    Start("types", (*CUTLIST, "types", *_EXAMPLE), 6),
    Start("diff", (*CUTLIST, "diff", _POOLS, _POOLS, "-f", _WORKLOADS, "--region", "us-west-2"), 6),
    Start("gate -f", (*CUTLIST, "gate", *_EXAMPLE), 6),
    Start("validate", (*CUTLIST, "validate", *_EXAMPLE[:4]), 6),
    Start("nodes", (*CUTLIST, "nodes", *_EXAMPLE, "--allow-empty"), 6),
    Start("schema", (*CUTLIST, "schema", "NodePool"), 1.5),
)
_SDK: Final = Start("import pulumi, pulumi_aws", ("-c", "import pulumi, pulumi_aws"), 1)
_SERVICES: Final = "import pulumi, pulumi_kubernetes; from pulumi_aws import cloudwatch, ec2, eks, iam, sqs; ec2.Vpc"
"""What any program with this stack's resources imports: `pulumi_aws` imports a service when a program names a class of it."""
_OF_SDK: Final = (
    Start("import the stack's services", ("-c", _SERVICES), inf),
    Start("preview", (*CUTLIST, "preview", "--stack", "dev"), 1.5),
    Start("gate --stack", (*CUTLIST, "gate", "--stack", "dev"), 1.5),
)


def report(runs: int, *, is_check: bool) -> int:
    """Print a table of commands; return 1 if `is_check` and one of them takes more than its limit, else 0."""
    print("| command | processor time | multiple | limit |\n|---|---|---|---|")
    slow = [name for row in (*_rows(_HELP, _OF_HELP, runs), *_rows(_SDK, _OF_SDK, runs)) for name in _printed(*row)]
    redraw = redraw_seconds((_ROOT / _POOLS, _ROOT / _WORKLOADS), _REPLICAS, runs)
    print(f"\n`plan --watch` after a change: {redraw:.3f} s, limit {LIMIT:g} s")
    slow += ["plan --watch"] if redraw > LIMIT else []
    if slow:
        print(f"\nover the limit: {', '.join(slow)}")
    return 1 if slow and is_check else 0


def _printed(start: Start, seconds: float, multiple: float) -> Sequence[str]:
    """Print the row of a command; return its name if it takes more than its limit."""
    limit = f"{start.limit:g}" if start.limit < inf else ""
    print(f"| {start.name} | {seconds:.3f} s | {multiple:.1f} | {limit} |", flush=True)
    return [start.name] if multiple > start.limit else []


def _rows(unit: Start, starts: Sequence[Start], runs: int) -> Iterator[tuple[Start, float, float]]:
    """Yield each command with its seconds, and how many times those of the unit they are."""
    of_unit = processor_seconds(unit.arguments, runs)
    yield unit, of_unit, 1.0
    for start in starts:
        seconds = processor_seconds(start.arguments, runs)
        yield start, seconds, seconds / of_unit


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
