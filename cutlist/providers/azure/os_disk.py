"""The OS disk of a size: on one of the machine's own disks, which costs nothing, or a managed disk, billed by steps of its
size (spec: azure 4.5)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.catalog.managed_disks import PREMIUM, STANDARD_HDD, item_of, step_of
from cutlist.catalog.prices import Price, PriceOf
from cutlist.catalog.sizes import Size

_GIB: Final = 2**30
_MIB: Final = 2**20
_GB: Final = 10**9
NVME: Final = "NvmeDisk"
CACHE: Final = "CacheDisk"
TEMPORARY: Final = "ResourceDisk"
"""Where an ephemeral OS disk is, in Azure's words."""
_EPHEMERAL: Final = Price(0.0, "an ephemeral OS disk costs nothing")


@dataclass(frozen=True, slots=True)
class EphemeralRoom:
    """The largest OS disk in GB that fits on a size's own disks, and on which; 0 and empty if none does."""

    gb: int = 0
    placement: str = ""


@lru_cache(maxsize=4096)
def ephemeral_room(size: Size) -> EphemeralRoom:
    """Return the room on NVMe, else in the cache, else on the temporary disk: the first that there is, however small (Z-42)."""
    if not size.ephemeral_os_disk:
        return EphemeralRoom()
    rooms = (
        (size.nvme_mib * _MIB // _GB if NVME in size.placements else 0, NVME),
        (int(size.cache_gib * _GIB) // _GB, CACHE),
        (size.temporary_mib * _MIB // _GB, TEMPORARY),
    )
    return next((EphemeralRoom(gb, placement) for gb, placement in rooms if gb), EphemeralRoom())


def managed_os_disk(node_class: AKSNodeClass, size: Size) -> str:
    """Return what the managed OS disk of a size is billed as, such as `P10`; empty if the disk is ephemeral, or beyond the
    known sizes. If the request names no kind of disk, Azure uses premium SSD if the size supports it, else standard HDD."""
    if node_class.os_disk_size_gb <= ephemeral_room(size).gb:
        return ""
    return step_of(PREMIUM if size.premium_io else STANDARD_HDD, node_class.os_disk_size_gb)


def os_disk_price(node_class: AKSNodeClass, size: Size, price_of: PriceOf) -> Price | None:
    """Return the price per hour of the OS disk, or None if that of a managed one is unknown."""
    if node_class.os_disk_size_gb <= ephemeral_room(size).gb:
        return _EPHEMERAL
    step = managed_os_disk(node_class, size)
    return price_of(item_of(step)) if step else None
