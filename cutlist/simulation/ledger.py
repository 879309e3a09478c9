"""What a simulation records: money, node-hours, waiting, evictions, lifetimes, commands, and series by the hour."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Final

from cutlist.core.money import money_sum, money_times
from cutlist.core.records import HIDDEN, Key, Usd
from cutlist.simulation.events import HOUR
from cutlist.simulation.waits import add_wait, waits_by_hour

PoolAndCapacity = tuple[str, str]
EVENT: Final = "event"
"""The method of what happens from outside."""


@dataclass(frozen=True, slots=True)
class NodeLife:
    """A node from its launch to its end, in milliseconds since the start; `ended` is None while it runs. The price is in USD
    per hour; an estimated one may be `below` too high and `above` too low."""

    name: str
    pool: Annotated[str, Key("nodePool")]
    instance_type: str
    zone: str
    capacity_type: str
    price: Annotated[Usd, Key("pricePerHour")]
    started: Annotated[int, HIDDEN]
    ended: Annotated[int | None, HIDDEN] = None
    cause: str = ""
    os: Annotated[str, HIDDEN] = ""
    below: Annotated[float, HIDDEN] = 0.0
    above: Annotated[float, HIDDEN] = 0.0

    def hours(self, until: int) -> float:
        """Return how many hours it has run by an instant."""
        return ((until if self.ended is None else self.ended) - self.started) / HOUR

    def cost(self, until: int) -> float:
        """Return what it has cost by an instant, in USD."""
        return money_times(self.price, self.hours(until))


@dataclass(frozen=True, slots=True)
class CommandRecord:
    """Something that Karpenter did to nodes, or, where the method is `event`, that happened to the cluster from outside.

    `decision` is `launch`, `delete`, `replace`, the kind of the event, or why a node was removed forcibly.
    """

    at: Annotated[int, HIDDEN]
    method: str
    reason: str
    decision: str
    nodes: tuple[str, ...]
    launched: tuple[str, ...]
    savings: Annotated[Usd, Key("savingsPerHour")] = 0.0
    outcome: str = "executed"


@dataclass(slots=True)
class HourRecord:
    """An hour of the cluster: integrals over its milliseconds of the numbers of pods, and of cpu in nano-units.

    They are whole numbers, so that a run that is cut in two has the same.
    """

    pending_ms: int = 0
    pods_ms: int = 0
    cpu_requested: int = 0
    cpu_allocatable: int = 0
    evictions: int = 0


class Ledger:
    """The records of a run, made as things happen, in order of time.

    `waits` is how long pods that got a node waited for it, `never_ran` how long those waited that were deleted before, each
    with its workload. `waited` and `waited_whole` are what `add_wait` makes of the waits of pods that wait no longer.
    `refusals` are, by workload, why the last pass that had no node for its pods had none.
    """

    __slots__ = (
        "_at",
        "_cpu",
        "_running",
        "_since",
        "commands",
        "evictions",
        "hours",
        "lives",
        "never_ran",
        "refusals",
        "timeouts",
        "waited",
        "waited_whole",
        "waits",
    )

    def __init__(self) -> None:
        self._at = 0
        self._running = 0
        self._cpu = (0, 0)
        self._since: dict[str, int] = {}
        self.lives: dict[str, NodeLife] = {}
        self.hours: list[HourRecord] = []
        self.waits: list[int] = []
        self.never_ran: list[tuple[str, int]] = []
        self.waited: Counter[tuple[str, int]] = Counter()
        self.waited_whole: Counter[tuple[str, int]] = Counter()
        self.refusals: dict[str, str] = {}
        self.evictions: Counter[tuple[str, str]] = Counter()
        self.commands: list[CommandRecord] = []
        self.timeouts: Counter[str] = Counter()

    def advance(self, at: int) -> None:
        """Account for the time until an instant."""
        while self._at < at:
            number = self._at // HOUR
            # A stretch of time is cut at full hours, since each hour has its own sums.
            end = min(at, (number + 1) * HOUR)
            self._account(self._hour(number), end - self._at)
            self._at = end

    def _hour(self, number: int) -> HourRecord:
        while len(self.hours) <= number:
            self.hours.append(HourRecord())
        return self.hours[number]

    def _account(self, hour: HourRecord, length: int) -> None:
        hour.pending_ms += len(self._since) * length
        hour.pods_ms += self._running * length
        requested, allocatable = self._cpu
        hour.cpu_requested += requested * length
        hour.cpu_allocatable += allocatable * length

    def node_started(self, life: NodeLife) -> None:
        """Record a node that costs money from now on."""
        self.lives[life.name] = life

    def node_ended(self, name: str, at: int, cause: str) -> None:
        """Record that a node no longer costs money, and why."""
        life = self.lives[name]
        self.lives[name] = replace(life, ended=at, cause=cause)

    def room(self, requested: int, allocatable: int) -> None:
        """Change how much cpu pods request and nodes have, in nano-units."""
        self._cpu = self._cpu[0] + requested, self._cpu[1] + allocatable

    def pod_adopted(self, pods: int) -> None:
        """Count pods that ran before."""
        self._running += pods

    def pod_waits(self, key: str, at: int) -> None:
        """Record a pod that waits for a node."""
        self._since[key] = at

    def pod_bound(self, key: str, workload: str, at: int) -> None:
        """Record that a pod has its node."""
        since = self._since.pop(key)
        self.waits.append(at - since)
        add_wait(self.waited, self.waited_whole, workload, since, at)
        self._running += 1

    def pod_ended(self, key: str, workload: str, at: int) -> None:
        """Record that a pod is no longer there, whether or not it got a node."""
        if key in self._since:
            since = self._since.pop(key)
            self.never_ran.append((workload, at - since))
            add_wait(self.waited, self.waited_whole, workload, since, at)
        else:
            self._running -= 1

    def evicted(self, workload: str, cause: str) -> None:
        """Record an eviction of a pod, and why its node is removed."""
        self.evictions[workload, cause] += 1
        self._hour(self._at // HOUR).evictions += 1

    def waiting(self, at: int) -> dict[str, int]:
        """Return how long the pods that still wait have waited by an instant, in milliseconds, by their names."""
        return {key: at - since for key, since in self._since.items()}

    def waited_by_hour(self, at: int, workload_of: Mapping[str, str]) -> Mapping[tuple[str, int], int]:
        """Return how long the pods of each workload waited in each hour together by an instant, in milliseconds, those that
        still wait included; hours without any are left out."""
        parts, whole = Counter(self.waited), Counter(self.waited_whole)
        for key, since in self._since.items():
            add_wait(parts, whole, workload_of.get(key, ""), since, at)
        return waits_by_hour(parts, whole)

    def usd(self, until: int) -> float:
        """Return what all nodes have cost by an instant: the sum of their hours times their prices."""
        return money_sum(life.cost(until) for life in self.lives.values())

    def node_hours(self, until: int) -> float:
        """Return how many hours all nodes have run by an instant."""
        return math.fsum(life.hours(until) for life in self.lives.values())

    def usd_by_group(self, until: int) -> Mapping[PoolAndCapacity, float]:
        """Return what the nodes of each NodePool and capacity type have cost by an instant."""
        groups: dict[PoolAndCapacity, list[float]] = {}
        for life in self.lives.values():
            groups.setdefault((life.pool, life.capacity_type), []).append(life.cost(until))
        return {group: money_sum(costs) for group, costs in sorted(groups.items())}
