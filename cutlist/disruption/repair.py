"""Repair of unhealthy nodes, the first disruption method where it is one (spec: karpenter-1.15 2.3; V15-42 to V15-56)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from cutlist.api.durations import seconds
from cutlist.core.labels import NODEPOOL
from cutlist.disruption.budgets import remaining
from cutlist.disruption.candidates import Candidate, Skipped
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command, Replacement, TerminateFirst
from cutlist.disruption.costs import lifetime_weighted_cost
from cutlist.disruption.drift import replaced
from cutlist.disruption.evaluation import BLOCKED, MethodInputs, MethodOutcome
from cutlist.disruption.health_policy import RepairResult, matcher_of, resolve
from cutlist.disruption.node_repair import SICK_PERCENT, allowed_sick
from cutlist.disruption.reasons import Reason
from cutlist.disruption.staticdrift import has_surplus, headroom
from cutlist.disruption.terminate_first import StaticReservations, is_allowed, without_replacement
from cutlist.providers.node_repair import RepairAction

DO_NOT_REPAIR: Final = "karpenter.sh/do-not-repair"
REPAIR_BLOCKED: Final = "NodeRepairBlocked"
MOST_REBOOTS: Final = 2
REBOOTS_COUNT_FOR: Final = 24 * 3600.0
"""A node that was rebooted this often within this time, in seconds, is replaced (V15-56)."""
_VETOED: Final = f'repair is blocked through the "{DO_NOT_REPAIR}" annotation'
_UNBOUNDED: Final = "repair requires a termination grace period to bypass blocking pods"


def repair_result(candidate: Candidate, cluster: ClusterState) -> RepairResult | None:
    """Return what the repair policies decide for a node now, or None while none is eligible."""
    node, now = candidate.node, cluster.now
    matches = matcher_of(cluster.repair_policies).matches(node.conditions, node.created, node.rebooted)
    result = resolve(matches, now)
    if result is None or result.action != RepairAction.REBOOT or node.claim is None:
        return result
    earlier = cluster.controller_memory.reboots.get(node.claim.name, ())
    # Only a reboot can be escalated: it failed to help as often as Karpenter allows.
    return replace(result, is_escalated=len(_recent(_remembered(earlier), now)) >= MOST_REBOOTS)


def _remembered(reboots: Iterable[float]) -> list[float]:
    """Return the reboots of a node that Karpenter remembers: it adds none while it remembers as many as it counts."""
    remembered: list[float] = []
    for at in sorted(reboots):
        remembered = _recent(remembered, at)
        remembered += [at] if len(remembered) < MOST_REBOOTS else []
    return remembered


def _recent(reboots: Iterable[float], now: float) -> list[float]:
    return [at for at in reboots if at > now - REBOOTS_COUNT_FOR]


def is_unhealthy(candidate: Candidate, cluster: ClusterState) -> Skipped | None:
    """Accept candidates that a repair policy says to repair, unless the operator vetoes it: None for an accepted one."""
    result, claim = repair_result(candidate, cluster), candidate.node.claim
    if result is None or claim is None:
        return Skipped(candidate.name)
    # The veto is asked only about nodes that are due, so that healthy ones get no event.
    if candidate.node.annotations.get(DO_NOT_REPAIR) == "true":
        return Skipped(candidate.name, BLOCKED, _VETOED)
    if candidate.has_pod_blockers and result.bound is None and claim.termination_grace_period is None:
        return Skipped(candidate.name, BLOCKED, _UNBOUNDED)
    return None


def repair(inputs: MethodInputs, outcome: MethodOutcome) -> None:
    """Repair the most urgent candidate that the budgets and the other nodes of its pool allow."""
    cluster = inputs.cluster
    budgets, sick_pools = remaining(cluster, Reason.UNHEALTHY), pools_with_too_many_sick(cluster)
    for candidate, result in most_urgent_first(outcome.candidates, cluster):
        if candidate.pool.name in sick_pools:
            _note_stopped(candidate, outcome)
            continue
        if candidate.node.initialized and not budgets.allows(candidate):  # others hold no workload to protect (V15-51)
            outcome.constrained = True
            continue
        command = _command(candidate, result, inputs, outcome)
        if outcome.error:
            return
        if command is not None:
            bound = drain_bound(candidate, result)
            bounds = {} if bound is None else {candidate.name: bound}
            outcome.commands = [replace(command, bounds=bounds)]
            return


def drain_bound(candidate: Candidate, result: RepairResult) -> float | None:
    """Return after how many seconds the drain ends, or None if only the NodeClaim sets that (V15-53)."""
    claim = candidate.node.claim
    own = seconds(claim.termination_grace_period) if claim is not None and claim.termination_grace_period is not None else None
    return result.bound if result.bound is None or own is None else min(result.bound, own)


def pools_with_too_many_sick(cluster: ClusterState) -> frozenset[str]:
    """Return the NodePools in which more than a fifth of the nodes is unhealthy, regardless of how long (V15-50)."""
    matcher = matcher_of(cluster.repair_policies)
    nodes: dict[str, list[bool]] = {}
    for node in cluster.nodes:
        pool = node.state.own_labels.get(NODEPOOL, "")
        if node.has_node and pool:
            nodes.setdefault(pool, []).append(matcher.covers(node.conditions))
    return frozenset(pool for pool, sick in nodes.items() if sum(sick) > allowed_sick(len(sick)))


def most_urgent_first(candidates: Sequence[Candidate], cluster: ClusterState) -> list[tuple[Candidate, RepairResult]]:
    """Return candidates in the order of repair, each with what the policies decide for it now (V15-47)."""
    results = [(c, result) for c in candidates if (result := repair_result(c, cluster)) is not None]
    costs: Mapping[str, float] = {
        c.name: lifetime_weighted_cost(c.node.claim, c.node.pods, cluster.now, cluster.cost_annotations) for c, _ in results
    }
    return sorted(results, key=lambda pair: (-pair[1].score, costs[pair[0].name], pair[0].name))


def _note_stopped(candidate: Candidate, outcome: MethodOutcome) -> None:
    text = f'more than {SICK_PERCENT}% of nodes in nodepool "{candidate.pool.name}" are unhealthy'
    outcome.skip(candidate, REPAIR_BLOCKED, text)
    note = (f"NodePool/{candidate.pool.name}", REPAIR_BLOCKED, text)
    outcome.notes += [note] if note not in outcome.notes else []


def _command(candidate: Candidate, result: RepairResult, inputs: MethodInputs, outcome: MethodOutcome) -> Command | None:
    """Return the command that repairs a candidate, or None if it cannot be repaired now."""
    if result.action == RepairAction.REBOOT:
        return Command(Reason.UNHEALTHY, (candidate,), reboot=True)
    if candidate.pool.is_static:
        return _of_static_pool(candidate, inputs.cluster, outcome)
    return replaced(candidate, inputs, outcome, Reason.UNHEALTHY, blocked_too=True)


def _of_static_pool(candidate: Candidate, cluster: ClusterState, outcome: MethodOutcome) -> Command | None:
    """Return the command for a node of a static pool, which is replaced by the template of its pool (V15-54)."""
    pool, reason = candidate.pool, Reason.UNHEALTHY
    if has_surplus(pool.name, cluster):
        return None
    # Full reservations are asked about first and take precedence: room in the limit is useless without capacity.
    why, able = TerminateFirst.STATIC_AT_LIMIT, [candidate]
    if is_allowed(reason, cluster):
        reservations = StaticReservations.of(pool, cluster)
        if reservations.are_full:
            why = TerminateFirst.NO_RESERVED_CAPACITY
            able = [candidate] if reservations.are_held_by(candidate, cluster.registry) else []
    if why is TerminateFirst.STATIC_AT_LIMIT and headroom(pool.name, cluster) > 0:
        return Command(reason, (candidate,), (Replacement.plain(pool, cluster.registry),))
    commands = without_replacement([candidate], why, reason, able, outcome, cluster)
    return next(iter(commands), None)
