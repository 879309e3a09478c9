"""Which devices are taken, and how much of shared ones, while a pass goes on (spec: R-8, R-75, R-89, R-97, R-102 to R-117).

A NodeClaim may still become any of several instance types, and for each of these other devices are set aside. Published devices
count as taken for other nodes if they are set aside for any type; of amounts, the largest over the types counts.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from cutlist.devices.device import Counters, DeviceID
from cutlist.scheduling.dynamicresources.allocation import Amounts, NodeID, Taken
from cutlist.scheduling.dynamicresources.pool import OfferedDevice, Pool, PoolKey


@dataclass(frozen=True, slots=True)
class HeldDevices:
    """Devices that claims hold before a pass. `consumed` are amounts of shared ones, by device and dimension."""

    exclusive: frozenset[DeviceID] = frozenset()
    consumed: Mapping[DeviceID, Mapping[str, int]] = field(default_factory=dict)

    def has(self, device: DeviceID) -> bool:
        """Tell whether a device is allocated, alone or shared."""
        return device in self.exclusive or device in self.consumed


class LargestOverTypes:
    """Amounts that nodes use: of each, the largest over the instance types that the node may still become."""

    __slots__ = ("_by_node", "_total")

    def __init__(self) -> None:
        self._by_node: dict[NodeID, dict[str, Amounts]] = {}
        self._total: Amounts = {}

    def used(self, key: Hashable) -> int:
        """Return how much of something all nodes together use."""
        return self._total.get(key, 0)

    def add(self, node: NodeID, instance_type: str, amounts: Mapping[Hashable, int]) -> None:
        """Add what a node would use as a type."""
        if amounts:
            before = self._largest(node)
            held = self._by_node.setdefault(node, {}).setdefault(instance_type, {})
            for key, amount in amounts.items():
                held[key] = held.get(key, 0) + amount
            self._count(before, self._largest(node))

    def release(self, node: NodeID, types: Iterable[str]) -> None:
        """Forget what a node would use as types that it no longer may become."""
        of_node = self._by_node.get(node)
        if of_node:
            before = self._largest(node)
            for instance_type in types:
                of_node.pop(instance_type, None)
            self._count(before, self._largest(node))

    def _largest(self, node: NodeID) -> Amounts:
        largest: Amounts = {}
        for amounts in self._by_node.get(node, {}).values():
            for key, amount in amounts.items():
                largest[key] = max(amount, largest.get(key, 0))
        return largest

    def _count(self, before: Amounts, after: Amounts) -> None:
        for key in before.keys() | after.keys():
            self._total[key] = self._total.get(key, 0) + after.get(key, 0) - before.get(key, 0)


class UsedDevice(Protocol):
    """A device that was found, with the amounts of a shared one."""

    @property
    def offered(self) -> OfferedDevice:
        """Return the device."""

    @property
    def consumed(self) -> Mapping[str, int] | None:
        """Return the amounts taken of it, None for one that is not shared."""


def taken_by(found: Iterable[UsedDevice]) -> Taken:
    """Return what is to be set aside for devices that were found."""
    taken = Taken()
    for used in found:
        offered = used.offered
        shares, drawn = (taken.type_capacity, taken.type_counters) if offered.of_type else (taken.capacity, taken.counters)
        if not offered.device.shared:
            (taken.of_type if offered.of_type else taken.published).append(offered.id)
        _add(shares, {(offered.id, dimension): amount for dimension, amount in (used.consumed or {}).items()})
        _add(drawn, {(offered.pool, *counter): amount for counter, amount in offered.device.consumes.items()})
    return taken


class AllocationTracker:
    """The devices of a pass. Searches read it; it changes when a pod has been placed, or a type is dropped."""

    __slots__ = ("_capacity", "_counters", "_held", "_of_type", "_published", "_start", "_type_capacity", "_type_counters")

    def __init__(self, held: HeldDevices, pools: Iterable[Pool]) -> None:
        """Start with what is held, and the counters of all pools without what held devices draw (R-105)."""
        self._held = held
        self._published: dict[DeviceID, tuple[NodeID, set[str]]] = {}
        self._of_type: dict[tuple[NodeID, str], set[DeviceID]] = {}
        self._capacity, self._counters = LargestOverTypes(), LargestOverTypes()
        self._type_capacity: dict[tuple[NodeID, str], Amounts] = {}
        self._type_counters: dict[tuple[NodeID, str], Amounts] = {}
        self._start = {pool.key: _left(pool, held) for pool in pools if pool.counters is not None}

    def is_taken(self, offered: OfferedDevice, node: NodeID, instance_type: str) -> bool:
        """Tell whether a device that is not shared is taken, as seen from a type of a node."""
        if offered.of_type:
            return offered.id in self._of_type.get((node, instance_type), ())
        if offered.id in self._held.exclusive:
            return True
        holder, types = self._published.get(offered.id, (node, ()))
        return holder != node or instance_type in types

    def used_of(self, offered: OfferedDevice, dimension: str, node: NodeID, instance_type: str) -> int:
        """Return how much of a shared device is used already, as seen from a type of a node."""
        key = (offered.id, dimension)
        if offered.of_type:
            return self._type_capacity.get((node, instance_type), {}).get(key, 0)
        return self._held.consumed.get(offered.id, {}).get(dimension, 0) + self._capacity.used(key)

    def counters_of_pool(self, pool: PoolKey) -> dict[tuple[str, str], int] | None:
        """Return what is left of the counters of a pool of published devices, or None if it has none."""
        start = self._start.get(pool)
        if start is None:
            return None
        return {counter: amount - self._counters.used((pool, *counter)) for counter, amount in start.items()}

    def counters_of_type(
        self, node: NodeID, instance_type: str, start: Mapping[PoolKey, Counters]
    ) -> Mapping[PoolKey, Counters]:
        """Return what is left of the counters of a type's own devices on a node, of those at the start."""
        used = self._type_counters.get((node, instance_type))
        if not used:
            return start
        return {
            pool: {counter: amount - used.get((pool, *counter), 0) for counter, amount in counters.items()}
            for pool, counters in start.items()
        }

    def commit(self, node: NodeID, taken: Mapping[str, Taken]) -> None:
        """Set aside what a search has found for each type of a node."""
        for instance_type, of_type in taken.items():
            for device in of_type.published:
                self._published.setdefault(device, (node, set()))[1].add(instance_type)
            key = node, instance_type
            self._of_type.setdefault(key, set()).update(of_type.of_type)
            self._capacity.add(node, instance_type, of_type.capacity)
            self._counters.add(node, instance_type, of_type.counters)
            _add(self._type_capacity.setdefault(key, {}), of_type.type_capacity)
            _add(self._type_counters.setdefault(key, {}), of_type.type_counters)

    def release(self, node: NodeID, types: Iterable[str]) -> None:
        """Give back what is set aside for types that a node no longer may become (R-97)."""
        gone = set(types)
        for device, (holder, held) in list(self._published.items()):
            if holder == node:
                held -= gone
                if not held:
                    del self._published[device]
        for instance_type in gone:
            for by_type in (self._of_type, self._type_capacity, self._type_counters):
                by_type.pop((node, instance_type), None)
        self._capacity.release(node, gone)
        self._counters.release(node, gone)


def _left(pool: Pool, held: HeldDevices) -> dict[tuple[str, str], int]:
    left = dict(pool.counters or {})
    for offered in (*pool.devices, *pool.elsewhere):
        if held.has(offered.id):
            for counter, amount in offered.device.consumes.items():
                if counter in left:
                    left[counter] -= amount
    return left


def _add(amounts: Amounts, more: Mapping[Hashable, int]) -> None:
    for key, amount in more.items():
        amounts[key] = amounts.get(key, 0) + amount
