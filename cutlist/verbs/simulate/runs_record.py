"""Runs of a simulated cluster with several seeds, as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cutlist.core.records import FLAT, After, Instant, Usd, about, json_of
from cutlist.simulation.commitments import in_usd
from cutlist.simulation.comparison import RunNumbers, RunsSummary
from cutlist.verbs.simulate.commitments import CommitmentChoice
from cutlist.verbs.simulate.runs import OtherRuns, SimulationRuns
from cutlist.verbs.simulate.runs_commitments import CommitmentOfRuns

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Commitment:
    """The commitment that costs least for a term and all runs together. `on_demand_usd` and `saved_usd` are for a run on
    average.

    `used` is the part of it that is used, `enough_use` the part of the use from which on it costs no more than none. `os` is
    `windows` for reserved instances with Windows, else null; `sources` are those of the rates.
    """

    choice: Annotated[CommitmentChoice, FLAT]
    on_demand_usd: Usd
    saved_usd: Annotated[float, about("Negative where the runs cost more with it.")]
    best_usd_per_hour: Annotated[
        tuple[Usd, ...],
        about("What would cost least for each run alone, in the order of the seeds."),
        After("choice.commitment.hourly"),
    ]
    saved_usd_by_run: Annotated[tuple[float, ...], about("In the order of the seeds."), After("saved_usd")]


@dataclass(frozen=True, slots=True)
class _Cluster:
    """A cluster, its runs in the order of their seeds, and their summary."""

    summary: RunsSummary
    runs: tuple[RunNumbers, ...]


@dataclass(frozen=True, slots=True)
class _Other:
    """Another cluster, its runs with the same seeds, and by how much it differs from the cluster, seed by seed."""

    other: Annotated[OtherRuns, FLAT]
    difference: RunsSummary


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


def simulate_runs_json(runs: SimulationRuns) -> str:
    """Return runs as indented JSON that ends in a newline."""
    record = RunsRecord(
        version=VERSION,
        region=runs.region,
        start=runs.start,
        end=runs.end,
        seeds=runs.seeds,
        cluster=_Cluster(runs.summary, runs.runs),
        against=tuple(_Other(other, runs.difference(other)) for other in runs.others),
        commitments=tuple(_commitment(of, len(runs.runs)) for of in runs.commitments),
        notes=runs.notes,
    )
    return json_of(record)


def _commitment(of: CommitmentOfRuns, runs: int) -> _Commitment:
    amount, best, saved = of.choice.commitment, map(in_usd, of.best), map(in_usd, of.saved)
    return _Commitment(of.choice, in_usd(amount.without / runs), in_usd(amount.saved / runs), tuple(best), tuple(saved))
