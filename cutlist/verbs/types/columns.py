"""The figures of instance types, and the columns that each form of them has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cutlist.catalog.prices import Price, is_estimate, usd
from cutlist.core.quantity import NANO, amount_text, cores, memory
from cutlist.planning.model import PoolTypes, TypeRow, amount_text_exact
from cutlist.report.columns import Figure, Figures, count, csv_table, named, only_csv
from cutlist.report.estimates import Money, currency_of
from cutlist.report.markup import code
from cutlist.report.plain import per_hour, zone_names
from cutlist.verbs.types.answer import AllowedTypes


@dataclass(frozen=True, slots=True)
class PoolType:
    """An instance type that a NodePool allows; `taken` is how many nodes of a plan have it, on demand and as spot."""

    node_pool: str
    row: TypeRow
    taken: tuple[int, int] = (0, 0)


_Figure = Figure[PoolType]


def pool_rows(pool: PoolTypes) -> list[PoolType]:
    """Return the types of a NodePool as rows."""
    return [PoolType(pool.node_pool, row) for row in pool.types]


def text_layouts(region: str, rows: Sequence[PoolType]) -> tuple[Figures[PoolType], ...]:
    """Return the layouts from the richest to the narrowest."""
    usable, prices = (_USABLE_CPU, _USABLE_MEMORY.titled("memory"), _PODS), (_ON_DEMAND, _SPOT, *_further(rows))
    return (
        (_NAME, _CPU, _MEMORY, *usable, _zones(""), *prices),
        (_NAME, _CPU, _MEMORY, *usable, _zones(region), *prices),
        (_NAME, *usable, _zones(region), *prices),
        *([(_NAME, _zones(region), *prices)] if _further(rows) else []),
    )


def comment_columns(region: str, rows: Sequence[PoolType]) -> Figures[PoolType]:
    """Return the columns in Markdown, for the types of one NodePool."""
    prices = (_ON_DEMAND.titled("on-demand $/hour"), _SPOT.titled("spot $/hour"), *_further(rows))
    return (_NAME, _CPU, _MEMORY, _PODS, _zones(region), *prices)


def page_columns(region: str, rows: Sequence[PoolType]) -> Figures[PoolType]:
    """Return the columns of the table on pages; zones are shown without the name of the region."""
    usable = (_USABLE_CPU, _USABLE_MEMORY, _PODS)
    return (_NAME, _POOL, _CPU, _MEMORY, *usable, _zones(region), _ON_DEMAND, _SPOT, *_further(rows), _TAKEN)


def _further(rows: Sequence[PoolType]) -> Figures[PoolType]:
    """Return the columns of OS disks if they depend on the type, and of devices if some type has any."""
    disks = (_OS_DISK, _OS_DISK_PRICE) if any(one.row.os_disk for one in rows) else ()
    return (*disks, _DEVICES) if any(one.row.devices for one in rows) else disks


def _zones(region: str) -> _Figure:
    return Figure("zones", lambda one: zone_names(one.row.zones, region), least=5, is_name=True)


def _usable(title: str, resource: str, page_title: str = "") -> _Figure:
    return Figure(
        title,
        lambda one: amount_text(resource, one.row.allocatable.get(resource, 0)),
        "right",
        name=f"{resource}_allocatable",
        exact=lambda one: amount_text_exact(resource, one.row.allocatable.get(resource, 0)),
        page_title=page_title,
        page_class="n",
    )


def _price(
    title: str,
    page_title: str,
    name: str,
    of: Callable[[PoolType], Price | None],
    missing: Callable[[PoolType], str] = lambda _: "-",
) -> _Figure:
    def show(one: PoolType) -> str:
        price = of(one)
        return missing(one) if price is None else Money.of_price(price).hour_cell(per_hour)

    def on_page(one: PoolType) -> str:
        price = of(one)
        return missing(one) if price is None else Money.of_price(price).hour_cell()

    return Figure(
        title,
        show,
        "right",
        name=name,
        exact=lambda one: usd(of(one)),
        estimated=lambda one: is_estimate(of(one)),
        page=on_page,
        page_title=page_title,
        page_class="n",
    )


def _without_price(one: PoolType) -> str:
    """Return the cell of an OS disk without a price: unknown, unless the type has none of its own."""
    return "-" if one.row.os_disk is None else "unknown"


def _pods_in_markdown(one: PoolType) -> str:
    return f"{one.row.allocatable['pods'] // NANO:,}" if "pods" in one.row.allocatable else "-"


def _taken(one: PoolType) -> str:
    return ", ".join(f"{nodes:,} {how}" for nodes, how in zip(one.taken, ("on-demand", "spot"), strict=True) if nodes) or "-"


def _estimated(name: str, of: Callable[[PoolType], Price | None]) -> _Figure:
    return only_csv(name, lambda one: str(is_estimate(of(one))).lower())


_NAME: Final[_Figure] = named("instance type", lambda one: one.row.name, "instance_type", least=12, style="bold")
_POOL: Final[_Figure] = named("NodePool", lambda one: one.node_pool, "node_pool")
_CPU: Final[_Figure] = Figure(
    "cpu",
    lambda one: cores(one.row.cpu),
    "right",
    name="cpu",
    exact=lambda one: amount_text_exact("cpu", one.row.cpu),
    page_title="CPU",
    page_class="n",
)
_MEMORY: Final[_Figure] = Figure(
    "memory",
    lambda one: memory(one.row.memory),
    "right",
    name="memory",
    exact=lambda one: amount_text_exact("memory", one.row.memory),
    page_class="n",
)
_USABLE_CPU: Final[_Figure] = _usable("usable cpu", "cpu", "Usable CPU")
_USABLE_MEMORY: Final[_Figure] = _usable("usable memory", "memory")
_PODS: Final[_Figure] = replace(_usable("pods", "pods"), markdown=_pods_in_markdown)
_ON_DEMAND: Final[_Figure] = _price("on-demand", "On demand, $/hour", "on_demand_per_hour", lambda one: one.row.on_demand)
_SPOT: Final[_Figure] = _price("spot $/h", "Spot, $/hour", "spot_per_hour", lambda one: one.row.spot)
_OS_DISK: Final[_Figure] = Figure(
    "OS disk",
    lambda one: "-" if one.row.os_disk is None else one.row.os_disk.in_short,
    name="os_disk",
    exact=lambda one: None if one.row.os_disk is None else one.row.os_disk.in_short,
)
_OS_DISK_PRICE: Final[_Figure] = _price(
    "+ disk", "OS disk, $/hour", "os_disk_per_hour", lambda one: one.row.os_disk_price, missing=_without_price
)
_DEVICES: Final[_Figure] = Figure(
    "devices", lambda one: ", ".join(map(str, one.row.devices or ())) or "-", name="devices", least=8
)
_TAKEN: Final[_Figure] = Figure("nodes of the plan", _taken, page_class="k")


def _of_cheapest(figure: _Figure, title: str) -> Figure[PoolTypes]:
    """Return the price of the cheapest type of a NodePool."""

    def of(cell: Callable[[PoolType], str], missing: str) -> Callable[[PoolTypes], str]:
        return lambda pool: cell(PoolType(pool.node_pool, pool.types[0])) if pool.types else missing

    markdown, page = of(figure.in_markdown, ""), of(figure.on_page, "-")
    return Figure(title, markdown, "right", page=page, page_title=figure.page_title, page_class="n")


_CHEAPEST: Final[Figure[PoolTypes]] = Figure(
    "cheapest",
    lambda pool: pool.types[0].name if pool.types else "none",
    markdown=lambda pool: code(pool.types[0].name) if pool.types else "none",
)
POOLS: Final[Figures[PoolTypes]] = (
    Figure("NodePool", lambda pool: pool.node_pool, is_name=True),
    count("types", lambda pool: pool.total),
    _CHEAPEST,
    _of_cheapest(_ON_DEMAND, "on-demand $/hour"),
    _of_cheapest(_SPOT, "spot $/hour"),
)
FRAGMENT: Final[Figures[PoolType]] = (_NAME, _CPU, _MEMORY, _ON_DEMAND, _SPOT, _zones(""))
_CSV: Final[Figures[PoolType]] = (
    _POOL,
    _NAME,
    _CPU,
    _MEMORY,
    _USABLE_CPU,
    _USABLE_MEMORY,
    _PODS,
    only_csv("zones", lambda one: " ".join(one.row.zones)),
    _ON_DEMAND,
    _estimated("on_demand_estimated", lambda one: one.row.on_demand),
    _SPOT,
    _estimated("spot_estimated", lambda one: one.row.spot),
    _OS_DISK,
    _OS_DISK_PRICE,
    _DEVICES,
    only_csv("os_disk_estimated", lambda one: str(is_estimate(one.row.os_disk_price)).lower() if one.row.os_disk else None),
)


def currency_of_types(pools: Iterable[PoolTypes]) -> str:
    """Return the currency of the prices of types, which is that of their region."""
    return currency_of(price for pool in pools for row in pool.types for price in (row.on_demand, row.spot))


def csv(answer: AllowedTypes) -> str:
    """Return a row for each listed type of each NodePool."""
    return csv_table(_CSV, (row for pool in answer.listed for row in pool_rows(pool)))
