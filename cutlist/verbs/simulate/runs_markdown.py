"""Runs of a simulated cluster with several seeds, as a comment on a pull request."""

from __future__ import annotations

from typing import Final

from cutlist.core.instants import instant_text
from cutlist.report.columns import cells, markdown_table, titles
from cutlist.report.markup import at_most, folded, table, words
from cutlist.verbs.simulate.markdown import commitment_lines
from cutlist.verbs.simulate.runs import SimulationRuns
from cutlist.verbs.simulate.runs_columns import RIVALS, eviction_columns, mean_columns
from cutlist.verbs.simulate.runs_words import (
    COMMITMENT_TITLES,
    cheapest_committed,
    commitment_cells,
    interval_text,
    length,
    measures,
    notes,
    rivals,
    seeds_words,
    verdict,
)

_WORKLOADS: Final = 12
_NOTES: Final = 4
_RIVALS: Final = 12


def simulate_runs_markdown(runs: SimulationRuns) -> str:
    """Return runs as Markdown of less than 60 lines. Ends in a newline."""
    rows = measures(runs)
    of_workload = eviction_columns(runs)
    evictions = [cells(of_workload, row) for row in rows if row.is_workload]
    headline = verdict(runs, words) or f"${interval_text(runs.summary.usd)}"
    lines = [
        f"### {words(runs.region)}: {headline}",
        "",
        f"{length(runs)}, {seeds_words(runs)}, from {instant_text(runs.start)} on; ± are intervals of 95% confidence.",
        "",
        *markdown_table(mean_columns(runs), [row for row in rows if not row.is_workload]),
        "",
        *_rivals(runs),
    ]
    if evictions:
        more = [[f"{len(evictions) - _WORKLOADS:,} more"]] if len(evictions) > _WORKLOADS else []
        lines += folded("Evictions by workload", table(titles(of_workload), [*evictions[:_WORKLOADS], *more]))
    lines += commitment_lines(COMMITMENT_TITLES, commitment_cells(runs))
    lines += at_most(_NOTES, [words(note) for note in notes(runs)])
    return "\n".join(lines).rstrip() + "\n"


def _rivals(runs: SimulationRuns) -> list[str]:
    """Return a table of several other clusters, the cheapest first."""
    others = rivals(runs)
    if not others:
        return []
    rows = [cells(RIVALS, rival) for rival in others[:_RIVALS]]
    more = [[f"{len(others) - _RIVALS:,} more"]] if len(others) > _RIVALS else []
    committed = [line for name, text in cheapest_committed(runs, words) for line in (f"{name}: {text}", "")]
    return [
        *table(titles(RIVALS), [*rows, *more]),
        "",
        *committed,
    ]
