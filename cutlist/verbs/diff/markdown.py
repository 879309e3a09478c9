"""The differences between two sides as a comment on a pull request: the change, the nodes that it replaces, then the plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from cutlist.core.wording import counted
from cutlist.disruption.drifted_nodes import DriftedNode
from cutlist.disruption.edits import Reach
from cutlist.report.markup import code, words
from cutlist.report.plain import span
from cutlist.verbs.diff.answer import Difference
from cutlist.verbs.diff.nodes import BlastRadius
from cutlist.verbs.diff.objects import ChangedField, ObjectChange, field_value
from cutlist.verbs.diff.words import (
    cut,
    difference_sentence,
    field_effect,
    object_effect,
    object_name,
    scope_sentence,
)
from cutlist.verbs.plan.markdown import plan_markdown

_POOLS: Final = 4  # number of NodePools named
_FIELDS: Final = 8  # changed fields that are listed
_VALUE: Final = 80  # characters of a value
_SENTENCE_ENDS: Final = 2  # the sentence on the change, with a blank line


def diff_markdown(difference: Difference) -> str:
    """Return the difference as Markdown of less than 60 lines. Ends in a newline."""
    return "\n".join(diff_lines(difference, f"### Node plan for {words(difference.comparison.after.region)}", "")) + "\n"


def diff_lines(difference: Difference, *title: str) -> list[str]:
    """Return the lines of the difference below a title; without one, for a comment that has its own."""
    _title, _blank, *lines = plan_markdown(difference.comparison.after, difference.comparison.before).splitlines()
    lines[0] = f"**{difference_sentence(difference)}**"
    blast = [] if difference.blast is None else [_in_short(difference.blast), ""]
    lines[_SENTENCE_ENDS:_SENTENCE_ENDS] = [*blast, *_objects(difference.objects or ())]
    compared = (words(difference.compared), "") if difference.compared else ()
    scope = scope_sentence(difference)
    return [*((f"**{words(scope)}**", "") if scope else ()), *title, *compared, *lines]


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
