"""The inputs of a plan as a running cluster, in the form that Karpenter's disruption controller sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cutlist.api.durations import seconds
from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.karpenter import feature_gates
from cutlist.core.karpenter.baselines import NO_AZURE_RELEASE, Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import ZONE
from cutlist.core.setting import Advice
from cutlist.disruption.cluster_state import ClusterState, ControllerMemory, InstanceTypesByPool
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.disruption.simulation import Simulator
from cutlist.planning.absences import require_nodes, require_offerings
from cutlist.planning.assumed_storage import with_assumed_storage, with_volumes_where_pods_run
from cutlist.planning.built_in_classes import built_in_classes
from cutlist.planning.controller_settings import GATES_OF_DISRUPTION
from cutlist.planning.controllers import registry_of, split_by_controller
from cutlist.planning.gangs import without_unbound
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.planned_cluster import with_plan
from cutlist.planning.pool_types import disk_prices_by_pool, instance_types_by_pool
from cutlist.planning.services import gate_refusal, with_service
from cutlist.providers.node_repair import RepairPolicy
from cutlist.scheduling.queue import PodBatch
from cutlist.settings.disruption_gates import LEGACY_NODE_REPAIR, NODE_REPAIR
from cutlist.settings.planning import KARPENTER
from cutlist.state import statenode
from cutlist.state.statenode import state_nodes
from cutlist.state.volumes import Storage
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.pods import Pod, Volume

FIRST_INSTANT: Final = 1_767_571_200.0
"""Monday, 2026-01-05, 00:00 UTC: the instant of a cluster that begins with a plan whose inputs have no time of their own."""


def newest_time(inputs: PlanInputs) -> float:
    """Return the newest instant (seconds since 1970) in nodes, NodeClaims or pods, which is about when they were read."""
    return statenode.newest_time(state_nodes(inputs.cluster))


def at_instant(inputs: PlanInputs, now: float | None, plan: Plan | None = None) -> tuple[PlanInputs, float]:
    """Return the inputs and the instant at which their cluster is looked at: by default the newest in the inputs.

    With a plan of these inputs it is the cluster once the plan has happened and has settled: the longest `consolidateAfter` of
    the NodePools has passed since its nodes were launched, and no pod of a gang below its minimum is bound. Raises InputError
    for a plan of other inputs.
    """
    if plan is None:
        return inputs, newest_time(inputs) if now is None else now
    settles = max((seconds(p.disruption.consolidate_after) or 0 for p in inputs.node_pools), default=0)
    launched = newest_time(inputs) if now is None else now - settles
    return with_plan(inputs, without_unbound(plan), launched), launched + settles


def cluster_state_of(inputs: PlanInputs, now: float, gates: FeatureGates, *, allow_empty: bool = False) -> ClusterState:
    """Return the cluster as disruption sees it at an instant (seconds since 1970), with these feature gates.

    Raises InputError for NodePools of two controllers, and, unless that is allowed, when there is no node.
    """
    if len(split_by_controller(inputs.node_pools)) > 1:
        text = "the NodePools belong to EKS Auto Mode and to self-managed Karpenter; give the files of one of them"
        raise InputError.one(Place(inputs.source), text)
    require_nodes(inputs, allow_empty=allow_empty)
    require_offerings(inputs, allow_empty=allow_empty)
    inputs = with_service(inputs)
    check_gates_of_service(gates, inputs)
    gates = inputs.figures.controller.with_gates_of_disruption(gates, inputs.options.karpenter)
    check_gates(gates, inputs.options.karpenter)
    if gates.reboot_for_repair and not inputs.cloud.rebooting_repair_policies:
        raise InputError.one(Place(path="RebootForRepair"), "it is a feature gate of the AWS provider", "a region of AWS")
    pools = inputs.node_pools
    cluster = ClusterState(
        now=now,
        nodes=state_nodes(inputs.cluster),
        pools={p.name: p for p in pools},
        types=InstanceTypesByPool(instance_types_by_pool(pools, inputs.node_classes, inputs.cloud)),
        disk_prices=disk_prices_by_pool(pools, inputs.node_classes, inputs.cloud),
        launching=inputs.cluster.launching,
        pending=_pending(inputs),
        buffers=[buffer.batch for buffer in inputs.buffers],
        daemons=tuple(d.pod for d in inputs.workloads.daemons),
        evictions=inputs.cluster.budgets,
        storage=_storage(inputs),
        namespaces=inputs.workloads.namespaces,
        overlays=inputs.overlays,
        selectors=inputs.selectors,
        devices=inputs.devices,
        registry=registry_of(pools),
        options=inputs.options,
        feature_gates=gates,
        controller_memory=ControllerMemory(),
        repair_policies=_repair_policies(inputs, gates),
    )
    if cluster.repairs and not inputs.cloud.disruption_repair_policies:
        text = f"repair policies on Azure are not known for Karpenter {inputs.options.karpenter.minor}: {NO_AZURE_RELEASE}"
        advice = Advice.of((KARPENTER, " 1.14"), LEGACY_NODE_REPAIR, "or without NodeRepair", joint=", ")
        raise InputError.one(Place(path="NodeRepair"), text, advice)
    return _with_buffers_placed(cluster) if cluster.buffers else cluster


def check_gates_of_service(gates: FeatureGates, inputs: PlanInputs) -> None:
    """Raise InputError for each feature gate that is turned on and that the service which runs Karpenter has off: its gates
    are not the user's to set (Z-73, V-142)."""
    service, problems = inputs.figures.controller.service, Problems()
    for gate, member in GATES_OF_DISRUPTION.items():
        if service is not None and getattr(gates, member) and not inputs.figures.controller.is_on(gate):
            problems.add(Place(path=gate), gate_refusal(service, gate), f"without {gate}")
    problems.raise_if_any()


