"""Draw a number over time as a strip of shades for each name, such as pods that wait by workload. SVG inside a page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from markupsafe import Markup

from cutlist.report.plain import shorten, visible

_WIDTH: Final = 860
_LEFT: Final = 8
_NAME: Final = 18.0  # height of a name above its strip
_STRIP: Final = 16.0
_GAP: Final = 8.0
_BOTTOM: Final = 24.0
_CELLS: Final = 120
"""Parts of a strip at most: each is an hour, or the mean of several."""
_LEVELS: Final = 4
_LONGEST: Final = 80  # characters of a name
_TIMES: Final = 7
_HOUR: Final = 3600  # seconds


@dataclass(frozen=True, slots=True)
class Strip:
    """A name and its number in each hour, with words on all of them."""

    name: str
    values: Sequence[float]
    words: str


def heat_strips(title: str, strips: Sequence[Strip], start: float) -> Markup:
    """Return strips of hours from a start on, in seconds since 1970: the more, the darker, as parts of the most of any."""
    hours = max(len(strip.values) for strip in strips)
    each = math.ceil(hours / _CELLS)
    most = max((value for strip in strips for value in strip.values), default=0.0) or 1.0
    height = len(strips) * (_NAME + _STRIP + _GAP) + _BOTTOM
    words = "; ".join(f"{strip.name}: {strip.words}" for strip in strips)
    drawn = [_strip(strip, n * (_NAME + _STRIP + _GAP), each, hours, most) for n, strip in enumerate(strips)]
    frame = Markup('<svg class="heat" viewBox="0 0 {} {:.0f}" role="img" aria-label="{}">{}{}</svg>')
    return frame.format(_WIDTH, height, visible(f"{title}. {words}"), Markup("").join(drawn), _dates(start, hours, height))


def _strip(strip: Strip, top: float, each: int, hours: int, most: float) -> Markup:
    label = Markup('<text x="{}" y="{:.1f}"><tspan class="of">{}</tspan> {}</text>')
    lane = Markup('<rect class="lane" x="{}" y="{:.1f}" width="{}" height="{}"/>')
    at = top + _NAME
    parts = [
        label.format(_LEFT, top + 13, shorten(visible(strip.name), _LONGEST), strip.words),
        lane.format(_LEFT, at, _WIDTH - 2 * _LEFT, _STRIP),
    ]
    cell = Markup('<rect class="h{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}"/>')
    for begins, ends, level in _runs(strip.values, each, most):
        left, right = _x(begins, hours), _x(min(ends, hours), hours)
        parts.append(cell.format(level, left, at, right - left, _STRIP))
    return Markup("").join(parts)


def _runs(values: Sequence[float], each: int, most: float) -> list[tuple[int, int, int]]:
    """Return from when until when a strip has which level; times without any are left out, and equal neighbours are one."""
    runs: list[tuple[int, int, int]] = []
    for begins in range(0, len(values), each):
        part = values[begins : begins + each]
        mean = math.fsum(part) / len(part)
        level = math.ceil(mean / most * _LEVELS - 1e-9)
        if level and runs and runs[-1][1:] == (begins, level):
            runs[-1] = (runs[-1][0], begins + each, level)
        elif level:
            runs.append((begins, begins + each, level))
    return runs


def _x(hour: float, hours: int) -> float:
    return _LEFT + hour / hours * (_WIDTH - 2 * _LEFT)


def _dates(start: float, hours: int, height: float) -> Markup:
    step = max(1, math.ceil(hours / 24 / _TIMES)) * 24 if hours > 48 else max(1, math.ceil(hours / _TIMES))
    text = Markup('<text x="{:.1f}" y="{:.0f}">{}</text>')
    times = ((hour, datetime.fromtimestamp(start + hour * _HOUR, UTC)) for hour in range(0, hours, step))
    texts = [
        text.format(_x(hour, hours), height - 8, f"{time:%b} {time.day}" if hours > 48 else f"{time:%H:%M}")
        for hour, time in times
    ]
    return Markup("").join(texts)
