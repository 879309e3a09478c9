"""Runs of a simulated cluster with several seeds, as a page: means with intervals, and each run."""

from __future__ import annotations

from cutlist.report.html.rendering import render
from cutlist.verbs.simulate.runs import SimulationRuns
from cutlist.verbs.simulate.runs_columns import RIVALS, RUN_PAGE, commitments_of_runs, eviction_columns, mean_columns
from cutlist.verbs.simulate.runs_words import (
    cheapest_committed,
    every_run,
    interval_text,
    length,
    measures,
    notes,
    rivals,
    seeds_words,
    verdict,
)


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
        commitment_columns=commitments_of_runs(runs),
        every_run=every_run(runs),
    )
