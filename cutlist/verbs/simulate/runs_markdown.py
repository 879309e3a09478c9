"""Runs of a simulated cluster with several seeds, as a comment on a pull request."""

from __future__ import annotations

from typing import Final

from cutlist.core.instants import instant_text
from cutlist.report.columns import markdown_table, short_table
from cutlist.report.markup import at_most, folded, words
from cutlist.verbs.simulate.markdown import commitment_lines
from cutlist.verbs.simulate.runs import SimulationRuns
from cutlist.verbs.simulate.runs_columns import RIVALS, commitments_of_runs, eviction_columns, mean_columns
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

_WORKLOADS: Final = 12
_NOTES: Final = 4
_RIVALS: Final = 12


def simulate_runs_markdown(runs: SimulationRuns) -> str:
    """Return runs as Markdown of less than 60 lines. Ends in a newline."""
    rows = measures(runs)
    evictions = [row for row in rows if row.is_workload]
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
        lines += folded("Evictions by workload", short_table(eviction_columns(runs), evictions, _WORKLOADS))
    lines += commitment_lines(commitments_of_runs(runs), runs.commitments)
    lines += at_most(_NOTES, [words(note) for note in notes(runs)])
    return "\n".join(lines).rstrip() + "\n"


def _rivals(runs: SimulationRuns) -> list[str]:
    """Return a table of several other clusters, the cheapest first."""
    others = rivals(runs)
    if not others:
        return []
    committed = [line for name, text in cheapest_committed(runs, words) for line in (f"{name}: {text}", "")]
    return [*short_table(RIVALS, others, _RIVALS), "", *committed]
