"""Instance types as charts: what a vCPU and a GiB cost in each family, with the types of a plan marked. SVG, standalone or
inside a page."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from cutlist.core.labels import SPOT
from cutlist.core.wording import counted
from cutlist.planning.model import Plan, PoolTypes
from cutlist.report.estimates import currency_of
from cutlist.report.html.unit_prices import MEASURES, SHOWN, Family, Measure, Offer, charted_prices, families_of, family_name
from cutlist.report.plain import currency_unit, shorten, visible

_WIDTH: Final = 480  # of one chart; a NodePool has one for vCPU and one for GiB
_LEFT, _RIGHT, _TOP, _BOTTOM = 92, 118, 30, 38  # room for names, chosen types, the axis and the legend
_ROW: Final = 20
_LANE: Final = 4  # on-demand and spot stand this far from the middle of their row
_LABELS: Final = 6  # chosen types that are named
_LETTERS: Final = 16  # of a name
_GAP: Final = 24  # between two charts of one file
_TITLE: Final = 20
_STEPS: Final = (1, 2, 5)  # of an axis, in each power of ten
_COLOURS: Final = """
.chart{--ink:#1f2328;--quiet:#59636e;--rule:#d1d9e0;--demand:#0550ae;--spot:#9a5b00;--paper:#fff;font:12px system-ui,sans-serif}
@media (prefers-color-scheme:dark){.chart{--ink:#e6edf3;--quiet:#9198a1;--rule:#3d444d;--demand:#79b8ff;--spot:#e3a63a;
--paper:#0d1117}}
""".strip()
CHART_STYLE: Final = """
.chart text{fill:var(--quiet)}.chart .title,.chart .chosen{fill:var(--ink)}.chart .title{font-size:13px;font-weight:600}
.chart .chosen{font-weight:600}.chart line{stroke:var(--rule)}
.chart .points{fill:none;stroke-width:7;stroke-linecap:round}
.chart .demand{stroke:var(--demand)}.chart .spot{stroke:var(--spot);stroke-linecap:square;stroke-width:5}
.chart circle{fill:none;stroke:var(--ink);stroke-width:2}
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

    def taken(self, node_pool: str, instance_type: str) -> tuple[int, int]:
        """Return how many nodes of a NodePool became a type, on demand and as spot."""
        of_pool = self.by_pool.get(node_pool, {})
        return of_pool.get((instance_type, False), 0), of_pool.get((instance_type, True), 0)


@dataclass(frozen=True, slots=True)
class _Scale:
    """The axis of prices, logarithmic, from one step to another."""

    low: float
    high: float

    @staticmethod
    def of(prices: Iterable[float]) -> _Scale:
        """Return the scale that has all of these prices."""
        logs = [math.log10(price) for price in prices]
        low, high = math.floor(min(logs)), math.ceil(max(logs) + 1e-9)
        steps = [power + math.log10(step) for power in range(low - 1, high + 1) for step in _STEPS]
        return _Scale(max(s for s in steps if s <= min(logs) + 1e-9), min(s for s in steps if s > max(logs) + 1e-9))

    def x(self, price: float) -> float:
        """Return the position of a price."""
        return _LEFT + (math.log10(price) - self.low) / (self.high - self.low) * (_WIDTH - _LEFT - _RIGHT)

    def ticks(self) -> list[float]:
        """Return prices to name on the axis, at most six or so."""
        powers = range(math.floor(self.low) - 1, math.ceil(self.high) + 1)
        wide = self.high - self.low
        steps = _STEPS if wide <= 2 else (1,)
        prices = [step * 10.0**power for power in powers for step in steps]
        shown = [price for price in prices if self.low - 1e-9 <= math.log10(price) <= self.high + 1e-9]
        return shown[:: math.ceil(len(shown) / 6)]


def types_svg(pools: Sequence[PoolTypes], chosen: ChosenTypes) -> str:
    """Return the charts of NodePools below each other as one file, which loads nothing else. Ends in a newline."""
    placed, down = [], 0
    for pool in pools:
        charts = list(_charts(pool, chosen))
        if not charts:
            continue
        title = Markup('<text class="title" x="0" y="14">{}</text>').format(_title(pool, 100))
        sides = (
            Markup('<g transform="translate({} {})">{}</g>').format(at * _WIDTH, _TITLE, chart.drawn)
            for at, chart in enumerate(charts)
        )
        placed.append(Markup('<g transform="translate(0 {})">{}{}</g>').format(down, title, Markup("").join(sides)))
        down += _TITLE + max(chart.height for chart in charts) + _GAP
    nothing = Markup("") if placed else Markup('<text x="8" y="16">No instance type with a price is allowed.</text>')
    style = Markup(_COLOURS + CHART_STYLE)  # noqa: S704 - our own text
    width, height = len(MEASURES) * _WIDTH, max(down - _GAP, _GAP)
    whole = Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {} {}" width="{}" height="{}" role="img" '
        'aria-label="Instance types: price of a vCPU and of a GiB by family">\n<style>{}</style>\n'
        '<rect width="100%" height="100%" style="fill:var(--paper)"/>\n{}{}\n</svg>\n'
    ).format(width, height, width, height, style, Markup("\n").join(placed), nothing)
    return whole.encode("ascii", "xmlcharrefreplace").decode("ascii")


@dataclass(frozen=True, slots=True)
class PoolCharts:
    """The charts of a NodePool for a page, with a sentence on what they show."""

    title: str
    charts: tuple[Markup, ...]


def types_charts(pools: Sequence[PoolTypes], chosen: ChosenTypes) -> tuple[PoolCharts, ...]:
    """Return the charts of each NodePool that has types with a price."""
    frame = Markup('<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>')
    drawn = (
        PoolCharts(
            _title(pool, 60),
            tuple(frame.format(_WIDTH, c.height, _in_words(pool, c.unit, chosen), c.drawn) for c in _charts(pool, chosen)),
        )
        for pool in pools
    )
    return tuple(pool for pool in drawn if pool.charts)


def _title(pool: PoolTypes, letters: int) -> str:
    families = {family_name(row.name) for row in pool.types}
    unpriced = sum(not charted_prices(row) for row in pool.types)
    note = f", {counted(unpriced, 'type')} without a price left out" if unpriced else ""
    cut = f", of which the {SHOWN} cheapest are shown" if len(families) > SHOWN else ""
    name = shorten(visible(pool.node_pool), letters)
    return f"NodePool {name}: {counted(len(pool.types), 'type')} in {counted(len(families), 'family', 'families')}{cut}{note}"


def _in_words(pool: PoolTypes, unit: str, chosen: ChosenTypes) -> str:
    chosen_types = chosen.by_pool.get(pool.node_pool, {})
    listed = ", ".join(f"{count} of {visible(name)}" for (name, _), count in sorted(chosen_types.items())[:_LABELS])
    return (
        f"Price of a {unit} by family of the types that NodePool {visible(pool.node_pool)} allows. Chosen: {listed or 'none'}."
    )


@dataclass(frozen=True, slots=True)
class _Chart:
    unit: str
    height: int
    drawn: Markup


def _charts(pool: PoolTypes, chosen: ChosenTypes) -> Iterator[_Chart]:
    """Yield the chart of each measure; none if no type has a price."""
    chosen_types = chosen.by_pool.get(pool.node_pool, {})
    currency = currency_of(price for row in pool.types for price in (row.on_demand, row.spot))
    for measure in MEASURES:
        families = families_of(pool.types, measure, (name for name, _ in chosen_types))
        if families:
            yield _chart(measure, families, chosen_types, currency)


def _chart(measure: Measure, families: Sequence[Family], chosen_types: Mapping[tuple[str, bool], int], currency: str) -> _Chart:
    scale = _Scale.of(offer.price for family in families for offer in family.offers)
    height = _TOP + len(families) * _ROW + _BOTTOM
    parts = [
        _axis(measure, scale, height, currency_unit(currency)),
        _points(families, scale, is_spot=False),
        _points(families, scale, is_spot=True),
        *(_name(place, family, chosen_types) for place, family in enumerate(families)),
        *(_ring(place, o, scale) for place, f in enumerate(families) for o in f.offers if (o.name, o.is_spot) in chosen_types),
        _legend(height),
    ]
    return _Chart(measure.unit, height, Markup("").join(parts))


def _middle(place: int) -> int:
    return _TOP + place * _ROW + _ROW // 2


def _lane(place: int, *, is_spot: bool) -> int:
    return _middle(place) + (_LANE if is_spot else -_LANE)


def _axis(measure: Measure, scale: _Scale, height: int, currency: str) -> Markup:
    title = Markup('<text class="title" x="0" y="12">{}/hour of a {}</text>').format(currency, measure.unit)
    line = Markup('<line x1="{x:.1f}" x2="{x:.1f}" y1="{}" y2="{}"/><text x="{x:.1f}" y="{}" text-anchor="middle">{}</text>')
    ticks = (line.format(_TOP, height - _BOTTOM, _TOP - 4, f"{price:.12g}", x=scale.x(price)) for price in scale.ticks())
    return title + Markup("").join(ticks)


def _points(families: Sequence[Family], scale: _Scale, *, is_spot: bool) -> Markup:
    """Return one line for each family, from its cheapest to its most expensive size: a dot if they are the same."""
    lines = []
    for place, family in enumerate(families):
        prices = [offer.price for offer in family.offers if offer.is_spot is is_spot]
        if prices:
            first, last = scale.x(min(prices)), scale.x(max(prices))
            lines.append(f"M{first:.1f} {_lane(place, is_spot=is_spot)}h{max(last - first, 0.0):.1f}")
    kind = "spot" if is_spot else "demand"
    return Markup('<path class="points {}" d="{}"/>').format(kind, "".join(lines)) if lines else Markup("")


def _name(place: int, family: Family, chosen_types: Mapping[tuple[str, bool], int]) -> Markup:
    """Return the name of a family, and at the right how many nodes have a type of it."""
    counts: Counter[str] = Counter()
    for (name, _), count in chosen_types.items():
        if family_name(name) == family.name:
            counts[name] += count
    y = _middle(place) + 4
    text = Markup('<text{} x="{}" y="{}">{}</text>')
    kind = Markup(' class="chosen"') if counts else Markup("")
    name = text.format(kind, 0, y, shorten(visible(family.name), _LETTERS - 3))
    if not counts:
        return name
    (most, count), *others = counts.most_common()
    size = most.partition(".")[2] or most
    label = f"{counts.total():,} of {len(counts)} sizes" if others else f"{count:,} × {shorten(visible(size), _LETTERS - 5)}"
    return name + text.format(kind, _WIDTH - _RIGHT + 8, y, label)


def _ring(place: int, offer: Offer, scale: _Scale) -> Markup:
    circle = Markup('<circle cx="{:.1f}" cy="{}" r="5.5"/>')
    return circle.format(scale.x(offer.price), _lane(place, is_spot=offer.is_spot))


def _legend(height: int) -> Markup:
    """Return the meaning of lines and rings, below the chart."""
    y = height - _BOTTOM + 20
    line = Markup('<path class="points {}" d="M{} {}h0"/><text x="{}" y="{}">{}</text>')
    demand = line.format("demand", _LEFT + 4, y - 4, _LEFT + 14, y, "on-demand")
    spot = line.format("spot", _LEFT + 92, y - 4, _LEFT + 102, y, "spot")
    ring = Markup('<circle class="key" cx="{}" cy="{}" r="5.5"/><text x="{}" y="{}">of the plan</text>')
    return demand + spot + ring.format(_LEFT + 148, y - 4, _LEFT + 160, y)
