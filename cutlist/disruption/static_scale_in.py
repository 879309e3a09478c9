"""Static NodePools that shrink: which nodes they remove at once, regardless of budgets (spec: disruption 8.5; D-81)."""

from __future__ import annotations

from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.costs import lifetime_weighted_cost
from cutlist.state.statenode import StateNode


def surplus(cluster: ClusterState) -> tuple[StateNode, ...]:
    """Return the nodes that static NodePools have beyond their replicas, in the order in which Karpenter removes them.
    Karpenter removes equal nodes in any order; here they come by name. If there is a static NodePool, the gate StaticCapacity
    counts as on.
    """
    return tuple(node for name in sorted(cluster.pools) for node in _of_pool(name, cluster))


def _of_pool(name: str, cluster: ClusterState) -> list[StateNode]:
    pool = cluster.pools[name]
    if not pool.is_static:
        return []
    staying = [
        node for node in cluster.nodes if node.pool == name and node.claim is not None and not _is_leaving(node, cluster)
    ]
    excess = len(staying) - (pool.replicas or 0)
    return sorted(staying, key=lambda node: (_cost(node, cluster), node.name))[: max(0, excess)]


def _is_leaving(node: StateNode, cluster: ClusterState) -> bool:
    return node.state.removed or node.name in cluster.controller_memory.queued


def _cost(node: StateNode, cluster: ClusterState) -> tuple[bool, bool, float]:
    """Return the sort key of a node: nodes with only DaemonSet pods first, then nodes that no pod holds, then by disruption
    cost."""
    is_held = any(pod.active and pod.held(cluster.now) for pod in node.pods)
    is_empty = not is_held and all("DaemonSet" in pod.owners for pod in node.pods)
    cost = 0.0 if is_empty else lifetime_weighted_cost(node.claim, node.pods, cluster.now, cluster.cost_annotations)
    return not is_empty, is_held, cost
