"""Drift of static NodePools: several nodes at a time, each replaced with one that follows the template (spec: disruption 4.4;
D-73)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.quantity import NANO
from cutlist.disruption.budgets import UNLIMITED
from cutlist.disruption.candidates import Candidate, Skipped
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command, Replacement, TerminateFirst
from cutlist.disruption.evaluation import MethodInputs, MethodOutcome
from cutlist.disruption.reasons import Reason
from cutlist.disruption.terminate_first import StaticReservations, is_allowed, without_replacement
from cutlist.state.scheduling_node import NODES


def is_static_and_drifted(candidate: Candidate, _: ClusterState) -> Skipped | None:
    """Accept candidates of static pools with the condition Drifted: None for an accepted one."""
    return None if candidate.pool.is_static and candidate.drifted else Skipped(candidate.name)


def static_drift(inputs: MethodInputs, outcome: MethodOutcome) -> None:
    """Replace as many candidates of each pool as its budget and its headroom allow, each with its own command."""
    cluster, budgets = inputs.cluster, inputs.remaining(Reason.DRIFTED)
    by_pool: dict[str, list[Candidate]] = {}
    for candidate in by_pool_and_name(outcome.candidates):
        by_pool.setdefault(candidate.pool.name, []).append(candidate)
    for pool, of_pool in by_pool.items():
        allowed = min(budgets.by_pool.get(pool, 0), len(of_pool))
        if allowed and not has_surplus(pool, cluster):
            outcome.commands += _of_pool(of_pool, allowed, cluster, outcome)


def by_pool_and_name(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return candidates in the order of drift of static NodePools."""
    return sorted(candidates, key=lambda c: (c.pool.name, c.name))


def _of_pool(candidates: Sequence[Candidate], allowed: int, cluster: ClusterState, outcome: MethodOutcome) -> list[Command]:
    """Return the commands for as many candidates of a pool as its budget allows."""
    pool, reason = candidates[0].pool, Reason.DRIFTED
    if is_allowed(reason, cluster):
        reservations = StaticReservations.of(pool, cluster)
        if reservations.are_full:
            holders = [c for c in candidates if reservations.are_held_by(c, cluster.registry)]
            # Nodes that free a unit come first: the others could only be recorded as blocked.
            ordered = [*holders, *(c for c in candidates if c not in holders)][:allowed]
            return without_replacement(ordered, TerminateFirst.NO_RESERVED_CAPACITY, reason, holders, outcome, cluster)
    staged = min(allowed, headroom(pool.name, cluster))
    if staged <= 0:
        if not cluster.karpenter.does(Behaviour.TERMINATE_FIRST):
            return []  # without an event, before V15-29
        return without_replacement(candidates[:allowed], TerminateFirst.STATIC_AT_LIMIT, reason, candidates, outcome, cluster)
    return [Command(reason, (c,), (Replacement.plain(pool, cluster.registry),)) for c in candidates[:staged]]


def has_surplus(pool: str, cluster: ClusterState) -> bool:
    """Tell whether a static pool has more nodes than its replicas: then it removes nodes without a replacement."""
    nodes = (n for n in cluster.nodes if n.pool == pool and n.claim is not None)
    staying = sum(not n.state.removed or n.name in cluster.controller_memory.queued for n in nodes)
    return staying > (cluster.pools[pool].replicas or 0)


def headroom(pool: str, cluster: ClusterState) -> int:
    """Return how many additional nodes the limit of a static pool allows."""
    limit = cluster.pools[pool].limits.get(NODES)
    nodes = sum(n.pool == pool and n.claim is not None for n in cluster.nodes)
    return UNLIMITED if limit is None else max(0, limit.nanos // NANO - nodes)
