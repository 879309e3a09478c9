"""How many nodes of a NodePool may be disrupted now, by reason (spec: disruption 3; D-26 to D-35)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cutlist.api.budget_windows import UNLIMITED, allowed
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.node_counts import NO_NODES, NodeCounts, count_nodes, counts, is_disrupted
from cutlist.disruption.reasons import Reason


@dataclass(frozen=True, slots=True)
class Remaining:
    """How many more nodes of each pool may be disrupted for one reason."""

    by_pool: Mapping[str, int]

    def admitted(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return the first candidates of a list that the budgets allow together."""
        left, admitted = dict(self.by_pool), list[Candidate]()
        # No more than this can be admitted, so a long list need not be walked to its end.
        most = sum(left.values())
        for candidate in candidates:
            if len(admitted) == most:
                break
            if left.get(candidate.pool.name, 0) > 0:
                left[candidate.pool.name] -= 1
                admitted.append(candidate)
        return admitted

    @property
    def exclude_some(self) -> bool:
        """Tell whether no node of some pool may be disrupted."""
        return min(self.by_pool.values(), default=0) <= 0

    def allows(self, candidate: Candidate) -> bool:
        """Tell whether one more node of the candidate's pool may be disrupted."""
        return self.by_pool.get(candidate.pool.name, 0) > 0


def remaining(cluster: ClusterState, reason: Reason, by_pool: Mapping[str, NodeCounts] | None = None) -> Remaining:
    """Return how many nodes of each pool may still be disrupted for a reason; `by_pool` has the counts of nodes, if known."""
    by_pool = count_nodes(cluster.nodes) if by_pool is None else by_pool
    left = {}
    for name, pool in cluster.pools.items():
        of_pool = by_pool.get(name, NO_NODES)
        disrupted = of_pool.disrupted_for_repair if reason is Reason.UNHEALTHY else of_pool.disrupted
        left[name] = max(0, allowed(pool, reason, of_pool.nodes, cluster.now) - disrupted)
    return Remaining(left)


__all__ = ["UNLIMITED", "Remaining", "counts", "is_disrupted", "remaining"]
