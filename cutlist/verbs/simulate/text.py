"""Simulations as text for a terminal: what happens in a run, and the means of runs with several seeds."""

from __future__ import annotations

from typing import Final

from cutlist.core.instants import instant_text
from cutlist.core.wording import counted
from cutlist.report.columns import add_table, laid_out
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, Group, Page, Row
from cutlist.report.plain import escape
from cutlist.report.price_sources import age_footnote
from cutlist.simulation.events import HOUR
from cutlist.simulation.result import SimulationResult
from cutlist.verbs.simulate import runs_words
from cutlist.verbs.simulate.answer import ClusterSimulation
from cutlist.verbs.simulate.columns import choice_columns, cost_columns
from cutlist.verbs.simulate.commands import command_kinds
from cutlist.verbs.simulate.runs import SimulationRuns
from cutlist.verbs.simulate.runs_columns import commitments_of_runs, mean_columns, rival_columns
from cutlist.verbs.simulate.words import (
    OTHER_PODS,
    cost_text,
    hour_text,
    length,
    monthly_text,
    most_evictions,
    start_up_text,
    unplaced_text,
    waits,
    waits_in_words,
    without_node,
)

_LABEL: Final = 12
_MOST: Final = 8
"""Number of workloads with evictions that are listed; the others are counted."""
_MOST_OF_RUNS: Final = 12
"""Number of workloads whose evictions are listed."""


def render_simulate(simulation: ClusterSimulation, width: int = 100, colour: bool = False) -> str:
    """Return a simulation as text of at most `width` columns; with colour as ANSI codes. Ends in a newline."""
    page, result = Page(width), simulation.result
    nodes, pods = simulation.began
    of = f" for {length(result)} in {simulation.region}, starting with {counted(nodes, 'node')} and {counted(pods, 'pod')}"
    page.opening(cost_text(result), of, HEADING)
    page.line(f"from {instant_text(result.settings.start)} on, seed {result.settings.seed}")
    page.blank()
    _summary(page, result)
    page.blank()
    if result.usd:
        add_table(page, [cost_columns(result)], result.groups)
    _evictions(page, result)
    _commands(page, result)
    _commitments(page, simulation)
    for note in simulation.notes:
        page.paragraph(escape(note), first="note        ", indent=_LABEL, style=QUIET)
    if simulation.price_age is not None:
        page.blank()
        age_footnote(page, simulation.price_age)
    return page.text(colour=colour)


def _summary(page: Page, result: SimulationResult) -> None:
    totals, hours = result.totals, result.until / HOUR
    page.line("cost".ljust(_LABEL), f"{hour_text(result, hours)} per hour on average")
    for label, text in (("start-up", start_up_text(result)), ("a month", monthly_text(result))):
        if text:
            page.paragraph(text, first=label, indent=_LABEL)
    page.line("nodes".ljust(_LABEL), f"{totals.node_hours:,.1f} hours, {totals.node_hours / hours:,.1f} on average")
    if parts := waits(totals):
        text = f"{counted(totals.pods, 'pod')}: {waits_in_words(parts)}"
        page.paragraph(text, first="waiting", indent=_LABEL)
    missing = without_node(totals)
    page.paragraph(missing or "none", first="no node", indent=_LABEL, style=BAD if totals.pending else GOOD)
    for of in result.unplaced[:_MOST]:
        name = escape(of.workload) or OTHER_PODS
        page.paragraph(f"{name}: {unplaced_text(of)}", first=" " * _LABEL, indent=_LABEL + 2, style=QUIET)
    if rest := result.unplaced[_MOST:]:
        page.line((f"{' ' * _LABEL}and {counted(len(rest), 'further workload')}", QUIET))
    for method, count in result.timeouts.items():
        page.line("timeouts".ljust(_LABEL), f"{counted(count, 'search', 'searches')} of {method} would reach the timeout")


