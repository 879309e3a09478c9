"""Nodes that are going to be removed forcibly, and when: they expire, are unhealthy, are more than a static NodePool wants, or
may not drain any longer.

(spec: disruption 8, 9.3)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from cutlist.core.records import Instant, Key, TextOrNull
from cutlist.disruption.node_repair import Repair
from cutlist.disruption.termination import deadline, deleted, expires_at, longest_life
from cutlist.state.statenode import StateNode


class ForcedRemovalKind(StrEnum):
    """Why a node is removed regardless of budgets and annotations."""

    EXPIRES = "expires"
    REPAIRED = "is repaired"
    SCALED_IN = "is scaled in"
    DRAIN_ENDS = "drain ends"


@dataclass(frozen=True, slots=True)
class ForcedRemoval:
    """A node that is going to be removed.

    At `at` its drain begins, or is over; `latest` is when its instance is certain to be terminated, None where blocked pods
    keep it. `blocked` says, in Karpenter's words, why an unhealthy node is not repaired although its time is up; at `at` it is
    checked again.
    """

    at: Instant
    node: str
    pool: Annotated[str, Key("nodePool")]
    force: Annotated[ForcedRemovalKind, Key("why")]
    latest: Annotated[Instant | None, Key("goneBy")]
    blocked: TextOrNull = ""


def timeline(nodes: Iterable[StateNode], now: float) -> tuple[ForcedRemoval, ...]:
    """Return the removals that are certain at an instant (seconds since 1970), the earliest first. One in the past is overdue:
    it begins now."""
    return _ordered(r for n in nodes if (r := _removal(n, now)) is not None)


def with_scale_in(removals: Iterable[ForcedRemoval], surplus: Iterable[StateNode], now: float) -> tuple[ForcedRemoval, ...]:
    """Return the removals with those of nodes that static NodePools give up at an instant (seconds since 1970), for each node
    the earliest."""
    return _earliest([*removals, *(_scaled_in(node, now) for node in surplus)])


def with_repairs(
    removals: Iterable[ForcedRemoval], nodes: Iterable[StateNode], sick: Repair, now: float
) -> tuple[ForcedRemoval, ...]:
    """Return the removals and the repairs of unhealthy nodes at an instant (seconds since 1970): for each node the earliest
    certain one.

    Blocked repairs are listed in addition.
    """
    repairs = [r for n in nodes if (r := _repaired(n, now, sick)) is not None]
    certain = _earliest([*removals, *(r for r in repairs if not r.blocked)])
    # A blocked repair may never come, so it must not hide a removal that is certain.
    return _ordered([*certain, *(r for r in repairs if r.blocked)])


def _earliest(removals: Iterable[ForcedRemoval]) -> tuple[ForcedRemoval, ...]:
    """Return the earliest removal of each node."""
    earliest: dict[str, ForcedRemoval] = {}
    for removal in _ordered(removals):
        earliest.setdefault(removal.node, removal)
    return tuple(earliest.values())


def _ordered(removals: Iterable[ForcedRemoval]) -> tuple[ForcedRemoval, ...]:
    return tuple(sorted(removals, key=lambda r: (r.at, r.node)))


def _scaled_in(node: StateNode, now: float) -> ForcedRemoval:
    """Return the removal of a node, which drains like any other that is deleted."""
    grace = None if node.claim is None else deadline(deleted(node.claim, now))
    return ForcedRemoval(now, node.name, node.pool, ForcedRemovalKind.SCALED_IN, grace)


def _repaired(node: StateNode, now: float, sick: Repair) -> ForcedRemoval | None:
    """Return the removal of an unhealthy node, which is drained forcibly at once."""
    if node.claim is None:
        return None
    if node.claim.name in sick.now:
        return ForcedRemoval(now, node.name, node.pool, ForcedRemovalKind.REPAIRED, now)
    at, blocked = sick.later.get(node.state.node), sick.blocked.get(node.state.node, "")
    if at is None:
        return None
    return ForcedRemoval(at, node.name, node.pool, ForcedRemovalKind.REPAIRED, None if blocked else at, blocked)


def _removal(node: StateNode, now: float) -> ForcedRemoval | None:
    claim = node.claim
    if claim is None:
        return None
    if claim.deleted is not None:
        at = deadline(claim)
        return None if at is None else ForcedRemoval(at, node.name, node.pool, ForcedRemovalKind.DRAIN_ENDS, at)
    at, life = expires_at(claim), longest_life(claim)
    if at is None:
        return None
    if at <= now:  # the grace period counts from the deletion, which is still to come
        return ForcedRemoval(at, node.name, node.pool, ForcedRemovalKind.EXPIRES, deadline(deleted(claim, now)))
    return ForcedRemoval(at, node.name, node.pool, ForcedRemovalKind.EXPIRES, None if life is None else claim.created + life)
