"""Instance types as a chart: price against size, with the types of a plan marked. SVG, standalone or inside a page."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from markupsafe import Markup

from cutlist.core.labels import SPOT
from cutlist.core.quantity import NANO
from cutlist.core.values import dataclass
from cutlist.core.wording import counted
from cutlist.planning.model import Plan, PoolTypes, TypeRow
from cutlist.report.plain import shorten, visible

_WIDTH: Final = 720
_HEIGHT: Final = 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 170, 52, 40  # space for the labels around the points
_BESIDE: Final = 3.5
_LABELS: Final = 6  # chosen types that are named
_LINE: Final = 13  # between two labels
_GAP: Final = 24  # between two charts of one file
_COLOURS: Final = """
.chart{--ink:#1f2328;--quiet:#59636e;--rule:#d1d9e0;--demand:#0550ae;--spot:#9a5b00;--paper:#fff;font:12px system-ui,sans-serif}
@media (prefers-color-scheme:dark){.chart{--ink:#e6edf3;--quiet:#9198a1;--rule:#3d444d;--demand:#79b8ff;--spot:#e3a63a;
--paper:#0d1117}}
""".strip()
CHART_STYLE: Final = """
.chart text{fill:var(--quiet)}.chart .title,.chart .chosen{fill:var(--ink)}.chart .title{font-size:13px;font-weight:600}
.chart line{stroke:var(--rule)}.chart .points{fill:none;stroke-width:6;stroke-linecap:round;stroke-opacity:.6}
.chart .demand{stroke:var(--demand)}.chart .spot{stroke:var(--spot)}
.chart circle{fill:none;stroke:var(--ink);stroke-width:2}.chart .lead{stroke:var(--quiet)}
""".strip()
"""The style of charts inside a page, which defines the colours: ink, quiet, rule, demand, spot."""


@dataclass(frozen=True, slots=True)
class ChosenTypes:
    """How many nodes of each NodePool became which type, by `(instance type, is spot)`."""

    by_pool: Mapping[str, Mapping[tuple[str, bool], int]]

    @staticmethod
    def by_plan(plan: Plan) -> ChosenTypes:
        """Return the types that a plan chose."""
        counts: dict[str, Counter[tuple[str, bool]]] = {}
        for node in plan.nodes:
            counts.setdefault(node.node_pool, Counter())[node.instance_type, node.capacity_type == SPOT] += node.count
        return ChosenTypes(counts)


@dataclass(frozen=True, slots=True)
class _Point:
    x: float
    y: float
    name: str
    spot: bool


@dataclass(frozen=True, slots=True)
class _Scale:
    """Both axes, logarithmic: types double in size, and a price per cpu is then a straight line."""

    cpu: tuple[float, float]
    price: tuple[float, float]

    @staticmethod
    def of(points: Sequence[tuple[float, float]]) -> _Scale:
        """Return the scale that shows all of these sizes and prices."""
        sizes, prices = zip(*points, strict=True)
        low, high = math.floor(math.log2(min(sizes))), math.ceil(math.log2(max(sizes)))
        first, last = math.floor(math.log10(min(prices))), math.ceil(math.log10(max(prices)))
        return _Scale((low, max(high, low + 1)), (first, max(last, first + 1)))

    def x(self, cpu: float) -> float:
        """Return the position of a number of cores."""
        low, high = self.cpu
        return _LEFT + (math.log2(cpu) - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)

    def y(self, price: float) -> float:
        """Return the position of a price."""
        low, high = self.price
        return _HEIGHT - _BOTTOM - (math.log10(price) - low) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)


def types_svg(pools: Sequence[PoolTypes], chosen: ChosenTypes) -> str:
    """Return the charts of NodePools below each other as one file, which loads nothing else. Ends in a newline."""
    charts = [chart for chart in (_chart(pool, chosen) for pool in pools) if chart]
    height = max(len(charts) * (_HEIGHT + _GAP) - _GAP, _GAP)
    placed = Markup("\n").join(
        Markup('<g transform="translate(0 {})">{}</g>').format(number * (_HEIGHT + _GAP), chart)
        for number, chart in enumerate(charts)
    )
    nothing = Markup("") if charts else Markup('<text x="8" y="16">No instance type with a price is allowed.</text>')
    style = Markup(_COLOURS + CHART_STYLE)  # noqa: S704 - our own text
    whole = Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {} {}" width="{}" height="{}" role="img" '
        'aria-label="Instance types: price against size">\n<style>{}</style>\n'
        '<rect width="100%" height="100%" style="fill:var(--paper)"/>\n{}{}\n</svg>\n'
    ).format(_WIDTH, height, _WIDTH, height, style, placed, nothing)
    return whole.encode("ascii", "xmlcharrefreplace").decode("ascii")


def types_charts(pools: Sequence[PoolTypes], chosen: ChosenTypes) -> tuple[Markup, ...]:
    """Return a chart for each NodePool that has types with a price, for a page."""
    frame = Markup('<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>')
    drawn = ((pool, _chart(pool, chosen)) for pool in pools)
    return tuple(frame.format(_WIDTH, _HEIGHT, _in_words(pool, chosen), chart) for pool, chart in drawn if chart)


def _in_words(pool: PoolTypes, chosen: ChosenTypes) -> str:
    chosen_types = chosen.by_pool.get(pool.node_pool, {})
    listed = ", ".join(f"{count} of {visible(name)}" for (name, _), count in sorted(chosen_types.items())[:_LABELS])
    return f"Price against size of the types that NodePool {visible(pool.node_pool)} allows. Chosen: {listed or 'none'}."


def _chart(pool: PoolTypes, chosen: ChosenTypes) -> Markup:
    """Return the contents of a chart; empty where no type has a price."""
    offers = [(row, price, spot) for row in pool.types for price, spot in _prices(row)]
    if not offers:
        return Markup("")
    scale = _Scale.of([(row.cpu / NANO, price) for row, price, _ in offers])
    points = [_point(scale, row, price, spot) for row, price, spot in offers]
    chosen_types = chosen.by_pool.get(pool.node_pool, {})
    marked = [p for p in points if (p.name, p.spot) in chosen_types]
    unpriced = sum(not _prices(row) for row in pool.types)
    note = f", {counted(unpriced, 'type')} without a price left out" if unpriced else ""
    title = f"NodePool {shorten(visible(pool.node_pool), 60)}: {counted(len(pool.types), 'type')}{note}"
    return Markup("").join(
        [
            Markup('<text class="title" x="0" y="14">{}</text>').format(title),
            _axes(scale),
            _points([p for p in points if not p.spot], "demand"),
            _points([p for p in points if p.spot], "spot"),
            _marks(marked, chosen_types),
            _legend(),
        ]
    )


def _point(scale: _Scale, row: TypeRow, price: float, spot: bool) -> _Point:
    beside = _BESIDE if spot else -_BESIDE  # so that neither hides the other
    return _Point(scale.x(row.cpu / NANO) + beside, scale.y(price), row.name, spot)


def _prices(row: TypeRow) -> list[tuple[float, bool]]:
    """Return the prices that a logarithm can show, each with whether it is a spot price."""
    return [(price, spot) for price, spot in ((row.on_demand, False), (row.spot, True)) if price and row.cpu > 0]


def _axes(scale: _Scale) -> Markup:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    drawn = []
    first, last = scale.price
    for power in range(int(first), int(last) + 1):
        y = scale.y(10**power)
        drawn.append(Markup('<line x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>').format(_LEFT, right, y, y))
        label = f"${10**power:,}" if power >= 0 else f"${10**power:.{-power}f}"
        drawn.append(Markup('<text x="{}" y="{:.1f}" text-anchor="end">{}</text>').format(_LEFT - 8, y + 4, label))
    low, high = scale.cpu
    step = max(1, math.ceil((high - low) / 10))
    for power in range(int(low), int(high) + 1, step):
        label = f"{2**power}" if power >= 0 else f"1/{2**-power}"
        text = Markup('<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>')
        drawn.append(text.format(scale.x(2**power), bottom + 17, label))
    drawn.append(Markup('<text x="{}" y="{}" text-anchor="middle">vCPU</text>').format((_LEFT + right) / 2, _HEIGHT - 6))
    drawn.append(Markup('<text x="{}" y="{}" text-anchor="end">$/hour</text>').format(_LEFT - 8, _TOP - 14))
    return Markup("").join(drawn)


def _points(points: Sequence[_Point], kind: str) -> Markup:
    # One path of zero-length dots: thousands of circles would be megabytes.
    spots = sorted({(round(p.x), round(p.y)) for p in points})
    path = "".join(f"M{x} {y}h0" for x, y in spots)
    return Markup('<path class="points {}" d="{}"/>').format(kind, path) if path else Markup("")


def _marks(marked: Sequence[_Point], chosen_types: Mapping[tuple[str, bool], int]) -> Markup:
    """Return rings around the chosen types, the most used ones named at the right edge, from top to bottom without overlap."""
    drawn = [Markup('<circle cx="{:.1f}" cy="{:.1f}" r="5.5"/>').format(p.x, p.y) for p in marked]
    named = sorted(marked, key=lambda p: (-chosen_types[p.name, p.spot], p.name))[:_LABELS]
    at, x = float(_TOP), _WIDTH - _RIGHT + 14
    for point in sorted(named, key=lambda p: (p.y, p.name)):
        y = at = max(at, min(point.y + 4, _HEIGHT - _BOTTOM - _LINE * len(named)))
        lead = Markup('<path class="lead" fill="none" stroke-dasharray="2 3" d="M{:.1f} {:.1f}L{} {:.1f}"/>')
        drawn.append(lead.format(point.x + 6, point.y, x - 4, y - 4))
        label = f"{chosen_types[point.name, point.spot]:,} × {shorten(visible(point.name), 18)}"
        drawn.append(Markup('<text class="chosen" x="{}" y="{:.1f}">{}</text>').format(x, y, label))
        at += _LINE
    return Markup("").join(drawn)


def _legend() -> Markup:
    """Return the meaning of the dots, below the names of the chosen types."""
    x, y = _WIDTH - _RIGHT + 24, _HEIGHT - _BOTTOM + 17
    entry = Markup('<path class="points {}" d="M{} {}h0"/><text x="{}" y="{}">{}</text>')
    entries = (("demand", "on-demand", 0), ("spot", "spot", 16))
    return Markup("").join(entry.format(kind, x, y + down - 4, x + 10, y + down, name) for kind, name, down in entries)
