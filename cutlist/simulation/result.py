"""What a simulation found: totals, series by the hour, commands, the lives of nodes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.simulation.events import HOUR, SECOND
from cutlist.simulation.ledger import CommandRecord, HourRecord, Ledger, NodeLife, PoolAndCapacity
from cutlist.simulation.settings import SimulationSettings
from cutlist.simulation.world import World

QUANTILES: Final = (0.5, 0.9, 0.99, 1.0)


@dataclass(frozen=True, slots=True)
class RunTotals:
    """A run in numbers. `pods` is how many got a node, and `pending_seconds` are quantiles of the time that they waited for it,
    by QUANTILES, None without pods.

    `pending` is how many pods still wait, `never_ran` how many were deleted before they got a node, and `unplaced_seconds` the
    longest that one of either waited.
    """

    usd: float
    node_hours: float
    evictions: int
    pods: int
    pending: int
    pending_seconds: Mapping[float, float] | None
    never_ran: int = 0
    unplaced_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class HourOfCluster:
    """An hour: its money and its average numbers. `at` is in seconds since 1970; `usd` and `nodes` are by NodePool and capacity
    type. `fill` is the part of the cpu that pods request, None without nodes."""

    at: float
    usd: Mapping[PoolAndCapacity, float]
    nodes: Mapping[PoolAndCapacity, float]
    pods: float
    pending: float
    fill: float | None
    evictions: int


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """What happened. `evictions` are by workload and cause, `timeouts` how many searches of Karpenter reached their timeout."""

    settings: SimulationSettings
    until: int
    totals: RunTotals
    usd: Mapping[PoolAndCapacity, float]
    series: Sequence[HourOfCluster]
    commands: Sequence[CommandRecord]
    evictions: Mapping[tuple[str, str], int]
    lives: Sequence[NodeLife]
    timeouts: Mapping[str, int]


def result_of(world: World) -> SimulationResult:
    """Return what has happened by now."""
    ledger, until = world.ledger, world.now
    waits = sorted(ledger.waits)
    totals = RunTotals(
        usd=ledger.usd(until),
        node_hours=ledger.node_hours(until),
        evictions=sum(ledger.evictions.values()),
        pods=len(waits),
        pending=len(world.cluster.pending),
        pending_seconds={q: _quantile(waits, q) / SECOND for q in QUANTILES} if waits else None,
        never_ran=len(ledger.never_ran),
        unplaced_seconds=max(ledger.unplaced(until), default=0) / SECOND,
    )
    return SimulationResult(
        settings=world.settings,
        until=until,
        totals=totals,
        usd=ledger.usd_by_group(until),
        series=_series(ledger, world.settings, until),
        commands=tuple(ledger.commands),
        evictions=dict(sorted(ledger.evictions.items())),
        lives=sorted(ledger.lives.values(), key=lambda life: (life.started, life.name)),
        timeouts=dict(sorted(ledger.timeouts.items())),
    )


def _series(ledger: Ledger, settings: SimulationSettings, until: int) -> list[HourOfCluster]:
    """Return the hours of a run; money and nodes follow from the lives of nodes."""
    nodes: list[Counter[PoolAndCapacity]] = [Counter() for _ in ledger.hours]
    costs: list[dict[PoolAndCapacity, list[float]]] = [{} for _ in ledger.hours]
    for life in ledger.lives.values():
        ended, group = until if life.ended is None else life.ended, (life.pool, life.capacity_type)
        for number in range(life.started // HOUR, -(-ended // HOUR)):
            ran = min(ended, (number + 1) * HOUR) - max(life.started, number * HOUR)
            nodes[number][group] += ran
            costs[number].setdefault(group, []).append(life.price * ran / HOUR)
    hours = zip(ledger.hours, nodes, costs, strict=True)
    return [_hour(n, *hour, settings, until) for n, hour in enumerate(hours)]


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
        usd={group: math.fsum(of_group) for group, of_group in sorted(costs.items())},
        nodes={group: ms / length for group, ms in sorted(nodes.items())},
        pods=hour.pods_ms / length,
        pending=hour.pending_ms / length,
        fill=hour.cpu_requested / hour.cpu_allocatable if hour.cpu_allocatable else None,
        evictions=hour.evictions,
    )


def _quantile(ascending: Sequence[int], share: float) -> int:
    """Return the smallest value that this share of all values does not exceed."""
    return ascending[max(0, math.ceil(share * len(ascending)) - 1)]
