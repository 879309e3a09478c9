"""The effect of an EC2NodeClass and the controller's settings on all machines, computed once (spec: AWS 2.3, 2.4, 3)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from cutlist.api.kubelet_rules import percentage
from cutlist.core.quantity import NANO, Quantity, nanos
from cutlist.providers.aws.families import CUSTOM, FAMILIES, AmiFamily

if TYPE_CHECKING:
    from cutlist.api.ec2nodeclass import EC2NodeClass


@dataclass(frozen=True, slots=True)
class AwsSettings:
    """The controller's settings, with their defaults of v1.14.

    `vm_memory_overhead_percent` is a fraction in spite of its name: 0.075 keeps 7.5% of memory for the hypervisor.
    `reserved_enis` are network interfaces that pods may not use. `reserved_capacity` is the feature gate of that name.
    `feature_gates` are those of the AWS provider that are on, such as NodeClassCEL; `device_gates` those by which types have
    devices, if the controller plans claims for them.
    """

    vm_memory_overhead_percent: float = 0.075
    reserved_enis: int = 0
    reserved_capacity: bool = True
    feature_gates: frozenset[str] = frozenset()
    device_gates: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.vm_memory_overhead_percent < 0 or self.reserved_enis < 0:
            raise ValueError("vm_memory_overhead_percent and reserved_enis may not be negative")


EFA_ONLY: Final = "efa-only"
_DEFAULT_EVICTION_MEMORY: Final = nanos("100Mi")


@dataclass(frozen=True, slots=True)
class Threshold:
    """An eviction threshold: an amount in nano-units, or a percentage of the capacity."""

    amount: int = 0
    percent: float | None = None

    @staticmethod
    def read(text: str) -> Threshold:
        """Read a threshold such as `500Mi` or `5%`; `100%` switches the threshold off (A-40)."""
        if not text.endswith("%"):
            return Threshold(nanos(text))
        percent = percentage(text)
        return Threshold() if percent == 100 else Threshold(percent=percent)

    def of(self, capacity: int) -> int:
        """Return the threshold in nano-units. Percentages give whole units, computed in the controller's order and double
        precision."""
        if self.percent is None:
            return self.amount
        return math.ceil(capacity / NANO / 100 * self.percent) * NANO


@dataclass(frozen=True, slots=True)
class NodeProfile:
    """The effect of a NodeClass on capacity and overhead. Amounts are in nano-units.

    `disk` is the size of the node's disk unless `raid0` turns local disks into it. `efa_only` counts the NodeClass' efa-only
    interfaces (None if it configures no interfaces at all), `efa_only_card0` those on the first card.
    """

    family: AmiFamily
    memory_overhead: float
    reserved_enis: int
    max_pods: int | None
    pods_per_core: int
    raid0: bool
    disk: int
    efa_only: int | None
    efa_only_card0: int
    kube_reserved: Mapping[str, int] = field(hash=False)
    system_reserved: Mapping[str, int] = field(hash=False)
    eviction_memory: Threshold
    eviction_disk: Threshold

    @staticmethod
    def of(node_class: EC2NodeClass, settings: AwsSettings) -> NodeProfile:
        """Return the profile of a NodeClass."""
        family = FAMILIES.get(node_class.resolved_ami_family, CUSTOM)
        kubelet = node_class.kubelet
        eviction = (kubelet.eviction_hard if kubelet else None) or {}
        interfaces = node_class.network_interfaces or ()
        efa_only = [i for i in interfaces if i.interface_type == EFA_ONLY]
        return NodeProfile(
            family=family,
            memory_overhead=settings.vm_memory_overhead_percent,
            reserved_enis=settings.reserved_enis,
            max_pods=kubelet.max_pods if kubelet else None,
            pods_per_core=(kubelet.pods_per_core if kubelet else None) or 0,
            raid0=node_class.instance_store_policy == "RAID0",
            disk=_disk(family, node_class.block_device_mappings or ()),
            efa_only=len(efa_only) if interfaces else None,
            efa_only_card0=sum(i.network_card_index == 0 for i in efa_only),
            kube_reserved=_amounts(kubelet.kube_reserved if kubelet else None),
            system_reserved=_amounts(kubelet.system_reserved if kubelet else None),
            eviction_memory=_threshold(eviction, "memory.available", Threshold(_DEFAULT_EVICTION_MEMORY)),
            eviction_disk=_threshold(eviction, "nodefs.available", Threshold(percent=10)),
        )


def _threshold(eviction: Mapping[str, Any], signal: str, default: Threshold) -> Threshold:
    return Threshold.read(str(eviction[signal])) if signal in eviction else default


def _amounts(reserved: Mapping[str, Any] | None) -> dict[str, int]:
    return {name: _nanos(amount) for name, amount in (reserved or {}).items()}


def _nanos(amount: Quantity | str) -> int:
    return amount.nanos if isinstance(amount, Quantity) else nanos(amount)


def _disk(family: AmiFamily, mappings: Sequence[Any]) -> int:
    """Return the size of the root volume, else of the family's device (Custom: the last mapping), else the family's default.

    Of several possible mappings the first one decides, even if it has no size (A-25).
    """
    root = next((m for m in mappings if m.root_volume), None)
    own_device = (m for m in mappings if m.device_name == family.ephemeral_device)
    own = next(own_device, None) if family.ephemeral_device else next(reversed(mappings), None)
    for mapping in (root, own):
        size = None if mapping is None else _size(mapping)
        if size is not None:
            return size
    return family.default_disk


def _size(mapping: Any) -> int | None:
    size = mapping.ebs.volume_size if mapping.ebs else None
    return None if size is None else _nanos(size)
