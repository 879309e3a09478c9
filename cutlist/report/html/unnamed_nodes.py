"""Nodes that a map has no room to name, as bars of what they cost."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from markupsafe import Markup

from cutlist.catalog.ranges import PriceRange
from cutlist.core.wording import counted
from cutlist.report.html.map_layout import (
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
)
from cutlist.report.html.texts import name
from cutlist.report.plain import percent, percentage

_MOST_BARS: Final = 12  # kinds that are listed at most because they have no name in the map


def unnamed_nodes(nodes: Iterable[MapNode], sign: str = "$", of: PriceRange | None = None) -> Markup:
    """Return the nodes that a map of them has no room to name, as bars of their prices, the most expensive first; empty where
    every name fits. The style sheet shows each where the map is too narrow for its name.
    """
    drawn = few_enough(list(nodes))
    money, whole = MapMoney.of(drawn, sign, of), math.fsum(node.price or 0.0 for node in drawn)
    unnamed = [(kind, wide) for kind, wide in _widths(sizes_of(drawn), height_of(drawn)) if wide != 1]
    if not unnamed:
        return Markup("")
    never, narrow = ([of for of in unnamed if bool(of[1]) is fits] for fits in (False, True))
    bars = Markup("").join(_bars(kinds, whole, money) for kinds in (never, narrow))
    frame = Markup('<div class="unnamed u{}"><p class="quiet">Without a name in the map:</p><ul class="bars">{}</ul></div>')
    return frame.format(0 if never else _widest(narrow), bars)


def _bars(kinds: Sequence[tuple[Sequence[MapNode], int]], whole: float, money: MapMoney) -> Markup:
    """Return the first kinds as bars, and how many more there are."""
    bars = Markup("").join(_bar(kind, wide, whole, money) for kind, wide in kinds[:_MOST_BARS])
    if more := kinds[_MOST_BARS:]:
        last = Markup('<li class="u{}">and {} in the table of nodes</li>')
        bars += last.format(_widest(more), counted(len(more), "more kind"))
    return bars


def _widest(kinds: Sequence[tuple[Sequence[MapNode], int]]) -> int:
    return max(wide for _, wide in kinds)


def _widths(pools: Sizes, height: float) -> Iterator[tuple[Sequence[MapNode], int]]:
    """Yield the nodes of each kind with how wide the map has to be to name them, 0 where no width suffices."""
    for of in pool_areas(pools, height):
        for nodes, box in boxes(of.kinds, of.inside):
            yield nodes, name_width(nodes, box)[1]


def _bar(nodes: Sequence[MapNode], wide: int, whole: float, money: MapMoney) -> Markup:
    first, price, fill = nodes[0], price_of(nodes), mean_of(nodes, lambda node: node.most)
    share = percentage(min((price or 0.0) / whole, 1.0)) if whole else 0
    mark = max(node.mark for node in nodes)
    count = sum(node.count for node in nodes)
    amount = counted(count, "node") if price is None else f"{money.month(price)}{mark}"
    kind = first.instance_type if price is None else kind_name(count, first)
    words = " ".join(filter(None, (kind, first.capacity_type, f"of {first.node_pool}" if first.node_pool else "")))
    bar = Markup('<li class="level share v{} u{}"><b>{}</b> {}<small>{}</small></li>')
    return bar.format(share, wide, amount, name(words), f"{percent(fill)} requested")
