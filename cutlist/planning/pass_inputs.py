"""The inputs of a plan as one controller's scheduler takes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from cutlist.core.notes import Note
from cutlist.planning.controllers import registry_of
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.pool_types import instance_types_by_pool
from cutlist.scheduling.instancetypes import InstanceTypeIndexes
from cutlist.scheduling.nodeoverlays import OverlaidTypes, overlay
from cutlist.scheduling.provisioner import SchedulerInputs
from cutlist.scheduling.queue import PodBatch
from cutlist.state.volumes import Storage
from cutlist.workloads.groups import PodGroup, workload_name
from cutlist.workloads.objects import PersistentVolumeClaim, StorageClass


@dataclass(frozen=True, slots=True)
class PassInputs:
    """The inputs of a pass; `overlaid` are its types with what NodeOverlays change, `notes` what was assumed of volumes.

    `tables` are those of the types, for the passes and for all that is asked of the types besides.
    """

    passes: SchedulerInputs
    overlaid: OverlaidTypes
    tables: InstanceTypeIndexes
    notes: tuple[Note, ...]

    @property
    def batches(self) -> list[PodBatch]:
        """Return the pods to place, by number as results have them."""
        return list(self.passes.batches)


def pass_inputs(inputs: PlanInputs) -> PassInputs:
    """Return what a pass is made from. The NodePools have to be those of one controller."""
    workloads, registry = inputs.workloads, registry_of(inputs.node_pools)
    storage, notes = with_assumed_storage(inputs.cluster.storage, workloads.groups)
    batches = _batches(inputs)
    overlaid = overlaid_types(inputs)
    passes = SchedulerInputs(
        pools=inputs.node_pools,
        types=overlaid.types,
        batches=batches,
        daemons=tuple(d.pod for d in workloads.daemons),
        registry=registry,
        options=inputs.options,
        namespaces=workloads.namespaces,
        nodes=inputs.cluster.nodes,
        bound=inputs.cluster.bound,
        volumes={
            number: storage.of_pod(group.pod, group.pod_name(0), registry)
            for number, group in enumerate(workloads.groups)
            if group.pod.volumes
        },
        moving=frozenset(range(len(batches) - len(inputs.cluster.moving), len(batches))),
    )
    return PassInputs(passes, overlaid, InstanceTypeIndexes(overlaid.types), tuple(notes))


def overlaid_types(inputs: PlanInputs) -> OverlaidTypes:
    """Return the types of one controller's NodePools, with what NodeOverlays change of them."""
    types = instance_types_by_pool(inputs.node_pools, inputs.node_classes, inputs.cloud)
    registry = registry_of(inputs.node_pools)
    return overlay(inputs.overlays, inputs.node_pools, types, registry) if inputs.overlays else OverlaidTypes(types)


def _batches(inputs: PlanInputs) -> list[PodBatch]:
    """Return pending pods by workload in the order of the input, the pods of buffers, then those of nodes that are removed.

    The order decides between pods of equal size; Karpenter goes by creation time and then by a random id.
    """
    groups = [PodBatch(g.workload, g.pod, g.count) for g in inputs.workloads.groups]
    moving = [PodBatch(workload_name("Pod", p.pod.namespace, p.name), p.pod) for p in inputs.cluster.moving]
    buffers = [replace(b.batch, name=workload_name("CapacityBuffer", b.namespace, b.name)) for b in inputs.buffers]
    return [replace(batch, uid=f"{number:08d}") for number, batch in enumerate((*groups, *buffers, *moving))]


_LATE: Final = "WaitForFirstConsumer"


_ANY_CLASS: Final = "(the cluster's default)"


def with_assumed_storage(storage: Storage, groups: Iterable[PodGroup]) -> tuple[Storage, list[Note]]:
    """Return the storage with what the groups' volumes need and nobody gave, usable in every zone; and notes on that.

    A class that is not given is taken to bind a volume where its first pod lands, as those of EBS do.
    """
    claims, classes = dict(storage.claims), dict(storage.classes)
    assumed_claims: set[str] = set()
    assumed_classes: set[str] = set()
    for group in groups:
        name = group.pod_name(0)
        for volume in group.pod.volumes:
            key = (group.namespace, volume.claim_of(name))
            if key not in claims:
                claims[key] = PersistentVolumeClaim(key[1], key[0], volume.storage_class or _ANY_CLASS)
                if not volume.ephemeral and not volume.per_replica:
                    assumed_claims.add("/".join(key))
            claim = claims[key]
            if claim.storage_class is None and not claim.volume:
                claims[key] = claim = replace(claim, storage_class=_ANY_CLASS)
            if claim.storage_class and not claim.volume and claim.storage_class not in classes:
                classes[claim.storage_class] = StorageClass(claim.storage_class, binding_mode=_LATE)
                assumed_classes.add(claim.storage_class)
    notes = []
    if assumed_claims:
        notes.append(Note("volume-claims", f"not in the input, taken to be usable in every zone: {_names(assumed_claims)}"))
    if assumed_classes:
        text = f"not in the input, taken to make volumes in whichever zone a pod lands: storage class {_names(assumed_classes)}"
        notes.append(Note("storage-classes", text))
    return Storage(claims, storage.volumes, classes), notes


def _names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
