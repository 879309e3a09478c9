"""The differences between two plans as lines of text: totals, nodes, pods on existing nodes and waiting pods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.core.wording import counted
from cutlist.planning.model.changes import Change, PendingChange
from cutlist.planning.model.comparison import Comparison
from cutlist.report.columns import add_table
from cutlist.report.estimates import plan_month
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, Page
from cutlist.report.plain import escape, monthly, short_name
from cutlist.verbs.diff.columns import MARKS, node_layouts
from cutlist.verbs.diff.words import change_in_words, change_sentence, choice_change

_LABEL: Final = 9
_NAMED: Final = 20  # pods on existing nodes that are listed


def comparison_section(page: Page, comparison: Comparison) -> None:
    """Add what changes between two plans, in a sentence and then in full."""
    page.paragraph(escape(change_sentence(comparison)), style=GOOD if comparison.is_same else HEADING)
    change_lines(page, comparison)
    page.blank()


def change_lines(page: Page, comparison: Comparison) -> None:
    """Add the totals of both plans and each change of nodes and pods; nothing for plans that are the same."""
    if not comparison.is_same:
        page.blank()
        _totals(page, comparison)
    _nodes(page, comparison)
    pod_lines(page, comparison)


def pod_lines(page: Page, comparison: Comparison) -> None:
    """Add each change of pods on existing nodes, and of pods that wait."""
    _existing(page, comparison)
    _pending(page, comparison.pending)


def _totals(page: Page, comparison: Comparison) -> None:
    before, after = comparison.before.totals, comparison.after.totals
    page.line("nodes".ljust(_LABEL), f"{before.nodes:,} -> ", (f"{after.nodes:,}", HEADING))
    change = f" ({change_in_words(comparison)})" if comparison.price_change != 0 else ""
    prices = " -> ".join(plan_month(plan, monthly) for plan in comparison.sides)
    disks = ", without disks, whose prices one side lacks" if comparison.is_without_disks else ""
    page.line("price".ljust(_LABEL), f"{prices} a month{change}{disks}")
    worse = after.pending > before.pending
    page.line("pending".ljust(_LABEL), f"{before.pending:,} -> ", (counted(after.pending, "pod"), BAD if worse else ""))


def _nodes(page: Page, comparison: Comparison) -> None:
    if not comparison.nodes:
        return
    page.blank()
    region = comparison.after.region
    add_table(page, node_layouts(comparison.currency), comparison.nodes, lambda change: choice_change(change, region))


def _existing(page: Page, comparison: Comparison) -> None:
    if comparison.existing:
        page.blank()
        page.line(("Nodes that exist", HEADING))
    for change in comparison.existing[:_NAMED]:
        counts = f"{change.before:,} -> {change.after:,}"
        page.line(f"  {MARKS[change.kind]} {short_name(change.node)}: {counts} × {change.workload}")
    if more := comparison.existing[_NAMED:]:
        page.line(f"  and {counted(len(more), 'more change')}")


def _pending(page: Page, pending: Sequence[PendingChange]) -> None:
    if pending:
        page.blank()
        page.line(("Pending", HEADING))
    for change in pending:
        style = GOOD if change.kind is Change.REMOVED else BAD
        counts = f"{change.before.count:,} -> {change.after.count:,}"
        page.line(f"  {MARKS[change.kind]} ", (f"{counts} × {change.workload}", style))
        for reason in (change.after if change.after.count else change.before).reasons[:1]:
            page.paragraph(reason, first="      ", indent=6, style=QUIET)
