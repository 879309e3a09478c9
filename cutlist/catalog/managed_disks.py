"""The steps that Azure bills managed disks by, and their names among the prices of services (VL-11, VL-14)."""

from __future__ import annotations

from typing import Final

PREMIUM: Final = "P"
STANDARD_SSD: Final = "E"
STANDARD_HDD: Final = "S"
PREFIX: Final = "managed-disk-"
"""How the items of all managed disks begin."""
_STEPS: Final = (
    *((4, 1), (8, 2), (16, 3), (32, 4), (64, 6), (128, 10), (256, 15), (512, 20), (1024, 30), (2048, 40), (4096, 50)),
    *((8192, 60), (16384, 70), (32767, 80)),
)
"""The sizes in GiB that disks are billed in, with their numbers."""
_SMALLEST_HDD: Final = 32
_ZRS: Final = "-zrs"
_EUROPEAN: Final = (
    *("northeurope", "westeurope", "austria", "belgium", "denmark", "finland", "france", "germany", "greece", "italy"),
    *("norway", "poland", "spain", "sweden", "switzerland", "uksouth", "ukwest"),
)


def steps(kind: str) -> dict[int, str]:
    """Return the steps of a kind of disk, such as `P10`, by the most GiB of each, the smallest first."""
    return {gib: f"{kind}{number}" for gib, number in _STEPS if kind != STANDARD_HDD or gib >= _SMALLEST_HDD}


def step_of(kind: str, gib: float) -> str:
    """Return the step that a disk of a kind and size is billed by: 100 GiB of premium SSD are a `P10`. Empty for more than the
    largest step."""
    return next((step for most, step in steps(kind).items() if gib <= most), "")


def item_of(step: str, *, zone_redundant: bool = False) -> str:
    """Return the item among the prices of services for a disk that is billed by a step."""
    return f"{PREFIX}{step.lower()}{_ZRS if zone_redundant else ''}"


def mount_of(step: str, *, zone_redundant: bool = False) -> str:
    """Return the item for one VM that a shared disk is mounted to."""
    return f"{item_of(step, zone_redundant=zone_redundant)}-mount"


def bursting(*, zone_redundant: bool = False) -> str:
    """Return the item for bursting on demand, which a disk of premium SSD may have enabled."""
    return f"{PREFIX}bursting{_ZRS if zone_redundant else ''}"


def is_european(location: str) -> bool:
    """Tell whether a location is in Europe, as those whose prices of disks are known."""
    return location.startswith(_EUROPEAN)
