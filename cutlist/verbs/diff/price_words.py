"""What nodes cost, what they became, and the parts of edits, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.core.wording import counted
from cutlist.disruption.edits import Reach
from cutlist.verbs.diff.answer import Difference
from cutlist.verbs.diff.because import Because, EditPart
from cutlist.verbs.diff.money import BoughtNodes, PoolPrice
from cutlist.verbs.diff.shown_prices import signed
from cutlist.verbs.diff.traps.trap import Trap
from cutlist.verbs.diff.words import choice_change, field_effect, object_effect

_TYPES: Final = 4  # types of nodes that are named
_REPACKED: Final = "the pods that run are placed again, without any edit"


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


def differs(difference: Difference, pool: PoolPrice) -> bool:
    """Tell whether the nodes of a NodePool, their price or what they may become differs."""
    return not pool.is_same or bool(pool_choices(difference, pool))


def pool_sentence(difference: Difference, pool: PoolPrice) -> str:
    """Return what the nodes of a NodePool became, and how the choice of types and zones changed."""
    return "; ".join(filter(None, (pool_nodes(pool), pool_choices(difference, pool))))


def edit_effect(row: EditPart) -> str:
    """Return which nodes an edit causes to be replaced; empty for none."""
    if row.edit.reach is Reach.NONE:
        return ""
    effects = [field_effect(field) for field in row.edit.fields if field.reach is not Reach.NONE]
    return "; ".join(effects) or object_effect(row.edit)


def part_of(row: EditPart, currency: str) -> str:
    """Return the part that an edit has in the difference; a dash if it was not planned alone."""
    return "-" if row.part is None else signed(row.part, currency)


def together_sentence(reasons: Because) -> str:
    """Return what the row below the edits is for."""
    apart = sum(row.part is None for row in reasons.edits)
    more = f", and {counted(apart, 'edit')} not planned alone" if apart else ""
    return f"together: what edits do only with each other{more}"


def other_parts(reasons: Because) -> list[tuple[int, str]]:
    """Return the parts that are not those of single edits, with what each is for."""
    rows = [] if reasons.repacked is None else [(reasons.repacked, _without_edit(reasons, reasons.repacked))]
    has_rest = reasons.together or (reasons.together is not None and not any(row.is_averaged for row in reasons.edits))
    return [*rows, (reasons.together or 0, together_sentence(reasons))] if has_rest else rows


def _without_edit(reasons: Because, part: int) -> str:
    if not reasons.is_of_clusters:
        return _REPACKED
    how, than = ("further from", "than") if part > 0 else ("closer to", "than") if part else ("as far from", "as")
    return f"no edit: the nodes are {how} those that their pods would get if placed again {than} before"


def how_parts_are_made(difference: Difference) -> str:
    """Return in a sentence what the parts of edits are, and that they are to the cent only so that they add up."""
    reasons = difference.because
    if reasons is None or all(row.part is None for row in reasons.edits):
        return ""
    of = difference.month.ranges
    estimated = of.before is not None or of.after is not None
    is_so_exact = estimated and any(row.part for row in reasons.edits)
    cents = "They are to the cent so that they add up; the prices are estimates." if is_so_exact else ""
    if len(reasons.edits) < 2:
        return cents
    averaged = sum(row.is_averaged for row in reasons.edits)
    how = "the average over all orders of the edits" if reasons.is_exact else "what the edit changes alone"
    how += (
        f"; of {averaged:,} edits that need each other, the average over their orders once the others are made"
        if averaged
        else ""
    )
    rest = "together" if reasons.is_exact or (averaged and not reasons.together) else "with the last row"
    return f"Each part is {how}; {_sum(reasons, rest)} they are the difference. {cents}".rstrip()


def _sum(reasons: Because, otherwise: str) -> str:
    return otherwise if reasons.repacked is None else "with the other rows"


def trap_sentence(trap: Trap) -> str:
    """Return what a trap does in which NodePool, and what helps."""
    return f"NodePool {trap.node_pool}: {trap_words(trap)}"


def trap_words(trap: Trap) -> str:
    """Return what a trap does, and what helps."""
    return f"{trap.text}. What helps: {trap.fix}."
