"""The differences between two plans, in few words."""

from __future__ import annotations

from cutlist.disruption.reasons import Reason
from cutlist.disruption.rollout import Turn
from cutlist.planning.model import HOURS_PER_MONTH
from cutlist.planning.model.changes import Change, NodeChange
from cutlist.planning.model.comparison import Comparison
from cutlist.report.plain import counted, instant, per_hour, per_month, span, zone_names


def change_sentence(comparison: Comparison) -> str:
    """Return the change in price, then in nodes, then in waiting pods; `No change` when there is none."""
    if comparison.is_same:
        return "No change: nodes, price and pending pods are as before."
    before, after = comparison.before.totals, comparison.after.totals
    numbers = (_more(after.nodes - before.nodes, "node"), _more(after.pending - before.pending, "pending pod"))
    parts = [_price(comparison), *(part for part in numbers if part)]
    has_numbers = len(parts) > 1 or comparison.price_change != 0
    text = ", ".join(parts) if has_numbers else f"the same price, but {_otherwise(comparison)}"
    return f"{text[:1].upper()}{text[1:]}."


def signed_price(change: float | None) -> str:
    """Return a change in price per hour with its sign."""
    if change is None:
        return "unknown"
    return f"{'+' if change > 0 else '-'}${per_hour(abs(change))}" if change else "$0"


def choice_change(change: NodeChange, region: str) -> str:
    """Return the other changes of nodes that stay: how many types are added and removed, and the zones; empty when neither
    changes."""
    if change.kind is not Change.CHANGED:
        return ""
    parts = [
        counted(len(types), f"type {word}", f"types {word}")
        for types, word in ((change.new_types, "more"), (change.lost_types, "fewer"))
        if types
    ]
    if change.before.zones != change.after.zones:
        first, second = (zone_names(side.zones, region) for side in (change.before, change.after))
        parts.append(f"zones {first} -> {second}")
    return ", ".join(parts)


def _price(comparison: Comparison) -> str:
    change = comparison.price_change
    if change is None:
        return "the change in price is unknown, as some nodes that change have none"
    if not change:
        return "the same price"
    sign = "+" if change > 0 else "-"
    return f"{signed_price(change)} per hour ({sign}${per_month(abs(change) * HOURS_PER_MONTH)} per month)"


def _more(difference: int, noun: str) -> str:
    if not difference:
        return ""
    return counted(abs(difference), f"{'more' if difference > 0 else 'fewer'} {noun}")


def _otherwise(comparison: Comparison) -> str:
    parts = [
        ("other types or zones", comparison.nodes),
        ("other pods on existing nodes", comparison.existing),
        ("other pending pods or reasons", comparison.pending),
    ]
    return " and ".join(text for text, changes in parts if changes)


def begins(turn: Turn, now: float) -> str:
    """Return after how long Karpenter begins with a node, seen from an instant."""
    return "never" if turn.starts is None else f"+{span(turn.starts - now)}"


def gone_by(turn: Turn) -> str:
    """Return when a node is certain to be removed."""
    return "-" if turn.latest is None else instant(turn.latest)


def kept_by(turn: Turn) -> str:
    """Return any special facts about a node's turn, and what keeps it."""
    reasons = ["by its age, before its turn"] if turn.expires else []
    reasons += ["as an empty node"] if turn.reason is Reason.EMPTY and not turn.expires else []
    reasons += [turn.why] if turn.why else []
    return "; ".join(reasons)
