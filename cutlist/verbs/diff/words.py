"""The differences between two plans, in few words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cutlist.core.notes import Note
from cutlist.core.wording import counted
from cutlist.disruption.reasons import Reason
from cutlist.disruption.rollout import Turn
from cutlist.planning.model.changes import Change, NodeChange
from cutlist.planning.model.comparison import Comparison
from cutlist.report.edits import REACH_TEXTS, REACHED_NODES
from cutlist.report.estimates import Money, plus_or_minus
from cutlist.report.plain import currency_sign, hourly, instant, span, zone_names
from cutlist.verbs.diff.objects import ChangedField, ObjectChange

DRIFT: Final = "drift"
"""The code of warnings that nodes drift, which are reported node by node."""
_NUMBER: Final = re.compile(r"\d[\d,.]*")


def change_sentence(comparison: Comparison) -> str:
    """Return the change in price, then in nodes, then in waiting pods, or `No change` if all are equal."""
    if comparison.is_same:
        return f"No change: nodes, {price_words(comparison)} and pending pods are as before."
    before, after = comparison.before.totals, comparison.after.totals
    numbers = (more_or_fewer(after.nodes - before.nodes, "node"), more_or_fewer(after.pending - before.pending, "pending pod"))
    parts = [_price(comparison), *(part for part in numbers if part)]
    has_numbers = len(parts) > 1 or comparison.price_change != 0
    text = ", ".join(parts) if has_numbers else f"the same price, but {otherwise(comparison)}"
    return f"{text[:1].upper()}{text[1:]}."


def price_words(comparison: Comparison) -> str:
    """Return what prices are called, which may be without disks."""
    return "price without disks" if comparison.is_without_disks else "price"


def new_warnings(comparison: Comparison) -> list[str]:
    """Return the warnings that only the second plan has; which nodes drift is reported node by node."""
    return _texts(comparison.new_notes, comparison.after.warnings)


def gone_warnings(comparison: Comparison) -> list[str]:
    """Return the warnings that no longer apply, without those that the second plan has with other numbers."""
    return _texts(notes_no_longer(comparison), comparison.before.warnings)


def notes_no_longer(comparison: Comparison) -> tuple[Note, ...]:
    """Return the notes that only the first plan has, without those that the second has with other numbers."""
    still = set(map(_without_numbers, comparison.new_notes))
    return tuple(note for note in comparison.gone_notes if _without_numbers(note) not in still)


def without_drift(comparison: Comparison) -> Comparison:
    """Return the comparison with the notes that a page lists: which nodes drift is reported node by node."""
    new = tuple(note for note in comparison.new_notes if note.code != DRIFT)
    return replace(comparison, new_notes=new, gone_notes=notes_no_longer(comparison))


def _without_numbers(note: Note) -> tuple[str, str]:
    """Return what two notes have in common that differ in nothing but numbers."""
    return note.code, _NUMBER.sub("", note.text)


def _texts(notes: Sequence[Note], warnings: Sequence[Note]) -> list[str]:
    return list(dict.fromkeys(note.text for note in notes if note in warnings and note.code != DRIFT))


def object_name(change: ObjectChange) -> str:
    """Return the kind and the name of an object, with its namespace where it is written."""
    return f"{change.kind} {change.namespace}/{change.name}" if change.namespace else f"{change.kind} {change.name}"


def object_effect(change: ObjectChange) -> str:
    """Return what happens to an object, and the effect on nodes."""
    if change.change is Change.CHANGED:
        return REACH_TEXTS[change.reach][0]
    if change.change is Change.REMOVED and change.kind == "NodePool":
        return "removed: its nodes are deleted at once, regardless of budgets"
    return str(change.change)


def field_effect(field: ChangedField) -> str:
    """Return which nodes a field causes to be replaced, by which rule, and its other effects."""
    rule = f" ({field.rule})" if field.rule else ""
    which = f": {field.which}" if field.which else ""
    return f"{REACHED_NODES[field.reach]}{rule}{which}"


def signed_price(change: float, currency: str) -> str:
    """Return a change in price per hour with its sign."""
    return f"{plus_or_minus(change)}{currency_sign(currency)}{hourly(abs(change))}"


def signed_month(change: NodeChange, currency: str) -> str:
    """Return a change in price per hour of some nodes as what it is per month, with its sign, no more exactly than known."""
    more = change.price_change
    return "unknown" if more is None else Money(more, change.price_range, currency).change_cell()


def choice_change(change: NodeChange, region: str) -> str:
    """Return the other changes of nodes that stay: how many types are added and removed, and the zones; empty when neither
    changes. Zones of two regions always differ."""
    if change.kind is not Change.CHANGED:
        return ""
    parts = [
        counted(len(types), f"type {word}", f"types {word}")
        for types, word in ((change.new_types, "more"), (change.lost_types, "fewer"))
        if types
    ]
    here = [any(zone.startswith(region) for zone in side.zones) for side in (change.before, change.after)]
    if change.before.zones != change.after.zones and here[0] == here[1]:
        first, second = (zone_names(side.zones, region) for side in (change.before, change.after))
        parts.append(f"zones {first} -> {second}")
    return ", ".join(parts)


def _price(comparison: Comparison) -> str:
    change = comparison.price_change
    if change is None:
        return "the change in price is unknown, as some nodes that change have none"
    if not change:
        return "the same price"
    hour = "" if comparison.price_range is not None else f" ({signed_price(change, comparison.currency)} an hour)"
    return f"{change_in_words(comparison)} a month{hour}"


def change_in_words(comparison: Comparison) -> str:
    """Return the change in price as what it is a month: exact, or rounded to what its range supports, with the range."""
    change, of = comparison.price_change, comparison.price_range
    if change is None:
        return "unknown"
    return ("about " if of is not None else "") + Money(change, of, comparison.currency).month_change()


def more_or_fewer(difference: int, noun: str) -> str:
    """Return how many more or fewer of something there are; empty for as many."""
    if not difference:
        return ""
    return counted(abs(difference), f"{'more' if difference > 0 else 'fewer'} {noun}")


def otherwise(comparison: Comparison) -> str:
    """Return what differs besides numbers."""
    parts = [
        ("other types or zones", comparison.nodes),
        ("other pods on existing nodes", comparison.existing),
        ("other pending pods or reasons", comparison.pending),
    ]
    return " and ".join(text for text, changes in parts if changes)


def begins(turn: Turn, now: float) -> str:
    """Return how long after an instant Karpenter begins with a node."""
    return "never" if turn.starts is None else f"+{span(turn.starts - now)}"


def gone_by(turn: Turn) -> str:
    """Return when a node is certain to be removed."""
    return "-" if turn.latest is None else instant(turn.latest)


def kept_by(turn: Turn) -> str:
    """Return special facts about when a node is replaced, and what keeps it."""
    reasons = ["by its age, before its turn"] if turn.expires else []
    reasons += ["as an empty node"] if turn.reason is Reason.EMPTY and not turn.expires else []
    reasons += [turn.why] if turn.why else []
    return "; ".join(reasons)


def cut(value: str, most: int) -> str:
    """Return a value without the characters beyond some, which dots stand for."""
    return value if len(value) <= most else f"{value[:most]}..."
