"""Runs of a simulated cluster with several seeds, as a page: means with intervals, and each run."""

from __future__ import annotations

from typing import Final

from cutlist.report.html.rendering import render
from cutlist.verbs.simulate.runs import SimulationRuns
from cutlist.verbs.simulate.runs_columns import RIVALS, RUN_PAGE, eviction_columns, mean_columns
from cutlist.verbs.simulate.runs_words import (
    COMMITMENT_TITLES,
    cheapest_committed,
    commitment_cells,
    every_run,
    interval_text,
    length,
    measures,
    notes,
    rivals,
    seeds_words,
    verdict,
)

_TITLES: Final = tuple(title[0].upper() + title[1:] for title in COMMITMENT_TITLES)


def simulate_runs_html(runs: SimulationRuns) -> str:
    """Return runs as one page."""
    rows = measures(runs)
    return render(
        "simulate/runs_page.html.j2",
        runs=runs,
        notes=notes(runs),
        length=length(runs),
        seeds=seeds_words(runs),
        verdict=verdict(runs),
        cost=interval_text(runs.summary.usd),
        numbers=[row for row in rows if not row.is_workload],
        evictions=[row for row in rows if row.is_workload],
        mean_columns=mean_columns(runs),
        eviction_columns=eviction_columns(runs),
        rival_columns=RIVALS,
        run_columns=RUN_PAGE,
        rivals=rivals(runs),
        committed=cheapest_committed(runs),
        commitment_titles=[t if n in (0, 1, len(COMMITMENT_TITLES) - 1) else [t, "n"] for n, t in enumerate(_TITLES)],
        commitments=commitment_cells(runs),
        every_run=every_run(runs),
    )
