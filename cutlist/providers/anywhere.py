"""The instance types of a node class without what sells them: labels and capacity of machines, wherever these are sold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from cutlist.api import AKSNodeClass, AutoNodeClass, EC2NodeClass, NodeClass
from cutlist.catalog import Machine, Size
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.providers.aws.capacity import capacity as of_machine
from cutlist.providers.aws.labels import machine_labels
from cutlist.providers.aws.profile import AwsSettings, NodeProfile
from cutlist.providers.aws.provider import is_listed
from cutlist.providers.azure.capacity import capacity as of_size
from cutlist.providers.azure.exclusions import class_refusal, refusal
from cutlist.providers.azure.labels import size_labels
from cutlist.providers.azure.profile import NodeProfile as SizeProfile
from cutlist.providers.azure.settings import AzureSettings
from cutlist.providers.eks_auto.allowed import is_allowed
from cutlist.providers.eks_auto.capacity import NodeShape
from cutlist.providers.eks_auto.capacity import capacity as of_auto_machine
from cutlist.providers.eks_auto.provider import auto_labels
from cutlist.providers.instance_types import InstanceType


def types_anywhere(
    node_class: NodeClass, machines: Callable[[], Mapping[str, Machine]], sizes: Callable[[], Mapping[str, Size]]
) -> tuple[InstanceType, ...]:
    """Return the instance types that Karpenter makes of the machines of a class's cloud: EC2's `machines`, or Azure's `sizes`.

    They have neither zones nor offerings nor overhead, and the settings of the controller are the defaults.
    """
    if isinstance(node_class, AKSNodeClass):
        sized = SizeProfile.of(node_class, AzureSettings())
        known = (size for size in sizes().values() if not refusal(size) and not class_refusal(size, sized))
        return tuple(_bare(size.name, size_labels(size), of_size(size, sized)) for size in known)
    if isinstance(node_class, AutoNodeClass):
        shape = NodeShape.of(node_class)
        return tuple(_bare(m.name, auto_labels(m), of_auto_machine(m, shape)) for m in machines().values() if is_allowed(m))
    return _of_ec2(node_class, machines().values())


def _of_ec2(node_class: EC2NodeClass, machines: Iterable[Machine]) -> tuple[InstanceType, ...]:
    profile = NodeProfile.of(node_class, AwsSettings())
    return tuple(_bare(m.name, machine_labels(m), of_machine(m, profile)) for m in machines if is_listed(m))


def _bare(name: str, labels: tuple[Requirement, ...], capacity: Mapping[str, int]) -> InstanceType:
    return InstanceType(name, Requirements(labels), capacity, {}, ())
