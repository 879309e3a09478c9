"""What a simulation found: totals, series by the hour, commands, the lives of nodes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final

from cutlist.catalog.ranges import Deviation, Deviations, PriceRange
from cutlist.core.money import money_sum, money_times
from cutlist.core.records import HIDDEN, SPARSE, Count, Instant, Key, Part, Usd, about, computed, form_of
from cutlist.simulation.events import HOUR, SECOND
from cutlist.simulation.ledger import CommandRecord, HourRecord, Ledger, NodeLife, PoolAndCapacity
from cutlist.simulation.phases import RunPhases
from cutlist.simulation.settings import SimulationSettings
from cutlist.simulation.world import World

QUANTILES: Final = (0.5, 0.9, 0.99, 1.0)


@dataclass(frozen=True, slots=True)
class _PendingSeconds:
    """How long the pods that got a node waited for it, in seconds: half of them at most this long, and so on."""

    p50: float
    p90: float
    p99: float
    max: float


_Quantiles = Annotated[
    Mapping[float, float] | None,
    form_of(_PendingSeconds | None).through(lambda waits: None if waits is None else _PendingSeconds(*waits.values())),
    about("Null where no pod got a node in the run."),
]


@dataclass(frozen=True, slots=True)
class RunTotals:
    """The whole run. `pods` are those that got a node in it, `pending` those that still wait at its end, `never_ran` those that
    were deleted before they got one, and `unplaced_seconds` is the longest that one of the last two waited.

    `pending_seconds` are quantiles of the time that pods waited for their nodes, by QUANTILES.
    """

    usd: Usd
    node_hours: float
    evictions: Count
    pods: Count
    pending: Count
    pending_seconds: _Quantiles
    never_ran: Count = 0
    unplaced_seconds: float = 0.0
    usd_low: Annotated[float | None, SPARSE, about("What it costs at least in most cases; only if it is estimated.")] = None
    usd_high: Annotated[float | None, SPARSE, about("What it costs at most in most cases; only if it is estimated.")] = None

    @property
    def usd_range(self) -> PriceRange | None:
        """Return the range of the cost of the run, in USD, or None for one of published prices."""
        return None if self.usd_low is None or self.usd_high is None else PriceRange(self.usd_low, self.usd_high)


@dataclass(frozen=True, slots=True)
class GroupOfNodes:
    """The nodes of a NodePool and capacity type: what they cost, and how many there are on average."""

    node_pool: str
    capacity_type: str
    usd: Usd
    nodes: float


@dataclass(frozen=True, slots=True)
class HourOfCluster:
    """An hour with its average numbers of pods. `fill` is the part of the nodes' cpu that pods request.

    `at` is in seconds since 1970; `usd` and `nodes` are by NodePool and capacity type.
    """

    at: Instant
    usd: Annotated[Mapping[PoolAndCapacity, float], HIDDEN]
    nodes: Annotated[Mapping[PoolAndCapacity, float], HIDDEN]
    pods: float
    pending: float
    fill: Part
    evictions: Count

    @property
    @computed(after="at")
    def total_usd(self) -> Annotated[Usd, Key("usd")]:
        """Return what all nodes cost."""
        return money_sum(self.usd.values())

    @property
    @computed(after="total_usd")
    def groups(self) -> Annotated[tuple[GroupOfNodes, ...], Key("nodes")]:
        """Return the nodes by NodePool and capacity type."""
        return tuple(GroupOfNodes(*group, self.usd[group], number) for group, number in self.nodes.items())


@dataclass(frozen=True, slots=True)
class Evictions:
    """How often pods of a workload had to move because their node was removed, and why it was."""

    workload: str
    cause: str
    count: Count


@dataclass(frozen=True, slots=True)
class UnplacedPods:
    """Pods of a workload that got no node: how many still wait at the end of the run, and how many were deleted before.

    `longest_seconds` is the longest that one of them waited. `reason` is why the last pass of Karpenter that found no node for
    such pods found none, empty where none refused them: their nodes were on their way.
    """

    workload: str
    pending: Count
    never_ran: Count
    longest_seconds: float
    reason: str


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """What happened. `unplaced` are the pods without a node, those that waited longest first.

    `evictions` are by workload and cause, `timeouts` how many searches of Karpenter reached their timeout. `currency` is that
    of all prices. `waited` is how long the pods of a workload waited in an hour of the run together, in milliseconds.
    """

    settings: SimulationSettings
    until: int
    totals: RunTotals
    usd: Mapping[PoolAndCapacity, float]
    series: Sequence[HourOfCluster]
    commands: Sequence[CommandRecord]
    unplaced: tuple[UnplacedPods, ...]
    evictions: Mapping[tuple[str, str], int]
    lives: Sequence[NodeLife]
    timeouts: Mapping[str, int]
    currency: str = "USD"
    waited: Mapping[tuple[str, int], int] = field(default_factory=dict)

    @property
    def phases(self) -> RunPhases:
        """Return the start-up, until the cluster first settles, and what the rest costs."""
        return RunPhases.of(self.commands, self.lives, self.until)

    @property
    def groups(self) -> tuple[GroupOfNodes, ...]:
        """Return what the nodes of each NodePool and capacity type cost, and how many there are on average."""
        hours = dict.fromkeys(self.usd, 0.0)
        for life in self.lives:
            hours[life.pool, life.capacity_type] += life.hours(self.until)
        length = self.until / HOUR
        return tuple(GroupOfNodes(*group, usd, hours[group] / length) for group, usd in self.usd.items())

    @property
    def moves(self) -> tuple[Evictions, ...]:
        """Return the evictions by workload and cause."""
        return tuple(Evictions(*of, count) for of, count in self.evictions.items())


def result_of(world: World) -> SimulationResult:
    """Return what has happened by now."""
    ledger, until = world.ledger, world.now
    waits, unplaced = sorted(ledger.waits), _unplaced(world, until)
    totals = RunTotals(
        usd=ledger.usd(until),
        node_hours=ledger.node_hours(until),
        evictions=sum(ledger.evictions.values()),
        pods=len(waits),
        pending=len(world.cluster.pending),
        pending_seconds={q: _quantile(waits, q) / SECOND for q in QUANTILES} if waits else None,
        never_ran=len(ledger.never_ran),
        unplaced_seconds=max((of.longest_seconds for of in unplaced), default=0.0),
        **_ends(ledger, until),
    )
    return SimulationResult(
        settings=world.settings,
        until=until,
        totals=totals,
        usd=ledger.usd_by_group(until),
        series=_series(ledger, world.settings, until),
        commands=tuple(ledger.commands),
        unplaced=unplaced,
        evictions=dict(sorted(ledger.evictions.items())),
        lives=sorted(ledger.lives.values(), key=lambda life: (life.started, life.name)),
        timeouts=dict(sorted(ledger.timeouts.items())),
        waited=ledger.waited_by_hour(until, world.cluster.workload_of),
    )


def _ends(ledger: Ledger, until: int) -> dict[str, float]:
    """Return the ends of the range of the cost, nothing without one."""
    lives = ledger.lives.values()
    off = Deviations.of_each((life.instance_type, life.hours(until), Deviation(life.below, life.above)) for life in lives)
    of = off.around(ledger.usd(until))
    return {} if of is None else {"usd_low": round(of.low, 6), "usd_high": round(of.high, 6)}


def _unplaced(world: World, until: int) -> tuple[UnplacedPods, ...]:
    """Return the pods without a node by workload, those that waited longest first."""
    pending: dict[str, list[int]] = {}
    for key, waited in world.ledger.waiting(until).items():
        pending.setdefault(world.cluster.workload_of.get(key, ""), []).append(waited)
    deleted: dict[str, list[int]] = {}
    for workload, waited in world.ledger.never_ran:
        deleted.setdefault(workload, []).append(waited)
    rows = []
    for workload in pending.keys() | deleted.keys():
        still, before = pending.get(workload, []), deleted.get(workload, [])
        reason = world.ledger.refusals.get(workload, "")
        rows.append(UnplacedPods(workload, len(still), len(before), max([*still, *before]) / SECOND, reason))
    return tuple(sorted(rows, key=lambda of: (-of.longest_seconds, of.workload)))


def _series(ledger: Ledger, settings: SimulationSettings, until: int) -> list[HourOfCluster]:
    """Return the hours of a run; money and nodes follow from the lives of nodes."""
    starting: dict[int, list[NodeLife]] = {}
    for life in ledger.lives.values():
        starting.setdefault(life.started // HOUR, []).append(life)
    series, lives = [], list[NodeLife]()
    # Hour by hour: all nodes of all hours together would be millions of numbers.
    for number, hour in enumerate(ledger.hours):
        lives += starting.get(number, ())
        nodes, costs = _nodes_in(lives, number, until)
        series.append(_hour(number, hour, nodes, costs, settings, until))
        lives = [life for life in lives if life.ended is None or life.ended > (number + 1) * HOUR]
    return series


def _nodes_in(
    lives: Iterable[NodeLife], number: int, until: int
) -> tuple[Counter[PoolAndCapacity], dict[PoolAndCapacity, list[float]]]:
    """Return how many milliseconds nodes ran in an hour, and what each of them cost in it."""
    nodes: Counter[PoolAndCapacity] = Counter()
    costs: dict[PoolAndCapacity, list[float]] = {}
    for life in lives:
        ended, group = until if life.ended is None else life.ended, (life.pool, life.capacity_type)
        # Up to the hour in which it ended, which it may have run in for a moment only.
        if number < -(-ended // HOUR):
            ran = min(ended, (number + 1) * HOUR) - max(life.started, number * HOUR)
            nodes[group] += ran
            costs.setdefault(group, []).append(money_times(life.price, ran / HOUR))
    return nodes, costs


def _hour(
    number: int,
    hour: HourRecord,
    nodes: Mapping[PoolAndCapacity, int],
    costs: Mapping[PoolAndCapacity, Sequence[float]],
    settings: SimulationSettings,
    until: int,
) -> HourOfCluster:
    length = min(until, (number + 1) * HOUR) - number * HOUR
    return HourOfCluster(
        at=settings.instant(number * HOUR),
        usd={group: money_sum(of_group) for group, of_group in sorted(costs.items())},
        nodes={group: ms / length for group, ms in sorted(nodes.items())},
        pods=hour.pods_ms / length,
        pending=hour.pending_ms / length,
        fill=hour.cpu_requested / hour.cpu_allocatable if hour.cpu_allocatable else None,
        evictions=hour.evictions,
    )


def _quantile(ascending: Sequence[int], share: float) -> int:
    """Return the smallest value that this share of all values does not exceed."""
    # A value that occurred, not one between two.
    return ascending[max(0, math.ceil(share * len(ascending)) - 1)]
