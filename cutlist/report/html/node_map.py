"""Nodes as a map on pages: areas are what they cost, colours how full they are, by NodePool and by type."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Final, TypeVar

from markupsafe import Markup

from cutlist.catalog.prices import a_month
from cutlist.catalog.ranges import PriceRange
from cutlist.core.money import money_sum
from cutlist.core.wording import counted
from cutlist.report.estimates import Step
from cutlist.report.html.texts import name
from cutlist.report.html.treemap import Box, treemap
from cutlist.report.plain import monthly, percent, percentage, shorten, visible
from cutlist.report.shares import part_step

K = TypeVar("K")
V = TypeVar("V")

_WIDTH: Final = 1000.0  # for the proportions: on a page it is as wide as there is room, and as high as this
_HEIGHTS: Final = ((1, 70.0), (4, 140.0), (12, 260.0))
"""Numbers of nodes and the height of a map of at most that many; `_HEIGHT` is for more."""
_HEIGHT: Final = 420.0
_TITLE: Final = 19.0  # height of the name of a NodePool
_LINE: Final = 15.0
_LETTER: Final = 7.4  # width that suffices for most letters
_WIDEST: Final = 1200  # pixels that a page gives the map at most, and in steps of how many labels are decided
_STEP: Final = 100
_LONGEST: Final = 40  # characters of a label
_OTHERS: Final = "Other nodes"
_MOST_BARS: Final = 12  # kinds that are listed at most because they have no name in the map
_STEPS: Final = (20, 10, 4, 2)
"""Numbers of steps to which fills are rounded to decide which nodes look alike; the coarser ones are for very many nodes."""
_MANY: Final = 400  # parts that can still be distinguished
_LEVELS: Final = (0.25, 0.5, 0.75, 0.9)
MAP_STYLE: Final = "".join(
    f"@container (min-width:{width}px){{.treemap .w{width // _STEP}{{display:inline}}.u{width // _STEP}{{display:none}}}}"
    for width in range(_STEP, _WIDEST + 1, _STEP)
)
"""Labels are shown where the map is wide enough for them, and bars where it is not."""
LEGEND: Final = ("below 25%", "25% to 50%", "50% to 75%", "75% to 90%", "90% and more")


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


def node_map(nodes: Iterable[MapNode], sign: str = "$", of: PriceRange | None = None) -> Markup:
    """Return the map of these nodes as SVG, with words for readers who cannot see it; the table has every node.

    Nodes of unknown price have the average size of the others, and are hatched. If no price is known, areas are numbers of
    nodes. `of` is the range of what all cost, which amounts are rounded by.
    """
    drawn = _few_enough(list(nodes))
    if not drawn:
        return Markup("")
    sizes, is_priced, money = _sizes(drawn), any(node.price for node in drawn), _Money.of(drawn, sign, of)
    words = (
        f"Map of {counted(sum(node.count for node in drawn), 'node')} in {counted(len(sizes), 'NodePool')}: "
        f"areas are {'prices' if is_priced else 'numbers of nodes'}, colours are fills; the table below has every node."
    )
    frame = Markup('<svg class="treemap by-most" height="{:.0f}" role="img" aria-label="{}">{}{}</svg>')
    height = _height(drawn)
    return frame.format(height, words, _HATCH, Markup("").join(_pools(sizes, height, money)))


def unnamed_nodes(nodes: Iterable[MapNode], sign: str = "$", of: PriceRange | None = None) -> Markup:
    """Return the nodes that a map of them has no room to name, as bars of their prices, the most expensive first; empty where
    every name fits. The style sheet shows each where the map is too narrow for its name.
    """
    drawn = _few_enough(list(nodes))
    money, whole = _Money.of(drawn, sign, of), math.fsum(node.price or 0.0 for node in drawn)
    named = [(kind, wide) for kind, wide in _widths(_sizes(drawn), _height(drawn)) if wide != 1]
    listed = [pair for fits in (False, True) for pair in [of for of in named if bool(of[1]) is fits][:_MOST_BARS]]
    if not listed:
        return Markup("")
    more = sum(not wide for _, wide in named) - _MOST_BARS
    bars = Markup("").join(_bar(kind, wide, whole, money) for kind, wide in listed)
    last = Markup("<li>and {} in the table of nodes</li>").format(counted(more, "more kind")) if more > 0 else Markup("")
    widest = 0 if any(not wide for _, wide in listed) else max(wide for _, wide in listed)
    frame = Markup('<div class="unnamed u{}"><p class="quiet">Without a name in the map:</p><ul class="bars">{}{}</ul></div>')
    return frame.format(widest, bars, last)


def _height(nodes: Sequence[MapNode]) -> float:
    return next((height for most, height in _HEIGHTS if sum(node.count for node in nodes) <= most), _HEIGHT)


def _widths(pools: _Sizes, height: float) -> Iterator[tuple[Sequence[MapNode], int]]:
    """Yield the nodes of each kind with how wide the map has to be to name them, 0 where no width suffices."""
    areas = [_of_pool(kinds) for kinds in pools.values()]
    for (pool, kinds), area in zip(pools.items(), treemap(areas, Box(0.0, 0.0, _WIDTH, height)), strict=True):
        inside = area.inside(1.5, _TITLE if _title_width(pool, area) else 0.0)
        for nodes, box in _boxes(kinds, inside):
            yield nodes, _name_width(nodes, box)[1]


def _bar(nodes: Sequence[MapNode], wide: int, whole: float, money: _Money) -> Markup:
    first, price, fill = nodes[0], _price(nodes), _mean(nodes, lambda node: node.most)
    share = percentage(min((price or 0.0) / whole, 1.0)) if whole else 0
    mark = max(node.mark for node in nodes)
    count = sum(node.count for node in nodes)
    amount = counted(count, "node") if price is None else f"{money.month(price)}{mark}"
    kind = first.instance_type if price is None else _kind(count, first)
    words = " ".join(filter(None, (kind, first.capacity_type, f"of {first.node_pool}" if first.node_pool else "")))
    bar = Markup('<li class="level share v{} u{}"><b>{}</b> {}<small>{}</small></li>')
    return bar.format(share, wide, amount, name(words), f"{percent(fill)} requested")


_HATCH: Final = Markup(
    '<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<line y2="7" stroke="currentColor" stroke-width="2"/></pattern></defs>'
)


@dataclass(frozen=True, slots=True)
class _Money:
    """The sign of the currency, whether any price is known, and what amounts are rounded to."""

    sign: str
    is_priced: bool
    step: Step | None

    @staticmethod
    def of(nodes: Sequence[MapNode], sign: str, of: PriceRange | None) -> _Money:
        """Return how prices of these nodes are written; `of` is the range of what all cost."""
        step = None if of is None else part_step([node.price for node in nodes], of)
        return _Money(sign, any(node.price for node in nodes), step)

    def month(self, price: float | None) -> str:
        """Return a price per hour as one per month, or an empty text for an unknown one."""
        if price is None:
            return ""
        month = a_month(price)
        return f"{self.sign}{monthly(month) if self.step is None else self.step.text(month)}"


_Sizes = Mapping[str, Mapping[tuple[str, str], Sequence[tuple[MapNode, float]]]]
"""Nodes with their areas, by NodePool, and by instance type and capacity type."""


def _sizes(nodes: Sequence[MapNode]) -> _Sizes:
    prices = [node.price for node in nodes if node.price]
    priced = sum(node.count for node in nodes if node.price)
    usual = math.fsum(prices) / priced if priced else 1.0
    sized = sorted(((node, node.price or usual * node.count) for node in nodes), key=lambda pair: -pair[1])
    pools: dict[str, dict[tuple[str, str], list[tuple[MapNode, float]]]] = {}
    for node, size in sized:
        kinds = pools.setdefault(node.node_pool, {})
        kinds.setdefault((node.instance_type, node.capacity_type), []).append((node, size))
    return {pool: _largest_first(kinds, _of_kind) for pool, kinds in _largest_first(pools, _of_pool).items()}


def _of_kind(nodes: Sequence[tuple[MapNode, float]]) -> float:
    return math.fsum(size for _, size in nodes)


def _of_pool(kinds: Mapping[tuple[str, str], Sequence[tuple[MapNode, float]]]) -> float:
    return math.fsum(map(_of_kind, kinds.values()))


def _largest_first(parts: Mapping[K, V], size: Callable[[V], float]) -> dict[K, V]:
    return dict(sorted(parts.items(), key=lambda part: -size(part[1])))


def _pools(pools: _Sizes, height: float, money: _Money) -> Iterator[Markup]:
    areas = [_of_pool(kinds) for kinds in pools.values()]
    for (pool, kinds), area in zip(pools.items(), treemap(areas, Box(0.0, 0.0, _WIDTH, height)), strict=True):
        title = pool or _OTHERS
        label = Markup("")
        if wide := _title_width(pool, area):
            price = money.month(_price(node for nodes in kinds.values() for node, _ in nodes))
            more = _wide_enough(f"{title} {price}", area)
            has_price = price and more and len(pools) > 1  # that of all is no news
            detail = Markup('<tspan class="w{}"> {}</tspan>').format(more, price) if has_price else Markup("")
            label = _label(title, area, 14.0, "of-pool", wide, detail)
        yield from _kinds(kinds, area.inside(1.5, _TITLE if label else 0.0), money)
        yield label


def _kinds(kinds: Mapping[tuple[str, str], Sequence[tuple[MapNode, float]]], area: Box, money: _Money) -> Iterator[Markup]:
    for sized, (nodes, inside) in zip(kinds.values(), _boxes(kinds, area), strict=True):
        for (node, _), box in zip(sized, treemap([size for _, size in sized], inside), strict=True):
            yield _cell(node, box, money)
        yield _labels(nodes, inside, money)


def _title_width(pool: str, area: Box) -> int:
    """Return how wide the map has to be for the name of a NodePool, 0 where no width suffices."""
    return _wide_enough(pool or _OTHERS, area) if area.height > 3 * _TITLE else 0


def _boxes(
    kinds: Mapping[tuple[str, str], Sequence[tuple[MapNode, float]]], area: Box
) -> Iterator[tuple[Sequence[MapNode], Box]]:
    """Yield the nodes of each kind of a NodePool with their part of its area."""
    for nodes, part in zip(kinds.values(), treemap([_of_kind(nodes) for nodes in kinds.values()], area), strict=True):
        yield [node for node, _ in nodes], part.inside(1.0)


def _cell(node: MapNode, box: Box, money: _Money) -> Markup:
    cell = Markup('<g class="cell"{}><rect {} class="f{} c{} m{}"/>{}<title>{}</title></g>')
    at = _at(box)
    hatch = (
        Markup("") if node.price or not money.is_priced else Markup('<rect {} class="hatch" fill="url(#hatch)"/>').format(at)
    )
    to = Markup(' data-to="{}"').format(node.row) if node.row else Markup("")
    return cell.format(to, at, _level(node.most), _level(node.cpu), _level(node.memory), hatch, visible(_words(node, money)))


def _at(box: Box) -> Markup:
    position = Markup('x="{:.2f}%" y="{:.1f}" width="{:.2f}%" height="{:.1f}"')
    return position.format(box.x / _WIDTH * 100, box.y, box.width / _WIDTH * 100, box.height)


def _level(part: float | None) -> str:
    return "-" if part is None else str(sum(part >= level for level in _LEVELS))


def _words(node: MapNode, money: _Money) -> str:
    price = "price unknown" if node.price is None else f"{money.month(node.price)}{node.mark} a month"
    fills = f"cpu {percent(node.cpu)}, memory {percent(node.memory)}"
    kind = f"{node.node_pool} {_kind(node.count, node)} {node.capacity_type}".strip()
    return f"{kind}: {price}; {fills}" if money.is_priced else f"{kind}: {fills}"


def _kind(count: int, node: MapNode) -> str:
    return f"{count:,} × {node.instance_type}" if count > 1 else node.instance_type


def _labels(nodes: Sequence[MapNode], box: Box, money: _Money) -> Markup:
    """Return the names of some nodes of one type at the corner of their part, as many lines as fit it."""
    first, (named, _) = nodes[0], _name_width(nodes, box)
    price, fill = _price(nodes), _mean(nodes, lambda node: node.most)
    if not named:
        return Markup("")
    lines = (named, first.capacity_type, " ".join(filter(None, (money.month(price), percent(fill)))))
    drawn, least = [], 0
    for number, text in enumerate(lines, 1):
        wide = _wide_enough(text, box)
        if box.height < number * _LINE + 4 or not wide:
            break
        least = max(wide, least)
        drawn.append(_label(text, box, number * _LINE, "kind" if number == 1 else "detail", least))
    return Markup("").join(drawn)


def _name_width(nodes: Sequence[MapNode], box: Box) -> tuple[str, int]:
    """Return the name of some nodes of one type, and how wide the map has to be to show it; empty and 0 where it never fits."""
    first, count = nodes[0], sum(node.count for node in nodes)
    texts = (_kind(count, first), first.instance_type) if box.height >= _LINE + 4 else ()
    return next(((text, wide) for text in texts if (wide := _wide_enough(text, box))), ("", 0))


def _wide_enough(text: str, box: Box) -> int:
    """Return how wide the map has to be, in steps, for a part of it to have room for a text; 0 if no width suffices."""
    if not text or not box.width:
        return 0
    wide = math.ceil((len(shorten(visible(text), _LONGEST)) * _LETTER + 10) * _WIDTH / box.width / _STEP)
    return wide if wide <= _WIDEST // _STEP else 0


def _label(text: str, box: Box, down: float, kind: str, wide: int, detail: Markup | str = "") -> Markup:
    """Return a label at the left of a part, which is shown if the map is wide enough."""
    label = Markup('<text class="{} w{}" x="{:.2f}%" y="{:.1f}" dx="5">{}{}</text>')
    return label.format(kind, wide, box.x / _WIDTH * 100, box.y + down, shorten(visible(text), _LONGEST), detail)


def _price(nodes: Iterable[MapNode]) -> float | None:
    known = [node.price for node in nodes if node.price is not None]
    return money_sum(known) if known else None


def _few_enough(nodes: Sequence[MapNode]) -> list[MapNode]:
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
    cpu, memory, extended = (_mean(alike, attrgetter(name)) for name in ("cpu", "memory", "extended"))
    count = sum(node.count for node in alike)
    return replace(alike[0], count=count, cpu=cpu, memory=memory, extended=extended, price=_price(alike))


def _mean(alike: Sequence[MapNode], of: Callable[[MapNode], float | None]) -> float | None:
    known = [(part, node.count) for node in alike if (part := of(node)) is not None]
    return math.fsum(part * count for part, count in known) / sum(count for _, count in known) if known else None
