"""Nodes as a map: by NodePool and zone, equal ones drawn once with their count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Final, Generic, TypeVar

from cutlist.core.values import dataclass

_STEPS: Final = (20, 10, 4, 2)
"""Numbers of steps to which fills are rounded to decide which nodes look alike; the coarser ones are for maps of very many
nodes."""
_MANY: Final = 1000  # tiles that one can still look through

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Tile:
    """Nodes that look alike. Fills are their means, None when unknown; `price` in USD per hour is for all together."""

    node_pool: str
    zones: tuple[str, ...]
    title: str
    bought: str
    count: int
    cpu: float | None
    memory: float | None
    price: float | None
    mark: str = ""


@dataclass(frozen=True, slots=True)
class ZoneTiles(Generic[T]):
    """Things of one NodePool and the same zones."""

    zones: tuple[str, ...]
    tiles: tuple[T, ...]


@dataclass(frozen=True, slots=True)
class PoolMap:
    """A NodePool on the map."""

    node_pool: str
    nodes: int
    price: float | None
    unpriced: int
    places: tuple[ZoneTiles[Tile], ...]


def pool_maps(tiles: Iterable[Tile]) -> tuple[PoolMap, ...]:
    """Return the map of these nodes: NodePools by name, single zones first, then those that may be in several."""
    by_pool = sorted(_few_enough(list(tiles)), key=lambda t: (not t.node_pool, t.node_pool, len(t.zones), t.zones))
    maps = []
    for pool, members in groupby(by_pool, key=lambda t: t.node_pool):
        pool_tiles = list(members)
        places = tuple(ZoneTiles(zones, tuple(alike)) for zones, alike in groupby(pool_tiles, key=lambda t: t.zones))
        priced = [t.price for t in pool_tiles if t.price is not None]
        unpriced = sum(t.count for t in pool_tiles if t.price is None)
        maps.append(PoolMap(pool, sum(t.count for t in pool_tiles), sum(priced) if priced else None, unpriced, places))
    return tuple(maps)


def _few_enough(tiles: Sequence[Tile]) -> list[Tile]:
    """Return one tile for nodes that look alike, distinguished as finely as their number allows."""
    drawn = (_merged(tiles, steps) for steps in _STEPS)
    return next((merged for merged in drawn if len(merged) <= _MANY), _merged(tiles, 1))


def _merged(tiles: Sequence[Tile], steps: int) -> list[Tile]:
    def look(tile: Tile) -> tuple[object, ...]:
        fills = tuple(-1 if part is None else int(part * steps) for part in (tile.cpu, tile.memory))
        return tile.node_pool, tile.zones, tile.title, tile.bought, tile.mark, tile.price is None, fills

    return [_together(list(alike)) for _, alike in groupby(sorted(tiles, key=look), key=look)]


def _together(alike: Sequence[Tile]) -> Tile:
    first, count = alike[0], sum(t.count for t in alike)
    price = None if first.price is None else sum(t.price or 0.0 for t in alike)
    cpu, memory = (_mean(alike, of) for of in (lambda t: t.cpu, lambda t: t.memory))
    return Tile(first.node_pool, first.zones, first.title, first.bought, count, cpu, memory, price, first.mark)


def _mean(alike: Sequence[Tile], of: Callable[[Tile], float | None]) -> float | None:
    known = [(part, t.count) for t in alike if (part := of(t)) is not None]
    return sum(part * count for part, count in known) / sum(count for _, count in known) if known else None
