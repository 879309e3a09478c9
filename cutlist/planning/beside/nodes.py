"""The nodes of node groups as a pass sees them: their labels, taints and room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.read import NodeClass
from cutlist.catalog.prices import Price
from cutlist.catalog.regions import is_azure
from cutlist.core.errors import InputError, Place
from cutlist.core.labels import ARCH, HOSTNAME, INSTANCE_TYPE, ON_DEMAND, OS, REGION, SPOT, ZONE, LabelRegistry
from cutlist.core.requirements import Requirements
from cutlist.core.taints import untolerated
from cutlist.planning.beside.declared import AKS, EKS, EKSCTL, MOST_NODES, DeclaredGroup
from cutlist.planning.inputs import PlanInputs
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.launched import with_daemons
from cutlist.scheduling.node_terms import ExpectedDaemons
from cutlist.scheduling.nodeclaimtemplate import DaemonPods
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.workloads.pod_requirements import strict_requirements
from cutlist.workloads.pods import Pod

_OF_TYPE: Final = (ARCH, OS, INSTANCE_TYPE)
_CLASS: Final = "node-group"


@dataclass(frozen=True, slots=True)
class GroupNodes:
    """A node group with the type of its nodes, if that is known, and the nodes that it may have besides existing ones.

    Those beyond the initial ones start only if pods need them. `labels` are of every node, whatever its zone.
    """

    group: DeclaredGroup
    type: InstanceType | None
    labels: Mapping[str, str]
    nodes: tuple[SchedulingNode, ...]

    @property
    def price(self) -> Price | None:
        """Return what one node costs an hour without disks, or None if that is unknown."""
        offering = None if self.type is None else _offering(self.type, self.group)
        return None if offering is None else offering.paid

    def is_for(self, pod: Pod, registry: LabelRegistry) -> bool:
        """Tell whether its labels and taints suit a pod, so that only room may be missing."""
        held = Requirements.of_labels(self.labels, registry)
        wanted = strict_requirements(pod, registry).without(ZONE)
        return not untolerated(self.group.taints, pod.tolerations) and held.compatible(wanted)


def group_nodes(inputs: PlanInputs, passes: SchedulerInputs) -> tuple[GroupNodes, ...]:
    """Return the nodes of the groups of some inputs whose pods `passes` has; a group grows by no more nodes than there
    are pods.

    The rooms are those that Karpenter would expect of such machines, since groups start from the same images. Raises InputError
    for a group of more nodes than a plan can look at.
    """
    if not inputs.node_groups:
        return ()
    types = {t.name: t for t in inputs.cloud.types(_node_class(inputs))}
    registry, pods = passes.registry, sum(batch.count for batch in passes.batches)
    expected = ExpectedDaemons(DaemonPods(passes.daemons, registry).pods, registry)
    return tuple(_of_group(group, types, inputs, expected, registry, pods) for group in inputs.node_groups)


def further_nodes(groups: Sequence[GroupNodes]) -> Sequence[SchedulingNode] | None:
    """Return the nodes of groups besides existing ones, for the passes of a plan; None without any group."""
    return [node for group in groups for node in group.nodes] if groups else None


def _of_group(
    group: DeclaredGroup,
    types: Mapping[str, InstanceType],
    inputs: PlanInputs,
    expected: ExpectedDaemons,
    registry: LabelRegistry,
    pods: int,
) -> GroupNodes:
    instance_type = next((types[name] for name in group.instance_types if name in types), None)
    labels = _labels(group, instance_type, inputs.catalog.region)
    if instance_type is None:
        return GroupNodes(group, None, labels, ())
    zones = group.zones or inputs.zones or tuple(sorted({offering.zone for offering in instance_type.offerings}))
    count = max(group.initial, min(group.most, group.initial + pods))
    if count > MOST_NODES:
        text = f"node group {group.name} has {count:,} nodes to plan with, which are looked at one by one"
        raise InputError.one(Place(group.source), text, f"up to {MOST_NODES:,}")
    daemons = expected.on(Requirements.of_labels(labels, registry), group.taints)
    alike = with_daemons(
        SchedulingNode(
            name="",
            labels=labels,
            taints=group.taints,
            own_taints=group.taints,
            capacity=instance_type.capacity,
            available=instance_type.allocatable(),
        ),
        daemons,
    )
    return GroupNodes(group, instance_type, labels, tuple(_numbered(alike, group, zones, count)))


def _numbered(alike: SchedulingNode, group: DeclaredGroup, zones: Sequence[str], count: int) -> Iterator[SchedulingNode]:
    """Yield the nodes of a group, spread over zones; those that do not run yet are tried last (S-50)."""
    for number in range(count):
        name = f"(node group {group.name} {number:09d})"
        zone = {ZONE: zones[number % len(zones)]} if zones else {}
        labels = {**alike.labels, **zone, HOSTNAME: name}
        yield replace(alike, name=name, node=name, labels=labels, own_labels=labels, initialized=number < group.initial)


def _labels(group: DeclaredGroup, instance_type: InstanceType | None, region: str) -> dict[str, str]:
    """Return the labels of every node of a group: those of its machine, of who makes it, and the written ones."""
    machine = {} if instance_type is None else instance_type.requirements.single_values()
    return {REGION: region, **{key: machine[key] for key in _OF_TYPE if key in machine}, **_own(group), **group.labels}


def _own(group: DeclaredGroup) -> dict[str, str]:
    spot = group.capacity_type == SPOT
    if group.kind in (EKS, EKSCTL):
        return {"eks.amazonaws.com/nodegroup": group.name, "eks.amazonaws.com/capacityType": "SPOT" if spot else "ON_DEMAND"}
    if group.kind == AKS:
        priority = {"kubernetes.azure.com/scalesetpriority": "spot"} if spot else {}
        return {"kubernetes.azure.com/agentpool": group.name, "agentpool": group.name, **priority}
    return {}


def _node_class(inputs: PlanInputs) -> NodeClass:
    """Return a class of nodes with defaults, as groups have them."""
    if is_azure(inputs.catalog):
        return AKSNodeClass(name=_CLASS)
    return EC2NodeClass(name=_CLASS, role=_CLASS, ami="al2023@latest", discovery=_CLASS)


def _offering(instance_type: InstanceType, group: DeclaredGroup) -> Offering | None:
    wanted = SPOT if group.capacity_type == SPOT else ON_DEMAND
    sold = [o for o in instance_type.offerings if o.capacity_type == wanted and o.cost is not None]
    return min(sold, key=lambda o: (o.cost or 0.0, o.zone), default=None)
