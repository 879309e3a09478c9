"""The conditions by which Karpenter remembers what it may do to a NodeClaim, and the clock of `consolidateAfter`.

(spec: disruption 1.7, 7.1; D-14, D-16 to D-18)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cutlist.api.durations import NEVER, seconds
from cutlist.api.nodepool import NodePool
from cutlist.core.labels import NODEPOOL, LabelRegistry
from cutlist.disruption.drift_reason import drift_reason
from cutlist.disruption.known_drift import KnownDrift
from cutlist.providers.instance_types import InstanceType
from cutlist.state.statenode import (
    CLAIM_INITIALIZED,
    CONSOLIDATABLE,
    DRIFTED,
    LAUNCHED,
    Condition,
    NodeClaimState,
    StateNode,
)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The environment that conditions depend on: the NodePools by name, their instance types, the cloud's labels and drift
    reasons.

    `drifted` gives the cloud's own reason by the name of the Node.
    """

    pools: Mapping[str, NodePool]
    types: Mapping[str, Sequence[InstanceType]]
    registry: LabelRegistry
    drifted: Mapping[str, str] = field(default_factory=dict)


def with_conditions(
    nodes: Iterable[StateNode], around: Surroundings, now: float, known_drift: KnownDrift | None = None
) -> tuple[StateNode, ...]:
    """Return the nodes with the conditions that Karpenter would set on their NodeClaims at this instant; a node of which
    nothing changes is the same object. `known_drift` is kept from one instant to the next, if the caller has it."""
    return tuple([_with_conditions(node, around, now, known_drift) for node in nodes])


def _with_conditions(node: StateNode, around: Surroundings, now: float, known_drift: KnownDrift | None) -> StateNode:
    if node.claim is None:
        return node
    claim = judged(node.claim, around, now, node=node.state.node, known_drift=known_drift)
    return node if claim is node.claim else replace(node, claim=claim)


def judged(
    claim: NodeClaimState, around: Surroundings, now: float, *, node: str = "", known_drift: KnownDrift | None = None
) -> NodeClaimState:
    """Return a claim with its conditions Consolidatable and Drifted set as they should be. `node` is the name of its Node.

    A claim that is being deleted, or whose NodePool does not exist, keeps what it has; one of a static NodePool keeps
    Consolidatable, which nothing depends on.
    """
    pool = around.pools.get(claim.labels.get(NODEPOOL, ""))
    if pool is None or claim.deleted is not None:
        return claim
    reason = ""
    # A claim that was never launched has nothing that could drift; a Drifted that it has is removed again.
    if claim.has(LAUNCHED):
        types, provider_reason = around.types.get(pool.name, ()), around.drifted.get(node, "")
        reason_of = drift_reason if known_drift is None else known_drift.reason
        reason = reason_of(claim, pool, types, now, registry=around.registry, provider_reason=provider_reason)
    judged_for_drift = _with(claim, DRIFTED, reason, now)
    # The condition stays as it is: the controller that sets it passes over static pools.
    if pool.is_static:
        return judged_for_drift
    ripe = CONSOLIDATABLE if may_consolidate(claim, pool, now) else ""
    return _with(judged_for_drift, CONSOLIDATABLE, ripe, now)


def may_consolidate(claim: NodeClaimState, pool: NodePool, now: float) -> bool:
    """Tell whether a claim of a dynamic pool should have the condition Consolidatable: as soon as `consolidateAfter` is
    over."""
    never = pool.disruption.consolidate_after == NEVER
    return not never and claim.has(CLAIM_INITIALIZED) and not is_settling(claim, pool, now)


def is_settling(claim: NodeClaimState, pool: NodePool, now: float) -> bool:
    """Tell whether a pod was added to or removed from a claim's node less than `consolidateAfter` ago; only once it is
    initialized."""
    until = settled_at(claim, pool)
    return until is not None and now < until


def settled_at(claim: NodeClaimState, pool: NodePool) -> float | None:
    """Return when `consolidateAfter` ends for a claim whose pods no longer change, or None if it does not apply."""
    length = seconds(pool.disruption.consolidate_after)
    initialized = claim.conditions.get(CLAIM_INITIALIZED)
    if not length or initialized is None or initialized.status != "True":
        return None
    # Without any event of a pod the clock starts when the node was initialized.
    return (initialized.since if claim.last_pod_event is None else claim.last_pod_event) + length


def _with(claim: NodeClaimState, name: str, reason: str, now: float) -> NodeClaimState:
    """Return the claim with a condition set to True for a reason, or without the condition if there is no reason.

    A change of only the reason keeps the time since which the condition is True (1 s resolution).
    """
    old = claim.conditions.get(name)
    if not reason:
        rest = {n: c for n, c in claim.conditions.items() if n != name}
        return claim if old is None else replace(claim, conditions=rest)
    # The API server stores whole seconds.
    since = old.since if old is not None and old.status == "True" else float(math.floor(now))
    new = Condition("True", since, reason)
    return claim if old == new else replace(claim, conditions={**claim.conditions, name: new})


SAME_EVENT: Final = 10  # seconds within which further events count as the same one


def with_pod_event(claim: NodeClaimState, now: float) -> NodeClaimState:
    """Return a claim after a pod of its node was added or removed; a change soon after the last is not recorded. In whole
    seconds."""
    last = claim.last_pod_event
    # Karpenter drops updates so soon after the last one, so a burst of events counts from its first (spec 1.7).
    if last is not None and now - last < SAME_EVENT:
        return claim
    return replace(claim, last_pod_event=float(math.floor(now)))
