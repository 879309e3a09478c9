"""Runs of a simulated cluster with several seeds, as text for a terminal: means with intervals, beside another cluster's."""

from __future__ import annotations

from typing import Final

from cutlist.core.instants import instant_text
from cutlist.report.columns import add_table, laid_out
from cutlist.report.page import HEADING, QUIET, Group, Page, Row
from cutlist.report.plain import escape
from cutlist.verbs.simulate.runs import SimulationRuns
from cutlist.verbs.simulate.runs_columns import RIVALS, commitments_of_runs, mean_columns
from cutlist.verbs.simulate.runs_words import (
    cheapest_committed,
    interval_text,
    length,
    measures,
    notes,
    rivals,
    seeds_words,
    verdict,
)

_LABEL: Final = 12
_WORKLOADS: Final = 12
"""Number of workloads whose evictions are listed."""


def render_simulate_runs(runs: SimulationRuns, width: int = 100, colour: bool = False) -> str:
    """Return runs as text of at most `width` columns; with colour as ANSI codes. Ends in a newline."""
    page = Page(width)
    page.line((f"${interval_text(runs.summary.usd)}", HEADING), f" for {length(runs)} in {runs.region}, {seeds_words(runs)}")
    page.line(f"from {instant_text(runs.start)} on; ± are intervals of 95% confidence")
    if runs.others:
        page.blank()
        page.line("against".ljust(_LABEL), (verdict(runs, escape), HEADING))
        for name, text in cheapest_committed(runs, escape):
            page.line(" " * _LABEL, f"{name}: {text}")
    page.blank()
    others = rivals(runs)
    if others:
        add_table(page, [RIVALS], others)
        page.blank()
    rows = measures(runs)
    of_workloads = [row for row in rows if row.is_workload]
    hidden = len(of_workloads[_WORKLOADS:])
    shown = [*(row for row in rows if not row.is_workload), *of_workloads[:_WORKLOADS]]
    columns, cells = laid_out([mean_columns(runs)], shown, page.width)
    table = [Row(of_row) for of_row in cells]
    at = len(rows) - len(of_workloads)
    groups = [Group("", tuple(table[:at]))]
    if table[at:]:
        groups.append(Group("Evictions by workload", tuple(table[at:])))
    page.table(columns, groups)
    if hidden:
        page.line((f"and {hidden:,} further workloads", QUIET))
    if runs.commitments:
        page.blank()
        page.line(("Commitments that cost least for all runs together", HEADING))
        add_table(page, [commitments_of_runs(runs)], runs.commitments)
    for note in notes(runs):
        page.paragraph(escape(note), first="note        ", indent=_LABEL, style=QUIET)
    return page.text(colour=colour)
