"""The figures of runs with several seeds, and the columns that each form has of means, other clusters and single runs."""

from __future__ import annotations

from typing import Final

from cutlist.report.columns import Figure, Figures, count, csv_table, in_currency, number, only_csv
from cutlist.report.markup import words
from cutlist.report.plain import span
from cutlist.simulation.commitments import in_usd
from cutlist.simulation.comparison import Interval, RunNumbers
from cutlist.verbs.simulate.columns import amount, commitment_columns, hourly_column, workload_figure
from cutlist.verbs.simulate.runs import SimulationRuns
from cutlist.verbs.simulate.runs_commitments import CommitmentOfRuns
from cutlist.verbs.simulate.runs_words import (
    THESE,
    Measure,
    Rival,
    Unplaced,
    amounts_of,
    every_run,
    interval_text,
    money_text,
    only_other,
    runs_text,
    why_unplaced,
)
from cutlist.verbs.simulate.words import OTHER_PODS

Run = tuple[str, RunNumbers]
"""A run with the name of its cluster."""


def mean_columns(runs: SimulationRuns) -> Figures[Measure]:
    """Return the columns of means, beside those of another cluster if there is just one."""
    return (_MEAN, *_numbers(runs))


def eviction_columns(runs: SimulationRuns) -> Figures[Measure]:
    """Return the columns of the evictions of workloads."""
    return (_WORKLOAD, *_numbers(runs))


def _run_csv(runs: SimulationRuns) -> Figures[Run]:
    """Return the columns of CSV: each run, its cost with commitments, and the evictions of each workload."""
    everything = [run for _, run in every_run(runs)]
    workloads = sorted({name for run in everything for name in run.evictions_by_workload})
    return (*_RUN_CSV, *map(_cost_with, everything[0].committed), *map(_evictions_of, workloads))


def _cost_with(name: str) -> Figure[Run]:
    return only_csv(f"usd with {name}", lambda row: round(row[1].committed[name], 4))


def _evictions_of(workload: str) -> Figure[Run]:
    return only_csv(f"evictions {workload or OTHER_PODS}", lambda row: row[1].evictions_by_workload.get(workload, 0))


def _numbers(runs: SimulationRuns) -> Figures[Measure]:
    return _COMPARED[:1] if only_other(runs) is None else _COMPARED


_MEAN: Final[Figure[Measure]] = Figure("mean of the runs", lambda m: m.name, least=16, page_title="Number")
_WORKLOAD: Final[Figure[Measure]] = workload_figure(lambda m: m.name)
_COMPARED: Final[Figures[Measure]] = (
    number(THESE, lambda m: m.text(0)),
    number("against", lambda m: m.text(1)),
    number("difference", lambda m: m.text(2, is_signed=True)),
)


def rival_columns(runs: SimulationRuns) -> Figures[Rival]:
    """Return the columns of other clusters, and by how much their numbers differ."""
    amounts = amounts_of(runs)
    return (
        Figure("against", lambda rival: rival[0].name, least=16, is_name=True, page_title="Cluster"),
        number(f"cost, {amounts.unit}", lambda rival: money_text(rival[0].summary.usd, amounts_of(runs, rival[0].runs))),
        number(f"difference, {amounts.unit}", lambda rival: money_text(rival[1].usd, amounts, is_signed=True)),
        number("evictions", lambda rival: interval_text(rival[1].evictions, is_signed=True)),
        number(
            "99% waited, s",
            lambda rival: interval_text(rival[1].waited_longest, is_signed=True),
            page_title="99% waited up to, s",
        ),
    )


_WHOSE: Final[Figure[Unplaced]] = Figure("cluster", lambda of: of[0], is_name=True)


def unplaced_columns(runs: SimulationRuns) -> Figures[Unplaced]:
    """Return the columns of pods without a node, with their cluster if there are several."""
    return (
        *((_WHOSE,) if runs.others else ()),
        workload_figure(lambda of: of[1].workload),
        number("in", lambda of: runs_text(of[1], runs)),
        number("still waiting", lambda of: f"{of[1].pending:,.3g}"),
        number("deleted before", lambda of: f"{of[1].never_ran:,.3g}"),
        number("longest wait", lambda of: span(of[1].longest_seconds)),
        Figure("why", lambda of: why_unplaced(of[1]), markdown=lambda of: words(why_unplaced(of[1])), page_class="w"),
    )


_SEED: Final[Figure[Run]] = number("seed", lambda r: str(r[1].seed), "seed")
_CLUSTER: Final[Figure[Run]] = Figure("cluster", lambda r: r[0], name="cluster")
_COST: Final[Figure[Run]] = only_csv("usd", lambda r: round(r[1].usd, 4))
_NODE_HOURS: Final[Figure[Run]] = number(
    "node-hours", lambda r: f"{r[1].node_hours:,.1f}", "node_hours", lambda r: round(r[1].node_hours, 4)
)
_EVICTIONS: Final[Figure[Run]] = count("evictions", lambda r: r[1].evictions, "evictions")
_HALF: Final[Figure[Run]] = only_csv("half_waited_s", lambda r: r[1].waited)
_LONGEST: Final[Figure[Run]] = number(
    "99% waited up to, s", lambda r: f"{r[1].waited_longest:,.0f}", "99_percent_waited_s", lambda r: r[1].waited_longest
)
_PENDING: Final[Figure[Run]] = count("pending", lambda r: r[1].pending, "pending")


def run_columns(runs: SimulationRuns) -> Figures[Run]:
    """Return the columns of single runs on a page, their costs with the same places."""
    every, amounts = every_run(runs), amounts_of(runs)
    shown = {id(run): cell for (_, run), cell in zip(every, amounts.column([run.usd for _, run in every]), strict=True)}
    cost: Figure[Run] = number(amounts.unit, lambda row: shown[id(row[1])])
    return (_SEED, _CLUSTER, cost, _NODE_HOURS, _EVICTIONS, _LONGEST, _PENDING)


_RUN_CSV: Final[Figures[Run]] = (_SEED, _CLUSTER, _COST, _NODE_HOURS, _EVICTIONS, _HALF, _LONGEST, _PENDING)


def csv(runs: SimulationRuns) -> str:
    """Return a row for each run, those of other clusters behind these; then the evictions of each workload."""
    return csv_table(_run_csv(runs), every_run(runs))


def commitments_of_runs(runs: SimulationRuns) -> Figures[CommitmentOfRuns]:
    """Return the columns of the commitments for all runs: what they save on average and in the worst run, and the amounts that
    would be best for a run alone, from the lowest to the highest."""
    hour = hourly_column(of.choice for of in runs.commitments)

    def best(of: CommitmentOfRuns) -> str:
        lowest, highest = hour(in_usd(min(of.best))), hour(in_usd(max(of.best)))
        return lowest if lowest == highest else f"{lowest} to {highest}"

    sums: Figures[CommitmentOfRuns] = (
        amount("best for one run", best),
        amount("saves $", lambda of: interval_text(Interval.of(list(map(in_usd, of.saved))))),
        amount("at least $", lambda of: f"{in_usd(min(of.saved)):,.2f}"),
    )
    return in_currency(commitment_columns(lambda of: of.choice, hour, sums), runs.currency)
