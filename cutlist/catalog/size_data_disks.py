"""How many data disks an Azure VM size takes, from its name: no public table of the catalogue has it (VL-5)."""

from __future__ import annotations

from typing import Final

from cutlist.catalog.size_hardware import vcpus
from cutlist.catalog.size_names import SizeName

_MOST: Final = 32
_MOST_OF_OLD: Final = 64
_PER_VCPU: Final = 2
_PER_OLD_VCPU: Final = 4
# By vCPUs up to these: the v6 sizes of Intel take more disks than others of their number.
_INTEL_V6: Final = ((2, 8), (4, 12), (8, 24), (16, 48))
_OLD: Final = frozenset({"D", "DS", "F", "FS"})
"""Families whose sizes of the first versions take twice as many disks."""


def data_disks(name: SizeName | None) -> int | None:
    """Return the most data disks of a size, or None for a series whose sizes follow no rule that is known (VL-5)."""
    if name is None:
        return None
    cores, family, version = vcpus(name), name.letters, name.version
    if family == "B":
        return min(_PER_VCPU * cores, 16 if cores < 16 else _MOST) if version < 2 else min(_PER_VCPU * cores, _MOST)
    if family in _OLD and version <= (2 if family in ("D", "DS") else 1):
        # Fsv2 is of another generation, although its number is the second one too.
        return min(_PER_OLD_VCPU * cores, _MOST_OF_OLD)
    if family in ("D", "E") and 3 <= version <= 5:
        return min(_PER_VCPU * cores, _MOST)
    if family in ("D", "E") and version == 6:
        return _of_v6(name, cores)
    if (family, version) == ("F", 2) or (family == "L" and version >= 2):
        return min(_PER_VCPU * cores, _MOST)
    return None


def _of_v6(name: SizeName, cores: int) -> int | None:
    if name.is_arm:
        return None
    if "a" in name.features:
        return min(_PER_VCPU * cores, _MOST)
    return next((disks for most, disks in _INTEL_V6 if cores <= most), _MOST_OF_OLD)
