"""More capabilities of an Azure VM size, derived from its name if there is no record: disks, network, generations (spec:
azure A.4, A.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cutlist.catalog.size_hardware import vcpus
from cutlist.catalog.size_names import SizeName

NVME_MIB_PER_VCPU: Final = 56_320
_NEW_ACCELERATORS: Final = ("A100", "H100", "H200", "MI300X")


@dataclass(frozen=True, slots=True)
class Disks:
    """The local disks of a size in GiB, NVMe in MiB; all 0 for a size that does not support an ephemeral OS disk."""

    cache_gib: float = 0.0
    temporary_gib: float = 0.0
    nvme_mib: int = 0


def generations(name: SizeName) -> tuple[str, ...]:
    """Return the generations of Hyper-V: `1`, `2`."""
    if _is_second_only(name):
        return ("2",)
    plain = name.family in "DEF" and not name.is_premium and name.version <= 4
    newer = name.version == 4 and ("a" in name.features or "d" in name.features)
    first_only = name.family in "AG" or (name.family == "N" and name.version <= 1 and name.letters != "NG")
    return ("1",) if first_only or (plain and not newer) else ("1", "2")


def _is_second_only(name: SizeName) -> bool:
    if name.is_arm or name.version >= 6 or name.letters in ("DC", "EC"):
        return True
    if name.family == "B" and name.version == 2:
        return "a" not in name.features
    if name.family == "N":
        return name.accelerator in _NEW_ACCELERATORS or (name.letters == "NC" and name.accelerator == "A10")
    return (name.family, name.version) in (("L", 4), ("M", 3))


def accelerated_networking(name: SizeName) -> bool:
    """Tell whether the size supports network interfaces that bypass the host."""
    if name.family in "AG" or vcpus(name) < 2:
        return False
    if name.family == "B" and name.version < 2:
        return vcpus(name) >= 12
    return not (name.family in "DLHN" and name.version <= 1 and name.letters in ("D", "DS", "L", "H", "NC", "ND", "NV"))


def encryption_at_host(name: SizeName) -> bool:
    """Tell whether disks and caches can be encrypted on the host."""
    return name.family not in "AG" and not (name.family in "DEFN" and not name.is_premium and name.version <= 4)


def trusted_launch(name: SizeName, of_generations: tuple[str, ...]) -> bool:
    """Tell whether a machine of these generations supports trusted launch."""
    old_arm = name.is_arm and name.version <= 5
    return "2" in of_generations and not old_arm and not (name.family == "M" and name.version <= 1)


def spot(name: SizeName) -> bool:
    """Tell whether the size is sold as spot."""
    return name.family != "B" and not name.promo and name.tier != "Basic" and (name.family, name.number) != ("A", 0)


def disks(name: SizeName) -> Disks:
    """Return the local disks of a size that supports an ephemeral OS disk."""
    n, cores, family, version = name.number, vcpus(name), name.letters, name.version
    premium = "s" in name.features
    if family == "B" and version < 2:
        return Disks(cache_gib=30)
    if family == "DS" and version == 2:
        return Disks(cache_gib=(36 if n >= 11 else 43) * cores)
    if family == "FS":
        return Disks(cache_gib=12 * n, temporary_gib=4 * n)
    if family == "F" and premium and version <= 2:
        return Disks(16 * n, 8 * n) if version == 2 else Disks(12 * n, 4 * n)
    if family == "L" and premium and version in (2, 3):
        return Disks(temporary_gib=10 * n)
    if family in ("D", "E"):
        return _general(name, n)
    has_nvme = "d" in name.features and version >= 6 and name.family != "N"
    return Disks(nvme_mib=NVME_MIB_PER_VCPU * n) if has_nvme else Disks()


def _general(name: SizeName, n: int) -> Disks:
    """Return the disks of families D and E. From version 5 on only Arm has a cache: x86 has a temporary disk alone (A.4)."""
    version, local, amd, premium = name.version, "d" in name.features, "a" in name.features, "s" in name.features
    if version >= 6:
        return Disks(nvme_mib=NVME_MIB_PER_VCPU * n) if local else Disks()
    if version in (4, 5) and local:
        has_cache = premium and (version == 4 or name.is_arm)
        return Disks(min(25.0 * n, 1600) if has_cache else 0.0, min(37.5 * n, 2400 if amd else 3600))
    if premium and (version == 3 or (version == 4 and amd)):
        return Disks(25.0 * n, (8.0 if name.letters == "D" else 16.0) * n)
    return Disks(temporary_gib=25.0 * n) if version == 4 and amd else Disks()


def quota_family(name: SizeName) -> str:
    """Return the quota family of a size, or an empty string if names do not determine it. Compare it ignoring case."""
    if name.family not in "ABDEFGL":
        return ""
    if name.family == "B":
        kind = "a" if "a" in name.features else "p" if "p" in name.features else ""
        return f"standardB{kind}sv2Family" if name.version == 2 else "standardBSFamily"
    if name.family == "A" and name.version == 2:
        return "standardAv2Family"
    if name.letters == "FX" and name.version <= 1:
        return "standardFXMDVSFamily"
    if name.family == "E" and name.version == 4 and "i" in name.features and "a" not in name.features:
        return f"standardXEI{'D' if 'd' in name.features else ''}Sv4Family"
    version = f"v{name.version}" if name.version else ""
    return f"standard{name.letters}{_features(name)}{version}{'Promo' if name.promo else ''}Family"


def _features(name: SizeName) -> str:
    rest = name.features.replace("i", "")
    if name.version <= 5:
        return ("i" if "i" in name.features else "").upper() + rest.upper()
    without_s = name.family in "DE" and name.version == 6 and ("a" in rest or "n" in rest)
    return rest.replace("s", "") if without_s else rest
