"""Static NodePools, which keep a number of nodes: how many drifted ones are replaced at a time (spec: disruption 4.4; D-73)."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.core.quantity import NANO
from cutlist.disruption.budgets import UNLIMITED, Remaining
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.cluster_state import ClusterState
from cutlist.state.scheduling_node import NODES


def static_replacements(candidates: Sequence[Candidate], left: Remaining, cluster: ClusterState) -> list[Candidate]:
    """The candidates that are replaced now, each by a command of its own."""
    by_pool: dict[str, list[Candidate]] = {}
    for candidate in sorted(candidates, key=lambda c: c.name):
        by_pool.setdefault(candidate.pool.name, []).append(candidate)
    found = []
    for name, mine in sorted(by_pool.items()):
        found += mine[: max(0, min(left.by_pool.get(name, 0), headroom(name, cluster)))]
    return found


def headroom(pool: str, cluster: ClusterState) -> int:
    """How many nodes a pool may have besides those it has; none while it has more than it wants."""
    mine = [m for m in cluster.nodes if m.pool == pool and m.claim is not None]
    staying = sum(not m.state.removed or m.name in cluster.controller_memory.queued for m in mine)
    if staying > (cluster.pools[pool].replicas or 0):
        return 0
    limit = cluster.pools[pool].limits.get(NODES)
    return UNLIMITED if limit is None else limit.nanos // NANO - len(mine)
