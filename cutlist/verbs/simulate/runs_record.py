"""Runs of a simulated cluster with several seeds, as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cutlist.core.records import Count, Instant, TextOrNull, Usd, about, json_of
from cutlist.simulation.comparison import Interval, RunNumbers, RunsSummary
from cutlist.verbs.simulate.runs import OtherRuns, SimulationRuns
from cutlist.verbs.simulate.runs_commitments import CommitmentOfRuns
from cutlist.verbs.simulate.words import in_usd

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Interval:
    """A mean over the runs, and by how much the true one may differ from it with a confidence of 95%."""

    mean: float
    margin: Annotated[float | None, about("Null for a single run.")]


@dataclass(frozen=True, slots=True)
class _WorkloadInterval:
    """The evictions of a workload in a run: their mean, and by how much the true one may differ."""

    workload: str
    mean: float
    margin: Annotated[float | None, about("Null for a single run.")]


@dataclass(frozen=True, slots=True)
class _CommittedInterval:
    """The cost of a run with a kind of commitment, such as `1y savings plan`: its mean, and by how much the true one may
    differ."""

    commitment: str
    mean: float
    margin: Annotated[float | None, about("Null for a single run.")]


@dataclass(frozen=True, slots=True)
class _Summary:
    """The numbers of all runs. Of the time that pods waited for a node, in seconds, `p50` and `p99` are the quantiles."""

    usd: _Interval
    node_hours: _Interval
    evictions: _Interval
    pending_seconds_p50: _Interval
    pending_seconds_p99: _Interval
    pending: _Interval
    by_workload: tuple[_WorkloadInterval, ...]
    committed_usd: tuple[_CommittedInterval, ...]


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
class _Run:
    """A run with one seed."""

    seed: int
    usd: Usd
    node_hours: float
    evictions: Count
    by_workload: tuple[_WorkloadEvictions, ...]
    pending_seconds_p50: float
    pending_seconds_p99: float
    pending: Count
    committed_usd: tuple[_CommittedUsd, ...]


@dataclass(frozen=True, slots=True)
class _Commitment:
    """The commitment that costs least for a term and all runs together. `on_demand_usd` and `saved_usd` are for a run on
    average.

    `used` is the part of it that is used, `enough_use` the part of the use from which on it costs no more than none. `os` is
    `windows` for reserved instances with Windows, else null; `sources` are those of the rates.
    """

    term: str
    instance_type: TextOrNull
    instances: Annotated[Count | None, about("Null for a savings plan.")]
    usd_per_hour: Usd
    best_usd_per_hour: Annotated[tuple[Usd, ...], about("What would cost least for each run alone, in the order of the seeds.")]
    on_demand_usd: Usd
    saved_usd: Annotated[float, about("Negative where the runs cost more with it.")]
    saved_usd_by_run: Annotated[tuple[float, ...], about("In the order of the seeds.")]
    used: float
    enough_use: float | None
    os: TextOrNull
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Cluster:
    """A cluster, its runs in the order of their seeds, and their summary."""

    summary: _Summary
    runs: tuple[_Run, ...]


@dataclass(frozen=True, slots=True)
class _Other:
    """Another cluster, its runs with the same seeds, and by how much it differs from the cluster, seed by seed."""

    name: Annotated[str, about("The file or folder of `--against`.")]
    summary: _Summary
    runs: tuple[_Run, ...]
    difference: _Summary


@dataclass(frozen=True, slots=True)
class RunsRecord:
    """Runs of a cluster with several seeds, and of other clusters under the same events."""

    version: Literal[1]
    region: str
    start: Instant
    end: Instant
    seeds: tuple[int, ...]
    cluster: _Cluster
    against: Annotated[tuple[_Other, ...], about("In the order in which they are given.")]
    commitments: Annotated[tuple[_Commitment, ...], about("Of the cluster; empty without rates.")]
    notes: tuple[str, ...]


def runs_record(runs: SimulationRuns) -> RunsRecord:
    """Return runs as the record of their JSON."""
    return RunsRecord(
        version=VERSION,
        region=runs.region,
        start=runs.start,
        end=runs.end,
        seeds=runs.seeds,
        cluster=_Cluster(_summary(runs.summary), tuple(map(_run, runs.runs))),
        against=tuple(_other(runs, other) for other in runs.others),
        commitments=tuple(_commitment(of, len(runs.runs)) for of in runs.commitments),
        notes=runs.notes,
    )


def simulate_runs_json(runs: SimulationRuns) -> str:
    """Return runs as indented JSON that ends in a newline."""
    return json_of(runs_record(runs))


def _other(runs: SimulationRuns, other: OtherRuns) -> _Other:
    difference = _summary(runs.difference(other))
    return _Other(other.name, _summary(other.summary), tuple(map(_run, other.runs)), difference)


def _interval(interval: Interval) -> _Interval:
    return _Interval(interval.mean, interval.margin)


def _summary(summary: RunsSummary) -> _Summary:
    return _Summary(
        usd=_interval(summary.usd),
        node_hours=_interval(summary.node_hours),
        evictions=_interval(summary.evictions),
        pending_seconds_p50=_interval(summary.waited),
        pending_seconds_p99=_interval(summary.waited_longest),
        pending=_interval(summary.pending),
        by_workload=tuple(_WorkloadInterval(name, of.mean, of.margin) for name, of in summary.by_workload.items()),
        committed_usd=tuple(_CommittedInterval(name, of.mean, of.margin) for name, of in summary.committed.items()),
    )


def _run(run: RunNumbers) -> _Run:
    return _Run(
        run.seed,
        run.usd,
        run.node_hours,
        run.evictions,
        tuple(_WorkloadEvictions(name, count) for name, count in sorted(run.evictions_by_workload.items())),
        run.waited,
        run.waited_longest,
        run.pending,
        tuple(_CommittedUsd(name, usd) for name, usd in run.committed.items()),
    )


def _commitment(of: CommitmentOfRuns, runs: int) -> _Commitment:
    choice, amount = of.choice, of.choice.commitment
    return _Commitment(
        choice.term,
        choice.instance_type,
        amount.instances,
        in_usd(amount.hourly),
        tuple(map(in_usd, of.best)),
        in_usd(amount.without / runs),
        in_usd(amount.saved / runs),
        tuple(map(in_usd, of.saved)),
        float(amount.used),
        amount.enough_use,
        choice.os,
        choice.sources,
    )
