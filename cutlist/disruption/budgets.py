"""How many nodes of a NodePool may be disrupted now, by reason (spec: disruption 3; D-26 to D-35)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cutlist.api.budget_windows import UNLIMITED, allowed
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.reasons import Reason
from cutlist.state.statenode import StateNode


@dataclass(frozen=True, slots=True)
class Remaining:
    """What is left of the budgets of each pool for one reason, and whether a budget had to be asked in vain."""

    by_pool: Mapping[str, int]

    def admitted(self, candidates: list[Candidate]) -> list[Candidate]:
        """Those of a list that the budgets allow at once, the first ones first."""
        left, found = dict(self.by_pool), []
        for candidate in candidates:
            if left.get(candidate.pool.name, 0) > 0:
                left[candidate.pool.name] -= 1
                found.append(candidate)
        return found

    def allows(self, candidate: Candidate) -> bool:
        """Whether one more node of the candidate's pool may go."""
        return self.by_pool.get(candidate.pool.name, 0) > 0


def remaining(cluster: ClusterState, reason: Reason) -> Remaining:
    """How many nodes of each pool may still be disrupted for a reason."""
    found = {}
    for name, pool in cluster.pools.items():
        counted = [m for m in cluster.nodes if m.pool == name and counts(m)]
        most = allowed(pool, reason, len(counted), cluster.now)
        found[name] = max(0, most - sum(is_disrupted(m) for m in counted))
    return Remaining(found)


def counts(node: StateNode) -> bool:
    """Whether a machine is one of those that percentages are taken of (D-29)."""
    return node.claim is not None and node.initialized and not node.terminating


def is_disrupted(node: StateNode) -> bool:
    """Whether a machine uses up one of the budget already (D-28)."""
    return not node.ready or node.state.removed


__all__ = ["UNLIMITED", "Remaining", "counts", "is_disrupted", "remaining"]
