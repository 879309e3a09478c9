"""The instance types that NodePools allow, as text: cheapest first, as many as requested."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final

from cutlist.catalog.prices import Price
from cutlist.core.notes import Note
from cutlist.core.quantity import amount_text, cores, memory
from cutlist.core.wording import counted
from cutlist.planning.model import PoolTypes, TypeRow
from cutlist.report.columns import Figure, laid_out
from cutlist.report.page import HEADING, QUIET, WARN, Group, Page, Row
from cutlist.report.plain import per_hour, zone_names
from cutlist.report.price_sources import price_footnote, type_price_sources


def render_types(
    pools: Sequence[PoolTypes],
    region: str,
    width: int = 100,
    colour: bool = False,
    limit: int = 20,
    notes: Sequence[Note] = (),
) -> str:
    """Return the instance types that each NodePool allows as text of at most `width` columns; with colour as ANSI codes.

    Shows at most `limit` per NodePool, 0 for all that are given, and counts the others. `notes` are findings about them.
    """
    page = Page(width)
    shown = {pool.node_pool: pool.types[:limit] if limit else pool.types for pool in pools}
    rows = [row for pool in pools for row in shown[pool.node_pool]]
    columns, cells = laid_out(_layouts(region), rows, width)
    left = iter(cells)
    for pool in pools:
        page.blank()
        page.line((f"NodePool {pool.node_pool}", HEADING), f": {_how_many(pool.total)} in {region}")
        if types := shown[pool.node_pool]:
            page.blank()
            page.table(columns, [Group("", tuple(map(Row, islice(left, len(types)))))])
        if pool.total > len(types):
            page.line((f"and {pool.total - len(types):,} more", QUIET))
    page.bullets("Findings", [note.text for note in notes], WARN)
    page.blank()
    _footnote(page, rows)
    return page.text(colour=colour)


def _how_many(total: int) -> str:
    if not total:
        return "no instance type"
    return counted(total, "instance type") + (", cheapest first," if total > 1 else "")


def _footnote(page: Page, rows: Sequence[TypeRow]) -> None:
    estimated, others = type_price_sources(rows)
    price_footnote(page, estimated, others)


def _allocatable(resource: str) -> Callable[[TypeRow], str]:
    return lambda row: amount_text(resource, row.allocatable.get(resource, 0))


def _marked(price: Price | None) -> str:
    return "- " if price is None else per_hour(price.usd_per_hour) + ("*" if price.estimated else " ")


def _layouts(region: str) -> tuple[tuple[Figure[TypeRow], ...], ...]:
    zones: Figure[TypeRow] = Figure("zones", lambda row: zone_names(row.zones, region), least=5)
    whole: Figure[TypeRow] = Figure("zones", lambda row: zone_names(row.zones, ""), least=5)
    usable = (_USABLE_CPU, _USABLE_MEMORY, _PODS)
    return (
        (_NAME, _CPU, _MEMORY, *usable, whole, _ON_DEMAND, _SPOT),
        (_NAME, _CPU, _MEMORY, *usable, zones, _ON_DEMAND, _SPOT),
        (_NAME, *usable, zones, _ON_DEMAND, _SPOT),
    )


_NAME: Final[Figure[TypeRow]] = Figure("instance type", lambda row: row.name, least=12, style="bold")
_CPU: Final[Figure[TypeRow]] = Figure("cpu", lambda row: cores(row.cpu), "right")
_MEMORY: Final[Figure[TypeRow]] = Figure("memory", lambda row: memory(row.memory), "right")
_USABLE_CPU: Final[Figure[TypeRow]] = Figure("usable cpu", _allocatable("cpu"), "right")
_USABLE_MEMORY: Final[Figure[TypeRow]] = Figure("memory", _allocatable("memory"), "right")
_PODS: Final[Figure[TypeRow]] = Figure("pods", _allocatable("pods"), "right")
_ON_DEMAND: Final[Figure[TypeRow]] = Figure("on-demand ", lambda row: _marked(row.on_demand), "right")
_SPOT: Final[Figure[TypeRow]] = Figure("spot $/h ", lambda row: _marked(row.spot), "right")