def _evictions(page: Page, result: SimulationResult) -> None:
    if not result.evictions:
        return
    page.blank()
    page.line(("Evictions", HEADING))
    ordered = most_evictions(result)
    for of in ordered[:_MOST]:
        page.line(f"  {of.count:>8,}  {escape(of.workload) or OTHER_PODS}: {of.cause}")
    rest = ordered[_MOST:]
    if rest:
        more = counted(len(rest), "further workload and cause", "further workloads and causes")
        page.line((f"  {sum(of.count for of in rest):>8,}  of {more}", QUIET))


def _commands(page: Page, result: SimulationResult) -> None:
    kinds = command_kinds(result.commands)
    if not kinds:
        return
    page.blank()
    page.line(("Karpenter", HEADING))
    for kind in kinds:
        page.line(f"  {kind.executed:>8,}  {kind.text}")


def render_simulate_runs(runs: SimulationRuns, width: int = 100, colour: bool = False) -> str:
    """Return runs as text of at most `width` columns; with colour as ANSI codes. Ends in a newline."""
    page = Page(width)
    page.line(
        (runs_words.cost_text(runs), HEADING),
        f" for {runs_words.runs_length(runs)} in {runs.region}, {runs_words.seeds_words(runs)}",
    )
    page.line(f"from {instant_text(runs.start)} on; ± are intervals of 95% confidence")
    if runs.others:
        page.blank()
        page.line("against".ljust(_LABEL), (runs_words.verdict(runs, escape), HEADING))
        for name, text in runs_words.cheapest_committed(runs, escape):
            page.line(" " * _LABEL, f"{name}: {text}")
    page.blank()
    others = runs_words.rivals(runs)
    if others:
        add_table(page, [rival_columns(runs)], others)
        page.blank()
    _runs_means(page, runs)
    _runs_unplaced(page, runs)
    if runs.commitments:
        page.blank()
        page.line(("Commitments that cost least for all runs together", HEADING))
        add_table(page, [commitments_of_runs(runs)], runs.commitments)
    for note in runs_words.notes(runs):
        page.paragraph(escape(note), first="note        ", indent=_LABEL, style=QUIET)
    if runs.price_age is not None:
        page.blank()
        age_footnote(page, runs.price_age)
    return page.text(colour=colour)


def _runs_unplaced(page: Page, runs: SimulationRuns) -> None:
    rows = runs_words.unplaced(runs)
    if rows:
        page.blank()
        page.line(("Without a node", HEADING))
    for cluster, of in rows[:_MOST_OF_RUNS]:
        name = escape(of.workload) or OTHER_PODS
        whose = f"{escape(cluster)}, {name}" if runs.others else name
        page.paragraph(f"{whose}: {escape(runs_words.unplaced_text(of, runs))}", first=" ", indent=2)
    if rest := rows[_MOST_OF_RUNS:]:
        page.line((f"  and {counted(len(rest), 'further workload')}", QUIET))
    if rows and runs_words.notes(runs):
        page.blank()


def _commitments(page: Page, simulation: ClusterSimulation) -> None:
    if simulation.commitments:
        page.blank()
        page.line(("Commitments that cost least", HEADING))
        add_table(page, [choice_columns(simulation.commitments, simulation.result.currency)], simulation.commitments)


def _runs_means(page: Page, runs: SimulationRuns) -> None:
    numbers, evictions = runs_words.means(runs), runs_words.workload_evictions(runs)
    columns, cells = laid_out([mean_columns(runs)], [*numbers, *evictions[:_MOST_OF_RUNS]], page.width)
    rows = tuple(map(Row, cells))
    groups = [Group("", rows[: len(numbers)]), Group("Evictions by workload", rows[len(numbers) :])]
    page.table(columns, [group for group in groups if group.rows])
    if len(evictions) > _MOST_OF_RUNS:
        page.line((f"and {counted(len(evictions) - _MOST_OF_RUNS, 'further workload')}", QUIET))
