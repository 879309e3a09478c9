"""Several runs in numbers, and two clusters under the same events: means with intervals.

Runs of the same seed have the same demand and the same draws of every cause, so two clusters are compared seed by seed: the
effect of a seed on both of them cancels out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist, fmean, stdev
from typing import Annotated, Any, Final, get_args

from cutlist.catalog.ranges import PriceRange
from cutlist.core.records import FLAT, HIDDEN, SPARSE, After, Count, Form, Key, Usd, about, form_of
from cutlist.simulation.result import SimulationResult, UnplacedPods

CONFIDENCE: Final = 0.95
_LOW: Final = about("What it costs at least in most cases; only if it is estimated.")
_HIGH: Final = about("What it costs at most in most cases; only if it is estimated.")
_STUDENT: Final = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
"""The quantile 0.975 of Student's distribution for 1 to 30 degrees of freedom."""


def _listed(records: Any, order: Callable[[Iterable[Any]], Iterable[Any]] = list) -> Form:
    """Return the form of values by name that are a list in JSON: of the records that names and values make."""
    make = get_args(records)[0]
    return form_of(records).through(lambda values: [make(*item) for item in order(values.items())])


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over the runs, and by how much the true one may differ from it with a confidence of 95%."""

    mean: float
    margin: Annotated[float | None, about("Null for a single run.")]
    runs: Annotated[int, HIDDEN]

    @staticmethod
    def of(values: Sequence[float]) -> Interval:
        """Return the interval of at least one value, by Student's distribution."""
        runs = len(values)
        # One run says nothing about how much runs differ.
        margin = _student(runs - 1) * stdev(values) / math.sqrt(runs) if runs > 1 else None
        return Interval(fmean(values), margin, runs)

    @property
    def is_certain(self) -> bool:
        """Tell whether the interval leaves no doubt on which side of 0 the true mean is."""
        return self.margin is not None and abs(self.mean) > self.margin


@dataclass(frozen=True, slots=True)
class _WorkloadEvictions:
    """How often pods of a workload had to move in a run."""

    workload: str
    count: Count


@dataclass(frozen=True, slots=True)
class _CommittedUsd:
    """What a run costs with a kind of commitment."""

    commitment: str
    usd: Usd


@dataclass(frozen=True, slots=True)
class RunNumbers:
    """A run with one seed.

    `waited` and `waited_longest` are how long pods waited for a node, in seconds: the median, and what 99% did not exceed.
    `usd_per_month` is what a month costs after the start-up, or of the whole run if it never settles. `committed` is what the
    run costs with savings plans or reserved instances, in USD by the names of these. `unplaced` are the pods without a node.
    `usd_low` and `usd_high` are the ends of the range of an estimated cost.
    """

    seed: int
    usd: Usd
    node_hours: float
    evictions: Count
    evictions_by_workload: Annotated[Mapping[str, int], _listed(tuple[_WorkloadEvictions, ...], sorted), Key("byWorkload")]
    waited: Annotated[float, Key("pendingSecondsP50")]
    waited_longest: Annotated[float, Key("pendingSecondsP99")]
    pending: Count
    committed: Annotated[Mapping[str, float], _listed(tuple[_CommittedUsd, ...]), Key("committedUsd")] = field(
        default_factory=dict
    )
    usd_per_month: Annotated[Usd, After("usd"), about("USD for 730 hours after the start-up.")] = 0.0
    unplaced: tuple[UnplacedPods, ...] = ()
    usd_low: Annotated[float | None, SPARSE, After("usd"), _LOW] = None
    usd_high: Annotated[float | None, SPARSE, After("usd_low"), _HIGH] = None

    @staticmethod
    def of(result: SimulationResult) -> RunNumbers:
        """Return what runs are compared by: USD, hours of nodes, evictions, and how long pods waited in seconds."""
        totals, by_workload = result.totals, dict[str, int]()
        for (workload, _), count in result.evictions.items():
            by_workload[workload] = by_workload.get(workload, 0) + count
        waits = totals.pending_seconds or {}
        return RunNumbers(
            result.settings.seed,
            totals.usd,
            totals.node_hours,
            totals.evictions,
            by_workload,
            waits.get(0.5, 0.0),
            waits.get(0.99, 0.0),
            totals.pending,
            usd_per_month=result.phases.usd_per_month_or_of_all,
            unplaced=result.unplaced,
            usd_low=totals.usd_low,
            usd_high=totals.usd_high,
        )


_MEASURES: Final = ("usd", "usd_per_month", "node_hours", "evictions", "waited", "waited_longest", "pending")


@dataclass(frozen=True, slots=True)
class _WorkloadInterval:
    """The evictions of a workload in a run: their mean, and by how much the true one may differ."""

    workload: str
    interval: Annotated[Interval, FLAT]


