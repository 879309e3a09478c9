"""The inputs of a plan as one controller's scheduler takes them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cutlist.core.notes import Note
from cutlist.planning.controllers import registry_of
from cutlist.planning.expected_storage import completed
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.pool_types import types_of_pools
from cutlist.scheduling.instancetypes import InstanceTypeIndexes
from cutlist.scheduling.nodeoverlays import OverlaidTypes, overlay
from cutlist.scheduling.provisioner import SchedulerInputs
from cutlist.scheduling.queue import PodBatch
from cutlist.workloads.groups import workload_name


@dataclass(frozen=True, slots=True)
class Prepared:
    """The inputs of a pass; `overlaid` are its types with what NodeOverlays change, `notes` what was assumed of volumes.

    `tables` are those of the types, for the passes and for all that is asked of the types besides.
    """

    passes: SchedulerInputs
    overlaid: OverlaidTypes
    tables: InstanceTypeIndexes
    notes: tuple[Note, ...]

    @property
    def batches(self) -> list[PodBatch]:
        """The pods to place, by number as results have them."""
        return list(self.passes.batches)


def prepared(inputs: PlanInputs) -> Prepared:
    """What a pass is made from. The NodePools have to be those of one controller."""
    workloads, registry = inputs.workloads, registry_of(inputs.node_pools)
    storage, notes = completed(inputs.cluster.storage, workloads.groups)
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
    return Prepared(passes, overlaid, InstanceTypeIndexes(overlaid.types), tuple(notes))


def overlaid_types(inputs: PlanInputs) -> OverlaidTypes:
    """The types of one controller's NodePools, with what NodeOverlays change of them."""
    types = types_of_pools(inputs.node_pools, inputs.node_classes, inputs.cloud)
    registry = registry_of(inputs.node_pools)
    return overlay(inputs.overlays, inputs.node_pools, types, registry) if inputs.overlays else OverlaidTypes(types)


def _batches(inputs: PlanInputs) -> list[PodBatch]:
    """Pending pods by workload in the order of the input, the pods of buffers, then those that have to leave nodes that go.

    The order decides between pods of equal size; Karpenter goes by creation time and then by a random id.
    """
    groups = [PodBatch(g.workload, g.pod, g.count) for g in inputs.workloads.groups]
    moving = [PodBatch(workload_name("Pod", p.pod.namespace, p.name), p.pod) for p in inputs.cluster.moving]
    buffers = [replace(b.batch, name=workload_name("CapacityBuffer", b.namespace, b.name)) for b in inputs.buffers]
    return [replace(batch, uid=f"{number:08d}") for number, batch in enumerate((*groups, *buffers, *moving))]
