"""The allocation of devices to the claims of pods, one pod and one node at a time (spec: R-7, R-45 to R-56, R-87, R-95)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from cutlist.core.requirements import Requirements
from cutlist.devices.claims import ResourceClaim
from cutlist.devices.device import DeviceID
from cutlist.devices.inventory import DeviceInventory
from cutlist.devices.slices import DynamicResources
from cutlist.scheduling.dynamicresources.allocation import (
    Allocation,
    ClaimAllocation,
    DeviceResult,
    GivenDevices,
    NodeID,
    Taken,
)
from cutlist.scheduling.dynamicresources.allocationtracker import AllocationTracker, HeldDevices, taken_by
from cutlist.scheduling.dynamicresources.attributebindings import binding_groups
from cutlist.scheduling.dynamicresources.claim_errors import ClaimError, HeldByAnother, NoTypeLeft, OutOfTimeError
from cutlist.scheduling.dynamicresources.partitionable_devices import counters_at_start
from cutlist.scheduling.dynamicresources.pool import OfferedDevice, Pool, Reach, filter_pools, gather_pools, joined
from cutlist.scheduling.dynamicresources.request import ClaimData, ClaimReader
from cutlist.scheduling.dynamicresources.search import PodSearch, SearchTimeoutError, TypeSearch


@dataclass(frozen=True, slots=True)
class DeviceNode:
    """A node or NodeClaim for which devices are sought.

    `name` is empty while there is no node. `types` are what it may become, in the order of the list, with their devices;
    `publishes` says that it has devices of its type no longer, since those that it has are published.
    """

    id: NodeID
    requirements: Requirements
    types: Mapping[str, DynamicResources]
    name: str = ""
    publishes: bool = False


class Allocator:
    """Devices of one pass. `allocate` reads; `commit` is called when a pod has been placed."""

    def __init__(
        self,
        inventory: DeviceInventory,
        held: HeldDevices,
        leaving: frozenset[str],
        well_known: frozenset[str],
        given: Iterable[GivenDevices] = (),
    ) -> None:
        """Start a pass over the slices of `inventory`. `leaving` are the UIDs of pods that are placed again, `given` devices of
        nodes that are being launched."""
        self._inventory = inventory
        self._leaving = leaving
        self._well_known = well_known
        everything = gather_pools(inventory.slices, Reach("", Requirements(), well_known))
        self._tracker = AllocationTracker(held, everything)
        self._pools: dict[NodeID, Sequence[Pool]] = {}
        self._shared: dict[tuple[str, str], ClaimAllocation] = {}
        self.allocations: list[ClaimAllocation] = []
        for before in given:
            self._repeat(before)

    def allocate(self, node: DeviceNode, claims: Sequence[ResourceClaim]) -> Allocation:
        """Return devices for claims on a node. Raises ClaimError, in Karpenter's words, if they cannot be met there."""
        reach, open_claims = self._reach_with_allocated(node, claims)
        if not open_claims:
            return Allocation(frozenset(node.types), reach.requirements)
        before = self._pools.get(node.id)
        pools = gather_pools(self._inventory.slices, reach) if before is None else filter_pools(before, reach)
        devices = {} if node.publishes else {name: _devices_of(resources) for name, resources in node.types.items()}
        reader = ClaimReader(self._inventory.classes, pools, devices)
        data = []
        for claim in open_claims:
            try:
                data.append(reader.read(claim, claim.name or claim.of_pod))
            except ClaimError as error:
                raise ClaimError(f'validating claim "{claim.name or claim.of_pod}": {error}', error.cause) from None
        try:
            return self._search(node, PodSearch(node.id, data, pools, self._tracker), devices, reach)
        except SearchTimeoutError:
            raise OutOfTimeError("context deadline exceeded") from None

    def commit(self, allocation: Allocation, node: NodeID, batch: int, kept: frozenset[str]) -> None:
        """Set aside the devices of a pod of a batch that was placed, without those of types that its node cannot become."""
        if not allocation.claims:
            return
        self._tracker.commit(node, allocation.taken)
        self._pools[node] = allocation.pools
        for found in allocation.claims:
            # A NodeClaim that is asked again gets the same answer, so what it found is not changed here.
            claim = replace(found, devices=dict(found.devices), requirements=dict(found.requirements), batch=batch)
            self.allocations.append(claim)
            if claim.claim.shared:
                self._shared[claim.claim.key] = claim
        gone = allocation.types - kept
        if gone:
            self._tracker.release(node, gone)
            for claim in self.allocations:
                if claim.node == node:
                    for name in gone:
                        claim.devices.pop(name, None)
                        claim.requirements.pop(name, None)

    def _repeat(self, given: GivenDevices) -> None:
        """Set aside what an earlier pass has given."""
        devices = given.allocation.devices.get(given.instance_type, ())
        self._tracker.commit(given.node, {given.instance_type: taken_by(devices)})
        claim = given.allocation.claim
        if claim.shared:
            self._shared[claim.key] = replace(given.allocation, node=given.node)

    def _reach_with_allocated(self, node: DeviceNode, claims: Sequence[ResourceClaim]) -> tuple[Reach, list[ResourceClaim]]:
        """Return what a node reaches if it meets the requirements of allocated claims, and the claims that have no devices
        yet."""
        held, open_claims = node.requirements, []
        for claim in claims:
            given = self._shared.get(claim.key) if claim.shared else None
            if claim.allocation is not None and not claim.held_only_by(self._leaving):
                added, kind = joined(claim.allocation.terms or ()), "in-cluster"
            elif given is None:
                open_claims.append(claim)
                continue
            elif given.of_type:
                if given.node != node.id:
                    text = f"claim is bound to a different in-flight NodeClaim (ResourceClaim={_named(claim)})"
                    raise ClaimError(text, HeldByAnother(_named(claim)))
                continue
            else:
                added, kind = given.together, "in-memory"
            if not held.compatible(added, self._well_known):
                words = "allocation topology is incompatible with NodeClaim requirements"
                raise ClaimError(f"{kind} {words} (ResourceClaim={_named(claim)})")
            held &= added
        return Reach(node.name, held, self._well_known), open_claims

    def _search(
        self, node: DeviceNode, pod: PodSearch, devices: Mapping[str, Sequence[OfferedDevice]], reach: Reach
    ) -> Allocation:
        results = [ClaimAllocation(data.claim, node.id) for data in pod.claims]
        taken: dict[str, Taken] = {}
        last = next(iter(tuple(node.types)[-1:]), "")
        for name, resources in node.types.items():
            of_type = devices.get(name, ())
            if not (of_type or pod.pools) and _asks_for_devices(pod.claims):
                continue
            start = {} if node.publishes else counters_at_start(resources)
            search = TypeSearch(pod, name, of_type, start, binding_groups(resources), reach)
            try:
                met = search.run()
            except SearchTimeoutError:
                if name != last:
                    raise
                met = False  # Karpenter looks at the time before each type: after the last it keeps those that it has
            if met:
                # The next type is tried with the requirements that this one has added.
                reach = search.reach
                taken[name] = taken_by(search.found)
                _record(results, name, search)
        if not taken:
            raise ClaimError("no instance type can satisfy the allocation", NoTypeLeft())
        added = joined(result.together for result in results)
        pools = tuple(filter_pools(pod.pools, reach))
        return Allocation(frozenset(taken), added, tuple(results), taken, pools)


def _record(results: Sequence[ClaimAllocation], instance_type: str, search: TypeSearch) -> None:
    for found in search.found:
        result, offered = results[found.claim], found.offered
        device = DeviceResult(found.request, offered, found.consumed)
        result.devices[instance_type] = (*result.devices.get(instance_type, ()), device)
        result.of_type = result.of_type or offered.of_type
        if offered.requirements is not None:
            held = result.requirements.get(instance_type, Requirements())
            result.requirements[instance_type] = held & offered.requirements


@lru_cache(maxsize=4096)
def _devices_of(resources: DynamicResources) -> tuple[OfferedDevice, ...]:
    return tuple(
        OfferedDevice(DeviceID(template.driver, template.pool, device.name), device, of_type=True)
        for template in resources.slices
        for device in template.devices
    )


def _asks_for_devices(claims: Sequence[ClaimData]) -> bool:
    """Tell whether some request needs a device on every type."""
    return any(all(part.takes_all or part.count > 0 for part in r.tried) for data in claims for r in data.requests)


def _named(claim: ResourceClaim) -> str:
    return f"{claim.namespace}/{claim.name}"
