"""The table of a plan in short: a row for the nodes of one NodePool, instance type and capacity type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final

from cutlist.planning.model import HOURS_PER_MONTH, PlannedNode
from cutlist.planning.model.node_groups import NodeGroup, node_groups
from cutlist.report.page import Column, Field, Group, Page, Row, laid_out
from cutlist.report.plain import bar, per_month, percent, zone_names

_BAR: Final = 10


def group_table(page: Page, nodes: Sequence[PlannedNode], region: str) -> None:
    """Add the table to the page, in the richest layout that fits; nodes come sorted by NodePool."""
    groups = node_groups(nodes)
    columns, cells = laid_out(_layouts(region), groups, page.width)
    rows = groupby(zip(groups, cells, strict=True), key=lambda row: row[0].node_pool)
    page.table(columns, [Group(f"NodePool {pool}", tuple(Row(shown) for _, shown in members)) for pool, members in rows])


def _fill(resource: str) -> Callable[[NodeGroup], str]:
    return lambda group: percent(group.fill(resource))


def _filled_bar(resource: str) -> Callable[[NodeGroup], str]:
    def show(group: NodeGroup) -> str:
        part = group.fill(resource)
        return f"{bar(part, _BAR)} {percent(part):>4}"

    return show


def _month(group: NodeGroup) -> str:
    price = group.price_with_disks
    return "unknown " if price is None else per_month(price * HOURS_PER_MONTH) + ("*" if group.is_estimated else " ")


def _layouts(region: str) -> tuple[tuple[Field[NodeGroup], ...], ...]:
    zones: Field[NodeGroup] = Field(Column("zones", least=5), lambda g: zone_names(g.zones, region))
    return (
        (_NODES, _TYPE, _CAPACITY, zones, _CPU_BAR, _MEMORY_BAR, _PODS, _MONTH),
        (_NODES, _TYPE, _CAPACITY, zones, _CPU, _MEMORY, _PODS, _MONTH),
        (_NODES, _TYPE, _CAPACITY, _CPU, _MEMORY, _PODS, _MONTH),
    )


_NODES: Final[Field[NodeGroup]] = Field(Column("nodes", "right"), lambda g: f"{g.count:,}")
_TYPE: Final[Field[NodeGroup]] = Field(Column("instance type", least=12, style="bold"), lambda g: g.instance_type)
_CAPACITY: Final[Field[NodeGroup]] = Field(Column("capacity"), lambda g: g.capacity_type)
_CPU: Final[Field[NodeGroup]] = Field(Column("cpu", "right"), _fill("cpu"))
_CPU_BAR: Final[Field[NodeGroup]] = Field(Column("cpu"), _filled_bar("cpu"))
_MEMORY: Final[Field[NodeGroup]] = Field(Column("memory", "right"), _fill("memory"))
_MEMORY_BAR: Final[Field[NodeGroup]] = Field(Column("memory"), _filled_bar("memory"))
_PODS: Final[Field[NodeGroup]] = Field(Column("pods", "right"), lambda g: f"{g.pods:,}")
_MONTH: Final[Field[NodeGroup]] = Field(Column("$/month ", "right"), _month)
