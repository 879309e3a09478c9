"""The controllers of NodePools: Karpenter on AKS, and on EKS self-managed Karpenter and the one of Auto Mode.

The two on EKS may run side by side, each with its own NodePools, and neither knows about the other (spec: api-objects 8.1).
Both consider every pending pod, so a pod that fits NodePools of both gets two nodes although it needs one. The kube-scheduler
binds it once; the room on the other node is free for pods that wait.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.core.labels import AUTO, AWS, AZURE, LabelRegistry
from cutlist.core.notes import Note, notes_in_order
from cutlist.planning.model import FilledNode, PendingPods, Plan, PlannedNode, PodShare

AUTO_MODE: Final = "EKS Auto Mode"
SELF_MANAGED: Final = "self-managed Karpenter"
ON_AKS: Final = "Karpenter on AKS"
_WITHOUT_LAUNCH: Final = {
    AUTO_MODE: "EKS launches the nodes of Auto Mode, and what it asks EC2 for is not published",
    ON_AKS: "Karpenter asks Azure for one machine of the size and kind shown, so there is no request with a choice",
}


def controller_of(pool: NodePool) -> str:
    """Return the controller of a NodePool, by the group of its node class."""
    if pool.registry is AZURE:
        return ON_AKS
    return AUTO_MODE if pool.registry is AUTO else SELF_MANAGED


def registry_of(pools: Iterable[NodePool]) -> LabelRegistry:
    """Return what the controller of these NodePools knows about label keys."""
    return next((pool.registry for pool in pools if pool.registry in (AUTO, AZURE)), AWS)


def split_by_controller(pools: Iterable[NodePool]) -> dict[str, tuple[NodePool, ...]]:
    """Return the NodePools of each controller, in order."""
    by_controller: dict[str, tuple[NodePool, ...]] = {}
    for pool in pools:
        by_controller[controller_of(pool)] = (*by_controller.get(controller_of(pool), ()), pool)
    return dict(sorted(by_controller.items()))


def missing_launch_notes(nodes: Iterable[PlannedNode], pools: Iterable[NodePool]) -> list[Note]:
    """Return notes on why nodes have no launch request, for each controller that has none."""
    unlaunched = {n.node_pool for n in nodes if n.launch is None}
    notes = []
    for name, unlaunched_pools in split_by_controller(p for p in pools if p.name in unlaunched).items():
        if why := _WITHOUT_LAUNCH.get(name):
            notes.append(Note("launch-not-published", f"NodePool {', '.join(sorted(p.name for p in unlaunched_pools))}: {why}"))
    return notes


def join_plans(plans: Mapping[str, Plan], several: Iterable[str]) -> Plan:
    """Return the plans of several controllers for the same pods as one; they launch twice for the workloads of `several`.

    A pod is on one node, and pending if none of them places it.
    """
    first, *_ = plans.values()
    notes = [note for plan in plans.values() for note in plan.warnings]
    sizes = {size.workload: size for plan in plans.values() for size in plan.pod_sizes}
    return Plan(
        region=first.region,
        karpenter=first.karpenter,
        services=tuple(dict.fromkeys(service for plan in plans.values() for service in plan.services)),
        nodes=tuple(sorted((node for plan in plans.values() for node in plan.nodes), key=lambda n: n.node_pool)),
        existing=_filled(plans.values()),
        pending=_pending(plans),
        assumptions=notes_in_order([note for plan in plans.values() for note in plan.assumptions]),
        warnings=notes_in_order([*notes, *_doubly_planned(plans, several)]),
        passes=first.passes,
        further_passes=first.further_passes,
        unfinished=first.unfinished,
        pod_sizes=tuple(sizes[workload] for workload in sorted(sizes)),
        inputs=first.inputs,
    )


def _filled(plans: Iterable[Plan]) -> tuple[FilledNode, ...]:
    # Each plan has the pods of all on nodes that exist; virtual pods of CapacityBuffers are only in those that placed them.
    most: dict[str, dict[str, int]] = {}
    for plan in plans:
        for node in plan.existing:
            pods_on_node = most.setdefault(node.name, {})
            for share in node.pods:
                pods_on_node[share.workload] = max(share.count, pods_on_node.get(share.workload, 0))
    return tuple(
        FilledNode(name, tuple(PodShare(workload, count) for workload, count in sorted(pods.items())))
        for name, pods in sorted(most.items())
    )


def _doubly_planned(plans: Mapping[str, Plan], workloads: Iterable[str]) -> list[Note]:
    names = " and ".join(plans)
    text = (
        "{}: both " + names + " would launch nodes for it, and its pods need those of one; give it a selector or an "
        "anti-affinity on eks.amazonaws.com/compute-type: auto"
    )
    return [Note("two-controllers", text.format(workload)) for workload in sorted(workloads)]


def _pending(plans: Mapping[str, Plan]) -> tuple[PendingPods, ...]:
    """Return the pods that wait in every plan; all pods that a controller ignores are pending for it."""
    left_by = {name: _by_workload(plan.pending) for name, plan in plans.items()}
    everywhere = set.intersection(*(set(left) for left in left_by.values()))
    pending = []
    for workload in everywhere:
        entries = {name: left[workload] for name, left in left_by.items()}
        count = min(sum(p.count for p in of_plan) for of_plan in entries.values())
        pending.append(_joined_pending(workload, count, entries))
    return tuple(sorted(pending, key=lambda p: (p.reason, p.workload, p.count)))


def _by_workload(pending: Iterable[PendingPods]) -> dict[str, list[PendingPods]]:
    by_workload: dict[str, list[PendingPods]] = {}
    for pods in pending:
        by_workload.setdefault(pods.workload, []).append(pods)
    return by_workload


def _joined_pending(workload: str, count: int, entries: dict[str, list[PendingPods]]) -> PendingPods:
    every = [p for pending in entries.values() for p in pending]
    reasons = dict.fromkeys(f"{name}: {p.reason}" for name, pending in entries.items() for p in pending)
    same = {p.reason for p in every}
    return PendingPods(
        workload,
        count,
        every[0].reason if len(same) == 1 else "; ".join(reasons),
        tuple(dict.fromkeys(pair for p in every for pair in p.by_node_pool)),
        next((p.remedy for p in every if p.remedy), ""),
    )
