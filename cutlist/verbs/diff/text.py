"""The differences between two sides, as text for a terminal: the change in numbers first, then nodes, pods, and drift."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.core.wording import counted
from cutlist.disruption.drifted_nodes import in_words
from cutlist.disruption.edits import Reach
from cutlist.report.columns import add_table
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, WARN, Page
from cutlist.report.plain import escape, instant, span
from cutlist.report.price_sources import age_footnote, estimate_sources, price_footnote
from cutlist.verbs.diff import headline, price_words, words
from cutlist.verbs.diff.answer import Difference
from cutlist.verbs.diff.because import Because
from cutlist.verbs.diff.columns import POOL_LAYOUTS, pool_rows, turn_columns
from cutlist.verbs.diff.comparison_text import pod_lines
from cutlist.verbs.diff.edit_words import edit_sentence
from cutlist.verbs.diff.nodes import BlastRadius
from cutlist.verbs.diff.objects import ObjectChange, field_value
from cutlist.verbs.diff.shown_prices import signed
from cutlist.verbs.diff.volumes import volume_sentence

_LABEL: Final = 9
_VOLUMES: Final = 10
_VALUE: Final = 200  # characters of a value; JSON has all of it
_EDITS: Final = 20  # edits that are listed
_SILENT: Final = 3  # edits without effect that are named
_AMOUNT_GAP: Final = 4
_NAMED: Final = 20  # nodes listed in the order in which they are replaced


def render_diff(difference: Difference, width: int = 100, colour: bool = False) -> str:
    """Return the difference as text of at most `width` columns; with colour as ANSI codes. Ends in a newline."""
    page, comparison = Page(width), difference.comparison
    if scope := headline.scope_sentence(difference):
        page.paragraph(escape(scope), style=WARN)
    page.line(("From ", HEADING), (difference.before, HEADING), (" to ", HEADING), (difference.after, HEADING))
    if difference.compared:
        page.paragraph(escape(difference.compared), style=QUIET)
    page.blank()
    page.paragraph(escape(headline.difference_sentence(difference)), style=GOOD if difference.is_none else "")
    _pools(page, difference)
    if volumes := volume_sentence(difference.volumes, difference.month.currency):
        page.blank()
        page.paragraph(escape(volumes), first="Volumes", indent=_VOLUMES)
    if difference.because is not None:
        _because(page, difference, difference.because)
    page.bullets("To look at", [price_words.trap_sentence(trap) for trap in difference.traps], WARN)
    pod_lines(page, comparison)
    page.bullets("New warnings", words.new_warnings(comparison), WARN)
    page.bullets("Warnings that no longer apply", words.gone_warnings(comparison), GOOD)
    if difference.because is None:
        _objects(page, difference.objects or ())
    if difference.blast is not None:
        page.blank()
        _blast(page, difference.blast)
    if not comparison.is_same and (estimates := estimate_sources((comparison.before, comparison.after))):
        page.blank()
        price_footnote(page, estimated=estimates, others=())
    age_footnote(page, *comparison.price_ages)
    return page.text(colour=colour)


def _pools(page: Page, difference: Difference) -> None:
    """Add what the nodes of each NodePool cost before and after, the largest difference first."""
    if difference.comparison.is_same:
        return
    changed = [row for row in pool_rows(difference) if price_words.differs(difference, row.price)]
    if changed:
        page.blank()
        add_table(page, POOL_LAYOUTS, changed, lambda row: price_words.pool_sentence(difference, row.price))
    if others := len(difference.node_pools) - len(changed):
        page.line((f"and {counted(others, 'NodePool')} as before", QUIET))


def _because(page: Page, difference: Difference, reasons: Because) -> None:
    """Add each edit with its part of the difference, then how many change neither the price nor a node."""
    page.blank()
    page.line(("Because", HEADING))
    shown, currency = [row for row in reasons.edits if not row.is_silent][:_EDITS], difference.month.currency
    amounts = [price_words.part_of(row, currency) for row in shown]
    rest = [(signed(part, currency), sentence) for part, sentence in price_words.other_parts(reasons)]
    room = max(map(len, (*amounts, *(amount for amount, _ in rest))), default=0)
    indent = room + _AMOUNT_GAP
    for row, amount in zip(shown, amounts, strict=True):
        page.paragraph(edit_sentence(row.edit), first=f"  {amount:>{room}}", indent=indent)
        if row.edit.reach is not Reach.NONE:
            page.paragraph(price_words.edit_effect(row), first=" " * indent, indent=indent, style=WARN)
    for amount, sentence in rest:
        page.paragraph(sentence, first=f"  {amount:>{room}}", indent=indent)
    if explained := price_words.how_parts_are_made(difference):
        page.paragraph(explained, first="  ", indent=2, style=QUIET)
    hidden = len(reasons.edits) - len(shown)
    silent = [row for row in reasons.edits if row.is_silent]
    if silent and hidden == len(silent):
        listed = "; ".join(edit_sentence(row.edit) for row in silent[:_SILENT])
        more = f"; and {len(silent) - _SILENT:,} more" if len(silent) > _SILENT else ""
        page.paragraph(f"No effect on the price or on running nodes: {listed}{more}", first="  ", indent=2, style=QUIET)
    elif hidden:
        page.line((f"  and {counted(hidden, 'more edit')}", QUIET))


def _objects(page: Page, changes: Sequence[ObjectChange]) -> None:
    """Add each changed object with all its changed fields, and their effects on nodes."""
    if not changes:
        return
    page.blank()
    page.line(("Changed objects", HEADING))
    for change in changes:
        style = WARN if change.reach is not Reach.NONE else ""
        page.paragraph(escape(f"{words.object_name(change)}: {words.object_effect(change)}"), first="  ", indent=4, style=style)
        for field in change.fields:
            values = " -> ".join(words.cut(field_value(value), _VALUE) for value in (field.before, field.after))
            page.paragraph(escape(f"{field.path}: {values}"), first="    ", indent=8)
            style = QUIET if field.reach is Reach.NONE else WARN
            page.paragraph(escape(words.field_effect(field)), first="        ", indent=8, style=style)


# --- drift


def _blast(page: Page, blast: BlastRadius) -> None:
    page.line(("Nodes that are replaced", HEADING), f", as of {instant(blast.now)}")
    share = f"{len(blast.replaced):,} of {counted(blast.managed, 'node')}"
    page.line("drift".ljust(_LABEL), (share, WARN if blast.replaced else GOOD))
    for pool, claims in blast.deleted.items():
        text = f"{counted(len(claims), 'node')} at once, as NodePool {pool} is removed, regardless of budgets"
        page.paragraph(text, first="deleted".ljust(_LABEL), indent=_LABEL, style=BAD)
    if blast.possible:
        page.line("perhaps".ljust(_LABEL), f"{counted(len(blast.possible), 'more node')}: only the account can tell")
    if blast.before:
        page.line("before".ljust(_LABEL), f"{counted(len(blast.before), 'node')} drifted already")
    if blast.spared:
        names = ", ".join(blast.spared[:_NAMED])
        page.paragraph(f"{names}, which drifted before", first="stay".ljust(_LABEL), indent=_LABEL, style=GOOD)
    _time(page, blast)
    for nodes in (blast.replaced, blast.possible):
        for pool in sorted({node.node_pool for node in nodes}):
            page.paragraph(in_words(pool, [node for node in nodes if node.node_pool == pool]), indent=4, style=WARN)
    _order(page, blast)


def _time(page: Page, blast: BlastRadius) -> None:
    """Add the shortest time it takes, and how many nodes are never replaced."""
    last, aged, stuck = blast.rollout.last_turn, blast.rollout.aged, blast.rollout.stuck
    if last is not None:
        page.line("time".ljust(_LABEL), ("at least ", ""), (span(last - blast.now), HEADING), f", until {instant(last)}")
    if aged:
        page.line("expire".ljust(_LABEL), f"{counted(aged, 'node')} before drift gets to them")
    if stuck:
        page.line("stuck".ljust(_LABEL), (f"{counted(stuck, 'node')} that nothing replaces as things are", BAD))


def _order(page: Page, blast: BlastRadius) -> None:
    """Add the nodes in the order in which they are replaced; those beyond the limit are counted."""
    turns = blast.rollout.turns
    if not turns:
        return
    page.blank()
    add_table(page, [turn_columns(blast.now)], turns[:_NAMED], words.kept_by)
    if more := turns[_NAMED:]:
        page.line(f"and {counted(len(more), 'more node')}")
