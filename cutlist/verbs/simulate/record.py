"""Simulations as JSON, of a run and of runs with several seeds: stable keys, byte-identical for equal input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cutlist.catalog.ages import PRICE_AGE, PriceAge
from cutlist.core.records import FLAT, SPARSE, After, Count, Instant, Price, Usd, about, json_of
from cutlist.core.services import OF_ANSWER, RunningService
from cutlist.planning.model.prices import CURRENCY
from cutlist.simulation.commitments import in_usd
from cutlist.simulation.comparison import RunNumbers, RunsSummary, UnplacedInRuns
from cutlist.simulation.ledger import CommandRecord, NodeLife
from cutlist.simulation.phases import RunPhases
from cutlist.simulation.result import Evictions, GroupOfNodes, HourOfCluster, RunTotals, UnplacedPods
from cutlist.verbs.simulate.answer import ClusterSimulation
from cutlist.verbs.simulate.commitments import CommitmentChoice
from cutlist.verbs.simulate.runs import OtherRuns, SimulationRuns
from cutlist.verbs.simulate.runs_commitments import CommitmentOfRuns

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Command:
    """Something that Karpenter did, or dropped after its validation; `savings_per_hour` is what it expected to save."""

    at: Instant
    command: Annotated[CommandRecord, FLAT]


@dataclass(frozen=True, slots=True)
class _Life:
    """A node, and what it cost. `ended` is null for one that still runs, and `cause` then empty."""

    life: Annotated[NodeLife, FLAT]
    started: Annotated[Instant, After("life.price")]
    ended: Annotated[Instant | None, about("When its instance was terminated."), After("started")]
    usd: Usd


@dataclass(frozen=True, slots=True)
class _Timeouts:
    """How many searches of a method of consolidation would have reached their timeout."""

    method: str
    count: Count


@dataclass(frozen=True, slots=True)
class _Phases:
    """The two parts of a run, and what a month of the second costs."""

    phases: Annotated[RunPhases, FLAT]
    usd_per_month: Annotated[Price, about("USD for 730 hours of the rest; null without a rest.")]


@dataclass(frozen=True, slots=True)
class SimulationRecord:
    """What happens to a cluster in some days, event by event."""

    version: Literal[1]
    region: str
    start: Instant
    end: Instant
    seed: int
    total: RunTotals
    phases: Annotated[_Phases, about("The start-up, until the cluster first settles, and what the rest costs.")]
    costs: tuple[GroupOfNodes, ...]
    series: tuple[HourOfCluster, ...]
    commands: tuple[_Command, ...]
    unplaced: Annotated[tuple[UnplacedPods, ...], about("Pods that got no node, by workload, with the reason.")]
    evictions: tuple[Evictions, ...]
    nodes: tuple[_Life, ...]
    timeouts: tuple[_Timeouts, ...]
    commitments: tuple[CommitmentChoice, ...]
    notes: tuple[str, ...]
    currency: Annotated[str | None, SPARSE, CURRENCY] = None
    price_age: Annotated[PriceAge | None, SPARSE, PRICE_AGE] = None
    services: Annotated[tuple[RunningService, ...] | None, SPARSE, OF_ANSWER] = None


@dataclass(frozen=True, slots=True)
class _CommitmentOfRuns:
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
class _Runs:
    """A cluster, its runs in the order of their seeds, and their summary."""

    summary: RunsSummary
    unplaced: Annotated[tuple[UnplacedInRuns, ...], about("Pods that got no node, by workload and reason.")]
    runs: tuple[RunNumbers, ...]


@dataclass(frozen=True, slots=True)
class _OtherRuns:
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
    cluster: _Runs
    against: Annotated[tuple[_OtherRuns, ...], about("In the order in which they are given.")]
    commitments: Annotated[tuple[_CommitmentOfRuns, ...], about("Of the cluster; empty without rates.")]
    notes: tuple[str, ...]
    currency: Annotated[str | None, SPARSE, CURRENCY] = None
    price_age: Annotated[PriceAge | None, SPARSE, PRICE_AGE] = None
    services: Annotated[tuple[RunningService, ...] | None, SPARSE, OF_ANSWER] = None


def simulate_runs_json(runs: SimulationRuns) -> str:
    """Return runs as indented JSON that ends in a newline."""
    record = RunsRecord(
        version=VERSION,
        region=runs.region,
        start=runs.start,
        end=runs.end,
        seeds=runs.seeds,
        cluster=_Runs(runs.summary, runs.unplaced, runs.runs),
        against=tuple(_OtherRuns(other, runs.difference(other)) for other in runs.others),
        commitments=tuple(_commitment_of_runs(of, len(runs.runs)) for of in runs.commitments),
        notes=runs.notes,
        currency=None if runs.currency == "USD" else runs.currency,
        price_age=runs.price_age,
        services=runs.services,
    )
    return json_of(record)


def simulate_json(simulation: ClusterSimulation) -> str:
    """Return a simulation as indented JSON that ends in a newline."""
    result, instant = simulation.result, simulation.result.settings.instant
    lives = (
        _Life(
            of,
            instant(of.started),
            None if of.ended is None else instant(of.ended),
            of.cost(result.until),
        )
        for of in result.lives
    )
    record = SimulationRecord(
        version=VERSION,
        region=simulation.region,
        start=result.settings.start,
        end=instant(result.until),
        seed=result.settings.seed,
        total=result.totals,
        phases=_Phases(result.phases, result.phases.usd_per_month),
        costs=result.groups,
        series=tuple(result.series),
        commands=tuple(_Command(instant(command.at), command) for command in result.commands),
        unplaced=result.unplaced,
        evictions=result.moves,
        nodes=tuple(lives),
        timeouts=tuple(_Timeouts(method, count) for method, count in result.timeouts.items()),
        commitments=simulation.commitments,
        notes=simulation.notes,
        currency=None if result.currency == "USD" else result.currency,
        price_age=simulation.price_age,
        services=simulation.services,
    )
    return json_of(record)


def _commitment_of_runs(of: CommitmentOfRuns, runs: int) -> _CommitmentOfRuns:
    amount, best, saved = of.choice.commitment, map(in_usd, of.best), map(in_usd, of.saved)
    return _CommitmentOfRuns(of.choice, in_usd(amount.without / runs), in_usd(amount.saved / runs), tuple(best), tuple(saved))
