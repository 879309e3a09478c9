"""Nodes as a map on pages: areas are what they cost, colours how full they are, by NodePool and by type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from markupsafe import Markup

from cutlist.catalog.ranges import PriceRange
from cutlist.core.wording import counted
from cutlist.report.html.map_layout import (
    LINE,
    LONGEST,
    OTHERS,
    STEP,
    WIDEST,
    WIDTH,
    MapMoney,
    MapNode,
    Sizes,
    boxes,
    few_enough,
    height_of,
    kind_name,
    mean_of,
    name_width,
    pool_areas,
    price_of,
    sizes_of,
    wide_enough,
)
from cutlist.report.html.treemap import Box, treemap
from cutlist.report.plain import percent, shorten, visible

_LEVELS: Final = (0.25, 0.5, 0.75, 0.9)
MAP_STYLE: Final = "".join(
    f"@container (min-width:{width}px){{.treemap .w{width // STEP}{{display:inline}}.u{width // STEP}{{display:none}}}}"
    for width in range(STEP, WIDEST + 1, STEP)
)
"""Labels are shown where the map is wide enough for them, and bars where it is not."""
LEGEND: Final = ("below 25%", "25% to 50%", "50% to 75%", "75% to 90%", "90% and more")


def node_map(nodes: Iterable[MapNode], sign: str = "$", of: PriceRange | None = None) -> Markup:
    """Return the map of these nodes as SVG, with words for readers who cannot see it; the table has every node.

    Nodes of unknown price have the average size of the others, and are hatched. If no price is known, areas are numbers of
    nodes. `of` is the range of what all cost, which amounts are rounded by.
    """
    drawn = few_enough(list(nodes))
    if not drawn:
        return Markup("")
    sizes, is_priced, money = sizes_of(drawn), any(node.price for node in drawn), MapMoney.of(drawn, sign, of)
    words = (
        f"Map of {counted(sum(node.count for node in drawn), 'node')} in {counted(len(sizes), 'NodePool')}: "
        f"areas are {'prices' if is_priced else 'numbers of nodes'}, colours are fills; the table below has every node."
    )
    frame = Markup('<svg class="treemap by-most" height="{:.0f}" role="img" aria-label="{}">{}{}</svg>')
    height = height_of(drawn)
    return frame.format(height, words, _HATCH, Markup("").join(_pools(sizes, height, money)))


_HATCH: Final = Markup(
    '<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<line y2="7" stroke="currentColor" stroke-width="2"/></pattern></defs>'
)


def _pools(pools: Sizes, height: float, money: MapMoney) -> Iterator[Markup]:
    for of in pool_areas(pools, height):
        yield from _kinds(of.kinds, of.inside, money)
        if of.named:
            title = of.pool or OTHERS
            price = money.month(price_of(node for nodes in of.kinds.values() for node, _ in nodes))
            more = wide_enough(f"{title} {price}", of.area)
            has_price = price and more and len(pools) > 1  # that of all is no news
            detail = Markup('<tspan class="w{}"> {}</tspan>').format(more, price) if has_price else Markup("")
            yield _label(title, of.area, 14.0, "of-pool", of.named, detail)


def _kinds(kinds: Mapping[tuple[str, str], Sequence[tuple[MapNode, float]]], area: Box, money: MapMoney) -> Iterator[Markup]:
    for sized, (nodes, inside) in zip(kinds.values(), boxes(kinds, area), strict=True):
        for (node, _), box in zip(sized, treemap([size for _, size in sized], inside), strict=True):
            yield _cell(node, box, money)
        yield _labels(nodes, inside, money)


def _cell(node: MapNode, box: Box, money: MapMoney) -> Markup:
    cell = Markup('<g class="cell"{}><rect {} class="f{} c{} m{}"/>{}<title>{}</title></g>')
    at = _at(box)
    hatch = (
        Markup("") if node.price or not money.is_priced else Markup('<rect {} class="hatch" fill="url(#hatch)"/>').format(at)
    )
    to = Markup(' data-to="{}"').format(node.row) if node.row else Markup("")
    return cell.format(to, at, _level(node.most), _level(node.cpu), _level(node.memory), hatch, visible(_words(node, money)))


def _at(box: Box) -> Markup:
    position = Markup('x="{:.2f}%" y="{:.1f}" width="{:.2f}%" height="{:.1f}"')
    return position.format(box.x / WIDTH * 100, box.y, box.width / WIDTH * 100, box.height)


def _level(part: float | None) -> str:
    return "-" if part is None else str(sum(part >= level for level in _LEVELS))


def _words(node: MapNode, money: MapMoney) -> str:
    price = "price unknown" if node.price is None else f"{money.month(node.price)}{node.mark} a month"
    fills = f"cpu {percent(node.cpu)}, memory {percent(node.memory)}"
    kind = f"{node.node_pool} {kind_name(node.count, node)} {node.capacity_type}".strip()
    return f"{kind}: {price}; {fills}" if money.is_priced else f"{kind}: {fills}"


def _labels(nodes: Sequence[MapNode], box: Box, money: MapMoney) -> Markup:
    """Return the names of some nodes of one type at the corner of their part, as many lines as fit it."""
    first, (named, _) = nodes[0], name_width(nodes, box)
    price, fill = price_of(nodes), mean_of(nodes, lambda node: node.most)
    if not named:
        return Markup("")
    lines = (named, first.capacity_type, " ".join(filter(None, (money.month(price), percent(fill)))))
    drawn, least = [], 0
    for number, text in enumerate(lines, 1):
        wide = wide_enough(text, box)
        if box.height < number * LINE + 4 or not wide:
            break
        least = max(wide, least)
        drawn.append(_label(text, box, number * LINE, "kind" if number == 1 else "detail", least))
    return Markup("").join(drawn)


def _label(text: str, box: Box, down: float, kind: str, wide: int, detail: Markup | str = "") -> Markup:
    """Return a label at the left of a part, which is shown if the map is wide enough."""
    label = Markup('<text class="{} w{}" x="{:.2f}%" y="{:.1f}" dx="5">{}{}</text>')
    return label.format(kind, wide, box.x / WIDTH * 100, box.y + down, shorten(visible(text), LONGEST), detail)
