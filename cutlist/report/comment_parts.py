"""Parts that comments on pull requests share: the most important rows of a table, nodes, waiting pods, notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from cutlist.core.notes import Note
from cutlist.core.wording import counted
from cutlist.planning.model import PendingPods, PlannedNode
from cutlist.planning.model.extended import use_in_words
from cutlist.report.markup import at_most, code, folded, table, words
from cutlist.report.pending import pending_groups
from cutlist.report.plain import hour_column, percent, zone_names
from cutlist.report.price_sources import overlay_price_in_words

T = TypeVar("T")


def weightiest(
    items: Sequence[T], count: int, weight: Callable[[T], float], row: Callable[[T], list[str]], more: str
) -> list[list[str]]:
    """Return at most this many rows, of the items with the highest weight, in the original order, and a row that counts the
    others."""
    kept = sorted(sorted(range(len(items)), key=lambda i: -weight(items[i]))[:count])
    rows = [row(items[i]) for i in kept]
    return rows if len(items) <= count else [*rows, [f"and {len(items) - count:,} {more}"]]


def folded_node_table(nodes: Sequence[PlannedNode], region: str, room: int) -> list[str]:
    """Return the most expensive rows of equal nodes, folded, or an empty list without nodes."""
    if not nodes:
        return []
    titles = [">nodes", "instance type", "NodePool", "capacity", "zones", ">cpu", ">memory", ">$/hour", ">disks"]
    price = hour_column(map(_row_price, nodes))
    disks = hour_column(None if n.disk_price is None else n.count * n.disk_price for n in nodes)
    rows = weightiest(nodes, room, _row_price, lambda n: _node(n, region, price, disks), "more kinds of nodes")
    return folded(f"Nodes ({sum(n.count for n in nodes):,})", table(titles, rows))


def _row_price(node: PlannedNode) -> float:
    return node.count * (node.price or 0.0)


def _extended(node: PlannedNode) -> str:
    """Return the use of extended resources, and a NodeOverlay's price, for the end of a cell."""
    use, ranked = use_in_words(node.extended), overlay_price_in_words(node)
    in_use = f"<br>{words(use)}{' each' if node.count > 1 else ''}" if use else ""
    return f"{in_use}<br>{words(ranked)}" if ranked else in_use


def _node(node: PlannedNode, region: str, text: Callable[[float], str], disks: Callable[[float], str]) -> list[str]:
    others = f" or {counted(node.alternatives, 'other')}" if node.alternatives else ""
    price = "unknown" if node.price is None else text(_row_price(node)) + ("\\*" if node.is_estimated else "")
    return [
        f"{node.count:,}",
        code(node.instance_type) + others + _extended(node),
        code(node.node_pool),
        code(node.capacity_type),
        code(zone_names(node.zones, region)),
        percent(node.fill("cpu")),
        percent(node.fill("memory")),
        price,
        "unknown" if node.disk_price is None else disks(node.count * node.disk_price),
    ]


def waiting_pods(pending: Sequence[PendingPods], room: int) -> list[str]:
    """Return waiting pods by reason, at most this many, each with a remedy; the others are counted."""
    if not pending:
        return []
    lines = ["**Pending**", ""]
    groups = pending_groups(pending)
    for group in groups[:room]:
        others = len(group.workloads) - 1
        besides = f" and {counted(others, 'more workload')}" if others else ""
        lines.append(f"- {counted(group.pods, 'pod')} of {code(group.first.workload)}{besides}: {words(group.first.reason)}")
        if group.first.remedy:
            lines.append(f"  <br>What would help: {words(group.first.remedy)}")
    if more := groups[room:]:
        other_pods = sum(group.pods for group in more)
        lines.append(f"- and {counted(other_pods, 'more pod')} for {counted(len(more), 'other reason')}")
    return [*lines, ""]


def listed_notes(title: str, notes: Sequence[Note], room: int) -> list[str]:
    """Return the first notes, folded under a fixed title; the others are counted."""
    if not notes:
        return []
    return folded(f"{title} ({len(notes):,})", at_most(room, [words(note.text) for note in notes]))
