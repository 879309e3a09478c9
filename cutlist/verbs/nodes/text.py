"""The nodes of a cluster as text for a terminal: the sums that users of eks-node-viewer know, then a row for each node."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from cutlist.core.wording import counted
from cutlist.planning.model.extended import Use, use_in_words
from cutlist.report.columns import laid_out
from cutlist.report.estimates import disks_text
from cutlist.report.fills import add_fills
from cutlist.report.page import BAD, GOOD, HEADING, WARN, Group, Page, Row
from cutlist.report.plain import currency_sign, escape, instant
from cutlist.report.price_sources import estimated_share, price_footnote
from cutlist.verbs.nodes.columns import text_layouts
from cutlist.verbs.nodes.roster import Roster
from cutlist.verbs.nodes.selection import ALL_NODES, Selection
from cutlist.verbs.nodes.words import cost_of, node_price_sources, roster_overlay_text

_LABEL: Final = 9
_NAMED: Final = 10


def render_nodes(roster: Roster, width: int = 100, colour: bool = False, selection: Selection = ALL_NODES) -> str:
    """Return the nodes as text of at most `width` columns; with colour as ANSI codes. Sums are of all nodes, and rows of those
    that are selected. Ends in a newline."""
    page = Page(width)
    where = f" in {roster.region}" if roster.region else ""
    page.line((f"Cluster{where}", HEADING), f", as of {instant(roster.now)}" if roster.now else "")
    page.blank()
    _summary(page, roster)
    if chosen := selection.sentence(len(selection.of(roster.nodes)), len(roster.nodes)):
        page.paragraph(chosen, first="shown", indent=_LABEL)
    if roster.nodes:
        page.blank()
        _table(page, roster, selection)
    page.blank()
    price_footnote(page, *node_price_sources(roster.nodes), age=roster.price_age)
    return page.text(colour=colour).rstrip("\n") + "\n"


def _summary(page: Page, roster: Roster) -> None:
    page.paragraph(f"{len(roster.nodes):,}{_price(roster)}", first="nodes", indent=_LABEL)
    add_fills(page, lambda name: Use(*(roster.total(of, name) for of in ("requested", "allocatable"))), roster.extended)
    waiting = (f"{roster.pending:,} pending", BAD if roster.pending else GOOD)
    rest = f", {roster.bound:,} on nodes, {roster.running:,} of them running"
    page.line("pods".ljust(_LABEL), (f"{roster.pods:,}", HEADING), ": ", waiting, rest)
    if roster.launching:
        names = ", ".join(escape(name) for name in roster.launching[:_NAMED])
        more = f" and {len(roster.launching) - _NAMED:,} more" if len(roster.launching) > _NAMED else ""
        page.paragraph(f"{names}{more}", first="launching", indent=_LABEL + 2, style=WARN)
    for unready in roster.unready_classes:
        text = f"EC2NodeClass {escape(unready.name)} is not ready. {unready.reason.message}"
        page.paragraph(text, first="class", indent=_LABEL, style=BAD)


def _price(roster: Roster) -> str:
    if not roster.region:
        return ""
    if roster.price_per_hour is None:
        return ", of unknown price"
    cost = cost_of(roster)
    unknown = f", and {counted(roster.unpriced, 'node')} of unknown price" if roster.unpriced else ""
    sign = currency_sign(roster.currency)
    disks = disks_text(roster.disk_price_per_hour, roster.without_disks, sign)
    ranked = roster_overlay_text(roster, sign)
    share = f"; {part}" if (part := estimated_share(roster.estimated_part)) else ""
    span = f" ({cost.month_span()})" if cost.of is not None else ""
    return f", {cost.hour()} per hour, {cost.month()} per month{span}{unknown}{share}{disks}{ranked}"


def _table(page: Page, roster: Roster, selection: Selection) -> None:
    shown = sorted(selection.of(roster.nodes), key=lambda node: (not node.pool, node.pool))
    layouts = tuple((*layout, *selection.columns) for layout in text_layouts(roster))
    columns, cells = laid_out(layouts, shown, page.width)
    groups = [
        Group(
            f"NodePool {pool}" if pool else "Other nodes",
            tuple(Row(shown, escape(use_in_words(node.extended))) for node, shown in members),
        )
        for pool, members in groupby(zip(shown, cells, strict=True), key=lambda row: row[0].pool)
    ]
    page.table(columns, groups)
