"""A simulated cluster as a comment on a pull request: what it costs, then folded who waited, who moved, what Karpenter did."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, TypeVar

from cutlist.core.instants import instant_text
from cutlist.core.wording import counted
from cutlist.report.columns import Figures, short_table
from cutlist.report.markup import at_most, folded, table, words
from cutlist.report.plain import hourly
from cutlist.simulation.events import HOUR
from cutlist.simulation.result import Evictions, GroupOfNodes, SimulationResult
from cutlist.verbs.simulate.answer import ClusterSimulation
from cutlist.verbs.simulate.columns import COMMENT_COSTS, EVICTIONS, choice_columns
from cutlist.verbs.simulate.commands import command_kinds
from cutlist.verbs.simulate.words import length, most_evictions, waits, without_node

T = TypeVar("T")
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
        *commitment_lines(choice_columns(simulation.commitments), simulation.commitments),
        *at_most(_NOTES, [words(note) for note in simulation.notes]),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _costs(result: SimulationResult) -> list[str]:
    ordered = sorted(result.groups, key=lambda group: (-group.usd, group.node_pool, group.capacity_type))
    return short_table(COMMENT_COSTS, ordered, _POOLS, _other_costs) if ordered else []


def _other_costs(hidden: Sequence[GroupOfNodes]) -> Sequence[str]:
    return f"{len(hidden)} more", "", f"{math.fsum(group.usd for group in hidden):,.2f}"


def _waiting(result: SimulationResult) -> list[str]:
    rows = [list(row) for row in waits(result.totals)]
    missing = without_node(result.totals)
    lines = table(["of the pods", ">waited at most"], rows) if rows else []
    lines += ["", f"Without a node: {missing}."] if missing else []
    return folded("How long pods waited for a node", lines) if lines else []


def _evictions(result: SimulationResult) -> list[str]:
    if not result.evictions:
        return []
    lines = short_table(EVICTIONS, most_evictions(result), _WORKLOADS, _other_evictions)
    return folded(f"Evictions ({result.totals.evictions:,})", lines)


def _other_evictions(hidden: Sequence[Evictions]) -> Sequence[str]:
    return f"{len(hidden):,} more", "", f"{sum(of.count for of in hidden):,}"


def commitment_lines(columns: Figures[T], rows: Sequence[T]) -> list[str]:
    """Return a folded table of commitments; empty without any."""
    lines = short_table(columns, rows, _COMMITMENTS, lambda hidden: ("", f"{len(hidden):,} more"))
    return folded("Commitments that cost least", lines) if rows else []


def _commands(result: SimulationResult) -> list[str]:
    lines = [f"{kind.executed:,} × {kind.text}" for kind in command_kinds(result.commands)]
    return folded("What Karpenter did", at_most(_COMMANDS, lines)) if lines else []
