"""The instance types of a node class without what sells them: labels and capacity of machines, wherever these are sold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, cast

from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.read import NodeClass
from cutlist.catalog.machines import Machine
from cutlist.catalog.sizes import Size
from cutlist.core.identity import SameObject
from cutlist.core.requirements import Requirements
from cutlist.providers.aws.amounts import ClassAmounts, MachineColumns
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
from cutlist.providers.type_list import Amounts, SoldTypeList, TypeList


def types_anywhere(
    node_class: NodeClass, machines: Callable[[], Mapping[str, Machine]], sizes: Callable[[], Mapping[str, Size]]
) -> Sequence[InstanceType]:
    """Return the instance types that Karpenter makes of the machines of a class's cloud: EC2's `machines`, or Azure's `sizes`.

    They have neither zones nor offerings nor overhead, and the settings of the controller are the defaults.
    """
    if isinstance(node_class, AKSNodeClass):
        sized = SizeProfile.of(node_class, AzureSettings())
        known = (size for size in sizes().values() if not refusal(size) and not class_refusal(size, sized))
        return tuple(_bare(size.name, Requirements(size_labels(size)), of_size(size, sized)) for size in known)
    if isinstance(node_class, AutoNodeClass):
        shape = NodeShape.of(node_class)
        allowed = (machine for machine in machines().values() if is_allowed(machine))
        return tuple(_bare(m.name, Requirements(auto_labels(m)), of_auto_machine(m, shape)) for m in allowed)
    return _of_ec2(node_class, machines())


def _of_ec2(node_class: EC2NodeClass, machines: Mapping[str, Machine]) -> TypeList:
    listed, profile = _listed(SameObject(machines)), NodeProfile.of(node_class, AwsSettings())

    def instance_type(number: int) -> InstanceType:
        machine = listed.machines[number]
        return _bare(machine.name, listed.types.labels[number], of_machine(machine, profile))

    return TypeList(listed.types, _WithoutOverhead(listed.columns, profile), instance_type)


class _Listed(NamedTuple):
    """What node classes share: the machines that Karpenter lists, their labels, and the columns of their figures."""

    machines: tuple[Machine, ...]
    types: SoldTypeList
    columns: MachineColumns


@lru_cache(maxsize=8)
def _listed(machines: SameObject) -> _Listed:
    listed = tuple(filter(is_listed, cast("Mapping[str, Machine]", machines.of).values()))
    labels = tuple(Requirements(machine_labels(machine)) for machine in listed)
    types = SoldTypeList(tuple(machine.name for machine in listed), labels, lambda: ((),) * len(listed))
    return _Listed(listed, types, MachineColumns(listed, {}))


class _WithoutOverhead(ClassAmounts):
    """The amounts of machines of which nothing is reserved."""

    __slots__ = ()

    def allocatable(self, resource: str) -> Amounts:
        """Return all that the machines have."""
        return self.capacity(resource)


def _bare(name: str, labels: Requirements, capacity: Mapping[str, int]) -> InstanceType:
    return InstanceType(name, labels, capacity, {}, ())