@dataclass(frozen=True, slots=True)
class _CommittedInterval:
    """The cost of a run with a kind of commitment, such as `1y savings plan`: its mean, and by how much the true one may
    differ."""

    commitment: str
    interval: Annotated[Interval, FLAT]


@dataclass(frozen=True, slots=True)
class RunsSummary:
    """The numbers of all runs. Of the time that pods waited for a node, in seconds, `p50` and `p99` are the quantiles."""

    usd: Interval
    usd_per_month: Annotated[Interval, about("Of a month after the start-up.")]
    node_hours: Interval
    evictions: Interval
    waited: Annotated[Interval, Key("pendingSecondsP50")]
    waited_longest: Annotated[Interval, Key("pendingSecondsP99")]
    pending: Interval
    by_workload: Annotated[Mapping[str, Interval], _listed(tuple[_WorkloadInterval, ...])]
    committed: Annotated[Mapping[str, Interval], _listed(tuple[_CommittedInterval, ...]), Key("committedUsd")]


@dataclass(frozen=True, slots=True)
class UnplacedInRuns:
    """Pods of a workload that got no node for one reason: in how many `runs` there are some, and how many on average of all
    runs still wait at the end or were deleted before.

    `longest_seconds` is the longest that one of them waited in any run.
    """

    workload: str
    runs: Count
    pending: float
    never_ran: float
    longest_seconds: float
    reason: Annotated[str, about("Empty where no NodePool refused them: their nodes were on their way.")]


def unplaced_in(runs: Sequence[RunNumbers]) -> tuple[UnplacedInRuns, ...]:
    """Return the pods without a node of all runs by workload and reason, those that waited longest first."""
    alike: dict[tuple[str, str], list[UnplacedPods]] = {}
    for of in (of for run in runs for of in run.unplaced):
        alike.setdefault((of.workload, of.reason), []).append(of)
    rows = [
        UnplacedInRuns(
            workload,
            len(of_runs),
            sum(of.pending for of in of_runs) / len(runs),
            sum(of.never_ran for of in of_runs) / len(runs),
            max(of.longest_seconds for of in of_runs),
            reason,
        )
        for (workload, reason), of_runs in alike.items()
    ]
    return tuple(sorted(rows, key=lambda of: (-of.longest_seconds, of.workload, of.reason)))


def summary_of(runs: Sequence[RunNumbers]) -> RunsSummary:
    """Return the intervals of at least one run."""
    return _summary(
        {name: [float(getattr(run, name)) for run in runs] for name in _MEASURES},
        {w: [float(run.evictions_by_workload.get(w, 0)) for run in runs] for w in _workloads(runs)},
        {name: [run.committed[name] for run in runs] for name in runs[0].committed},
    )


def range_of(runs: Sequence[RunNumbers]) -> PriceRange | None:
    """Return the range of the mean cost of runs, which have the same prices and so the same errors; None if no price is an
    estimate."""
    ends = [
        (run.usd if run.usd_low is None else run.usd_low, run.usd if run.usd_high is None else run.usd_high) for run in runs
    ]
    if all(run.usd_low is None for run in runs):
        return None
    return PriceRange(fmean(low for low, _ in ends), fmean(high for _, high in ends))


def difference_of(runs: Sequence[RunNumbers], others: Sequence[RunNumbers]) -> RunsSummary:
    """Return by how much runs of another cluster differ from runs of the same seeds of one, seed by seed."""
    pairs = list(zip(runs, others, strict=True))
    return _summary(
        {name: [float(getattr(b, name)) - float(getattr(a, name)) for a, b in pairs] for name in _MEASURES},
        {
            w: [float(b.evictions_by_workload.get(w, 0) - a.evictions_by_workload.get(w, 0)) for a, b in pairs]
            for w in _workloads([*runs, *others])
        },
        {name: [b.committed[name] - a.committed[name] for a, b in pairs] for name in runs[0].committed},
    )


def _workloads(runs: Sequence[RunNumbers]) -> list[str]:
    return sorted({workload for run in runs for workload in run.evictions_by_workload})


def _summary(
    measures: Mapping[str, Sequence[float]],
    by_workload: Mapping[str, Sequence[float]],
    committed: Mapping[str, Sequence[float]],
) -> RunsSummary:
    return RunsSummary(**_intervals(measures), by_workload=_intervals(by_workload), committed=_intervals(committed))


def _intervals(values: Mapping[str, Sequence[float]]) -> dict[str, Interval]:
    return {name: Interval.of(of_runs) for name, of_runs in values.items()}


def _student(degrees: int) -> float:
    """Return the quantile of Student's distribution, from 31 degrees of freedom on by its expansion around the normal one."""
    if degrees <= len(_STUDENT):
        return _STUDENT[degrees - 1]
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    return z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
