"""The search for the devices of a pod's claims on one instance type: depth first, in the order of the lists (spec: R-9 to R-16,
R-30 to R-36, R-88, R-90).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from cutlist.devices.claims import MOST_DEVICES
from cutlist.devices.device import Counters, DeviceID
from cutlist.devices.selectors import SelectorError
from cutlist.scheduling.dynamicresources.alike import AlikeDevices
from cutlist.scheduling.dynamicresources.allocation import NodeID
from cutlist.scheduling.dynamicresources.allocationtracker import AllocationTracker
from cutlist.scheduling.dynamicresources.attributebindings import Groups
from cutlist.scheduling.dynamicresources.consumable_capacity import consumed_capacity
from cutlist.scheduling.dynamicresources.partitionable_devices import all_suffice, is_exhausted, suffices
from cutlist.scheduling.dynamicresources.pool import OfferedDevice, Pool, PoolKey, Reach, filter_pools
from cutlist.scheduling.dynamicresources.request import ClaimData, RequestData

MOST_STEPS: Final = 10_000_000
"""Devices tried for one pod on one NodeClaim. Karpenter stops after five seconds; this many take it about as long (R-126)."""
MOST_TRIED: Final = 300_000
"""Devices that are really tried: what failed before in an equal state is only counted. This many take some seconds."""


class SearchTimeoutError(Exception):
    """Raised when a search has tried too many devices."""


class FoundDevice(NamedTuple):
    """A device for a request of a claim (by number). `consumed` are amounts of a shared device, None for one that is not."""

    claim: int
    request: str
    offered: OfferedDevice
    consumed: Mapping[str, int] | None


class _Position(NamedTuple):
    """Where a search stands: a claim, its request, the alternative (-1 for none), and how many devices that one has."""

    claim: int = 0
    request: int = 0
    alternative: int = -1
    slot: int = 0


@dataclass(slots=True)
class Budget:
    """How many devices may still be tried, by Karpenter and in fact."""

    steps: int = MOST_STEPS
    tried: int = MOST_TRIED

    def spend(self) -> None:
        """Count a device that is tried. Raises SearchTimeoutError when none is left."""
        self.tried -= 1
        self.skip(1)

    def skip(self, steps: int) -> None:
        """Count devices that Karpenter tries. Raises SearchTimeoutError when none is left."""
        self.steps -= steps
        if self.steps < 0 or self.tried < 0:
            raise SearchTimeoutError


@dataclass(slots=True)
class PodSearch:
    """What the searches of one pod on one node share: one for each instance type.

    `matched` remembers what selectors said of a device by its names alone, also from one type to the next (R-29).
    """

    node: NodeID
    claims: Sequence[ClaimData]
    pools: Sequence[Pool]
    tracker: AllocationTracker
    matched: dict[tuple[DeviceID, bool, _Position], bool] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)


class TypeSearch:
    """A search on one instance type. `reach` is what the node reaches; the requirements of devices that are found narrow it."""

    def __init__(
        self,
        pod: PodSearch,
        instance_type: str,
        devices: Sequence[OfferedDevice],
        type_counters: Mapping[PoolKey, Counters],
        groups: Groups,
        reach: Reach,
    ) -> None:
        self._pod = pod
        self._type = instance_type
        self._devices = devices
        self._groups = groups
        self._pools: Sequence[Pool] = pod.pools
        self._left: dict[tuple[bool, PoolKey], Counters | None] = {}
        left_of_type = pod.tracker.counters_of_type(pod.node, instance_type, type_counters)
        for data in (offered for r in self._requests() for offered in r.all_devices(instance_type)):
            self._left.setdefault((data.of_type, data.pool), None)
        self._left |= {(True, pool): counters for pool, counters in left_of_type.items()}
        self._left |= {(False, pool.key): pod.tracker.counters_of_pool(pool.key) for pool in pod.pools}
        self._drawn: dict[tuple[bool, PoolKey], dict[tuple[str, str], int]] = {}
        self._shares: dict[tuple[DeviceID, bool, str], int] = {}
        self._in_use: dict[tuple[DeviceID, bool], OfferedDevice] = {}
        self.reach = reach
        self.found: list[FoundDevice] = []
        self._alike = AlikeDevices(pod.node, instance_type, pod.tracker, groups, pod.matched)
        self._failed: dict[Hashable, int] = {}
        self._narrowed: dict[Hashable, tuple[Reach, Sequence[Pool]]] = {}

    def run(self) -> bool:
        """Search; tell whether all claims can be met. Raises SearchTimeoutError."""
        for data in self._pod.claims:
            for constraint in data.constraints:
                constraint.reset()
        return self._may_suffice() and self._search(_Position())

    def _requests(self) -> Iterator[RequestData]:
        return (part for data in self._pod.claims for request in data.requests for part in request.tried)

    def _may_suffice(self) -> bool:
        """Tell whether counters may suffice for all that mode All takes, before any search (R-103)."""
        return all(
            any(not part.takes_all or all_suffice(part.all_devices(self._type), self._left) for part in request.tried)
            for data in self._pod.claims
            for request in data.requests
        )

    def _search(self, at: _Position) -> bool:
        """Tell whether the rest of all claims can be met. What failed before in an equal state is not searched again: it costs
        the steps that it took."""
        if self._failed and (steps := self._failed.get(self._state(at))) is not None:
            self._pod.budget.skip(steps)
            return False
        left = self._pod.budget.steps
        met = self._search_from(at)
        if not met and left > self._pod.budget.steps:
            self._failed[self._state(at)] = left - self._pod.budget.steps
        return met

    def _state(self, at: _Position) -> Hashable:
        """Return what the rest of a search depends on; devices that differ in nothing but their names count as one."""
        constraints = self._pod.claims[at.claim].constraints if at.claim < len(self._pod.claims) else ()
        used = Counter((self._alike.kind(offered), self._amounts(offered)) for _, offered in self._in_use.items())
        of_claim = sum(f.claim == at.claim for f in self.found)
        met = tuple(constraint.state(self._groups) for constraint in constraints)
        return at, of_claim, frozenset(used.items()), met, self.reach.requirements, id(self._pools)

    def _amounts(self, offered: OfferedDevice) -> tuple[int, ...]:
        return tuple(self._shares.get((offered.id, offered.of_type, name), 0) for name in sorted(offered.device.capacity))

    def _search_from(self, at: _Position) -> bool:
        claims = self._pod.claims
        if at.claim == len(claims):
            return True
        data = claims[at.claim]
        if at.request == len(data.requests):
            return self._search(_Position(at.claim + 1))
        request = data.requests[at.request]
        if at.alternative >= 0:
            request = request.alternatives[at.alternative]
        elif request.alternatives:
            return any(self._search(at._replace(alternative=n)) for n in range(len(request.alternatives)))
        wanted = len(request.all_devices(self._type)) if request.takes_all else request.count
        if request.takes_all and not wanted:
            return False
        if at.slot == 0 and sum(f.claim == at.claim for f in self.found) + wanted > MOST_DEVICES:
            return False
        if at.slot >= wanted:
            return self._search(_Position(at.claim, at.request + 1))
        return any(self._try(at, data, request, offered) for offered in self._candidates(at, request))

    def _candidates(self, at: _Position, request: RequestData) -> Iterator[OfferedDevice]:
        """Yield the devices for one place in the order in which they are tried: published ones come first (R-88)."""
        if request.takes_all:
            yield request.all_devices(self._type)[at.slot]
            return
        for pool in self._pools:
            if pool.incomplete:
                continue
            exhausted = is_exhausted(self._left.get((False, pool.key)), self._drawn.get((False, pool.key), {}))
            for offered in pool.devices:
                if not (exhausted and offered.device.consumes):
                    yield offered
        yield from self._devices

    def _try(self, at: _Position, data: ClaimData, request: RequestData, offered: OfferedDevice) -> bool:
        """Tell whether all claims can be met with a device in this place; if not, nothing is left of it."""
        self._pod.budget.spend()
        consumed = None
        if offered.device.shared:
            consumed = self._share(offered, request)
            if consumed is None:
                return False
        elif (offered.id, offered.of_type) in self._in_use or self._is_taken(offered):
            return False
        if not (self._counters_suffice(offered) and self._is_chosen(at, request, offered)):
            return False
        if not self._add_to_constraints(data, request, offered):
            return False
        before = self.reach, self._pools
        if self._narrow(offered):
            self._use(at, request, offered, consumed)
            if self._search(at._replace(slot=at.slot + 1)):
                return True
            self._give_back(offered, consumed)
        self.reach, self._pools = before
        for constraint in data.constraints:
            constraint.remove(request.name)
        return False

    def _is_taken(self, offered: OfferedDevice) -> bool:
        return self._pod.tracker.is_taken(offered, self._pod.node, self._type)

    def _share(self, offered: OfferedDevice, request: RequestData) -> Mapping[str, int] | None:
        """Return the amounts that a request would take of a shared device, or None if it has not that much left."""
        consumed = consumed_capacity(offered.device, request.capacity)
        for dimension, amount in (consumed or {}).items():
            used = self._pod.tracker.used_of(offered, dimension, self._pod.node, self._type)
            used += self._shares.get((offered.id, offered.of_type, dimension), 0)
            if used + amount > offered.device.capacity[dimension].amount:
                return None
        return consumed

    def _counters_suffice(self, offered: OfferedDevice) -> bool:
        if not offered.device.consumes:
            return True
        key = offered.of_type, offered.pool
        if not offered.of_type and all(pool.key != offered.pool for pool in self._pools):
            return False
        return suffices(self._left.get(key), self._drawn.get(key, {}), offered.device.consumes)

    def _is_chosen(self, at: _Position, request: RequestData, offered: OfferedDevice) -> bool:
        key = offered.id, offered.of_type, at._replace(slot=0)
        chosen = self._pod.matched.get(key)
        if chosen is None:
            try:
                chosen = request.matches(offered)
            except SelectorError:
                return False  # not remembered: the same names on another type are asked again
            self._pod.matched[key] = chosen
        return chosen

    def _add_to_constraints(self, data: ClaimData, request: RequestData, offered: OfferedDevice) -> bool:
        for number, constraint in enumerate(data.constraints):
            if not constraint.add(request.name, offered, self._groups):
                for added in data.constraints[:number]:
                    added.remove(request.name)
                return False
        return True

    def _narrow(self, offered: OfferedDevice) -> bool:
        """Add the requirements of a device to the node's; tell whether they agree."""
        added = offered.requirements
        if added is None:
            return True
        held = self.reach.requirements
        if not held.compatible(added, self.reach.well_known):
            return False
        key = held, id(self._pools), added
        if key not in self._narrowed:
            reach = Reach(self.reach.node, held & added, self.reach.well_known)
            self._narrowed[key] = reach, filter_pools(self._pools, reach)
        self.reach, self._pools = self._narrowed[key]
        return True

    def _use(self, at: _Position, request: RequestData, offered: OfferedDevice, consumed: Mapping[str, int] | None) -> None:
        self.found.append(FoundDevice(at.claim, request.name, offered, consumed))
        self._in_use[offered.id, offered.of_type] = offered
        self._count(offered, consumed, 1)

    def _give_back(self, offered: OfferedDevice, consumed: Mapping[str, int] | None) -> None:
        self.found.pop()
        if all((f.offered.id, f.offered.of_type) != (offered.id, offered.of_type) for f in self.found):
            del self._in_use[offered.id, offered.of_type]
        self._count(offered, consumed, -1)

    def _count(self, offered: OfferedDevice, consumed: Mapping[str, int] | None, sign: int) -> None:
        for dimension, amount in (consumed or {}).items():
            share = offered.id, offered.of_type, dimension
            self._shares[share] = self._shares.get(share, 0) + sign * amount
        drawn = self._drawn.setdefault((offered.of_type, offered.pool), {})
        for counter, amount in offered.device.consumes.items():
            drawn[counter] = drawn.get(counter, 0) + sign * amount
