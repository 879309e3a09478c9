"""The differences between two plans, in few words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final

from cutlist.core.wording import counted
from cutlist.disruption.edits import Reach
from cutlist.disruption.reasons import Reason
from cutlist.disruption.rollout import Turn
from cutlist.planning.model import HOURS_PER_MONTH
from cutlist.planning.model.changes import Change, NodeChange
from cutlist.planning.model.comparison import Comparison
from cutlist.report.edits import REACH_TEXTS, REACHED_NODES
from cutlist.report.plain import hourly, instant, monthly, per_month, span, zone_names
from cutlist.verbs.diff.answer import Difference
from cutlist.verbs.diff.because import Because, EditPart
from cutlist.verbs.diff.money import BoughtNodes, PoolPrice
from cutlist.verbs.diff.nodes import BlastRadius, ReplacementBudget
from cutlist.verbs.diff.objects import ChangedField, ObjectChange
from cutlist.verbs.diff.traps.trap import Trap

DRIFT: Final = "drift"
"""The code of warnings that nodes drift, which are reported node by node."""
_CENTS: Final = 100
_TYPES: Final = 4  # types of nodes that are named


def change_sentence(comparison: Comparison) -> str:
    """Return the change in price, then in nodes, then in waiting pods, or `No change` if all are equal."""
    if comparison.is_same:
        return f"No change: nodes, {_price_words(comparison)} and pending pods are as before."
    before, after = comparison.before.totals, comparison.after.totals
    numbers = (_more(after.nodes - before.nodes, "node"), _more(after.pending - before.pending, "pending pod"))
    parts = [_price(comparison), *(part for part in numbers if part)]
    has_numbers = len(parts) > 1 or comparison.price_change != 0
    text = ", ".join(parts) if has_numbers else f"the same price, but {_otherwise(comparison)}"
    return f"{text[:1].upper()}{text[1:]}."


def _price_words(comparison: Comparison) -> str:
    return "price without disks" if comparison.is_without_disks else "price"


def scope_sentence(difference: Difference) -> str:
    """Return what keeps the sides from being compared completely; empty if nothing does."""
    before, after = difference.scopes
    if difference.objects is None and not (before.workloads or after.workloads):
        return "Neither side has a pod: there is nothing to compare."
    return " ".join(
        text
        for what, first, second in (
            ("NodePool", before.node_pools, after.node_pools),
            ("workload", before.workloads, after.workloads),
        )
        if (text := _scope(what, (first, difference.before), (second, difference.after)))
    )


def _scope(what: str, first: tuple[bool, str], second: tuple[bool, str]) -> str:
    if first[0] and second[0]:
        return ""
    if not first[0] and not second[0]:
        return f"No {what} is on either side: only objects are compared."
    side = first[1] if first[0] else second[1]
    consequence = "nodes, price and pending pods tell nothing of a change"
    return f"The sides are of different scope: {side} alone has a {what}, so {consequence}."


def has_plan(difference: Difference) -> bool:
    """Tell whether a side has pods, so that there are plans to compare."""
    return difference.objects is None or any(scope.workloads for scope in difference.scopes)


def difference_sentence(difference: Difference) -> str:
    """Return what happens to running nodes, then the change in price, nodes and waiting pods. `No change` stands alone."""
    replaced = "" if difference.blast is None else replacement_sentence(difference.blast)
    if not difference.comparison.is_same:
        return " ".join(filter(None, (replaced, month_sentence(difference))))
    if not (difference.objects or difference.reaches_nodes):
        return change_sentence(difference.comparison) if has_plan(difference) else "No change: the objects are as before."
    changed = f"{counted(len(difference.objects or ()), 'object')} changed"
    plan = f"The plan is the same (nodes, {_price_words(difference.comparison)}, pending pods)"
    same = plan if has_plan(difference) else f"{changed}: there is no plan to compare"
    if replaced:
        return f"{replaced} {same}."
    if difference.reaches_nodes:
        return f"{same}, but running nodes are replaced, or may be: see the changed fields."
    return f"{same}; {changed}, and no node is replaced." if has_plan(difference) else f"{changed}, and no node is replaced."


def month_sentence(difference: Difference) -> str:
    """Return what the new nodes cost a month before and after, with the difference, then the change in nodes and waiting
    pods."""
    comparison, month = difference.comparison, difference.month
    before, after = comparison.before.totals, comparison.after.totals
    counts = [_more(after.nodes - before.nodes, "node"), _more(after.pending - before.pending, "pending pod")]
    prices = (usd(month.before), usd(month.after))
    marks = ["*" if plan.has_estimates else "" for plan in (comparison.before, comparison.after)]
    both = f"{prices[0]}{marks[0]} before, {prices[1]}{marks[1]} now"
    if month.difference is None:
        parts = [f"The change in price is unknown, as some nodes that change have none: {both}"]
    elif month.difference:
        parts = [f"{signed_usd(month.difference)} a month: {both}"]
    else:
        otherwise = "" if any(counts) else f", but {_otherwise(comparison)}"
        parts = [f"The same price, {prices[1]}{marks[1]} a month{otherwise}"]
    disks = ["without disks, whose prices one side lacks"] if comparison.is_without_disks else []
    return ", ".join([*parts, *filter(None, counts), *disks]) + "."


def usd(cents: int | None) -> str:
    """Return an amount in USD to the cent."""
    return "unknown" if cents is None else f"${per_month(cents / _CENTS)}"


def signed_usd(cents: int | None) -> str:
    """Return a difference in USD to the cent, with its sign."""
    if cents is None:
        return "unknown"
    return f"{'+' if cents > 0 else '-' if cents < 0 else ''}{usd(abs(cents))}"


def replacement_sentence(blast: BlastRadius) -> str:
    """Return which nodes are replaced, when, and under which budgets; empty if none is."""
    if blast.changes_nothing:
        return ""
    starts = [turn.starts for turn in blast.rollout.turns if turn.starts is not None]
    last = blast.rollout.last_turn
    when = f", from {instant(min(starts))} on" if starts else ""
    when += f" for at least {span(last - blast.now)}" if last is not None else ""
    budgets = "; ".join(_budget_words(pool, list(of)) for pool, of in groupby(blast.budgets, key=lambda b: b.node_pool))
    return f"{_happens_to_nodes(blast)}{when}{f': {budgets}' if budgets else ''}."


def _budget_words(pool: str, budgets: Sequence[ReplacementBudget]) -> str:
    limits = [
        budget.nodes + (f" for {budget.duration} from {budget.schedule} UTC" if budget.schedule else " at a time")
        for budget in budgets
    ]
    return f"the budget of NodePool {pool} allows {', and '.join(limits)}"


def pool_nodes(pool: PoolPrice) -> str:
    """Return what the nodes of a NodePool were and what they became: types and counts."""
    before, after = (_bought(nodes) for nodes in (pool.nodes_before, pool.nodes_after))
    return after if before == after else f"{before} -> {after}"


def _bought(nodes: Sequence[BoughtNodes]) -> str:
    listed = [f"{node.count:,} × {node.instance_type} {node.capacity_type}".rstrip() for node in nodes[:_TYPES]]
    more = sum(node.count for node in nodes[_TYPES:])
    return ", ".join(listed) + (f" and {more:,} of other types" if more else "") if nodes else "none"


def pool_choices(difference: Difference, pool: PoolPrice) -> str:
    """Return how the choice of types and zones changed for nodes of a NodePool that stay."""
    region = difference.comparison.after.region
    changes = [change for change in difference.comparison.nodes if change.node_pool == pool.node_pool]
    texts = [f"{change.instance_type}: {text}" for change in changes if (text := choice_change(change, region))]
    return "; ".join(texts[:_TYPES])


def _happens_to_nodes(blast: BlastRadius) -> str:
    deleted = sum(map(len, blast.deleted.values()))
    parts = [
        f"{len(blast.replaced):,} of {counted(blast.managed, 'node')} are replaced" if blast.replaced else "",
        f"{counted(deleted, 'node')} deleted at once" if deleted else "",
        f"{counted(len(blast.possible), 'node')} may be replaced" if blast.possible else "",
        f"{counted(len(blast.spared), 'node')} that drifted stay" if blast.spared else "",
    ]
    return ", ".join(filter(None, parts))


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


def edit_effect(row: EditPart) -> str:
    """Return which nodes an edit causes to be replaced; empty for none."""
    if row.edit.reach is Reach.NONE:
        return ""
    effects = [field_effect(field) for field in row.edit.fields if field.reach is not Reach.NONE]
    return "; ".join(effects) or object_effect(row.edit)


def trap_sentence(trap: Trap) -> str:
    """Return what a trap does, and what helps."""
    return f"NodePool {trap.node_pool}: {trap.text}. What helps: {trap.fix}."


def part_of(row: EditPart) -> str:
    """Return the part that an edit has in the difference; a dash if it was not planned alone."""
    return "-" if row.part is None else signed_usd(row.part)


def together_sentence(reasons: Because) -> str:
    """Return what the row below the edits is for."""
    apart = sum(row.part is None for row in reasons.edits)
    more = f", and {counted(apart, 'edit')} not planned alone" if apart else ""
    return f"together: what edits do only with each other{more}"


def how_parts_are_made(reasons: Because) -> str:
    """Return in a sentence what the parts of edits are."""
    if len(reasons.edits) < 2 or all(row.part is None for row in reasons.edits):
        return ""
    if reasons.is_exact:
        return "Each part is the average over all orders of the edits; together they are the difference."
    return "Each part is what the edit changes alone; with the last row they are the difference."


def signed_price(change: float | None, text: Callable[[float], str] = hourly) -> str:
    """Return a change in price per hour with its sign, written as its column is."""
    if change is None:
        return "unknown"
    return f"{'+' if change > 0 else '-'}${text(abs(change))}" if change else "$0"


def signed_month(change: float | None) -> str:
    """Return a change in price per hour as what it is per month, with its sign."""
    return signed_price(change, lambda amount: monthly(amount * HOURS_PER_MONTH))


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
    return f"{signed_month(change)} a month ({signed_price(change)} an hour)"


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
