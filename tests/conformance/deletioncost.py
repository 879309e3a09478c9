"""The ranks that Karpenter writes as pod-deletion-cost, in the form of the vectors (spec: karpenter-1.15 3; V15-66)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum, auto
from typing import Any, Final

from cutlist.api.durations import NEVER
from cutlist.disruption.budgets import remaining
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.costs import reschedule_cost
from cutlist.disruption.disruptable import blocking_pod, failed_check
from cutlist.disruption.reasons import Reason
from cutlist.state.pods import DISRUPTED
from cutlist.state.statenode import DRIFTED, StateNode

GOING_FIRST: Final = -(2**31)
RECREATING: Final = {("apps/v1", "ReplicaSet"), ("batch/v1", "Job"), ("apps/v1", "DaemonSet")}


class Part(Enum):
    """What happens to the annotation on the pods of a node."""

    GOING = auto()
    DRIFTED = auto()
    NORMAL = auto()
    CLEARED = auto()


def deletion_costs(cluster: ClusterState, pods: Iterable[Mapping[str, Any]]) -> dict[str, int | None]:
    """Return the rank by node, None where the annotation is removed. `pods` are the manifests of those in the cluster."""
    pinned = {(p.get("spec") or {}).get("nodeName") for p in pods if is_pinning(p)}
    nodes = sorted((n for n in cluster.nodes if n.claim is not None), key=lambda n: (-savings_ratio(n, cluster), n.name))
    parts = {n.name: part_of(n, cluster, is_pinned=n.state.node in pinned) for n in nodes}
    ranked = [
        *within_budget([n for n in nodes if parts[n.name] is Part.DRIFTED], remaining(cluster, Reason.DRIFTED).by_pool),
        *within_budget([n for n in nodes if parts[n.name] is Part.NORMAL], remaining(cluster, Reason.UNDERUTILIZED).by_pool),
    ]
    ranks = {n.name: place - len(ranked) for place, n in enumerate(ranked)}
    return {n.name: GOING_FIRST if parts[n.name] is Part.GOING else ranks.get(n.name) for n in nodes}


def part_of(node: StateNode, cluster: ClusterState, *, is_pinned: bool) -> Part:
    if node.state.removed or any((t.key, t.effect) == (DISRUPTED.key, DISRUPTED.effect) for t in node.state.own_taints):
        return Part.GOING
    failed, _ = failed_check(node, cluster)
    if (
        failed is not None
        or blocking_pod(node.pods, cluster.evictions, cluster.now)
        or is_pinned
        or has_no_price(node, cluster)
    ):
        return Part.CLEARED
    pool = cluster.pools.get(node.pool)
    if node.claim is not None and node.claim.has(DRIFTED) and not (pool is not None and pool.is_static):
        return Part.DRIFTED
    return Part.CLEARED if pool is not None and pool.disruption.consolidate_after == NEVER else Part.NORMAL


def savings_ratio(node: StateNode, cluster: ClusterState) -> float:
    return cluster.price_of(node) / reschedule_cost(node.pods, cluster.cost_annotations)


def has_no_price(node: StateNode, cluster: ClusterState) -> bool:
    return bool(node.pool and node.instance_type) and cluster.type_of(node) is None


def is_pinning(pod: Mapping[str, Any]) -> bool:
    """Tell whether nothing would bring the pod back elsewhere."""
    metadata = pod["metadata"]
    controllers = [o for o in metadata.get("ownerReferences") or () if o.get("controller")]
    recreated = any((o.get("apiVersion"), o.get("kind")) in RECREATING for o in controllers)
    return metadata.get("namespace") != "kube-system" and not recreated


def within_budget(nodes: Iterable[StateNode], budgets: Mapping[str, int]) -> list[StateNode]:
    left, admitted = dict(budgets), []
    for node in nodes:
        if left.get(node.pool, 0) > 0:
            left[node.pool] -= 1
            admitted.append(node)
    return admitted
