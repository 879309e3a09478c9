"""Parts that comments on pull requests share: the most important rows of a table, nodes, waiting pods, notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from cutlist.core.notes import Note
from cutlist.core.wording import counted
from cutlist.planning.model import HOURS_PER_MONTH, PendingPods, PlannedNode
from cutlist.planning.model.extended import use_in_words
from cutlist.planning.model.node_groups import NodeGroup, node_groups
from cutlist.report.markup import at_most, code, folded, table, words
from cutlist.report.pending import pending_groups
from cutlist.report.plain import monthly, percent, zone_names
from cutlist.report.price_sources import overlay_price_in_words

T = TypeVar("T")


def weightiest(
    items: Sequence[T], count: int, weight: Callable[[T], float], row: Callable[[T], list[str]], more: str
) -> list[list[str]]:
    """Return at most this many rows, of the items with the highest weight, in the original order, and a row that counts the
    others: `more` is what one of them is called."""
    kept = sorted(sorted(range(len(items)), key=lambda i: -weight(items[i]))[:count])
    rows = [row(items[i]) for i in kept]
    return rows if len(items) <= count else [*rows, [f"and {counted(len(items) - count, more)}"]]


def folded_node_table(nodes: Sequence[PlannedNode], region: str, room: int) -> list[str]:
    """Return the most expensive NodePools, instance types and capacity types, folded, or an empty list without nodes."""
    if not nodes:
        return []
    titles = [">nodes", "instance type", "NodePool", "capacity", "zones", ">pods", ">cpu", ">memory", ">$/month"]
    groups = node_groups(nodes)
    rows = weightiest(groups, room, lambda g: g.price_with_disks or 0.0, lambda g: _nodes(g, region), "more row")
    return folded(f"Nodes ({sum(n.count for n in nodes):,})", table(titles, rows))


def _nodes(group: NodeGroup, region: str) -> list[str]:
    price = group.price_with_disks
    month = "unknown" if price is None else monthly(price * HOURS_PER_MONTH) + ("\\*" if group.is_estimated else "")
    return [
        f"{group.count:,}",
        code(group.instance_type) + _others(group) + _besides(group),
        code(group.node_pool),
        code(group.capacity_type),
        code(zone_names(group.zones, region)),
        f"{group.pods:,}",
        percent(group.fill("cpu")),
        percent(group.fill("memory")),
        month,
    ]


def _others(group: NodeGroup) -> str:
    """Return how many other types a node of the group may become: the fewest and the most."""
    least, most = (of(node.alternatives for node in group.nodes) for of in (min, max))
    if not most:
        return ""
    return f" or {counted(most, 'other')}" if least == most else f" or {least:,} to {counted(most, 'other')}"


def _besides(group: NodeGroup) -> str:
    """Return the use of extended resources, and prices that NodeOverlays set, for the end of a cell."""
    used = use_in_words(group.extended)
    ranked = dict.fromkeys(overlay_price_in_words(node) for node in group.nodes)
    return "".join(f"<br>{words(text)}" for text in (used, *ranked) if text)


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
