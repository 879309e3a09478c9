"""The instance types that NodePools allow as a comment on a pull request: a row for each NodePool, types folded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.catalog.prices import Price
from cutlist.core.notes import Note
from cutlist.core.quantity import cores, memory
from cutlist.planning.model import PoolTypes, TypeRow
from cutlist.report.comment_parts import listed_notes, weightiest
from cutlist.report.markup import code, folded, table, words
from cutlist.report.plain import per_hour, zone_names
from cutlist.report.price_sources import price_notes, type_price_sources

_POOLS: Final = 6
_LISTED: Final = 2  # NodePools whose types are listed
_TYPES: Final = 14  # types listed for all of these together
_NOTES: Final = 2


def types_markdown(pools: Sequence[PoolTypes], region: str, limit: int = 0, notes: Sequence[Note] = ()) -> str:
    """Return the types as Markdown of less than 60 lines, at most `limit` per NodePool (0 for as many as fit)."""
    lines = [f"### Instance types in {words(region)}", ""]
    titles = ["NodePool", ">types", "cheapest", ">on-demand $/hour", ">spot $/hour"]
    rows = weightiest(pools, _POOLS, lambda pool: -pool.total, _pool, "more NodePool")
    lines += [*table(titles, rows), ""]
    listed = [pool for pool in pools if pool.types][:_LISTED]
    room = min(limit or _TYPES, _TYPES // max(len(listed), 1))
    for pool in listed:
        lines += _types(pool, region, room)
    lines += listed_notes("Findings", notes, _NOTES)
    shown = [row for pool in listed for row in pool.types[:room]]
    lines += [words(note) for note in price_notes(*type_price_sources(shown))]
    return "\n".join(lines).rstrip() + "\n"


def _pool(pool: PoolTypes) -> list[str]:
    if not pool.types:
        return [code(pool.node_pool), f"{pool.total:,}", "none", "", ""]
    return [code(pool.node_pool), f"{pool.total:,}", code(pool.types[0].name), *_prices(pool.types[0])]


def _types(pool: PoolTypes, region: str, room: int) -> list[str]:
    rows = [_type(row, region) for row in pool.types[:room]]
    if pool.total > len(rows):
        rows.append([f"and {pool.total - len(rows):,} more"])
    titles = ["instance type", ">cpu", ">memory", ">pods", "zones", ">on-demand $/hour", ">spot $/hour"]
    return [f"**{code(pool.node_pool)}**, cheapest first", "", *folded(f"Types ({pool.total:,})", table(titles, rows))]


def _type(row: TypeRow, region: str) -> list[str]:
    pods = f"{row.allocatable['pods'] // 10**9:,}" if "pods" in row.allocatable else "-"
    return [code(row.name), cores(row.cpu), memory(row.memory), pods, code(zone_names(row.zones, region)), *_prices(row)]


def _prices(row: TypeRow) -> tuple[str, str]:
    return _price(row.on_demand), _price(row.spot)


def _price(price: Price | None) -> str:
    return "-" if price is None else per_hour(price.usd_per_hour) + ("\\*" if price.estimated else "")
