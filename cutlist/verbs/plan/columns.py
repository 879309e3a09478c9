"""The figures of planned nodes, and the columns that each form of a plan has of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from cutlist.catalog.prices import Price, is_estimate, usd
from cutlist.core.quantity import amount_text
from cutlist.core.wording import counted
from cutlist.planning.model import PlannedNode
from cutlist.planning.model.extended import use_in_words
from cutlist.planning.model.node_groups import NodeGroup
from cutlist.planning.model.nodes import deviations
from cutlist.report.columns import Figure, Figures, count, fill, filled_bar, only_csv
from cutlist.report.csv import Cell
from cutlist.report.estimates import Money
from cutlist.report.markup import code, words
from cutlist.report.node_figures import exact_amounts
from cutlist.report.plain import hour_column, monthly, per_month, zone_names
from cutlist.report.price_sources import os_disk_in_words, overlay_price_in_words
from cutlist.verbs.plan.node_views import NodeView
from cutlist.verbs.plan.volume_views import ONLY_OF_VOLUMES

_Figure = Figure[NodeGroup]


def text_layouts(groups: Sequence[NodeGroup], region: str) -> tuple[Figures[NodeGroup], ...]:
    """Return the layouts of a row for equal nodes, from the richest, for wide terminals, to the one that fits 80 columns."""
    each, hour, disks = _hours(groups)
    zones, whole = _zones(region), _zones("")
    bars, amounts = (_CPU_BAR, _MEMORY_BAR), (_CPU_BAR, _CPU_AMOUNT, _MEMORY_BAR, _MEMORY_AMOUNT)
    return (
        (_NODES, _TYPE, _OTHERS, _CAPACITIES, whole, *amounts, _PODS, _FREE, _MONTH, each, hour, disks),
        (_NODES, _TYPE, _OTHERS, _CAPACITY, zones, *amounts, _PODS, _FREE, _MONTH, hour, disks),
        (_NODES, _TYPE, _OTHERS, _CAPACITY, zones, *bars, _PODS, _FREE, _MONTH, hour, disks),
        (_NODES, _TYPE, _OTHERS, _CAPACITY, zones, *bars, _PODS, _FREE, _MONTH, hour),
        (_NODES, _TYPE, _OTHERS, _CAPACITY, zones, _CPU, _MEMORY, _PODS, _FREE, _MONTH, hour),
        (_NODES, _TYPE, _OTHERS_SHORT, _CAPACITY, zones, _CPU, _MEMORY, _PODS, _FREE, _MONTH, hour),
        (_NODES, _TYPE, _OTHERS_SHORT, _CAPACITY, zones, _CPU, _MEMORY, _PODS, _MONTH),
    )


def summary_layouts(region: str) -> tuple[Figures[NodeGroup], ...]:
    """Return the layouts of a row for the nodes of one NodePool, instance type and capacity type."""
    zones = _zones(region)
    return (
        (_NODES, _TYPE, _CAPACITY, zones, _CPU_BAR, _MEMORY_BAR, _PODS, _FREE, _MONTH),
        (_NODES, _TYPE, _CAPACITY, zones, _CPU, _MEMORY, _PODS, _FREE, _MONTH),
        (_NODES, _TYPE, _CAPACITY, _CPU, _MEMORY, _PODS, _MONTH),
    )


def comment_columns(region: str) -> Figures[NodeGroup]:
    """Return the columns of the table in Markdown, of such rows too."""
    return (_NODES, _TYPE, _POOL, _CAPACITY, _zones(region), _PODS, _FREE, _CPU, _MEMORY, _MONTH)


def page_columns(region: str) -> Figures[NodeView]:
    """Return the columns of the table on pages: first for the nodes of one NodePool, type and capacity type, then of equal
    nodes, whose pods stand below the first three."""
    return (_TYPE, _POOL, _CAPACITY, _NODES, _zones(region), _PODS, _FREE, _CPU, _MEMORY, _PAGE_HOUR, _PAGE_MONTH)


def _others_in_words(group: NodeGroup) -> str:
    """Return how many other types a node may become: the fewest and the most."""
    least, most = group.alternatives
    if not most:
        return ""
    return f"or {counted(most, 'other')}" if least == most else f"or {least:,} to {counted(most, 'other')}"


def _besides(group: NodeGroup) -> Iterator[str]:
    """Yield how many other types nodes may become, the use of extended resources, and where the OS disk is."""
    if others := _others_in_words(group):
        yield others
    if group.extended:
        yield use_in_words(group.extended)
    if disk := os_disk_in_words(group.first):
        yield disk


def _type_in_markdown(group: NodeGroup) -> str:
    """Return the type with how many others there may be, its extended resources, prices of NodeOverlays, and the OS disk."""
    others, used = _others_in_words(group), use_in_words(group.extended)
    ranked = dict.fromkeys(overlay_price_in_words(node) for node in group.nodes)
    besides = "".join(f"<br>{words(text)}" for text in (used, *ranked, os_disk_in_words(group.first)) if text)
    return code(group.instance_type) + (f" {others}" if others else "") + besides


def _capacities(group: NodeGroup) -> str:
    rest = [c for c in group.first.capacity_types if c != group.capacity_type]
    return f"{group.capacity_type} or {' or '.join(rest)}" if rest else group.capacity_type


def _zones(region: str) -> _Figure:
    return Figure("zones", lambda g: zone_names(g.zones, region), least=5, is_name=True, page_class="z")


def _amounts(resource: str) -> Callable[[NodeGroup], str]:
    def show(group: NodeGroup) -> str:
        node = group.first
        return " of ".join(amount_text(resource, of.get(resource, 0)) for of in (node.requests, node.allocatable))

    return show


def _fill(resource: str) -> Callable[[NodeGroup], float | None]:
    return lambda group: group.fill(resource)


def _month(text: Callable[[float], str]) -> Callable[[NodeGroup], str]:
    def show(group: NodeGroup) -> str:
        price = group.price_with_disks
        if price is None:
            return "unknown"
        return Money(price, deviations(group.nodes).around(price)).month_cell(text)

    return show


def _hours(groups: Sequence[NodeGroup]) -> tuple[_Figure, _Figure, _Figure]:
    """Return the columns of prices per hour: of one node, of all nodes of a row, and of their disks."""

    def figure(title: str, value: Callable[[PlannedNode], Money | None], *, marked: bool = True) -> _Figure:
        text = hour_column([None if (money := value(group.first)) is None else money.per_hour for group in groups])

        def show(group: NodeGroup) -> str:
            money = value(group.first)
            return "unknown" if money is None else money.hour_cell(text)

        return Figure(title, show, "right", estimated=(lambda g: g.is_estimated) if marked else None)

    return (
        figure("$/hour each", lambda n: _paid(n.price, 1)),
        figure("$/hour", lambda n: _paid(n.price, n.count)),
        figure("+ disks", lambda n: _paid(n.disk_price, n.count), marked=False),
    )


def _paid(price: Price | None, times: int) -> Money | None:
    return None if price is None else Money.of_price(price, times=times)


_NODES: Final[_Figure] = count("nodes", lambda g: g.count)
_TYPE: Final[_Figure] = Figure(
    "instance type", lambda g: g.instance_type, least=12, style="bold", markdown=_type_in_markdown, small=_besides
)
_POOL: Final[_Figure] = Figure("NodePool", lambda g: g.node_pool, is_name=True)
_OTHERS: Final[_Figure] = Figure("", lambda g: _others_in_words(g) or "no other")
_OTHERS_SHORT: Final[_Figure] = Figure("others", lambda g: f"+{g.alternatives[1]}" if g.alternatives[1] else "-", "right")
_CAPACITY: Final[_Figure] = Figure("capacity", lambda g: g.capacity_type, is_name=True, page_class="k")
_CAPACITIES: Final[_Figure] = Figure("capacity", _capacities)
_CPU: Final[_Figure] = fill("cpu", _fill("cpu"), "CPU")
_CPU_BAR: Final[_Figure] = filled_bar("cpu", _fill("cpu"))
_CPU_AMOUNT: Final[_Figure] = Figure("requested", _amounts("cpu"), "right")
_MEMORY: Final[_Figure] = fill("memory", _fill("memory"), "Memory")
_MEMORY_BAR: Final[_Figure] = filled_bar("memory", _fill("memory"))
_MEMORY_AMOUNT: Final[_Figure] = Figure("requested", _amounts("memory"), "right")
_PODS: Final[_Figure] = count("pods", lambda g: g.pods)
_FREE: Final[_Figure] = Figure(
    "free", lambda g: "-" if g.free_pods is None else f"{g.free_pods:,}", "right", page_title="Free pods", page_class="n"
)
_MONTH: Final[_Figure] = Figure(
    "$/month",
    _month(per_month),
    "right",
    estimated=lambda g: g.price_with_disks is not None and g.is_estimated,
    markdown=_month(monthly),
)
_PAGE_HOUR: Final[_Figure] = Figure(
    "$/hour",
    lambda g: (
        "unknown" if g.known_price is None else Money(g.known_price, deviations(g.nodes).around(g.known_price)).hour_cell()
    ),
    "right",
    estimated=lambda g: g.is_estimated,
    page_class="n",
    sign="$",
)
_PAGE_MONTH: Final[Figure[NodeView]] = Figure(
    "$/month",
    lambda g: g.month or "unknown",
    "right",
    estimated=lambda g: g.is_estimated,
    sign="$",
    page_class=lambda g: "n top" if g.rows else "n",
)


def _of_node(name: str, exact: Callable[[PlannedNode], Cell]) -> _Figure:
    return only_csv(name, lambda group: exact(group.first))


def _source(price: Price | None) -> str | None:
    return None if price is None else price.provenance


_AMOUNTS: Final[Figures[NodeGroup]] = exact_amounts(lambda g: g.first.requests, lambda g: g.first.allocatable)
CSV: Final[Figures[NodeGroup]] = (
    only_csv("kind", lambda _: "node"),
    _of_node("node_pool", lambda n: n.node_pool),
    only_csv("workload", lambda _: None),
    _of_node("count", lambda n: n.count),
    _of_node("instance_type", lambda n: n.instance_type),
    _of_node("capacity_type", lambda n: n.capacity_type),
    _of_node("zones", lambda n: " ".join(n.zones)),
    _of_node("price_per_hour", lambda n: usd(n.price)),
    _of_node("price_source", lambda n: _source(n.price)),
    *_AMOUNTS,
    _of_node("pods", lambda n: "; ".join(f"{s.count} x {s.workload}" for s in n.pods)),
    only_csv("reason", lambda _: None),
    _of_node("price_estimated", lambda n: is_estimate(n.price)),
    _of_node("disk_price_per_hour", lambda n: usd(n.disk_price)),
    _of_node("disk_price_source", lambda n: _source(n.disk_price)),
    _of_node("other_resources", lambda n: use_in_words(n.extended) or None),
    _of_node("overlay_price_per_hour", lambda n: n.overlay_price),
    _of_node("free_pods", lambda n: n.free_pods),
    *(_of_node(name, lambda _: None) for name in ONLY_OF_VOLUMES),
    _of_node("price_per_hour_low", lambda n: None if n.price is None else n.price.low),
    _of_node("price_per_hour_high", lambda n: None if n.price is None else n.price.high),
    _of_node("price_currency", lambda n: None if n.price is None else n.price.currency),
    _of_node("os_disk", lambda n: None if n.os_disk is None else n.os_disk.in_short),
)
