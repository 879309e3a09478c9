"""Devices once nodes run: what their drivers publish, and which of them running pods hold.

A driver publishes the devices of a node in a pool with the node's name, and kube-scheduler allocates them to claims. Here they
are those that the instance type has, and the first that Karpenter's own search finds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from cutlist.core.requirements import Requirements
from cutlist.devices.claims import AllocatedDevice, Allocation, ClaimSpec, Consumer, ResourceClaim
from cutlist.devices.inventory import DeviceInventory
from cutlist.devices.slices import NO_DEVICES, DynamicResources, ResourceSlice
from cutlist.scheduling.dynamicresources.allocator import Allocator, DeviceNode
from cutlist.scheduling.dynamicresources.claim_errors import ClaimError
from cutlist.scheduling.dynamicresources.held import held_devices
from cutlist.workloads.pods import Pod, PodClaim

_NOBODY = frozenset[str]()


@dataclass(frozen=True, slots=True)
class HeldClaim:
    """What a pod holds by one of its claims, by the namespace and name of the claim, which other pods may hold as well."""

    claim: tuple[str, str]
    uid: str
    devices: tuple[AllocatedDevice, ...] = field(default_factory=tuple)


def published_slices(node: str, resources: DynamicResources) -> tuple[ResourceSlice, ...]:
    """Return the slices that drivers publish for a node of an instance type."""
    templates = resources.slices
    return tuple(
        ResourceSlice(
            name=f"{node}-{number}",
            driver=template.driver,
            pool=node,
            slices=sum(other.driver == template.driver for other in templates),
            owner=node,
            node=node,
            devices=template.devices,
            counter_sets=tuple(dict.fromkeys(name for name, _ in template.counters)) or None,
            counters=template.counters,
        )
        for number, template in enumerate(templates)
    )


def claims_held(
    inventory: DeviceInventory, node: str, requirements: Requirements, pod: Pod, name: str, uid: str, well_known: frozenset[str]
) -> tuple[HeldClaim, ...]:
    """Return what a pod that starts on a node gets by its claims; nothing where there are no devices for all of them.

    A claim that is allocated already gets no other devices, and the pod holds it too.
    """
    claims = [claim for asked in pod.resource_claims if (claim := _claim_of(inventory, pod, name, asked)) is not None]
    held = held_devices(inventory.claims.values(), _NOBODY)
    allocator = Allocator(inventory, held, _NOBODY, well_known)
    here = DeviceNode(node, requirements, {"": NO_DEVICES}, node, publishes=True)
    try:
        found = allocator.allocate(here, claims)
    except ClaimError:
        return ()
    given = {a.claim.key: a.devices.get("", ()) for a in found.claims}
    devices = {key: tuple(AllocatedDevice(d.offered.id, d.request, d.consumed) for d in by) for key, by in given.items()}
    return tuple(HeldClaim(claim.key, uid, devices.get(claim.key, ())) for claim in claims)


def with_held(inventory: DeviceInventory, held: Iterable[HeldClaim]) -> DeviceInventory:
    """Return the objects with claims as pods hold them."""
    claims = dict(inventory.claims)
    for holder in held:
        before = claims.get(holder.claim, ResourceClaim(*holder.claim, ClaimSpec()))
        allocation = before.allocation if before.allocation is not None else Allocation(holder.devices)
        consumers = (*before.consumers, Consumer("", holder.uid))
        claims[holder.claim] = replace(before, allocation=allocation, consumers=consumers)
    return replace(inventory, claims=claims)


def without_consumers(inventory: DeviceInventory, gone: Collection[str]) -> DeviceInventory:
    """Return the objects after pods have ended, by UID: a claim that only these held no longer has devices."""
    if not gone:
        return inventory
    return replace(inventory, claims={key: _without(claim, gone) for key, claim in inventory.claims.items()})


def _without(claim: ResourceClaim, gone: Collection[str]) -> ResourceClaim:
    left = tuple(c for c in claim.consumers if c.uid not in gone)
    if len(left) == len(claim.consumers):
        return claim
    return replace(claim, consumers=left, allocation=claim.allocation if left else None)


def with_slices(inventory: DeviceInventory, slices: Sequence[ResourceSlice]) -> DeviceInventory:
    """Return the objects with further slices."""
    return replace(inventory, slices=(*inventory.slices, *slices))


def _claim_of(inventory: DeviceInventory, pod: Pod, name: str, asked: PodClaim) -> ResourceClaim | None:
    """Return a claim of a pod; one made from a template has the names of the pod and of its entry."""
    if asked.claim:
        return inventory.claims.get((pod.namespace, asked.claim))
    spec = inventory.templates.get((pod.namespace, asked.template))
    return None if spec is None else ResourceClaim(pod.namespace, f"{name}-{asked.name}", spec)
