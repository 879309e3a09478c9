"""Runs of a simulated cluster with several seeds, as a page: means with intervals, and each run."""

from __future__ import annotations

from cutlist.answers.simulate_runs import SimulationRuns
from cutlist.report.html.rendering import render
from cutlist.report.simulate.runs_words import every_run, interval_text, length_words, measures, only_other, rivals, verdict


def simulate_runs_html(runs: SimulationRuns) -> str:
    """Return runs as one page."""
    rows = measures(runs)
    return render(
        "simulate_runs.html.j2",
        runs=runs,
        length=length_words(runs),
        verdict=verdict(runs),
        cost=interval_text(runs.summary.usd),
        numbers=[row for row in rows if not row.is_workload],
        evictions=[row for row in rows if row.is_workload],
        other=only_other(runs),
        rivals=rivals(runs),
        every_run=every_run(runs),
    )
