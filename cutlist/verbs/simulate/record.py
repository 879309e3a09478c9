"""What happens to a cluster in some days, as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cutlist.core.records import Count, Instant, Part, TextOrNull, Usd, about, json_of
from cutlist.simulation.commitments import MILLION
from cutlist.simulation.events import HOUR
from cutlist.simulation.ledger import CommandRecord, NodeLife, PoolAndCapacity
from cutlist.simulation.result import HourOfCluster, RunTotals, SimulationResult
from cutlist.simulation.settings import SimulationSettings
from cutlist.verbs.simulate.answer import ClusterSimulation
from cutlist.verbs.simulate.commitments import CommitmentChoice

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _PendingSeconds:
    """How long the pods that got a node waited for it, in seconds: half of them at most this long, and so on."""

    p50: float
    p90: float
    p99: float
    max: float


@dataclass(frozen=True, slots=True)
class _Total:
    """The whole run. `pods` are those that got a node in it, `pending` those that still wait at its end, `never_ran` those that
    were deleted before they got one, and `unplaced_seconds` is the longest that one of the last two waited."""

    usd: Usd
    node_hours: float
    evictions: Count
    pods: Count
    pending: Count
    pending_seconds: Annotated[_PendingSeconds | None, about("Null where no pod got a node in the run.")]
    never_ran: Count
    unplaced_seconds: float


@dataclass(frozen=True, slots=True)
class _Nodes:
    """The nodes of a NodePool and capacity type: what they cost, and how many there are on average."""

    node_pool: str
    capacity_type: str
    usd: Usd
    nodes: float


@dataclass(frozen=True, slots=True)
class _Hour:
    """An hour with its average numbers of pods. `fill` is the part of the nodes' cpu that pods request."""

    at: Instant
    usd: Usd
    nodes: tuple[_Nodes, ...]
    pods: float
    pending: float
    fill: Part
    evictions: Count


@dataclass(frozen=True, slots=True)
class _Command:
    """Something that Karpenter did, or dropped after its validation; `savings_per_hour` is what it expected to save."""

    at: Instant
    method: str
    reason: str
    decision: str
    nodes: tuple[str, ...]
    launched: tuple[str, ...]
    savings_per_hour: Usd
    outcome: str


@dataclass(frozen=True, slots=True)
class _Evictions:
    """How often pods of a workload had to move because their node was removed, and why it was."""

    workload: str
    cause: str
    count: Count


@dataclass(frozen=True, slots=True)
class _Life:
    """A node, and what it cost. `ended` is null for one that still runs, and `cause` then empty."""

    name: str
    node_pool: str
    instance_type: str
    zone: str
    capacity_type: str
    price_per_hour: Usd
    started: Instant
    ended: Annotated[Instant | None, about("When its instance was terminated.")]
    cause: str
    usd: Usd


@dataclass(frozen=True, slots=True)
class _Timeouts:
    """How many searches of a method of consolidation would have reached their timeout."""

    method: str
    count: Count


@dataclass(frozen=True, slots=True)
class _Commitment:
    """The commitment that costs least for a term, for the full hours of the run: `on_demand_usd` is what they cost without it.

    `used` is the part of it that is used, `enough_use` the part of the use from which on it costs no more than none. `os` is
    `windows` for reserved instances with Windows, else null; `sources` are those of the rates.
    """

    term: str
    instance_type: TextOrNull
    instances: Annotated[Count | None, about("Null for a savings plan.")]
    usd_per_hour: Usd
    on_demand_usd: Usd
    saved_usd: Usd
    used: float
    enough_use: float | None
    os: TextOrNull
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SimulationRecord:
    """What happens to a cluster in some days, event by event."""

    version: Literal[1]
    region: str
    start: Instant
    end: Instant
    seed: int
    total: _Total
    costs: tuple[_Nodes, ...]
    series: tuple[_Hour, ...]
    commands: tuple[_Command, ...]
    evictions: tuple[_Evictions, ...]
    nodes: tuple[_Life, ...]
    timeouts: tuple[_Timeouts, ...]
    commitments: tuple[_Commitment, ...]
    notes: tuple[str, ...]


def simulation_record(simulation: ClusterSimulation) -> SimulationRecord:
    """Return a simulation as the record of its JSON."""
    result = simulation.result
    settings, until = result.settings, result.until
    return SimulationRecord(
        version=VERSION,
        region=simulation.region,
        start=settings.start,
        end=settings.instant(until),
        seed=settings.seed,
        total=_total(result.totals),
        costs=tuple(_costs(result)),
        series=tuple(map(_hour, result.series)),
        commands=tuple(_command(command, settings) for command in result.commands),
        evictions=tuple(_Evictions(*of, count) for of, count in result.evictions.items()),
        nodes=tuple(_life(life, settings, until) for life in result.lives),
        timeouts=tuple(_Timeouts(method, count) for method, count in result.timeouts.items()),
        commitments=tuple(map(_commitment, simulation.commitments)),
        notes=simulation.notes,
    )


def simulate_json(simulation: ClusterSimulation) -> str:
    """Return a simulation as indented JSON that ends in a newline."""
    return json_of(simulation_record(simulation))


def _total(totals: RunTotals) -> _Total:
    waits = totals.pending_seconds
    quantiles = _PendingSeconds(*waits.values()) if waits is not None else None
    return _Total(
        totals.usd,
        totals.node_hours,
        totals.evictions,
        totals.pods,
        totals.pending,
        quantiles,
        totals.never_ran,
        totals.unplaced_seconds,
    )


def _costs(result: SimulationResult) -> list[_Nodes]:
    hours: dict[PoolAndCapacity, float] = {}
    for life in result.lives:
        group = life.pool, life.capacity_type
        hours[group] = hours.get(group, 0.0) + life.hours(result.until)
    length = result.until / HOUR
    return [_Nodes(*group, usd, hours[group] / length) for group, usd in result.usd.items()]


def _hour(hour: HourOfCluster) -> _Hour:
    nodes = tuple(_Nodes(*group, hour.usd[group], number) for group, number in hour.nodes.items())
    return _Hour(hour.at, math.fsum(hour.usd.values()), nodes, hour.pods, hour.pending, hour.fill, hour.evictions)


def _command(command: CommandRecord, settings: SimulationSettings) -> _Command:
    return _Command(
        settings.instant(command.at),
        command.method,
        command.reason,
        command.decision,
        command.nodes,
        command.launched,
        command.savings,
        command.outcome,
    )


def _commitment(choice: CommitmentChoice) -> _Commitment:
    of = choice.commitment
    return _Commitment(
        choice.term,
        choice.instance_type,
        of.instances,
        float(of.hourly) / MILLION,
        float(of.without) / MILLION,
        float(of.saved) / MILLION,
        float(of.used),
        of.enough_use,
        choice.os,
        choice.sources,
    )


def _life(life: NodeLife, settings: SimulationSettings, until: int) -> _Life:
    return _Life(
        life.name,
        life.pool,
        life.instance_type,
        life.zone,
        life.capacity_type,
        life.price,
        settings.instant(life.started),
        None if life.ended is None else settings.instant(life.ended),
        life.cause,
        life.hours(until) * life.price,
    )
