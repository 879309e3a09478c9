"""The layout of a map of nodes: which nodes are one part, how large each is, and where its name fits."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Final, TypeVar

from cutlist.catalog.prices import a_month
from cutlist.catalog.ranges import PriceRange
from cutlist.core.money import money_sum
from cutlist.report.estimates import Step
from cutlist.report.html.treemap import Box, treemap
from cutlist.report.plain import monthly, shorten, visible
from cutlist.report.shares import part_step

K = TypeVar("K")
V = TypeVar("V")

WIDTH: Final = 1000.0  # for the proportions: on a page it is as wide as there is room, and as high as this
_HEIGHTS: Final = ((1, 70.0), (4, 140.0), (12, 260.0))
"""Numbers of nodes and the height of a map of at most that many; `_HEIGHT` is for more."""
_HEIGHT: Final = 420.0
_TITLE: Final = 19.0  # height of the name of a NodePool
LINE: Final = 15.0
_LETTER: Final = 7.4  # width that suffices for most letters
WIDEST: Final = 1200  # pixels that a page gives the map at most, and in steps of how many labels are decided
STEP: Final = 100
LONGEST: Final = 40  # characters of a label
OTHERS: Final = "Other nodes"
_STEPS: Final = (20, 10, 4, 2)
"""Numbers of steps to which fills are rounded to decide which nodes look alike; the coarser ones are for very many nodes."""
_MANY: Final = 400  # parts that can still be distinguished


@dataclass(frozen=True, slots=True)
class MapNode:
    """Nodes that look alike. Fills are their means, None when unknown; `price` in USD per hour is for all together.

    `extended` is the fill of their accelerators, or of the other resource that is requested most.
    `row` is the id of the table's part that has them, empty for none.
    """

    node_pool: str
    instance_type: str
    capacity_type: str
    count: int
    cpu: float | None
    memory: float | None
    price: float | None
    extended: float | None = None
    mark: str = ""
    row: str = ""

    @property
    def most(self) -> float | None:
        """Return the higher of the fills, which is the one that limits further pods."""
        return max((part for part in (self.cpu, self.memory, self.extended) if part is not None), default=None)


def height_of(nodes: Sequence[MapNode]) -> float:
    """Return the height of a map of these nodes, in pixels."""
    return next((height for most, height in _HEIGHTS if sum(node.count for node in nodes) <= most), _HEIGHT)


@dataclass(frozen=True, slots=True)
class MapMoney:
    """The sign of the currency, whether any price is known, and what amounts are rounded to."""

    sign: str
    is_priced: bool
    step: Step | None

    @staticmethod
    def of(nodes: Sequence[MapNode], sign: str, of: PriceRange | None) -> MapMoney:
        """Return how prices of these nodes are written; `of` is the range of what all cost."""
        step = None if of is None else part_step([node.price for node in nodes], of)
        return MapMoney(sign, any(node.price for node in nodes), step)

    def month(self, price: float | None) -> str:
        """Return a price per hour as one per month, or an empty text for an unknown one."""
        if price is None:
            return ""
        month = a_month(price)
        return f"{self.sign}{monthly(month) if self.step is None else self.step.text(month)}"


Sizes = Mapping[str, Mapping[tuple[str, str], Sequence[tuple[MapNode, float]]]]
"""Nodes with their areas, by NodePool, and by instance type and capacity type."""


def sizes_of(nodes: Sequence[MapNode]) -> Sizes:
    """Return the nodes with their areas, by NodePool and by type, the largest first."""
    prices = [node.price for node in nodes if node.price]
    priced = sum(node.count for node in nodes if node.price)
    usual = math.fsum(prices) / priced if priced else 1.0
    sized = sorted(((node, node.price or usual * node.count) for node in nodes), key=lambda pair: -pair[1])
    pools: dict[str, dict[tuple[str, str], list[tuple[MapNode, float]]]] = {}
    for node, size in sized:
        kinds = pools.setdefault(node.node_pool, {})
        kinds.setdefault((node.instance_type, node.capacity_type), []).append((node, size))
    return {pool: _largest_first(kinds, of_kind) for pool, kinds in _largest_first(pools, _of_pool).items()}


def of_kind(nodes: Sequence[tuple[MapNode, float]]) -> float:
    """Return the area of nodes of one type."""
    return math.fsum(size for _, size in nodes)


def _of_pool(kinds: Mapping[tuple[str, str], Sequence[tuple[MapNode, float]]]) -> float:
    """Return the area of a NodePool."""
    return math.fsum(map(of_kind, kinds.values()))


def _largest_first(parts: Mapping[K, V], size: Callable[[V], float]) -> dict[K, V]:
    return dict(sorted(parts.items(), key=lambda part: -size(part[1])))


@dataclass(frozen=True, slots=True)
class PoolArea:
    """The part of a NodePool: the kinds of its nodes, its area, and what of that is below its name. `named` is how wide the map
    has to be for the name, 0 where no width suffices."""

    pool: str
    kinds: Mapping[tuple[str, str], Sequence[tuple[MapNode, float]]]
    area: Box
    inside: Box
    named: int


def pool_areas(pools: Sizes, height: float) -> Iterator[PoolArea]:
    """Yield the part of each NodePool in a map of this height."""
    areas = treemap([_of_pool(kinds) for kinds in pools.values()], Box(0.0, 0.0, WIDTH, height))
    for (pool, kinds), area in zip(pools.items(), areas, strict=True):
        named = wide_enough(pool or OTHERS, area) if area.height > 3 * _TITLE else 0
        yield PoolArea(pool, kinds, area, area.inside(1.5, _TITLE if named else 0.0), named)


def boxes(
    kinds: Mapping[tuple[str, str], Sequence[tuple[MapNode, float]]], area: Box
) -> Iterator[tuple[Sequence[MapNode], Box]]:
    """Yield the nodes of each kind of a NodePool with their part of its area."""
    for nodes, part in zip(kinds.values(), treemap([of_kind(nodes) for nodes in kinds.values()], area), strict=True):
        yield [node for node, _ in nodes], part.inside(1.0)


def kind_name(count: int, node: MapNode) -> str:
    """Return a type with how many nodes of it there are."""
    return f"{count:,} × {node.instance_type}" if count > 1 else node.instance_type


def name_width(nodes: Sequence[MapNode], box: Box) -> tuple[str, int]:
    """Return the name of some nodes of one type, and how wide the map has to be to show it; empty and 0 where it never fits."""
    first, count = nodes[0], sum(node.count for node in nodes)
    texts = (kind_name(count, first), first.instance_type) if box.height >= LINE + 4 else ()
    return next(((text, wide) for text in texts if (wide := wide_enough(text, box))), ("", 0))


def wide_enough(text: str, box: Box) -> int:
    """Return how wide the map has to be, in steps, for a part of it to have room for a text; 0 if no width suffices."""
    if not text or not box.width:
        return 0
    wide = math.ceil((len(shorten(visible(text), LONGEST)) * _LETTER + 10) * WIDTH / box.width / STEP)
    return wide if wide <= WIDEST // STEP else 0


def price_of(nodes: Iterable[MapNode]) -> float | None:
    """Return what nodes cost together in USD per hour, None if no price is known."""
    known = [node.price for node in nodes if node.price is not None]
    return money_sum(known) if known else None


def few_enough(nodes: Sequence[MapNode]) -> list[MapNode]:
    """Return one entry for nodes that look alike, distinguished as finely as their number allows."""
    drawn = (_merged(nodes, steps) for steps in _STEPS)
    return next((merged for merged in drawn if len(merged) <= _MANY), _merged(nodes, 1))


def _merged(nodes: Sequence[MapNode], steps: int) -> list[MapNode]:
    def look(node: MapNode) -> tuple[object, ...]:
        fills = tuple(-1 if part is None else int(part * steps) for part in (node.cpu, node.memory, node.extended))
        kind = (node.node_pool, node.instance_type, node.capacity_type)
        return *kind, node.mark, node.price is None, node.row, fills

    return [_together(list(alike)) for _, alike in groupby(sorted(nodes, key=look), key=look)]


def _together(alike: Sequence[MapNode]) -> MapNode:
    cpu, memory, extended = (mean_of(alike, attrgetter(name)) for name in ("cpu", "memory", "extended"))
    count = sum(node.count for node in alike)
    return replace(alike[0], count=count, cpu=cpu, memory=memory, extended=extended, price=price_of(alike))


def mean_of(alike: Sequence[MapNode], of: Callable[[MapNode], float | None]) -> float | None:
    """Return the mean of a fill of some nodes, None if it is known of none."""
    known = [(part, node.count) for node in alike if (part := of(node)) is not None]
    return math.fsum(part * count for part, count in known) / sum(count for _, count in known) if known else None
