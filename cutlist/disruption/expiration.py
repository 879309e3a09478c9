"""NodeClaims whose time is up (spec: disruption 8.1; D-35, D-74)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cutlist.api.durations import seconds
from cutlist.state.statenode import NodeClaimState


@dataclass(frozen=True, slots=True)
class Expiry:
    """Claims by name: those that expire now, and of the others that ever do, when. Instants are in seconds since 1970."""

    now: tuple[str, ...] = ()
    later: Mapping[str, float] = field(default_factory=dict)


def expiry(claims: Iterable[NodeClaimState], now: float) -> Expiry:
    """Which claims Karpenter deletes now for their age. Nothing holds it back: no budget, no annotation, no nomination."""
    due: list[str] = []
    later: dict[str, float] = {}
    for claim in claims:
        at = expires_at(claim)
        if at is None or claim.deleted is not None:
            continue
        if now >= at:
            due.append(claim.name)
        else:
            later[claim.name] = at
    return Expiry(tuple(sorted(due)), later)


def expires_at(claim: NodeClaimState) -> float | None:
    """When a claim expires by its own `expireAfter`, whatever its NodePool says by now; None for never."""
    return None if claim.lifetime is None else claim.created + claim.lifetime


def longest_life(claim: NodeClaimState) -> float | None:
    """How long its node may live at most, in seconds, whatever blocks its drain; None where nothing ends it for certain."""
    if claim.lifetime is None or claim.termination_grace_period is None:
        return None
    grace = seconds(claim.termination_grace_period)
    return None if grace is None else float(claim.lifetime + grace)
