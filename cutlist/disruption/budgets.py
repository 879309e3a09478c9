"""How many nodes of a NodePool may be disrupted now, by reason (spec: disruption 3; D-26 to D-35)."""

from __future__ import annotations

from collections.abc import Mapping

from cutlist.api.budget_windows import UNLIMITED, allowed
from cutlist.core.values import dataclass
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.reasons import Reason
from cutlist.state.statenode import StateNode


@dataclass(frozen=True, slots=True)
class Remaining:
    """How many more nodes of each pool may be disrupted for one reason."""

    by_pool: Mapping[str, int]

    def admitted(self, candidates: list[Candidate]) -> list[Candidate]:
        """Return the first candidates of a list that the budgets allow together."""
        left, admitted = dict(self.by_pool), []
        for candidate in candidates:
            if left.get(candidate.pool.name, 0) > 0:
                left[candidate.pool.name] -= 1
                admitted.append(candidate)
        return admitted

    def allows(self, candidate: Candidate) -> bool:
        """Tell whether one more node of the candidate's pool may be disrupted."""
        return self.by_pool.get(candidate.pool.name, 0) > 0


def remaining(cluster: ClusterState, reason: Reason) -> Remaining:
    """Return how many nodes of each pool may still be disrupted for a reason."""
    nodes, disrupted = dict.fromkeys(cluster.pools, 0), dict.fromkeys(cluster.pools, 0)
    for node in cluster.nodes:
        name = node.pool
        if name in nodes and counts(node):
            nodes[name] += 1
            disrupted[name] += is_disrupted(node, reason)
    most = {name: allowed(pool, reason, nodes[name], cluster.now) for name, pool in cluster.pools.items()}
    return Remaining({name: max(0, most[name] - disrupted[name]) for name in cluster.pools})


def counts(node: StateNode) -> bool:
    """Tell whether a node counts in the total from which percentages are computed (D-29); one that reboots does (V15-34)."""
    return node.claim is not None and (node.initialized or node.rebooting) and not node.terminating


def is_disrupted(node: StateNode, reason: Reason) -> bool:
    """Tell whether a node already uses up one of the budget for a reason (D-28, V15-34).

    One that is not ready does not for repair, which would otherwise keep itself from repairing it (V15-35).
    """
    is_unready = not node.ready and reason is not Reason.UNHEALTHY
    return is_unready or node.state.removed or node.rebooting


__all__ = ["UNLIMITED", "Remaining", "counts", "is_disrupted", "remaining"]
