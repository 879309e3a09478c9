"""Runs of a simulated cluster with several seeds, as CSV: a row for each run."""

from __future__ import annotations

from cutlist.report.columns import csv_table
from cutlist.verbs.simulate.runs import SimulationRuns
from cutlist.verbs.simulate.runs_columns import run_csv
from cutlist.verbs.simulate.runs_words import every_run


def simulate_runs_csv(runs: SimulationRuns) -> str:
    """Return a row for each run, those of other clusters behind these; then the evictions of each workload."""
    return csv_table(run_csv(runs), every_run(runs))
