"""A machine's capacity, before anything is reserved (spec: AWS 2). Amounts are in nano-units."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from cutlist.catalog.machines import Machine
from cutlist.core.quantity import MEBI, NANO
from cutlist.providers.aws.limits import FIRST_TABLE
from cutlist.providers.aws.profile import NodeProfile
from cutlist.providers.instance_types import AMD_GPU, CPU, EPHEMERAL_STORAGE, MEMORY, NVIDIA_GPU, PODS

NEURON: Final = "aws.amazon.com/neuron"
NEURON_CORE: Final = "aws.amazon.com/neuroncore"
GAUDI: Final = "habana.ai/gaudi"
EFA: Final = "vpc.amazonaws.com/efa"
POD_ENI: Final = "vpc.amazonaws.com/pod-eni"
PRIVATE_IPV4: Final = "vpc.amazonaws.com/PrivateIPv4Address"

_ARM_RESERVE_MIB: Final = 64  # reserved by the contiguous memory allocator on Graviton


def capacity(machine: Machine, profile: NodeProfile, node_memory: int | None = None) -> dict[str, int]:
    """Return all resources of a machine, 0 where it has none.

    `node_memory`, as observed on live nodes, replaces the estimate (A-22).
    """
    amounts = dict(hardware(machine))
    amounts[MEMORY] = estimated_memory(machine, profile) if node_memory is None else node_memory
    amounts[EPHEMERAL_STORAGE] = ephemeral_storage(machine, profile)
    amounts[PODS] = pods(machine, profile) * NANO
    if profile.efa_only is not None:
        amounts[EFA] = profile.efa_only * NANO
    if profile.family.is_windows and architecture(machine) == "amd64":
        addresses = machine.limits_ipv4 if machine.limits == FIRST_TABLE else None
        amounts[PRIVATE_IPV4] = (addresses - 1 if addresses else 0) * NANO
    return amounts


@lru_cache(maxsize=8192)
def hardware(machine: Machine) -> Mapping[str, int]:
    """Return the resources that no NodeClass changes."""
    return {
        CPU: machine.vcpus * NANO,
        POD_ENI: (machine.trunk_interfaces or 0 if machine.limits == FIRST_TABLE else 0) * NANO,
        NVIDIA_GPU: _gpus(machine, "NVIDIA"),
        AMD_GPU: _gpus(machine, "AMD"),
        NEURON: sum(device.count for device in machine.neuron) * NANO,
        NEURON_CORE: machine.neuron[0].count * machine.neuron[0].cores_per_device * NANO if machine.neuron else 0,
        GAUDI: _gpus(machine, "Habana"),
        EFA: (machine.efa_interfaces or 0) * NANO,
    }


def architecture(machine: Machine) -> str:
    """Return `amd64` or `arm64`: the first of the machine's architectures for which Kubernetes has a name."""
    return _named(machine.architectures)


@lru_cache(maxsize=64)
def _named(architectures: tuple[str, ...]) -> str:
    return next(("amd64" if a == "x86_64" else a for a in architectures if a in ("x86_64", "arm64")), "")


def estimated_memory(machine: Machine, profile: NodeProfile) -> int:
    """Return the memory in nano-bytes without the hypervisor's share, a fraction that is rounded up to whole MiB (A-3,
    A-21)."""
    base = machine.memory_mib - (_ARM_RESERVE_MIB if machine.architectures[0] == "arm64" else 0)
    return (base - math.ceil(base * profile.memory_overhead)) * MEBI


def ephemeral_storage(machine: Machine, profile: NodeProfile) -> int:
    """Return local disks in decimal gigabytes under RAID0, NVMe or not; else the size of the NodeClass' disk (A-24, A-25)."""
    if profile.raid0 and machine.disk_gb is not None:
        return machine.disk_gb * 10**9 * NANO
    return profile.disk


def interface_pods(machine: Machine, profile: NodeProfile, reserved: int) -> int:
    """Return the number of addresses for pods on the default card's interfaces, with some interfaces reserved (A-28, A-29)."""
    usable = machine.network_cards[machine.default_card] - reserved - profile.efa_only_card0
    return usable * (machine.ipv4_per_interface - 1) + 2 if usable > 0 else 0


def pods_before_density(machine: Machine, profile: NodeProfile) -> int:
    """Return the number of pods that `podsPerCore` may still lower."""
    if profile.max_pods is not None:
        return profile.max_pods
    if profile.family.default_pods is not None:
        return profile.family.default_pods
    return interface_pods(machine, profile, profile.reserved_enis)


def pods(machine: Machine, profile: NodeProfile) -> int:
    """Return the number of pods that a node accepts (A-30, A-31)."""
    count = pods_before_density(machine, profile)
    if profile.pods_per_core > 0 and profile.family.obeys_pods_per_core:
        return min(count, profile.pods_per_core * machine.vcpus)
    return count


def _gpus(machine: Machine, manufacturer: str) -> int:
    if not machine.gpus:  # most machines have none
        return 0
    return sum(gpu.count for gpu in machine.gpus if gpu.manufacturer == manufacturer) * NANO
