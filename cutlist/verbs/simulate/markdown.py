"""Simulations as comments on a pull request: what a run costs, and what runs with several seeds do on average."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from cutlist.core.instants import instant_text
from cutlist.core.wording import counted
from cutlist.report.columns import Figure, Figures, markdown_table, short_table
from cutlist.report.markup import at_most, folded, table, words
from cutlist.report.price_sources import age_lines
from cutlist.report.shares import sum_of_cells
from cutlist.simulation.events import HOUR
from cutlist.simulation.result import Evictions, GroupOfNodes, SimulationResult
from cutlist.verbs.simulate.answer import ClusterSimulation
from cutlist.verbs.simulate.columns import EVICTIONS, UNPLACED, choice_columns, comment_costs
from cutlist.verbs.simulate.commands import command_kinds
from cutlist.verbs.simulate.runs import SimulationRuns
from cutlist.verbs.simulate.runs_columns import (
    commitments_of_runs,
    eviction_columns,
    mean_columns,
    rival_columns,
    unplaced_columns,
)
from cutlist.verbs.simulate.runs_words import (
    cheapest_committed,
    means,
    notes,
    rivals,
    runs_length,
    seeds_words,
    unplaced,
    verdict,
    workload_evictions,
)
from cutlist.verbs.simulate.runs_words import cost_text as runs_cost
from cutlist.verbs.simulate.words import (
    cost_text,
    hour_text,
    length,
    monthly_text,
    most_evictions,
    start_up_text,
    waits,
    without_node,
)

T = TypeVar("T")
_POOLS: Final = 8
_WORKLOADS: Final = 8
_COMMANDS: Final = 8
_COMMITMENTS: Final = 6
_NOTES: Final = 4
_UNPLACED: Final = 4
_WORKLOADS_OF_RUNS: Final = 12
_RIVALS: Final = 12


def simulate_markdown(simulation: ClusterSimulation) -> str:
    """Return the simulation as Markdown of less than 60 lines. Ends in a newline."""
    result = simulation.result
    totals, hours = result.totals, result.until / HOUR
    lines = [
        f"### {_money(cost_text(result))} for {length(result)} in {words(simulation.region)}",
        "",
        f"{_begun(hour_text(result, hours))} per hour, {totals.node_hours / hours:,.1f} nodes on average; "
        f"{counted(totals.evictions, 'eviction')}; {counted(totals.pending, 'pod')} pending at the end. "
        f"From {instant_text(result.settings.start)} on, seed {result.settings.seed}.",
        "",
        *_phases(result),
        *_costs(result),
        "",
        *_waiting(result),
        *_evictions(result),
        *_commands(result),
        *commitment_lines(choice_columns(simulation.commitments, result.currency), simulation.commitments),
        *at_most(_NOTES, [words(note) for note in simulation.notes]),
        *age_lines(simulation.price_age),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _money(text: str) -> str:
    """Return a text with amounts; several of them are escaped, as hosts take what is between two dollar signs for a formula."""
    return words(text) if text.count("$") > 1 else text


def _begun(text: str) -> str:
    """Return a text as the beginning of a sentence."""
    return f"{text[:1].upper()}{text[1:]}"


def _phases(result: SimulationResult) -> list[str]:
    """Return the start-up and what a month costs after it, an item each."""
    texts = ("start-up: ", start_up_text(result)), ("a month: ", monthly_text(result))
    items = [f"- {name}{_money(text)}" for name, text in texts if text]
    return [*items, ""] if items else []


def _costs(result: SimulationResult) -> list[str]:
    ordered = sorted(result.groups, key=lambda group: (-group.usd, group.node_pool, group.capacity_type))
    columns = comment_costs(result)
    return short_table(columns, ordered, _POOLS, lambda hidden: _other_costs(columns[-1], hidden)) if ordered else []


def _other_costs(cost: Figure[GroupOfNodes], hidden: Sequence[GroupOfNodes]) -> Sequence[str]:
    return f"{len(hidden)} more", "", sum_of_cells(*(cost.show(group) for group in hidden))


def _waiting(result: SimulationResult) -> list[str]:
    rows = [list(row) for row in waits(result.totals)]
    missing = without_node(result.totals)
    lines = table(["of the pods", ">waited at most"], rows) if rows else []
    if missing:
        lines += [""] if lines else []
        lines += [f"Without a node: {missing}.", "", *short_table(UNPLACED, result.unplaced, _UNPLACED)]
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


def simulate_runs_markdown(runs: SimulationRuns) -> str:
    """Return runs as Markdown of less than 60 lines. Ends in a newline."""
    evictions = workload_evictions(runs)
    headline = verdict(runs, words) or _money(runs_cost(runs))
    lines = [
        f"### {words(runs.region)}: {headline}",
        "",
        f"{runs_length(runs)}, {seeds_words(runs)}, from {instant_text(runs.start)} on; ± are intervals of 95% confidence.",
        "",
        *markdown_table(mean_columns(runs), means(runs)),
        "",
        *_rivals(runs),
    ]
    if evictions:
        lines += folded("Evictions by workload", short_table(eviction_columns(runs), evictions, _WORKLOADS_OF_RUNS))
    if missing := unplaced(runs):
        lines += folded("Without a node", short_table(unplaced_columns(runs), missing, _UNPLACED))
    lines += commitment_lines(commitments_of_runs(runs), runs.commitments)
    lines += at_most(_NOTES, [words(note) for note in notes(runs)])
    lines += age_lines(runs.price_age)
    return "\n".join(lines).rstrip() + "\n"


def _commands(result: SimulationResult) -> list[str]:
    lines = [f"{kind.executed:,} × {kind.text}" for kind in command_kinds(result.commands)]
    return folded("What Karpenter did", at_most(_COMMANDS, lines)) if lines else []


def _rivals(runs: SimulationRuns) -> list[str]:
    """Return a table of several other clusters, the cheapest first."""
    others = rivals(runs)
    if not others:
        return []
    committed = [line for name, text in cheapest_committed(runs, words) for line in (f"{name}: {text}", "")]
    return [*short_table(rival_columns(runs), others, _RIVALS), "", *committed]
