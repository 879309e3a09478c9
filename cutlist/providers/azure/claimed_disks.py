"""Managed disks that claims become, by the parameters of their StorageClass (VL-11)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from cutlist.catalog.managed_disks import (
    PREFIX,
    PREMIUM,
    STANDARD_HDD,
    STANDARD_SSD,
    bursting,
    item_of,
    mount_of,
    step_of,
)
from cutlist.catalog.prices import PriceOf, sum_of_prices
from cutlist.providers.disks import ProvisionedDisk, UnreadableParameter, lower_keys, whole_number

_DEFAULT: Final = "StandardSSD_LRS"
_BY_STEPS: Final = {"premium": PREMIUM, "standardssd": STANDARD_SSD, "standard": STANDARD_HDD}
_FREE_IOPS: Final = 3000
_FREE_THROUGHPUT: Final = 125
_BURSTS_ALONE: Final = 512
"""Up to this size in GiB premium SSD bursts without being enabled to, and cannot be."""
_ULTRA_IOPS: Final = 500
_ULTRA_THROUGHPUT: Final = 100


def managed_disk(parameters: Mapping[str, str], gib: float, price_of: PriceOf) -> ProvisionedDisk:
    """Return the disk that the Azure Disk CSI driver makes for a claim of some GiB, which it rounds up."""
    written = lower_keys(parameters)
    kind = written.get("skuname") or written.get("storageaccounttype") or _DEFAULT
    name, _, redundancy = kind.lower().partition("_")
    disk = ProvisionedDisk(kind, max(1, math.ceil(gib)))
    try:
        if name in ("premiumv2", "ultrassd"):
            return _by_amount(disk, written, name, price_of)
    except UnreadableParameter as problem:
        return replace(disk, unpriced=str(problem))
    if name not in _BY_STEPS:
        return replace(disk, unpriced=f"{kind} is not a known kind of disk")
    step = step_of(_BY_STEPS[name], disk.gib)
    try:
        parts = list(_of_step(step, written, disk.gib, zone_redundant=redundancy == "zrs")) if step else []
    except UnreadableParameter as problem:
        return replace(disk, unpriced=str(problem))
    price = price_of(parts[0][0]) if len(parts) == 1 else sum_of_prices((price_of(item), amount) for item, amount in parts)
    billed = f"{kind} {step}" if step else kind
    return replace(disk, type=billed, price=price, unpriced="" if price else f"no price of {billed} in this location")


def _of_step(step: str, written: dict[str, str], gib: int, *, zone_redundant: bool) -> Iterator[tuple[str, float]]:
    """Yield what a disk of a step is billed for: the disk, the VMs that it may be shared by, bursting on demand."""
    yield item_of(step, zone_redundant=zone_redundant), 1
    shares = whole_number(written, "maxshares") or 1
    if shares > 1:
        yield mount_of(step, zone_redundant=zone_redundant), shares
    if step.startswith(PREMIUM) and gib > _BURSTS_ALONE and written.get("enablebursting", "").lower() == "true":
        yield bursting(zone_redundant=zone_redundant), 1


def _by_amount(disk: ProvisionedDisk, written: dict[str, str], name: str, price_of: PriceOf) -> ProvisionedDisk:
    """Return a disk that is billed by size, operations and throughput."""
    iops, throughput = whole_number(written, "diskiopsreadwrite"), whole_number(written, "diskmbpsreadwrite")
    price = sum_of_prices((price_of(item), amount) for item, amount in _amounts(disk.gib, iops, throughput, name))
    unpriced = "" if price else f"no price of {disk.type} in this location"
    return replace(disk, iops=iops, throughput=throughput, price=price, unpriced=unpriced)


def _amounts(gib: int, iops: int | None, throughput: int | None, name: str) -> Iterator[tuple[str, float]]:
    if name == "premiumv2":
        yield f"{PREFIX}premium-v2", gib
        yield f"{PREFIX}premium-v2-iops", max(0, (iops or 0) - _FREE_IOPS)
        yield f"{PREFIX}premium-v2-throughput", max(0, (throughput or 0) - _FREE_THROUGHPUT)
        return
    yield f"{PREFIX}ultra", gib
    yield f"{PREFIX}ultra-iops", iops or _ULTRA_IOPS
    yield f"{PREFIX}ultra-throughput", throughput or _ULTRA_THROUGHPUT
