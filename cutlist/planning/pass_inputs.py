"""The inputs of a plan in the form that one controller's scheduler takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from cutlist.core.labels import LabelRegistry
from cutlist.core.notes import Note
from cutlist.planning.allowed import launched_requirements
from cutlist.planning.assumed_storage import with_assumed_storage
from cutlist.planning.attach_limits import PoolAttachLimits, reported_limits
from cutlist.planning.built_in_classes import built_in_classes
from cutlist.planning.cloud import AttachLimits, KeptPredictions, Predictions
from cutlist.planning.controllers import registry_of
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.late_volumes import BatchVolumes, VolumeUser
from cutlist.planning.pass_controller import Controller
from cutlist.planning.passes import PassesOutcome, run_joint_passes
from cutlist.planning.pool_types import instance_types_by_pool, node_classes_by_pool
from cutlist.planning.static_nodes import static_claims, with_pods_on_static_nodes
from cutlist.scheduling.inputs import SchedulerInputs, takes_part
from cutlist.scheduling.instancetypes import InstanceTypeIndexes
from cutlist.scheduling.nodeoverlays import OverlaidTypes, overlay
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.results import PlacedClaim
from cutlist.state.volumes import Storage
from cutlist.workloads.gangs.counting import held_back
from cutlist.workloads.groups import workload_name
from cutlist.workloads.pods import FrozenDict


@dataclass(frozen=True, slots=True)
class PassInputs:
    """The inputs of a pass; `overlaid` are its types with NodeOverlays applied, `notes` the assumptions about volumes.

    `tables` are indexes of the types, for the passes and for all other queries; `predictions` say what claims become.
    `static` are the claims that static NodePools make, regardless of pods, and `idle` how many more of them no pod can
    reach. `storage` is the given and the assumed storage, `users` are the batches that use volumes. `assumed_disks` says of
    NodePools that the disk of their class is assumed.
    """

    passes: SchedulerInputs
    overlaid: OverlaidTypes
    tables: InstanceTypeIndexes
    predictions: Predictions
    storage: Storage
    users: tuple[VolumeUser, ...]
    notes: tuple[Note, ...]
    static: tuple[PlacedClaim, ...] = ()
    assumed_disks: Mapping[str, str] = FrozenDict()
    idle: tuple[tuple[PlacedClaim, int], ...] = ()

    @property
    def batches(self) -> Sequence[PodBatch]:
        """Return the pods to place, numbered as in results."""
        return self.passes.batches

    @property
    def controller(self) -> Controller:
        """Return the controller whose passes these are."""
        volumes = BatchVolumes(self.storage, self.users, self.passes.registry)
        predictions = self.predictions
        return Controller(self.passes, self.tables, predictions.purchase, volumes, self.static, predictions.attach_limits)

    def run(self) -> PassesOutcome:
        """Return the outcome of passes until one changes nothing, as if there were no other controller."""
        (outcome,) = run_joint_passes([self.controller])
        return outcome


@dataclass(frozen=True, slots=True)
class SharedTypes:
    """The instance types of NodePools and the indexes of them: for all plans whose pools differ in their requirements alone,
    unless there are NodeOverlays, which select pools by these."""

    overlaid: OverlaidTypes
    tables: InstanceTypeIndexes

    @staticmethod
    def of(inputs: PlanInputs) -> SharedTypes:
        """Return the types of one controller's NodePools."""
        overlaid = overlaid_types(inputs)
        return SharedTypes(overlaid, InstanceTypeIndexes(overlaid.types, inputs.options.karpenter))

    @staticmethod
    def of_one_plan(inputs: PlanInputs) -> SharedTypes:
        """Return the types for a plan that shares them with none: only those that its pools may launch are wholly indexed."""
        overlaid, launched = overlaid_types(inputs), launched_requirements(inputs.node_pools)
        return SharedTypes(overlaid, InstanceTypeIndexes(overlaid.types, inputs.options.karpenter, launched))


