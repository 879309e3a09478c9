"""When NodeClaims expire, are deleted and have their drain ended forcibly (spec: disruption 8.1, 8.2, 9.3; D-74)."""

from __future__ import annotations

from dataclasses import replace

from cutlist.api.durations import seconds
from cutlist.core.annotations import TERMINATION_TIMESTAMP
from cutlist.core.instants import instant, instant_text
from cutlist.state.statenode import NodeClaimState, StateNode


def deleted(claim: NodeClaimState, now: float) -> NodeClaimState:
    """Return the claim after its deletion: with a termination grace period it gets its deadline, which is set only once.

    A claim that is being deleted already stays as it is.
    """
    if claim.deleted is not None:
        return claim
    grace = seconds(claim.termination_grace_period) if claim.termination_grace_period is not None else None
    deleted = replace(claim, deleted=now)
    # A deadline that somebody wrote before the deletion is kept.
    return deleted if grace is None or TERMINATION_TIMESTAMP in claim.annotations else with_deadline(deleted, now + grace)


def with_claim(node: StateNode, claim: NodeClaimState) -> StateNode:
    """Return the node with another claim; once that is being deleted, no more pods are placed on the node."""
    removed = node.state.removed or claim.deleted is not None
    return replace(node, claim=claim, state=replace(node.state, removed=removed))


def with_deadline(claim: NodeClaimState, at: float) -> NodeClaimState:
    """Return the claim with its deadline set; it is kept in whole seconds."""
    return replace(claim, annotations={**claim.annotations, TERMINATION_TIMESTAMP: instant_text(at)})


def deadline(claim: NodeClaimState | None) -> float | None:
    """Return the instant after which nothing keeps the node, or None if the claim has no readable one."""
    try:
        return instant(claim.annotations.get(TERMINATION_TIMESTAMP)) if claim is not None else None
    except ValueError:
        return None


def expires_at(claim: NodeClaimState) -> float | None:
    """Return when a claim expires by its own `expireAfter`, regardless of its NodePool's, or None if it never does."""
    return None if claim.lifetime is None else claim.created + claim.lifetime


def is_expired(claim: NodeClaimState, now: float) -> bool:
    """Tell whether the time of a claim is up that is not being deleted yet: Karpenter then deletes it at once."""
    at = expires_at(claim)
    return claim.deleted is None and at is not None and at <= now


def longest_life(claim: NodeClaimState) -> float | None:
    """Return the longest life of its node in seconds, no matter what blocks its drain, or None if nothing is certain to end
    it."""
    if claim.lifetime is None or claim.termination_grace_period is None:
        return None
    grace = seconds(claim.termination_grace_period)
    return None if grace is None else float(claim.lifetime + grace)
