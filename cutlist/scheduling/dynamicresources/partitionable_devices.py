"""Counters that devices of a pool share, while a search goes on (spec: R-102 to R-107)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cutlist.core.quantity import whole
from cutlist.devices.device import Counters
from cutlist.devices.slices import DynamicResources
from cutlist.scheduling.dynamicresources.pool import OfferedDevice, PoolKey


def counters_at_start(resources: DynamicResources) -> dict[PoolKey, dict[tuple[str, str], int]]:
    """Return the counters of an instance type's own devices, by pool; pools without counters are missing."""
    start: dict[PoolKey, dict[tuple[str, str], int]] = {}
    for template in resources.slices:
        if template.counters:
            start.setdefault((template.driver, template.pool), {}).update(template.counters)
    return start


def suffices(left: Counters | None, drawn: Mapping[tuple[str, str], int], consumes: Counters) -> bool:
    """Tell whether counters suffice for a device, after what the search has drawn already. Whole units are compared."""
    if left is None:
        return False
    return all(
        counter in left and whole(left[counter]) - whole(drawn.get(counter, 0)) >= whole(amount)
        for counter, amount in consumes.items()
    )


def is_exhausted(left: Counters | None, drawn: Mapping[tuple[str, str], int]) -> bool:
    """Tell whether the search has used up some counter of a pool: no device that draws on any is tried then."""
    if left is None:
        return False
    return any(counter in left and whole(left[counter]) <= whole(amount) for counter, amount in drawn.items())


def all_suffice(devices: Iterable[OfferedDevice], left_of: Mapping[tuple[bool, PoolKey], Counters | None]) -> bool:
    """Tell whether counters suffice for all of some devices. `left_of` are the counters of pools, by whether they are those of
    the type's own devices.

    Where a pool has no counters the answer is open, which counts as yes.
    """
    left = {pool: None if counters is None else dict(counters) for pool, counters in left_of.items()}
    for offered in devices:
        if not offered.device.consumes:
            continue
        counters = left[offered.of_type, offered.pool]
        if counters is None:
            return True
        for counter, amount in offered.device.consumes.items():
            if counter not in counters or counters[counter] < amount:
                return False
            counters[counter] -= amount
    return True