def _repair_policies(inputs: PlanInputs, gates: FeatureGates) -> tuple[RepairPolicy, ...]:
    """Return the repair policies of this Karpenter's provider. If repair is a disruption method, `--legacy-node-repair` has the
    same policies as the method (V15-57)."""
    cloud = inputs.cloud
    if not inputs.options.karpenter.does(Behaviour.REPAIR_IS_A_DISRUPTION_METHOD):
        return cloud.repair_policies
    policies = cloud.rebooting_repair_policies if gates.reboot_for_repair else cloud.disruption_repair_policies
    return policies or cloud.repair_policies


def _with_buffers_placed(cluster: ClusterState) -> ClusterState:
    """Return the cluster with what Karpenter's next pass would remember of virtual pods: the nodes that hold them."""
    simulation = Simulator(cluster).without((), resting=False)
    return replace(cluster, controller_memory=replace(cluster.controller_memory, buffered=simulation.buffered))


_LATER_GATES: Final = {
    "TerminateFirstDrift": "terminate_first_drift",
    "TerminateFirstRepair": "terminate_first_repair",
    "PodDeletionCostManagement": "pod_deletion_cost_management",
    "RebootForRepair": "reboot_for_repair",
}
"""Feature gates that not every Karpenter has, and their members of `FeatureGates`."""


def known_gates(gates: FeatureGates, karpenter: Baseline) -> FeatureGates:
    """Return the feature gates and flags without those that a Karpenter does not have."""
    unknown = [member for gate, member in _LATER_GATES.items() if gate not in _gates_of(karpenter)]
    unknown += [] if feature_gates.LEGACY_NODE_REPAIR.name in karpenter.flags else ["legacy_node_repair"]
    return replace(gates, **dict.fromkeys(unknown, False))


def _gates_of(karpenter: Baseline) -> frozenset[str]:
    return karpenter.feature_gates | karpenter.aws_feature_gates


def check_gates(gates: FeatureGates, karpenter: Baseline) -> None:
    """Raise InputError for feature gates and flags that a Karpenter does not have, and for one that lacks another."""
    problems = Problems()
    known, repair_too = _gates_of(karpenter), Advice.of((NODE_REPAIR, " as well"))
    for gate, member in _LATER_GATES.items():
        if getattr(gates, member) and gate not in known:
            problems.add(Place(path=gate), f"Karpenter {karpenter.minor} has no feature gate {gate}", ", ".join(sorted(known)))
    if gates.legacy_node_repair and feature_gates.LEGACY_NODE_REPAIR.name not in karpenter.flags:
        problems.add(Place.of(LEGACY_NODE_REPAIR), f"Karpenter {karpenter.minor} has no such flag")
    if gates.terminate_first_repair and not gates.node_repair:
        problems.add(Place(path="TerminateFirstRepair"), "it needs the feature gate NodeRepair", repair_too)
    if gates.reboot_for_repair and not gates.node_repair:
        text = "it has no effect without the feature gate NodeRepair"
        problems.add(Place(path="RebootForRepair"), text, repair_too)
    problems.raise_if_any()


def _storage(inputs: PlanInputs) -> Storage:
    """Return the storage with what is assumed of waiting workloads and of pods that run."""
    zones = {node.node: node.labels.get(ZONE, "") for node in inputs.cluster.nodes}
    running = with_volumes_where_pods_run(inputs.cluster.storage, inputs.cluster.pods, zones)
    return with_assumed_storage(running, inputs.workloads.groups, built_in_classes(inputs.catalog))[0]


def _pending(inputs: PlanInputs) -> Sequence[PodBatch]:
    """Return the workloads of the inputs that have no pods on nodes and therefore wait."""
    return [
        PodBatch(g.workload, _with_named_claims(g), g.count, uid=f"{number:08d}", controller=g.controller)
        for number, g in enumerate(inputs.workloads.groups)
    ]


def _with_named_claims(group: PodGroup) -> Pod:
    """Return the pod of a group with the claims of its first pod by name, since a batch has another name than its pods."""
    claims = tuple(Volume(volume.claim_of(group.pod_name(0))) for volume in group.pod.volumes)
    return replace(group.pod, volumes=claims) if claims else group.pod
