"""Devices that claims hold before a pass, without those of pods that are placed again (spec: R-75, R-79, R-100)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cutlist.devices.claims import ResourceClaim
from cutlist.devices.device import DeviceID
from cutlist.scheduling.dynamicresources.allocationtracker import HeldDevices


def held_devices(claims: Iterable[ResourceClaim], leaving: frozenset[str]) -> HeldDevices:
    """Return what allocated claims hold. `leaving` are the UIDs of pods that are placed again."""
    holders: dict[DeviceID, list[tuple[ResourceClaim, Mapping[str, int] | None]]] = {}
    for claim in claims:
        # A device that a claim has several times counts as its last result says.
        results = {d.id: d.consumed for d in claim.allocation.devices} if claim.allocation is not None else {}
        for device, consumed in results.items():
            holders.setdefault(device, []).append((claim, consumed))
    exclusive: set[DeviceID] = set()
    shared: dict[DeviceID, Mapping[str, int]] = {}
    for device, by in holders.items():
        if _all_leave([claim for claim, _ in by], leaving):
            continue
        if all(consumed is None for _, consumed in by):
            exclusive.add(device)
        elif left := _consumed(by, leaving):
            shared[device] = left
    return HeldDevices(frozenset(exclusive), shared)


def _all_leave(claims: Sequence[ResourceClaim], leaving: frozenset[str]) -> bool:
    """Tell whether claims are reserved for pods, and all these pods leave; what is no pod does not count."""
    pods = [consumer.uid for claim in claims for consumer in claim.consumers if consumer.is_pod]
    return bool(pods) and leaving.issuperset(pods)


def _consumed(by: Sequence[tuple[ResourceClaim, Mapping[str, int] | None]], leaving: frozenset[str]) -> Mapping[str, int]:
    """Return how much of a shared device is consumed by claims that stay."""
    total: dict[str, int] = {}
    for _, consumed in by:
        for dimension, amount in (consumed or {}).items():
            total[dimension] = total.get(dimension, 0) + amount
    for claim, consumed in by:
        if not _all_leave([claim], leaving):
            continue
        for dimension, amount in (consumed or {}).items():
            if dimension in total:
                total[dimension] -= amount
                if total[dimension] <= 0:
                    del total[dimension]
    return total
