"""Runs of a simulated cluster with several seeds, as a comment on a pull request."""

from __future__ import annotations

from typing import Final

from cutlist.core.instants import instant_text
from cutlist.report.markup import at_most, code, folded, table, words
from cutlist.verbs.simulate.markdown import commitment_lines
from cutlist.verbs.simulate.runs import SimulationRuns
from cutlist.verbs.simulate.runs_words import (
    COMMITMENT_TITLES,
    Measure,
    cheapest_committed,
    commitment_cells,
    interval_text,
    length,
    measures,
    notes,
    only_other,
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
    numbers = [[row.name, *_cells(row, runs)] for row in rows if not row.is_workload]
    evictions = [[code(row.name) if row.name else "other pods", *_cells(row, runs)] for row in rows if row.is_workload]
    titles = [">these files"] if only_other(runs) is None else [">these files", ">against", ">difference"]
    headline = verdict(runs, words) or f"${interval_text(runs.summary.usd)}"
    lines = [
        f"### {words(runs.region)}: {headline}",
        "",
        f"{length(runs)}, {seeds_words(runs)}, from {instant_text(runs.start)} on; ± are intervals of 95% confidence.",
        "",
        *table(["mean of the runs", *titles], numbers),
        "",
        *_rivals(runs),
    ]
    if evictions:
        more = [[f"{len(evictions) - _WORKLOADS:,} more"]] if len(evictions) > _WORKLOADS else []
        lines += folded("Evictions by workload", table(["workload", *titles], [*evictions[:_WORKLOADS], *more]))
    lines += commitment_lines(COMMITMENT_TITLES, commitment_cells(runs))
    lines += at_most(_NOTES, [words(note) for note in notes(runs)])
    return "\n".join(lines).rstrip() + "\n"


def _cells(row: Measure, runs: SimulationRuns) -> list[str]:
    return [row.this] if only_other(runs) is None else [row.this, row.other, row.difference]


def _rivals(runs: SimulationRuns) -> list[str]:
    """Return a table of several other clusters, the cheapest first."""
    others = rivals(runs)
    if not others:
        return []
    rows = [[code(r.name), r.cost, r.difference, r.evictions, r.waited_longest] for r in others[:_RIVALS]]
    more = [[f"{len(others) - _RIVALS:,} more"]] if len(others) > _RIVALS else []
    committed = [line for name, text in cheapest_committed(runs, words) for line in (f"{name}: {text}", "")]
    return [
        *table(["against", ">cost, $", ">difference, $", ">evictions", ">99% waited, s"], [*rows, *more]),
        "",
        *committed,
    ]
