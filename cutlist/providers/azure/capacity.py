"""The resources of a size, and the part that kubelet and system reserve (spec: azure 4). Amounts are in nano-units.

Its OS disk is on the machine's own disks, which costs nothing, or a managed disk, billed by steps of its size.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from cutlist.api import AKSNodeClass
from cutlist.catalog import Price, Size
from cutlist.catalog.managed_disks import PREMIUM, STANDARD_HDD, item_of, step_of
from cutlist.catalog.prices import PriceOf
from cutlist.core.quantity import MEBI, MILLI, NANO
from cutlist.providers.azure.gpus import AMD, NVIDIA, registered
from cutlist.providers.azure.profile import NodeProfile
from cutlist.providers.instance_types import AMD_GPU, CPU, EPHEMERAL_STORAGE, MEMORY, NVIDIA_GPU, PODS

_GIB: Final = 2**30
_MIB: Final = 2**20
_GB: Final = 10**9
_NVME: Final = "NvmeDisk"
_EVICTION_MEMORY: Final = 750 * MEBI
# Each share applies to a number of GiB or cores. They are added as doubles, in this order.
_MEMORY_TIERS: Final = ((4.0, 0.25), (4.0, 0.20), (8.0, 0.10), (112.0, 0.06), (math.inf, 0.02))
_CPU_TIERS: Final = ((1.0, 0.06), (1.0, 0.04), (2.0, 0.02), (math.inf, 0.01))
_EPHEMERAL: Final = Price(0.0, "an ephemeral OS disk costs nothing")


def capacity(size: Size, profile: NodeProfile) -> dict[str, int]:
    """Return all resources of a size, 0 where it has none.

    The disk counts with its requested size, wherever it is (Z-41).
    """
    known = registered(size.name)
    return {
        CPU: size.vcpus * NANO,
        MEMORY: memory(size.memory_gib, profile.memory_overhead),
        EPHEMERAL_STORAGE: profile.os_disk_gb * _GB * NANO,
        PODS: profile.max_pods * NANO,
        NVIDIA_GPU: size.gpus * NANO if known and known.manufacturer == NVIDIA else 0,
        AMD_GPU: size.gpus * NANO if known and known.manufacturer == AMD else 0,
    }


@lru_cache(maxsize=1024)
def memory(gib: float, kept: float) -> int:
    """Return whole GiB, without the hypervisor's estimated share, in nano-bytes rounded up to a byte (Z-39)."""
    whole = math.floor(gib) * _GIB
    return (whole - math.ceil(whole * kept)) * NANO


@lru_cache(maxsize=1024)
def overhead(vcpus: int, gib: float) -> dict[str, int]:
    """Return the sum of kube-reserved, by brackets, and the eviction threshold, which no class or version changes. Callers must
    not modify the result."""
    return {
        CPU: math.trunc(1000 * _share(float(vcpus), _CPU_TIERS)) * MILLI,
        MEMORY: math.trunc(1024 * _share(gib, _MEMORY_TIERS)) * MEBI + _EVICTION_MEMORY,
    }


def _share(amount: float, tiers: tuple[tuple[float, float], ...]) -> float:
    total, left = 0.0, amount
    for width, share in tiers:
        counted = min(left, width)
        total += counted * share
        left -= counted
    return total


@lru_cache(maxsize=4096)
def ephemeral_os_disk_gb(size: Size) -> int:
    """Return the largest OS disk in GB that needs no managed disk: on NVMe, else the cache, else the temporary disk (Z-42)."""
    if not size.ephemeral_os_disk:
        return 0
    nvme = size.nvme_mib * _MIB // _GB if _NVME in size.placements else 0
    return nvme or int(size.cache_gib * _GIB) // _GB or size.temporary_mib * _MIB // _GB


def os_disk_price(node_class: AKSNodeClass, size: Size, price_of: PriceOf) -> Price | None:
    """Return the price per hour of the OS disk, or None if that of a managed one is unknown (spec: azure 4.5). If the request
    names no kind of disk, Azure uses premium SSD if the size supports it, else standard HDD.
    """
    if node_class.os_disk_size_gb <= ephemeral_os_disk_gb(size):
        return _EPHEMERAL
    step = managed_os_disk(node_class, size)
    return price_of(item_of(step)) if step else None


def managed_os_disk(node_class: AKSNodeClass, size: Size) -> str:
    """Return what the managed OS disk of a size is billed as, such as `P10`; empty if the disk is ephemeral, or beyond the
    known sizes."""
    if node_class.os_disk_size_gb <= ephemeral_os_disk_gb(size):
        return ""
    return step_of(PREMIUM if size.premium_io else STANDARD_HDD, node_class.os_disk_size_gb)
