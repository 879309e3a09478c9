"""Draw a number of each hour as a chart of stacked areas, in steps. SVG inside a page.

The page's script zooms in on a part of the time: it changes the view of what is drawn and writes the times again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from markupsafe import Markup

from cutlist.report.plain import shorten, visible

_WIDTH: Final = 560
_HEIGHT: Final = 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 24, 44, 28
_LETTER: Final = 7.5  # units that a letter of the legend takes at most
_LINES: Final = 4  # horizontal lines at most
_LABEL: Final = 64  # least number of units between two times of the axis
_LONGEST: Final = 18  # letters of a layer's name
_HOUR: Final = 3600
_DAY: Final = 24
_STEPS: Final = (1, 2, 3, 6, 12, 24, 48, 96, 168, 336, 672)  # hours between two times of the axis
HOURS_STYLE: Final = (
    ".chart .layer{stroke:var(--paper,Canvas);stroke-width:.5;vector-effect:non-scaling-stroke}"
    ".chart .layer.demand{fill:var(--demand)}.chart .layer.spot{fill:var(--spot)}"
) + "".join(f".chart .o{n}{{fill-opacity:{0.9 / (n + 1):.2f}}}" for n in range(4))
"""The style of such charts, beside that of the other ones: layers of a kind become lighter."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A part of what a chart shows: its name, whether it is bought as spot, and its value in each hour."""

    name: str
    is_spot: bool
    values: Sequence[float]


def hours_chart(title: str, unit: str, layers: Sequence[Layer], start: float) -> Markup:
    """Return a chart of the hours from a start on, in seconds since 1970; the first layer is at the bottom."""
    hours = max((len(layer.values) for layer in layers), default=0)
    totals = [math.fsum(layer.values[hour] for layer in layers) for hour in range(hours)]
    step = _step(max(totals, default=0.0))
    top = step * max(1, math.ceil(max(totals, default=0.0) / step - 1e-9))
    frame = Markup(
        '<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}" data-start="{:.0f}" data-hours="{}">{}</svg>'
    )
    parts = [
        _title(title, unit),
        _values(top, step),
        _plot(_layers(layers, hours, top)),
        _times(start, hours),
        _legend(layers),
    ]
    return frame.format(_WIDTH, _HEIGHT, _in_words(title, unit, totals), start, hours, Markup("").join(parts))


def _title(title: str, unit: str) -> Markup:
    """Return the title with its unit, unless it is the title itself: `Nodes` are counted in nodes."""
    beside = Markup('<tspan class="unit">, {}</tspan>').format(unit) if unit != title.lower() else ""
    return Markup('<text class="title" x="0" y="14">{}{}</text>').format(title, beside)


def _plot(layers: Sequence[Markup]) -> Markup:
    """Return what is drawn in its own view, which clips everything outside."""
    box = _LEFT, _TOP, _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    view = Markup(
        '<svg class="plot" x="{}" y="{}" width="{}" height="{}" viewBox="{} {} {} {}" preserveAspectRatio="none">{}</svg>'
    )
    return view.format(*box, *box, Markup("").join(layers))


def _in_words(title: str, unit: str, totals: Sequence[float]) -> str:
    if not totals:
        return f"{title}: no hours."
    return f"{title}, {unit}: from {min(totals):,.2f} to {max(totals):,.2f}, {math.fsum(totals) / len(totals):,.2f} on average."


def _step(most: float) -> float:
    """Return the distance of the horizontal lines: 1, 2 or 5 times a power of ten."""
    if most <= 0:
        return 1.0
    rough = most / _LINES
    power = 10 ** math.floor(math.log10(rough))
    return float(next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9)))


def _x(hour: float, hours: int) -> float:
    return _LEFT + hour / max(hours, 1) * (_WIDTH - _LEFT - _RIGHT)


def _y(value: float, top: float) -> float:
    return _HEIGHT - _BOTTOM - value / top * (_HEIGHT - _TOP - _BOTTOM)


def _values(top: float, step: float) -> Markup:
    places = max(0, -math.floor(math.log10(step)))
    line = Markup('<line x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/><text x="{}" y="{:.1f}" text-anchor="end">{}</text>')
    lines = range(round(top / step) + 1)
    at = [(number * step, _y(number * step, top)) for number in lines]
    return Markup("").join(line.format(_LEFT, _WIDTH - _RIGHT, y, y, _LEFT - 8, y + 4, f"{v:,.{places}f}") for v, y in at)


def _layers(layers: Sequence[Layer], hours: int, top: float) -> list[Markup]:
    below = [0.0] * hours
    drawn = []
    for layer, shade in zip(layers, _shades(layers), strict=True):
        above = [b + v for b, v in zip(below, layer.values, strict=True)]
        if any(layer.values):
            path = f"M{_x(0, hours):.1f} {_y(above[0], top):.1f}{_stairs(above, hours, top)}"
            path += f"V{_y(below[-1], top):.1f}{_stairs_back(below, hours, top)}Z"
            kind = "spot" if layer.is_spot else "demand"
            drawn.append(Markup('<path class="layer {} o{}" d="{}"/>').format(kind, shade, path))
        below = above
    return drawn


def _stairs(values: Sequence[float], hours: int, top: float) -> str:
    return "".join(f"V{_y(value, top):.1f}H{_x(hour + 1, hours):.1f}" for hour, value in enumerate(values))


def _stairs_back(values: Sequence[float], hours: int, top: float) -> str:
    return "".join(f"V{_y(values[hour], top):.1f}H{_x(hour, hours):.1f}" for hour in reversed(range(hours)))


def _shades(layers: Sequence[Layer]) -> list[int]:
    """Return for each layer how many layers of its kind are below it, three at most."""
    return [min(3, sum(other.is_spot == layer.is_spot for other in layers[:n])) for n, layer in enumerate(layers)]


def _times(start: float, hours: int) -> Markup:
    room = (_WIDTH - _LEFT - _RIGHT) / max(hours, 1)
    step = next((step for step in _STEPS if step * room >= _LABEL), _STEPS[-1])
    text = Markup('<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>')
    at = (
        (hour, datetime.fromtimestamp(start + hour * _HOUR, UTC))
        for hour in range(-int(start // _HOUR) % step, hours + 1, step)
    )
    labels = ((hour, f"{time:%b} {time.day}" if step >= _DAY else f"{time:%H:%M}") for hour, time in at)
    texts = Markup("").join(text.format(_x(hour, hours), _HEIGHT - 8, label) for hour, label in labels)
    return Markup('<g class="times">{}</g>').format(texts)


def _legend(layers: Sequence[Layer]) -> Markup:
    entry = Markup('<rect class="layer {} o{}" x="{:.0f}" y="21" width="10" height="10"/><text x="{:.0f}" y="30">{}</text>')
    named = [(layer, shade) for layer, shade in zip(layers, _shades(layers), strict=True) if any(layer.values)]
    drawn, x = [], float(_LEFT)
    for number, (layer, shade) in enumerate(named):
        name, others = shorten(visible(layer.name), _LONGEST), len(named) - number - 1
        wide = _wide(name)
        is_last = others > 0 and x + wide + _wide(named[number + 1][0].name) + _wide(" and 10 more") > _WIDTH
        text = f"{name} and {others} more" if is_last else name
        drawn.append(entry.format("spot" if layer.is_spot else "demand", shade, x, x + 15, text))
        if is_last:
            break
        x += wide
    return Markup("").join(drawn)


def _wide(name: str) -> float:
    """Return the width of an entry of the legend."""
    return min(len(name), _LONGEST) * _LETTER + 30
