"""Amounts that kubelet and system reserve on a node, in nano-units (spec: AWS 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cutlist.catalog.machines import Machine
from cutlist.core.quantity import MEBI, MILLI, nanos
from cutlist.providers.aws.capacity import ephemeral_storage, estimated_memory, interface_pods, pods, pods_before_density
from cutlist.providers.aws.profile import NodeProfile
from cutlist.providers.instance_types import CPU, EPHEMERAL_STORAGE, MEMORY

# Share of each core in hundred-thousandths: 6% of the first, 1% of the second, 0.5% of the next two, 0.25% of the rest.
_CPU_TIERS: Final = ((1, 6000), (1, 1000), (2, 500), (None, 250))
DISK: Final = nanos("1Gi")
"""The disk that is reserved for the kubelet by default."""


@dataclass(frozen=True, slots=True)
class Overhead:
    """The three parts of the overhead, which pods cannot use."""

    kube_reserved: Mapping[str, int]
    system_reserved: Mapping[str, int]
    eviction_threshold: Mapping[str, int]

    def total(self) -> dict[str, int]:
        """Return the sum of the parts."""
        total = dict(self.kube_reserved)
        for part in (self.system_reserved, self.eviction_threshold):
            for name, amount in part.items():
                total[name] = total.get(name, 0) + amount
        return total


def overhead(machine: Machine, profile: NodeProfile) -> Overhead:
    """Return the overhead: kube-reserved by default or, key by key, from the NodeClass; system-reserved from it; hard eviction
    thresholds."""
    kube = {
        CPU: kube_reserved_cpu(machine.vcpus),
        MEMORY: kube_memory(pods_of_kube_memory(machine, profile)),
        EPHEMERAL_STORAGE: DISK,
    }
    eviction = {
        MEMORY: profile.eviction_memory.of(estimated_memory(machine, profile)),  # never from the discovered memory
        EPHEMERAL_STORAGE: profile.eviction_disk.of(ephemeral_storage(machine, profile)),
    }
    return Overhead({**kube, **profile.kube_reserved}, profile.system_reserved, eviction)


@lru_cache(maxsize=1024)
def kube_reserved_cpu(vcpus: int) -> int:
    """Return the CPU reserved for the kubelet by default; each tier is truncated to whole millicores (A-35)."""
    millis, left = 0, vcpus
    for cores, share in _CPU_TIERS:
        counted = left if cores is None else min(left, cores)
        millis += counted * share // 100
        left -= counted
    return millis * MILLI


def pods_of_kube_memory(machine: Machine, profile: NodeProfile) -> int:
    """Return the number of pods that memory is reserved for by default; the family decides which number counts (A-38)."""
    if not profile.family.kube_memory_by_pods:
        return interface_pods(machine, profile, reserved=0)
    return pods(machine, profile) if profile.family.is_windows else pods_before_density(machine, profile)


def kube_memory(pod_count: int) -> int:
    """Return what is reserved for a number of pods: 11 MiB each, plus 255 MiB (A-37)."""
    return (11 * pod_count + 255) * MEBI
