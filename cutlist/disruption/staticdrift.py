"""Drift of static NodePools: several nodes at a time, each replaced with one that follows the template (spec: disruption 4.4;
D-73)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cutlist.core.quantity import NANO
from cutlist.disruption.budgets import UNLIMITED, Remaining, remaining
from cutlist.disruption.candidates import Candidate, Skipped
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command, Replacement
from cutlist.disruption.evaluation import MethodInputs, Outcome
from cutlist.disruption.reasons import Reason
from cutlist.state.scheduling_node import NODES


def is_static_and_drifted(candidate: Candidate, _: ClusterState) -> Skipped | None:
    """Accept candidates of static pools with the condition Drifted: None for an accepted one."""
    return None if candidate.pool.is_static and candidate.drifted else Skipped(candidate.name)


def static_drift(inputs: MethodInputs, outcome: Outcome) -> None:
    """Replace as many candidates of each pool as its budget and its headroom allow, each with its own command."""
    budgets = remaining(inputs.cluster, Reason.DRIFTED)
    outcome.commands = [
        Command(Reason.DRIFTED, (candidate,), (Replacement.plain(candidate.pool, inputs.cluster.registry),))
        for candidate in _replaceable(outcome.candidates, budgets, inputs.cluster)
    ]


def _replaceable(candidates: Sequence[Candidate], budgets: Remaining, cluster: ClusterState) -> Iterator[Candidate]:
    by_pool: dict[str, list[Candidate]] = {}
    for candidate in sorted(candidates, key=lambda c: c.name):
        by_pool.setdefault(candidate.pool.name, []).append(candidate)
    for pool, of_pool in sorted(by_pool.items()):
        yield from of_pool[: max(0, min(budgets.by_pool.get(pool, 0), headroom(pool, cluster)))]


def headroom(pool: str, cluster: ClusterState) -> int:
    """Return how many additional nodes a pool may have, or 0 while it has more than its replicas."""
    nodes = [n for n in cluster.nodes if n.pool == pool and n.claim is not None]
    staying = sum(not n.state.removed or n.name in cluster.controller_memory.queued for n in nodes)
    if staying > (cluster.pools[pool].replicas or 0):
        return 0
    limit = cluster.pools[pool].limits.get(NODES)
    return UNLIMITED if limit is None else limit.nanos // NANO - len(nodes)
