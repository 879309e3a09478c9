"""The tables of planned nodes in texts and comments: a row for equal nodes, or for those of one type and capacity type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final

from rich.cells import cell_len

from cutlist.core.wording import counted
from cutlist.planning.model import PlannedNode, PodShare
from cutlist.planning.model.extended import use_in_words
from cutlist.planning.model.node_groups import NodeGroup, node_groups
from cutlist.report.columns import Figures, cells, for_rows, in_currency, laid_out, titles
from cutlist.report.comment_parts import weightiest
from cutlist.report.estimates import currency_of
from cutlist.report.markup import folded, table
from cutlist.report.page import Group, Page, Row
from cutlist.report.plain import escape
from cutlist.report.price_sources import os_disk_in_words, overlay_price_in_words
from cutlist.verbs.plan.columns import comment_columns, summary_layouts, text_layouts

_INDENT: Final = 7  # the first column and its gap


def node_table(page: Page, nodes: Sequence[PlannedNode], region: str) -> None:
    """Add a row for equal nodes to the page, in the richest layout that fits; nodes come sorted by NodePool."""
    groups = [NodeGroup.one(node) for node in nodes]
    _by_pool(
        page, _priced(text_layouts(groups, region), nodes), groups, lambda group: _words(group.first, page.width - _INDENT)
    )


def group_table(page: Page, nodes: Sequence[PlannedNode], region: str) -> None:
    """Add the table of a plan in short to the page, a row for a NodePool, instance type and capacity type."""
    _by_pool(page, _priced(summary_layouts(region), nodes), node_groups(nodes), lambda _: "")


def folded_node_table(nodes: Sequence[PlannedNode], region: str, room: int) -> list[str]:
    """Return the most expensive NodePools, instance types and capacity types, folded, or an empty list without nodes."""
    if not nodes:
        return []
    [columns], groups = _priced([comment_columns(region)], nodes), node_groups(nodes)
    columns = for_rows(columns, groups)
    rows = weightiest(groups, room, lambda g: g.price_with_disks or 0.0, lambda g: cells(columns, g), "more row")
    return folded(f"Nodes ({sum(n.count for n in nodes):,})", table(titles(columns), rows))


def _priced(layouts: Sequence[Figures[NodeGroup]], nodes: Sequence[PlannedNode]) -> list[Figures[NodeGroup]]:
    """Return the layouts with the currency of the nodes' prices."""
    currency = currency_of(node.price for node in nodes)
    return [in_currency(layout, currency) for layout in layouts]


def _by_pool(
    page: Page,
    layouts: Sequence[Figures[NodeGroup]],
    groups: Sequence[NodeGroup],
    words: Callable[[NodeGroup], str],
) -> None:
    columns, shown = laid_out(layouts, groups, page.width)
    pools = groupby(zip(groups, shown, strict=True), key=lambda row: row[0].node_pool)
    rows = [Group(f"NodePool {pool}", tuple(Row(row, words(group)) for group, row in members)) for pool, members in pools]
    page.table(columns, rows)


def _words(node: PlannedNode, room: int) -> str:
    """Return the words below a row: the price by which Karpenter ranks it, if that differs, the use of extended resources,
    where the OS disk is, and the pods of one node."""
    use, ranked = use_in_words(node.extended), overlay_price_in_words(node)
    each = "each " if node.count > 1 and use else ""
    parts = (ranked, f"{each}{escape(use)}" if use else "", os_disk_in_words(node), _shares(node, room))
    return "; ".join(part for part in parts if part)


def _shares(node: PlannedNode, room: int) -> str:
    """Return the pods of one node, as many workloads as fit; the others are counted."""
    line = "each " if node.count > 1 and node.pods else ""
    for done, share in enumerate(node.pods):
        left = len(node.pods) - done
        more = f" and {counted(left, 'more workload')}"
        next_ = f"{', ' if done else ''}{_share(share)}"
        if done and cell_len(line + next_) + (len(more) if left > 1 else 0) > room:
            return line + more
        line += next_
    return line or ("DaemonSets only" if node.requests else "no pod")


def _share(share: PodShare) -> str:
    return f"{share.count:,} × {escape(share.workload)}"