def pass_inputs(inputs: PlanInputs, shared: SharedTypes | None = None, kept: KeptPredictions | None = None) -> PassInputs:
    """Return the inputs of a pass. The NodePools have to belong to one controller; `shared` are their types if there are
    any, and `kept` the predictions of other plans."""
    workloads, registry = inputs.workloads, registry_of(inputs.node_pools)
    storage, notes = with_assumed_storage(inputs.cluster.storage, workloads.groups, built_in_classes(inputs.catalog))
    batches, moving = _batches(inputs), inputs.cluster.moving
    first_moving = len(batches) - len(moving)
    users = [
        *(VolumeUser(number, group.pod, group.pod_name(0)) for number, group in enumerate(workloads.groups)),
        *(VolumeUser(number, running.pod, running.name) for number, running in enumerate(moving, first_moving)),
    ]
    shared = shared or SharedTypes.of_one_plan(inputs)
    overlaid, tables = shared.overlaid, shared.tables
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
        volumes=BatchVolumes(storage, users, registry).volumes(),
        moving=frozenset(range(first_moving, len(batches))),
        selectors=inputs.selectors,
        devices=inputs.devices,
        leaving=frozenset(running.uid for running in moving),
    )
    classes = node_classes_by_pool(inputs.node_pools, inputs.node_classes)
    predictions = Predictions(inputs.cloud, classes, registry, inputs.options, attach_limits_of(inputs, registry), kept)
    static = static_claims(passes, tables, predictions)
    if any(pool.is_static for pool in passes.pools) and not any(map(takes_part, passes.pools)):
        passes = with_pods_on_static_nodes(passes)
        tables = InstanceTypeIndexes(passes.types, inputs.options.karpenter)
    given = (passes, overlaid, tables, predictions, storage, tuple(users), tuple(notes))
    return PassInputs(*given, static.filled, _assumed_disks(inputs), static.idle)


def _assumed_disks(inputs: PlanInputs) -> Mapping[str, str]:
    """Return a sentence on the disk of each NodePool whose class is elsewhere, if the size of the disk is assumed."""
    disks, refs = inputs.assumed_disks, {pool.name: pool.node_class_ref for pool in inputs.node_pools}
    sizes = {name: (ref, disks.get((ref.kind, ref.name))) for name, ref in refs.items()}
    return FrozenDict(
        {name: f"the disk of {ref.kind} {ref.name} is assumed to be {size}" for name, (ref, size) in sizes.items() if size}
    )


def attach_limits_of(inputs: PlanInputs, registry: LabelRegistry) -> AttachLimits:
    """Return how many volumes the nodes of one controller's NodePools attach."""
    classes = node_classes_by_pool(inputs.node_pools, inputs.node_classes)
    pools, reported = {pool.name: pool for pool in inputs.node_pools}, reported_limits(inputs.cluster.nodes, classes)
    return PoolAttachLimits(inputs.cloud, pools, classes, registry, inputs.attach_settings, reported).of


def overlaid_types(inputs: PlanInputs) -> OverlaidTypes:
    """Return the types of one controller's NodePools, with NodeOverlays applied."""
    types = instance_types_by_pool(inputs.node_pools, inputs.node_classes, inputs.cloud)
    registry = registry_of(inputs.node_pools)
    return overlay(inputs.overlays, inputs.node_pools, types, registry) if inputs.overlays else OverlaidTypes(types)


def _batches(inputs: PlanInputs) -> list[PodBatch]:
    """Return pending pods by workload in the order of the input, the pods of buffers, then those of nodes that are being
    removed.

    The order decides between pods of equal size; Karpenter uses the creation time and then a random id. Pods that the scheduler
    holds back until their gang has enough of them are not placed.
    """
    workloads = inputs.workloads
    short = held_back(workloads.gangs, workloads.groups, workloads.bound)
    groups = [PodBatch(g.workload, g.pod, 0 if g.gang in short else g.count, controller=g.controller) for g in workloads.groups]
    moving = [
        PodBatch(workload_name("Pod", p.pod.namespace, p.name), p.pod, controller=p.controller) for p in inputs.cluster.moving
    ]
    buffers = [replace(b.batch, name=workload_name("CapacityBuffer", b.namespace, b.name)) for b in inputs.buffers]
    return [replace(batch, uid=f"{number:08d}") for number, batch in enumerate((*groups, *buffers, *moving))]
