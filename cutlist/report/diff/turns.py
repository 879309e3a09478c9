"""When drifted nodes are replaced, in words that every view of a difference uses."""

from __future__ import annotations

from cutlist.disruption.reasons import Reason
from cutlist.disruption.rollout import Turn
from cutlist.report.plain import instant, span


def begins(turn: Turn, now: float) -> str:
    """After how long Karpenter begins with a node, seen from an instant."""
    return "never" if turn.starts is None else f"+{span(turn.starts - now)}"


def gone_by(turn: Turn) -> str:
    """When a node is gone for certain."""
    return "-" if turn.latest is None else instant(turn.latest)


def kept_by(turn: Turn) -> str:
    """What is special about a node's turn, and what keeps it."""
    told = ["by its age, before its turn"] if turn.expires else []
    told += ["as an empty node"] if turn.reason is Reason.EMPTY and not turn.expires else []
    told += [turn.why] if turn.why else []
    return "; ".join(told)
