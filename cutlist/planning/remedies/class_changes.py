"""Changes of node classes and NodeOverlays, which change what instance types have: larger disks, fewer huge pages."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.nodepool import NodePool
from cutlist.api.read import NodeClass, kind_of
from cutlist.core.errors import InputError
from cutlist.core.labels import NODEPOOL
from cutlist.core.quantity import NANO
from cutlist.core.requirement import Expression, Operator
from cutlist.core.requirements import Requirements
from cutlist.planning.controllers import registry_of
from cutlist.planning.gpu_sharing.machines import gpus_of
from cutlist.planning.gpu_sharing.sharing import gpu_sharing
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.pool_types import instance_types_by_pool
from cutlist.planning.remedies.changes import AddOverlay, CountShares, EnlargeDisk, FewerHugePages, Remedy
from cutlist.planning.remedies.trial import Trial
from cutlist.providers.aws.families import CUSTOM, FAMILIES
from cutlist.providers.instance_types import EPHEMERAL_STORAGE, MEMORY, NVIDIA_GPU, InstanceType
from cutlist.scheduling.nodeclaimtemplate import pool_requirements
from cutlist.scheduling.nodeoverlays import NodeOverlay, overlay
from cutlist.scheduling.refusals import NoType

_GIB: Final = 2**30 * NANO
_STEP: Final = 10  # GiB: sizes of disks are round numbers
_KEPT: Final = (0.9, 0.7)  # of a disk is for pods: the kubelet evicts at 10 % unless its settings say more
_RESERVED: Final = 1  # GiB of a disk that the kubelet reserves
_HIGHEST: Final = 10_000  # weight of a NodeOverlay
_SHARES: Final = 8  # parts of a GPU beyond which sharing it is no advice
_OS_DISK_OF_IMAGE: Final = "/dev/xvda"


@dataclass(frozen=True, slots=True)
class ClassChanges:
    """Tries changes of what the instance types of a NodePool have, for the pods of one batch."""

    trial: Trial
    inputs: PlanInputs
    pool: NodePool

    def enlarging_disk(self, refusal: NoType) -> Iterator[Remedy]:
        """Yield a node class with a disk that is large enough, or that uses local disks, where the disk is all that lacks."""
        if set(refusal.shortfall) != {EPHEMERAL_STORAGE}:
            return
        ref = self.pool.node_class_ref
        node_class = next((c for c in self.inputs.node_classes if (kind_of(c), c.name) == (ref.kind, ref.name)), None)
        if node_class is None:
            return  # one that the cloud makes cannot be edited
        needed = refusal.needs[EPHEMERAL_STORAGE] / _GIB + _RESERVED
        sizes = [math.ceil(needed / kept / _STEP) * _STEP for kept in _KEPT]
        raid0 = isinstance(node_class, EC2NodeClass) and self._helps(node_class, {"instanceStorePolicy": "RAID0"})
        size = next((size for size in sizes if self._helps(node_class, _with_disk(node_class, size))), None)
        if raid0 or size is not None:
            kind = type(node_class).KIND
            mappings = _with_disk(node_class, size or 0).get("blockDeviceMappings") or [{}]
            device = mappings[0].get("deviceName", "")
            unit = " GB" if isinstance(node_class, AKSNodeClass) else "Gi"
            yield EnlargeDisk(self.pool.name, f"{kind} {node_class.name}", raid0, f"{size}{unit}" if size else "", device)

    def fewer_huge_pages(self, refusal: NoType) -> Iterator[Remedy]:
        """Yield a NodeOverlay with as many huge pages as the pods request, where those that it gives take the memory."""
        if set(refusal.shortfall) != {MEMORY}:
            return
        requests = self.trial.batch.pod.requests
        for of, resource in huge_pages(self.inputs, self.pool):
            to = requests.get(resource, 0)
            if to < of.capacity[resource]:
                less = replace(of, capacity={**of.capacity, resource: to})
                overlays = tuple(less if other.name == of.name else other for other in self.inputs.overlays)
                if self._places(replace(self.inputs, overlays=overlays)):
                    yield FewerHugePages(self.pool.name, of.name, resource, to)

    def adding_overlay(self, refusal: NoType, known: Collection[str]) -> Iterator[Remedy]:
        """Yield a NodeOverlay for the one resource that lacks and that no instance type has; `known` are resources that some
        have, so that nodes without them cannot have them either."""
        if len(refusal.shortfall) != 1:
            return
        ((resource, amount),) = refusal.shortfall.items()
        if resource in known or not (resource.startswith("hugepages-") or "/" in resource):
            return
        only = (Expression(NODEPOOL, Operator.IN, (self.pool.name,)),)
        added = NodeOverlay("added", only, capacity={resource: amount}, weight=_HIGHEST)
        if self._places(replace(self.inputs, overlays=(*self.inputs.overlays, added))):
            yield AddOverlay(self.pool.name, resource, amount)

    def counting_shares(self) -> Iterator[Remedy]:
        """Yield a NodeOverlay with what a device plugin makes of each GPU, where the input says that it does."""
        shared = gpu_sharing(self.inputs.documents).of(self.pool)
        if shared is not None and self._places_shared(shared.offered):
            types = self.trial.left.inputs.types[self.pool.name]
            yield CountShares(self.pool.name, shared.source, next(filter(None, map(shared.of_each, types)), ()))

    def sharing_gpus(self, refusal: NoType) -> int:
        """Return in how many parts each GPU has to be shared for the pods to fit, 0 if that is not enough."""
        wanted, largest = refusal.needs.get(NVIDIA_GPU, 0), refusal.largest.get(NVIDIA_GPU, 0)
        replicas = -(-wanted // largest) if largest else 0
        is_enough = 1 < replicas <= _SHARES and self._places_shared(lambda t: {NVIDIA_GPU: gpus_of(t) * replicas * NANO})
        return replicas if is_enough else 0

    def _places_shared(self, offered: Callable[[InstanceType], Mapping[str, int]]) -> bool:
        """Tell whether the pods fit nodes that offer what is made of their GPUs."""
        types = self.trial.left.inputs.types[self.pool.name]
        shared = [
            replace(t, capacity={**t.capacity, **of}, capacity_overlaid=True) if gpus_of(t) and (of := offered(t)) else t
            for t in types
        ]
        return self.trial.places(self.trial.with_types({self.pool.name: shared}), self.pool.name)

    def _helps(self, node_class: NodeClass, changed: Mapping[str, Any]) -> bool:
        manifest = node_class.manifest()
        manifest["spec"] = {**manifest["spec"], **changed}
        try:
            other = type(node_class).from_manifest(manifest, node_class.karpenter)
        except InputError:
            return False
        node_classes = tuple(other if c is node_class else c for c in self.inputs.node_classes)
        return self._places(replace(self.inputs, node_classes=node_classes))

    def _places(self, inputs: PlanInputs) -> bool:
        types = instance_types_by_pool((self.pool,), inputs.node_classes, inputs.cloud)
        overlaid = overlay(inputs.overlays, (self.pool,), types, registry_of((self.pool,))).types
        return self.trial.places(self.trial.with_types(overlaid), self.pool.name)


def huge_pages(inputs: PlanInputs, pool: NodePool) -> list[tuple[NodeOverlay, str]]:
    """Return the NodeOverlays that may give huge pages to nodes of a NodePool, each with the resource; the most first."""
    held = pool_requirements(pool, pool.registry)
    pages = [
        (of, resource)
        for of in inputs.overlays
        if held.intersects(Requirements.of_expressions(of.requirements, pool.registry))
        for resource in of.capacity
        if resource.startswith("hugepages-")
    ]
    return sorted(pages, key=lambda page: (-page[0].capacity[page[1]], page[0].name, page[1]))


def _with_disk(node_class: NodeClass, gib: int) -> Mapping[str, Any]:
    """Return the fields of a node class that give its nodes a disk of this size."""
    if isinstance(node_class, AKSNodeClass):
        return {"osDiskSizeGB": gib}
    if not isinstance(node_class, EC2NodeClass):
        disk = node_class.manifest()["spec"].get("ephemeralStorage") or {}
        return {"ephemeralStorage": {**disk, "size": f"{gib}Gi"}}
    device = FAMILIES.get(node_class.resolved_ami_family, CUSTOM).ephemeral_device
    written = node_class.manifest()["spec"].get("blockDeviceMappings") or []
    roots = [m for m in written if m.get("rootVolume")]
    counted = (roots or [m for m in written if m["deviceName"] == device] or ([] if device else written[-1:]))[:1]
    ebs = {**((counted[0].get("ebs") or {}) if counted else {"volumeType": "gp3"}), "volumeSize": f"{gib}Gi"}
    larger = {**(counted[0] if counted else {"deviceName": device or _OS_DISK_OF_IMAGE}), "ebs": ebs}
    return {"blockDeviceMappings": [larger, *(m for m in written if m not in counted)]}
