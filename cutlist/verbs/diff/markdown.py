"""The differences between two sides as a comment on a pull request: the sum, by NodePool, why, then the nodes and the plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from cutlist.core.wording import counted
from cutlist.disruption.drifted_nodes import DriftedNode
from cutlist.disruption.edits import Reach
from cutlist.planning.model.comparison import Comparison
from cutlist.report.columns import short_table
from cutlist.report.markup import code, table, words
from cutlist.report.plain import currency_unit, span
from cutlist.verbs.diff.answer import Difference
from cutlist.verbs.diff.because import Because, EditPart
from cutlist.verbs.diff.columns import POOLS, PoolRow, pool_rows
from cutlist.verbs.diff.edit_words import edit_sentence
from cutlist.verbs.diff.headline import difference_sentence, scope_sentence
from cutlist.verbs.diff.nodes import BlastRadius
from cutlist.verbs.diff.objects import ChangedField, ObjectChange, field_value
from cutlist.verbs.diff.price_words import (
    differs,
    edit_effect,
    how_parts_are_made,
    other_parts,
    part_of,
    pool_choices,
    trap_words,
)
from cutlist.verbs.diff.shown_prices import signed, sum_of_changes
from cutlist.verbs.diff.volumes import volume_sentence
from cutlist.verbs.diff.words import cut, field_effect, gone_warnings, new_warnings, object_effect, object_name
from cutlist.verbs.plan.markdown import plan_markdown, pod_changes

_POOLS: Final = 4  # number of NodePools named
_FIELDS: Final = 8  # changed fields that are listed
_VALUE: Final = 80  # characters of a value
_ROWS: Final = 6  # NodePools, and edits, that are listed
_WARNED: Final = 2


def diff_markdown(difference: Difference) -> str:
    """Return the difference as Markdown of less than 60 lines. Ends in a newline."""
    return "\n".join(diff_lines(difference, f"### Node plan for {words(difference.comparison.after.region)}", "")) + "\n"


def diff_lines(difference: Difference, *title: str) -> list[str]:
    """Return the lines of the difference below a title; without one, for a comment that has its own."""
    _title, _blank, *lines = plan_markdown(difference.comparison.after, changes=_changes(difference)).splitlines()
    scope = scope_sentence(difference)
    return [*((f"**{words(scope)}**", "") if scope else ()), *title, *lines]


def _changes(difference: Difference) -> list[str]:
    """Return the difference: the sum, by NodePool, why, what to look at, then the nodes that are replaced."""
    comparison = difference.comparison
    lines = [words(difference.compared), ""] if difference.compared else []
    lines += [f"**{words(difference_sentence(difference))}**", ""]
    changed = [row for row in pool_rows(difference) if differs(difference, row.price)]
    if changed and not comparison.is_same:
        lines += [*short_table(POOLS, changed, _ROWS, lambda rows: _other_pools(difference, rows)), ""]
        choices = [
            f"- {code(pool.node_pool)}: {words(text)}"
            for pool, _ in changed[:_POOLS]
            if (text := pool_choices(difference, pool))
        ]
        lines += [*choices, ""] if choices else []
    volumes = volume_sentence(difference.volumes, difference.month.currency)
    lines += [f"Volumes: {words(volumes)}.", ""] if volumes else []
    lines += [] if difference.because is None else _because(difference, difference.because)
    traps = [f"- **{code(trap.node_pool)}**: {words(trap_words(trap))}" for trap in difference.traps[:_POOLS]]
    notes = [*traps, *pod_changes(comparison), *_warnings(comparison)]
    lines += [*notes, ""] if notes else []
    lines += [] if difference.blast is None else [_in_short(difference.blast), ""]
    return lines if difference.because is not None else [*lines, *_objects(difference.objects or ())]


def _other_pools(difference: Difference, rows: Sequence[PoolRow]) -> list[str]:
    changes = [row.shown.difference for row in rows]
    return [counted(len(rows), "more NodePool"), "", "", words(sum_of_changes(changes, difference.month.currency)), ""]


def _because(difference: Difference, reasons: Because) -> list[str]:
    """Return each edit with its part of the difference."""
    currency = difference.month.currency
    shown = [row for row in reasons.edits if not row.is_silent]
    rows = [[part_of(row, currency), _edit(row)] for row in shown[:_ROWS]]
    if more := shown[_ROWS:]:
        rows.append([signed(sum(row.part or 0 for row in more), currency), counted(len(more), "more edit")])
    rows += [[signed(part, currency), sentence] for part, sentence in other_parts(reasons)]
    if silent := len(reasons.edits) - len(shown):
        rows.append([signed(0, currency), f"{counted(silent, 'edit')} without an effect on the price or on nodes"])
    title = f">{currency_unit(currency)}/month"
    how = how_parts_are_made(difference)
    return [*table([title, "because"], [[words(cell) for cell in row] for row in rows]), "", *([how, ""] if how else [])]


def _edit(row: EditPart) -> str:
    effect = "" if row.edit.reach is Reach.NONE else f": {edit_effect(row)}"
    return f"{edit_sentence(row.edit)}{effect}"


def _warnings(comparison: Comparison) -> list[str]:
    """Return the warnings that are new and those that no longer apply, each once."""
    new, old = new_warnings(comparison), gone_warnings(comparison)
    lines = [f"- new: {words(text)}" for text in new[:_WARNED]]
    lines += [f"- and {counted(len(new) - _WARNED, 'more new warning')}, below"] if len(new) > _WARNED else []
    return lines + ([f"- {counted(len(old), 'warning')} no longer {'applies' if len(old) == 1 else 'apply'}"] if old else [])


def _objects(changes: Sequence[ObjectChange]) -> list[str]:
    """Return the fields that change, those that replace nodes first, and how many more there are."""
    listed = [f"- {words(object_name(c))}: {words(object_effect(c))}" for c in changes if not c.fields]
    pairs = [(change, field) for change in changes for field in change.fields]
    listed += [f"- {_field(*pair)}" for pair in sorted(pairs, key=lambda pair: list(Reach).index(pair[1].reach))]
    if more := listed[_FIELDS:]:
        listed = [*listed[:_FIELDS], f"- and {counted(len(more), 'more change')}"]
    return [*listed, ""] if listed else []


def _field(change: ObjectChange, field: ChangedField) -> str:
    before, after = (code(cut(field_value(value), _VALUE)) for value in (field.before, field.after))
    return f"{words(object_name(change))} {code(field.path)}: {before} → {after}: {words(field_effect(field))}"


def _in_short(blast: BlastRadius) -> str:
    """Return a paragraph on which nodes are replaced, by which rules, and the shortest time that takes."""
    if blast.changes_nothing:
        return f"No node is replaced by this ({counted(blast.managed, 'node')} looked at)."
    parts = [f"**{len(blast.replaced):,} of {counted(blast.managed, 'node')} replaced**{_by(blast.replaced)}"]
    for pool, claims in list(blast.deleted.items())[:_POOLS]:
        parts.append(f"**{counted(len(claims), 'node')} deleted at once** with NodePool {code(pool)}")
    if blast.possible:
        parts.append(f"{len(blast.possible):,} more perhaps{_by(blast.possible)}")
    last, aged, stuck = blast.rollout.last_turn, blast.rollout.aged, blast.rollout.stuck
    if last is not None:
        parts.append(f"at least {span(last - blast.now)}")
    parts += [f"{counted(aged, 'node')} not before expiry"] if aged else []
    parts += [f"**{counted(stuck, 'node')} never**, as things are"] if stuck else []
    return ", ".join(parts) + "."


def _by(nodes: Iterable[DriftedNode]) -> str:
    """Return the NodePools with the rules."""
    rules: dict[str, set[str]] = {}
    for node in nodes:
        rules.setdefault(node.node_pool, set()).add(str(node.reason))
    named = [f"{code(pool)}: {', '.join(map(words, sorted(reasons)))}" for pool, reasons in list(rules.items())[:_POOLS]]
    more = f"; and {counted(len(rules) - _POOLS, 'more NodePool')}" if len(rules) > _POOLS else ""
    return f" ({'; '.join(named)}{more})" if named else ""
