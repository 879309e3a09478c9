"""The resources of a size, and the part that kubelet and system reserve (spec: azure 4). Amounts are in nano-units."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from cutlist.catalog.sizes import Size
from cutlist.core.quantity import MEBI, MILLI, NANO
from cutlist.providers.azure.gpus import AMD, NVIDIA, registered
from cutlist.providers.azure.profile import NodeProfile
from cutlist.providers.instance_types import AMD_GPU, CPU, EPHEMERAL_STORAGE, MEMORY, NVIDIA_GPU, PODS

_GIB: Final = 2**30
_GB: Final = 10**9
_EVICTION_MEMORY: Final = 750 * MEBI
# Each share applies to a number of GiB or cores. They are added as doubles, in this order.
_MEMORY_TIERS: Final = ((4.0, 0.25), (4.0, 0.20), (8.0, 0.10), (112.0, 0.06), (math.inf, 0.02))
_CPU_TIERS: Final = ((1.0, 0.06), (1.0, 0.04), (2.0, 0.02), (math.inf, 0.01))


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
