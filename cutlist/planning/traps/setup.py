"""What traps are looked for in: NodePools with the instance types that they may launch, and the workloads beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.nodepool import NodePool
from cutlist.api.read import NodeClass
from cutlist.core.bits import mask_of
from cutlist.core.identity import SameObject
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.labels import ARCH, LINUX, OS, ZONE, LabelRegistry
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.core.taints import NO_EXECUTE, NO_SCHEDULE
from cutlist.devices.inventory import DeviceInventory
from cutlist.documents.document import Document
from cutlist.planning.allowed import AllowedTypes
from cutlist.planning.controllers import registry_of
from cutlist.planning.model import PlannedNode
from cutlist.providers.instance_types import InstanceType
from cutlist.providers.type_list import ChosenTypes, TypeList, type_list
from cutlist.scheduling.nodeclaimtemplate import fresh_requirements, tolerated
from cutlist.scheduling.nodeoverlays import NodeOverlay
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.pod_requirements import strict_requirements
from cutlist.workloads.pods import Pod
from cutlist.workloads.read import Workloads


@dataclass(frozen=True, slots=True)
class PoolSetup:
    """A NodePool as traps see it: `types` are the instance types that it may launch, `class_types` all those of its class.

    `node_class` is None when it is not in the input.
    """

    pool: NodePool
    node_class: NodeClass | None
    class_types: TypeList
    types: ChosenTypes
    wanted: Requirements
    registry: LabelRegistry

    @staticmethod
    def of_allowed(allowed: AllowedTypes) -> PoolSetup:
        """Return a NodePool with what a plan knows about it."""
        types = allowed.instance_types.types
        return PoolSetup(allowed.pool, allowed.node_class, types, allowed.types, allowed.wanted, allowed.registry)

    @staticmethod
    def of_types(pool: NodePool, node_class: NodeClass | None, class_types: Sequence[InstanceType]) -> PoolSetup:
        """Return a NodePool that may launch each type of its class with the labels that it requires, wherever that is sold."""
        registry = registry_of((pool,))
        wanted = fresh_requirements(pool, registry)
        if (system := wanted.get(OS)) is not None and not system.has(LINUX):
            wanted_there = wanted & Requirements((Requirement(ARCH, False, frozenset(("amd64",))),))  # Windows: A-19
        else:
            wanted_there = wanted
        listed = type_list(class_types)
        types = mask_of(number for number, labels in enumerate(listed.sold.labels) if wanted_there.intersects(labels))
        return PoolSetup(pool, node_class, listed, ChosenTypes(listed, types), wanted, registry)

    @property
    def name(self) -> str:
        """Return the name of the NodePool."""
        return self.pool.name

    @property
    def zones(self) -> frozenset[str]:
        """Return the zones in which the pool launches nodes, empty if that is not known."""
        sold = {zone for labels in self.types.labels if (r := labels.get(ZONE)) is not None for zone in r.values}
        if isinstance(self.node_class, EC2NodeClass | AutoNodeClass):
            sold = sold or {subnet.zone for subnet in self.node_class.status.subnets}
        wanted = self.wanted.get(ZONE)
        if wanted is None:
            return frozenset(sold)
        listed = frozenset() if wanted.complement else wanted.values
        return frozenset(filter(wanted.has, sold)) if sold else listed

    def takes(self, pod: Pod, *besides: str) -> bool:
        """Tell whether a pod tolerates the pool's taints, and its labels allow what the pod selects `besides` some keys."""
        hard = [taint for taint in self.pool.taints if taint.effect in (NO_SCHEDULE, NO_EXECUTE)]
        asked = self.asked(pod).without(*besides) if besides else self.asked(pod)
        return tolerated(pod, hard) and self.wanted.compatible(asked, self.registry.well_known)

    def asked(self, pod: Pod) -> Requirements:
        """Return the labels that a pod requires of its node, under the pool's provider."""
        return _asked(pod, SameObject(self.registry))


# Each of hundreds of workloads is compared with each of hundreds of NodePools, by several traps.
@lru_cache(maxsize=4096)
def _asked(pod: Pod, registry: SameObject) -> Requirements:
    return strict_requirements(pod, cast("LabelRegistry", registry.of))


@dataclass(frozen=True, slots=True)
class ClaimPlanning:
    """What a Karpenter makes of claims for devices: whether it plans them (`is_on`), and the objects that there are."""

    karpenter: Baseline
    is_on: bool
    devices: DeviceInventory


@dataclass(frozen=True, slots=True)
class Setup:
    """The input of a verb as traps see it: NodePools that are ready, workloads, and the objects as they were written.

    `nodes` are those of a plan, none before there is one. `overlaid` are the resources that NodeOverlays add to instance types.
    `claims` say what happens to claims for devices; None without a plan.
    """

    pools: tuple[PoolSetup, ...]
    workloads: Workloads
    documents: tuple[Document, ...] = ()
    nodes: tuple[PlannedNode, ...] = ()
    overlaid: frozenset[str] = frozenset()
    claims: ClaimPlanning | None = None

    @property
    def groups(self) -> Iterator[PodGroup]:
        """Yield the groups of pods that have to be placed."""
        return (group for group in self.workloads.groups if group.count)


def overlaid_resources(overlays: Iterable[NodeOverlay]) -> frozenset[str]:
    """Return the resources that NodeOverlays add to instance types, whichever these are."""
    return frozenset(resource for overlay in overlays for resource in overlay.capacity)
