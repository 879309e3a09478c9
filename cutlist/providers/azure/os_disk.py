"""The OS disk of a size: on the machine's own disks, which costs nothing, or a managed disk, billed by steps of its size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cutlist.api import AKSNodeClass
from cutlist.catalog import Price, Size
from cutlist.providers.azure.capacity import ephemeral_os_disk_gb

DISK_STEPS: Final = ((32, 4), (64, 6), (128, 10), (256, 15), (512, 20), (1024, 30), (2048, 40), (4096, 50))
"""The sizes in GiB that managed disks are billed in, with their numbers: a disk of 100 GiB is billed as P10."""
_EPHEMERAL: Final = Price(0.0, "an ephemeral OS disk costs nothing")


def os_disk_price(node_class: AKSNodeClass, size: Size, price_of: Callable[[str], Price | None]) -> Price | None:
    """Return the price per hour of the OS disk, or None if that of a managed one is unknown (spec: azure 4.5). If the request
    names no kind of disk, Azure uses premium SSD if the size supports it, else standard HDD.
    """
    if node_class.os_disk_size_gb <= ephemeral_os_disk_gb(size):
        return _EPHEMERAL
    step = next((number for gib, number in DISK_STEPS if node_class.os_disk_size_gb <= gib), None)
    return None if step is None else price_of(f"managed-disk-{'p' if size.premium_io else 's'}{step}")
