"""The capacity of a machine under EKS Auto Mode (spec: api-objects 8.4). Amounts are in nano-units."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cutlist.catalog.machines import Machine
from cutlist.core.quantity import MEBI, NANO
from cutlist.providers.aws.capacity import EFA, POD_ENI, hardware
from cutlist.providers.instance_types import EPHEMERAL_STORAGE, MEMORY, PODS

if TYPE_CHECKING:
    from cutlist.api.autonodeclass import AutoNodeClass
    from cutlist.api.autonodeclass_fields import AutoNetworkInterface

MOST_PODS: Final = 110
_PREFIX: Final = 16
_MEMORY_SHARE: Final = 0.075  # kept by the hypervisor, as self-managed Karpenter estimates it


@dataclass(frozen=True, slots=True)
class NodeShape:
    """The parts of a NodeClass that affect capacity: the requested disk in nano-bytes, and whether pods have their own
    subnets.

    `max_pods` is the kubelet's limit. Where the class lists the network interfaces of an instance, none comes later:
    `addresses` are those for pods and `efa_only` the devices; both are None elsewhere.
    """

    disk: int
    pod_subnets: bool
    max_pods: int | None = None
    addresses: int | None = None
    efa_only: int | None = None

    @staticmethod
    def of(node_class: AutoNodeClass) -> NodeShape:
        """Return the shape of a NodeClass."""
        listed = node_class.advanced_networking.network_interfaces
        return NodeShape(
            node_class.ephemeral_storage.size.nanos,
            node_class.has_pod_subnets,
            node_class.max_pods,
            sum(map(_addresses, listed)) if listed else None,
            sum(interface.interface_type == "efa-only" for interface in listed) if listed else None,
        )


def _addresses(interface: AutoNetworkInterface) -> int:
    """Return the addresses for pods that an interface has from launch on: single ones, or 16 for each prefix (V-144)."""
    return (interface.secondary_ipv4_count or 0) + _PREFIX * (interface.secondary_ipv4_prefix_count or 0)


def capacity(machine: Machine, shape: NodeShape) -> dict[str, int]:
    """Return all resources of a machine, 0 where it has none. Branch interfaces for pods are not included."""
    amounts = {name: amount for name, amount in hardware(machine).items() if name != POD_ENI}
    amounts[MEMORY] = (machine.memory_mib - math.ceil(machine.memory_mib * _MEMORY_SHARE)) * MEBI
    amounts[EPHEMERAL_STORAGE] = ephemeral_storage(machine, shape)
    amounts[PODS] = pods(machine, shape) * NANO
    if shape.efa_only is not None:
        amounts[EFA] = shape.efa_only * NANO
    return amounts


def pods(machine: Machine, shape: NodeShape) -> int:
    """Return one pod for each secondary address of the interfaces that pods may use, at most 110 and what the kubelet allows;
    host-network pods count too. Of interfaces that the class lists, only the addresses of launch count."""
    interfaces = machine.network_cards[machine.default_card] - shape.pod_subnets
    most = max(0, interfaces) * (machine.ipv4_per_interface - 1)
    limits = (MOST_PODS, shape.max_pods, shape.addresses)
    return min(most, *(limit for limit in limits if limit is not None))


def ephemeral_storage(machine: Machine, shape: NodeShape) -> int:
    """Return the size of the data volume, or of all local disks if these are larger than the NodeClass' request."""
    local = (machine.disk_gb or 0) * 10**9 * NANO if machine.disk_nvme != "unsupported" else 0
    return max(local, shape.disk)
