"""Runs of a simulated cluster with several seeds, as CSV: a row for each run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.report.csv import Cell, rows_csv
from cutlist.simulation.comparison import RunNumbers
from cutlist.verbs.simulate.runs import SimulationRuns
from cutlist.verbs.simulate.runs_words import every_run

_TITLES: Final = ("seed", "cluster", "usd", "node_hours", "evictions", "half_waited_s", "99_percent_waited_s", "pending")


def simulate_runs_csv(runs: SimulationRuns) -> str:
    """Return a row for each run, those of other clusters behind these; then the evictions of each workload."""
    everything = every_run(runs)
    workloads = sorted({name for _, run in everything for name in run.evictions_by_workload})
    titles = [f"usd with {name}" for name in everything[0][1].committed]
    titles += [f"evictions {name or 'other pods'}" for name in workloads]
    return rows_csv((*_TITLES, *titles), [_row(cluster, run, workloads) for cluster, run in everything])


def _row(cluster: str, run: RunNumbers, workloads: Sequence[str]) -> Sequence[Cell]:
    numbers = (round(run.usd, 4), round(run.node_hours, 4), run.evictions, run.waited, run.waited_longest, run.pending)
    committed = (round(usd, 4) for usd in run.committed.values())
    return (run.seed, cluster, *numbers, *committed, *(run.evictions_by_workload.get(name, 0) for name in workloads))
