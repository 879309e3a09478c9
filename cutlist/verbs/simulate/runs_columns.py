"""The figures of runs with several seeds, and the columns that each form has of means, other clusters and single runs."""

from __future__ import annotations

from typing import Final

from cutlist.report.columns import Figure, Figures, count, only_csv
from cutlist.report.markup import code
from cutlist.report.plain import escape
from cutlist.simulation.comparison import RunNumbers
from cutlist.verbs.simulate.runs import SimulationRuns
from cutlist.verbs.simulate.runs_words import Measure, Rival, every_run, only_other

Run = tuple[str, RunNumbers]
"""A run with the name of its cluster."""


def mean_columns(runs: SimulationRuns) -> Figures[Measure]:
    """Return the columns of means, beside those of another cluster if there is just one."""
    return (_MEAN, *_numbers(runs))


def eviction_columns(runs: SimulationRuns) -> Figures[Measure]:
    """Return the columns of the evictions of workloads."""
    return (_WORKLOAD, *_numbers(runs))


def run_csv(runs: SimulationRuns) -> Figures[Run]:
    """Return the columns of CSV: each run, its cost with commitments, and the evictions of each workload."""
    everything = [run for _, run in every_run(runs)]
    workloads = sorted({name for run in everything for name in run.evictions_by_workload})
    return (*_RUN_CSV, *map(_cost_with, everything[0].committed), *map(_evictions_of, workloads))


def _cost_with(name: str) -> Figure[Run]:
    return only_csv(f"usd with {name}", lambda row: round(row[1].committed[name], 4))


def _evictions_of(workload: str) -> Figure[Run]:
    return only_csv(f"evictions {workload or 'other pods'}", lambda row: row[1].evictions_by_workload.get(workload, 0))


def _numbers(runs: SimulationRuns) -> Figures[Measure]:
    return _COMPARED[:1] if only_other(runs) is None else _COMPARED


_MEAN: Final[Figure[Measure]] = Figure(
    "mean of the runs", lambda m: escape(m.name), least=16, markdown=lambda m: m.name, page_title="Number"
)
_WORKLOAD: Final[Figure[Measure]] = Figure(
    "workload", lambda m: m.name or "other pods", markdown=lambda m: code(m.name) if m.name else "other pods"
)
_COMPARED: Final[Figures[Measure]] = (
    Figure("these files", lambda m: m.this, "right", page_class="n"),
    Figure("against", lambda m: m.other, "right", page_class="n"),
    Figure("difference", lambda m: m.difference, "right", page_class="n"),
)
RIVALS: Final[Figures[Rival]] = (
    Figure("against", lambda r: r.name, least=16, is_name=True, page_title="Cluster"),
    Figure("cost, $", lambda r: r.cost, "right", page_class="n"),
    Figure("difference, $", lambda r: r.difference, "right", page_class="n"),
    Figure("evictions", lambda r: r.evictions, "right", page_class="n"),
    Figure("99% waited, s", lambda r: r.waited_longest, "right", page_title="99% waited up to, s", page_class="n"),
)

_SEED: Final[Figure[Run]] = Figure("seed", lambda r: str(r[1].seed), "right", name="seed", page_class="n")
_CLUSTER: Final[Figure[Run]] = Figure("cluster", lambda r: r[0], name="cluster")
_COST: Final[Figure[Run]] = Figure(
    "$", lambda r: f"{r[1].usd:,.2f}", "right", name="usd", exact=lambda r: round(r[1].usd, 4), page_class="n"
)
_NODE_HOURS: Final[Figure[Run]] = Figure(
    "node-hours",
    lambda r: f"{r[1].node_hours:,.1f}",
    "right",
    name="node_hours",
    exact=lambda r: round(r[1].node_hours, 4),
    page_class="n",
)
_EVICTIONS: Final[Figure[Run]] = count("evictions", lambda r: r[1].evictions, "evictions")
_HALF: Final[Figure[Run]] = only_csv("half_waited_s", lambda r: r[1].waited)
_LONGEST: Final[Figure[Run]] = Figure(
    "99% waited up to, s",
    lambda r: f"{r[1].waited_longest:,.0f}",
    "right",
    name="99_percent_waited_s",
    exact=lambda r: r[1].waited_longest,
    page_class="n",
)
_PENDING: Final[Figure[Run]] = count("pending", lambda r: r[1].pending, "pending")
RUN_PAGE: Final[Figures[Run]] = (_SEED, _CLUSTER, _COST, _NODE_HOURS, _EVICTIONS, _LONGEST, _PENDING)
_RUN_CSV: Final[Figures[Run]] = (_SEED, _CLUSTER, _COST, _NODE_HOURS, _EVICTIONS, _HALF, _LONGEST, _PENDING)
