"""`python -m tools.benchmarks`: how cost grows with pods, shapes and NodePools, and the one-time costs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from tools.benchmarks.measure import Measured, in_child, seconds_in_child

SIZES = (1_000, 10_000, 100_000, 1_000_000)
SHAPES = (30, 200)

# The project's targets, in seconds for the whole pass; see docs/performance.md.
OTHERS: Sequence[tuple[str, str, str]] = (
    ("1,000,000 pods of 1,000 shapes", "shapes:1000000:1000", "under 2 s and 500 MiB"),
    ("20,000 pods, no two alike", "shapes:20000:20000", ""),
    ("20,000 pods over a limit for 100", "limit:20000:100", "under 0.5 s"),
    ("5,000 pods over 50 NodePools", "pools:5000:50", "under 1 s"),
)
ONCE: Sequence[tuple[str, tuple[str, ...], str]] = (
    ("load a region of the catalogue", ("catalogue",), "under 100 ms"),
    ("types of a region for one NodeClass", ("types",), "under 60 ms"),
    ("types of a region for 50 NodeClasses", ("types", "50"), "under 1 s"),
    ("sizes of a location of Azure for one AKSNodeClass", ("sizes",), "under 60 ms"),
    ("a plan and its measures for 250 NodePools, node classes alike but for tags", ("plan", "250"), ""),
    ("the same, no two node classes alike", ("plan", "250", "250"), ""),
    ("import cutlist", ("import", "cutlist"), "under 150 ms"),
    ("import all that a plan needs", ("import", "cutlist.planning.read_inputs", "cutlist.verbs.plan.answer"), ""),
)

_TIMES = "claims | prepare | solve | finish | whole pass | pods/s of solve | peak memory"


def report(runs: int, largest: int) -> int:
    """Print the tables in Markdown, each row as soon as it is known."""
    _say("Pods without topology rules on every machine of us-west-2, one NodePool without requirements or limits.\n")
    _head(f"| pods | shapes | {_TIMES} | cost against the row before |")
    for shapes in SHAPES:
        before: Measured | None = None
        for pods in (size for size in SIZES if size <= largest):
            measured = in_child("case", f"shapes:{pods}:{shapes}", runs)
            _row(f"{pods:,}", str(shapes), *_figures(measured), _growth(before, measured))
            before = measured
    _say("\nOther inputs on the same machines.\n")
    _head(f"| input | placed | {_TIMES} | to reach |")
    for title, case, goal in OTHERS:
        measured = in_child("case", case, runs)
        _row(title, f"{measured.placed:,}", *_figures(measured), goal)
    _say("\nPaid once a process.\n")
    _head("| what | milliseconds | to reach |")
    for title, what, goal in ONCE:
        _row(title, f"{seconds_in_child(max(runs, 3), *what) * 1000:.0f}", goal)
    return 0


def _figures(m: Measured) -> Iterable[str]:
    seconds = (f"{s:.3f} s" for s in (m.prepare, m.solve, m.finish, m.whole))
    return f"{m.claims:,}", *seconds, f"{m.pods_per_second:,.0f}", f"{m.peak_memory_mib:.0f} MiB"


def _growth(before: Measured | None, now: Measured) -> str:
    if before is None:
        return ""
    return f"solve x {now.solve / before.solve:.2f}, whole x {now.whole / before.whole:.2f}"


def _head(line: str) -> None:
    _say(line)
    _say("|" + "---|" * (line.count("|") - 1))


def _row(*cells: str) -> None:
    _say("| " + " | ".join(cells) + " |")


def _say(text: str) -> None:
    print(text)
    sys.stdout.flush()
