"""The consequences of a loss of spot capacity, as text for a terminal: what is lost, what is launched, what stays pending."""

from __future__ import annotations

from typing import Final

from cutlist.core.wording import counted
from cutlist.disruption.disk_costs import disk_price
from cutlist.disruption.spot_loss import SpotLoss
from cutlist.report.columns import laid_out
from cutlist.report.estimates import disks_text
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, Group, Page, Row
from cutlist.report.plain import escape, instant
from cutlist.report.price_sources import age_footnote
from cutlist.verbs.interrupt.columns import launched_nodes, lost_nodes, text_layouts
from cutlist.verbs.interrupt.words import change_of, costs_of, hour_change

_LABEL: Final = 9


def render_interrupt(loss: SpotLoss, width: int = 100, colour: bool = False) -> str:
    """Return the loss as text of at most `width` columns; with colour as ANSI codes. Ends in a newline."""
    page = Page(width)
    where = f"in {loss.zone or loss.region}"
    page.line((f"Without spot {where}", HEADING), f", as of {instant(loss.before.now)}")
    page.blank()
    _summary(page, loss)
    if loss.lost:
        page.blank()
        _nodes(page, loss)
    _pending(page, loss)
    if loss.price_age is not None:
        page.blank()
        age_footnote(page, loss.price_age)
    return page.text(colour=colour)


def _summary(page: Page, loss: SpotLoss) -> None:
    pods = counted(loss.displaced, "pod")
    page.line("lost".ljust(_LABEL), (counted(len(loss.lost), "node"), HEADING), f" with {pods} to place")
    new = counted(sum(len(m.pods) for m in loss.launched), "pod")
    page.line(
        "then".ljust(_LABEL),
        f"{counted(loss.moved, 'pod')} to existing nodes, {new} to {counted(len(loss.launched), 'new node')}",
    )
    page.line("pending".ljust(_LABEL), (counted(loss.waiting, "pod"), BAD if loss.waiting else GOOD))
    prices = loss.prices
    (before, after), change, unpriced = costs_of(loss), change_of(loss), prices.unpriced_nodes
    span = f", {change.change_span()} a month" if change.of is not None else ""
    disks = disks_text(disk_price(loss.after), prices.nodes_without_disk_price, before.sign)
    text = f"{before.month()} -> {after.month()} a month, {before.hour()} -> {after.hour()} an hour"
    text += f" ({hour_change(loss)}{span}){disks}"
    text += f"; {counted(unpriced, 'node')} of unknown price left out" if unpriced else ""
    if unpriced and not prices.before and not prices.after:
        text = "unknown, as is that of each node"
    page.paragraph(text, first="price", indent=_LABEL)
    if loss.error:
        page.paragraph(loss.error, first="nothing".ljust(_LABEL), indent=_LABEL, style=BAD)


def _nodes(page: Page, loss: SpotLoss) -> None:
    """Add the lost and the new nodes: a new node as the cheapest type that its claim lists."""
    lost, launched = lost_nodes(loss), launched_nodes(loss)
    changed = [*lost, *launched]
    columns, cells = laid_out(text_layouts(changed), changed, page.width)
    rows = tuple(map(Row, cells))
    groups = (Group("Lost", rows[: len(lost)]), Group("Launched", rows[len(lost) :]))
    page.table(columns, [group for group in groups if group.rows])
    if any(one.is_estimated for one in changed):
        page.blank()
        page.paragraph("Estimated price; `cutlist nodes` names its source.", first="* ", indent=2, style=QUIET)


def _pending(page: Page, loss: SpotLoss) -> None:
    by_reason: dict[str, list[str]] = {}
    for unplaced in loss.pending:
        by_reason.setdefault(unplaced.why, []).append(unplaced.pod)
    for why, pods in by_reason.items():
        page.paragraph(f"{', '.join(map(escape, pods))}: {escape(why)}", first="  pending  ", indent=11)
