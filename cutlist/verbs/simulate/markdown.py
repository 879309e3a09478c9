"""A simulated cluster as a comment on a pull request: what it costs, then folded who waited, who moved, what Karpenter did."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from cutlist.core.instants import instant_text
from cutlist.core.wording import counted
from cutlist.report.markup import at_most, code, folded, table, words
from cutlist.report.plain import hourly
from cutlist.simulation.events import HOUR
from cutlist.simulation.result import SimulationResult
from cutlist.verbs.simulate.answer import ClusterSimulation
from cutlist.verbs.simulate.commands import command_kinds
from cutlist.verbs.simulate.words import TITLES, commitment_cells, length, waits, without_node

_POOLS: Final = 8
_WORKLOADS: Final = 8
_COMMANDS: Final = 8
_COMMITMENTS: Final = 6
_NOTES: Final = 4


def simulate_markdown(simulation: ClusterSimulation) -> str:
    """Return the simulation as Markdown of less than 60 lines. Ends in a newline."""
    result = simulation.result
    totals, hours = result.totals, result.until / HOUR
    lines = [
        f"### ${totals.usd:,.2f} for {length(result)} in {words(simulation.region)}",
        "",
        f"${hourly(totals.usd / hours)} per hour, {totals.node_hours / hours:,.1f} nodes on average; "
        f"{counted(totals.evictions, 'eviction')}; {counted(totals.pending, 'pod')} pending at the end. "
        f"From {instant_text(result.settings.start)} on, seed {result.settings.seed}.",
        "",
        *_costs(result),
        "",
        *_waiting(result),
        *_evictions(result),
        *_commands(result),
        *_commitments(simulation),
        *at_most(_NOTES, [words(note) for note in simulation.notes]),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _costs(result: SimulationResult) -> list[str]:
    ordered = sorted(result.usd.items(), key=lambda entry: (-entry[1], entry[0]))
    rows = [[*(code(name) if name else "-" for name in group), f"{usd:,.2f}"] for group, usd in ordered]
    hidden = math.fsum(usd for _, usd in ordered[_POOLS:])
    more = [[f"{len(ordered) - _POOLS} more", "", f"{hidden:,.2f}"]] if len(ordered) > _POOLS else []
    return table(["NodePool", "capacity", ">$"], [*rows[:_POOLS], *more]) if rows else []


def _waiting(result: SimulationResult) -> list[str]:
    rows = [list(row) for row in waits(result.totals)]
    missing = without_node(result.totals)
    lines = table(["of the pods", ">waited at most"], rows) if rows else []
    lines += ["", f"Without a node: {missing}."] if missing else []
    return folded("How long pods waited for a node", lines) if lines else []


def _evictions(result: SimulationResult) -> list[str]:
    ordered = sorted(result.evictions.items(), key=lambda entry: (-entry[1], entry[0]))
    rows = [[code(name) if name else "other pods", words(cause), f"{count:,}"] for (name, cause), count in ordered]
    more = [[f"{len(rows) - _WORKLOADS:,} more", "", f"{sum(count for _, count in ordered[_WORKLOADS:]):,}"]]
    shown = [*rows[:_WORKLOADS], *(more if len(rows) > _WORKLOADS else [])]
    return folded(f"Evictions ({result.totals.evictions:,})", table(["workload", "cause", ">evictions"], shown)) if rows else []


def _commitments(simulation: ClusterSimulation) -> list[str]:
    return commitment_lines(TITLES, commitment_cells(simulation.commitments))


def commitment_lines(titles: Sequence[str], cells: Sequence[tuple[str, ...]]) -> list[str]:
    """Return a folded table of commitments: term, name, numbers, source. It is empty without any."""
    rows = [[words(cell) for cell in of_row] for of_row in cells]
    more = [["", f"{len(rows) - _COMMITMENTS:,} more"]] if len(rows) > _COMMITMENTS else []
    aligned = [f">{title}" if 2 <= number < len(titles) - 1 else title for number, title in enumerate(titles)]
    return folded("Commitments that cost least", table(aligned, [*rows[:_COMMITMENTS], *more])) if rows else []


def _commands(result: SimulationResult) -> list[str]:
    lines = [f"{kind.executed:,} × {kind.text}" for kind in command_kinds(result.commands)]
    return folded("What Karpenter did", at_most(_COMMANDS, lines)) if lines else []
