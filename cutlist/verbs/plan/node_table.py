"""The table of planned nodes: one row for equal nodes, with as many columns as the page has room for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final

from rich.cells import cell_len

from cutlist.catalog.prices import usd
from cutlist.core.quantity import amount_text
from cutlist.core.wording import counted
from cutlist.planning.model import HOURS_PER_MONTH, PlannedNode, PodShare
from cutlist.planning.model.extended import use_in_words
from cutlist.report.page import Column, Field, Group, Page, Row, laid_out
from cutlist.report.plain import bar, escape, hour_column, per_month, percent, zone_names
from cutlist.report.price_sources import overlay_price_in_words

_BAR: Final = 10
_INDENT: Final = 7  # the first column and its gap


def node_table(page: Page, nodes: Sequence[PlannedNode], region: str) -> None:
    """Add the table to the page, in the richest layout that fits; nodes come sorted by NodePool."""
    columns, cells = laid_out(_layouts(nodes, region), nodes, page.width)
    groups = [
        Group(f"NodePool {pool}", tuple(Row(shown, _words(node, page.width - _INDENT)) for node, shown in members))
        for pool, members in groupby(zip(nodes, cells, strict=True), key=lambda row: row[0].node_pool)
    ]
    page.table(columns, groups)


def _words(node: PlannedNode, room: int) -> str:
    """Return the words below a row: the price by which Karpenter ranks it, if that differs, the use of extended resources, and
    the pods of one node."""
    use, ranked = use_in_words(node.extended), overlay_price_in_words(node)
    each = "each " if node.count > 1 and use else ""
    parts = [*([ranked] if ranked else []), *([f"{each}{escape(use)}"] if use else []), _shares(node, room)]
    return "; ".join(parts)


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


def _others(node: PlannedNode) -> str:
    return f"or {counted(node.alternatives, 'other')}" if node.alternatives else "no other"


def _others_short(node: PlannedNode) -> str:
    return f"+{node.alternatives}" if node.alternatives else "-"


def _capacities(node: PlannedNode) -> str:
    rest = [c for c in node.capacity_types if c != node.capacity_type]
    return f"{node.capacity_type} or {' or '.join(rest)}" if rest else node.capacity_type


def _fill(resource: str) -> Callable[[PlannedNode], str]:
    return lambda node: percent(node.fill(resource))


def _filled_bar(resource: str) -> Callable[[PlannedNode], str]:
    def show(node: PlannedNode) -> str:
        part = node.fill(resource)
        return f"{bar(part, _BAR)} {percent(part):>4}"

    return show


def _amounts(resource: str) -> Callable[[PlannedNode], str]:
    def show(node: PlannedNode) -> str:
        requested, total = (amount_text(resource, of.get(resource, 0)) for of in (node.requests, node.allocatable))
        return f"{requested} of {total}"

    return show


def _price(node: PlannedNode, price: float | None, text: Callable[[float], str]) -> str:
    return "unknown " if price is None else text(price) + ("*" if node.is_estimated else " ")


def _month(node: PlannedNode) -> str:
    each = node.price_with_disks
    return _price(node, None if each is None else each * node.count * HOURS_PER_MONTH, per_month)


def _hours(nodes: Sequence[PlannedNode]) -> tuple[Field[PlannedNode], Field[PlannedNode], Field[PlannedNode]]:
    """Return the columns of prices per hour: of one node, of all nodes of a row, and of their disks."""
    each = hour_column([usd(node.price) for node in nodes])
    whole = hour_column([usd(node.price, node.count) for node in nodes])
    disks = hour_column([usd(node.disk_price, node.count) for node in nodes])
    return (
        Field(Column("$/hour each ", "right"), lambda n: _price(n, usd(n.price), each)),
        Field(Column("$/hour ", "right"), lambda n: _price(n, usd(n.price, n.count), whole)),
        Field(
            Column("+ disks", "right"),
            lambda n: "unknown" if n.disk_price is None else disks(n.of_disks * n.count),
        ),
    )


def _layouts(nodes: Sequence[PlannedNode], region: str) -> tuple[tuple[Field[PlannedNode], ...], ...]:
    """Return the layouts from the richest, for wide terminals, to the one that fits 80 columns."""
    each, hour, disks = _hours(nodes)
    zones: Field[PlannedNode] = Field(Column("zones", least=5), lambda n: zone_names(n.zones, region))
    whole: Field[PlannedNode] = Field(Column("zones", least=5), lambda n: zone_names(n.zones, ""))
    bars = (_CPU_BAR, _MEMORY_BAR)
    amounts = (_CPU_BAR, _CPU_AMOUNT, _MEMORY_BAR, _MEMORY_AMOUNT)
    return (
        (_NODES, _TYPE, _OTHERS, _CAPACITIES, whole, *amounts, _PODS, _MONTH, each, hour, disks),
        (_NODES, _TYPE, _OTHERS, _CAPACITY, zones, *amounts, _PODS, _MONTH, hour, disks),
        (_NODES, _TYPE, _OTHERS, _CAPACITY, zones, *bars, _PODS, _MONTH, hour, disks),
        (_NODES, _TYPE, _OTHERS, _CAPACITY, zones, *bars, _PODS, _MONTH, hour),
        (_NODES, _TYPE, _OTHERS, _CAPACITY, zones, _CPU, _MEMORY, _PODS, _MONTH, hour),
        (_NODES, _TYPE, _OTHERS_SHORT, _CAPACITY, zones, _CPU, _MEMORY, _PODS, _MONTH, hour),
        (_NODES, _TYPE, _OTHERS_SHORT, _CAPACITY, zones, _CPU, _MEMORY, _PODS, _MONTH),
    )


_NODES: Final[Field[PlannedNode]] = Field(Column("nodes", "right"), lambda n: f"{n.count:,}")
_TYPE: Final[Field[PlannedNode]] = Field(Column("instance type", least=12, style="bold"), lambda n: n.instance_type)
_OTHERS: Final[Field[PlannedNode]] = Field(Column(""), _others)
_OTHERS_SHORT: Final[Field[PlannedNode]] = Field(Column("others", "right"), _others_short)
_CAPACITY: Final[Field[PlannedNode]] = Field(Column("capacity"), lambda n: n.capacity_type)
_CAPACITIES: Final[Field[PlannedNode]] = Field(Column("capacity"), _capacities)
_CPU: Final[Field[PlannedNode]] = Field(Column("cpu", "right"), _fill("cpu"))
_CPU_BAR: Final[Field[PlannedNode]] = Field(Column("cpu"), _filled_bar("cpu"))
_CPU_AMOUNT: Final[Field[PlannedNode]] = Field(Column("requested", "right"), _amounts("cpu"))
_MEMORY: Final[Field[PlannedNode]] = Field(Column("memory", "right"), _fill("memory"))
_MEMORY_BAR: Final[Field[PlannedNode]] = Field(Column("memory"), _filled_bar("memory"))
_MEMORY_AMOUNT: Final[Field[PlannedNode]] = Field(Column("requested", "right"), _amounts("memory"))
_PODS: Final[Field[PlannedNode]] = Field(Column("pods", "right"), lambda n: f"{n.count * n.pods_each:,}")
_MONTH: Final[Field[PlannedNode]] = Field(Column("$/month ", "right"), _month)
