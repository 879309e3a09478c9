"""Draw a number over time as a strip of shades for each name, such as pods that wait by workload. SVG in a page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from markupsafe import Markup

from cutlist.report.html.texts import name

_CELLS: Final = 120
"""Parts of a strip at most: each is an hour, or the mean of several."""
_LEVELS: Final = 4
_TIMES: Final = 5
_DAY: Final = 24  # hours
_HOUR: Final = 3600  # seconds


@dataclass(frozen=True, slots=True)
class Strip:
    """A name and its number in each hour, with words on all of them."""

    name: str
    values: Sequence[float]
    words: str


def heat_strips(strips: Sequence[Strip], start: float) -> Markup:
    """Return strips of hours from a start on, in seconds since 1970: the more, the darker, as parts of the most of any.

    They are as wide as there is room; names and words stand above each as text.
    """
    hours = max(len(strip.values) for strip in strips)
    most = max((value for strip in strips for value in strip.values), default=0.0) or 1.0
    drawn = Markup("").join(_strip(strip, hours, most) for strip in strips)
    return Markup('<div class="heat">{}{}</div>').format(drawn, _dates(start, hours))


def _strip(strip: Strip, hours: int, most: float) -> Markup:
    cell = Markup('<rect class="h{}" x="{:.2f}%" width="{:.2f}%" height="16"/>')
    runs = ((begins, min(ends, hours), level) for begins, ends, level in _runs(strip.values, math.ceil(hours / _CELLS), most))
    cells = (cell.format(level, begins / hours * 100, (ends - begins) / hours * 100) for begins, ends, level in runs)
    lane = Markup('<svg height="16" aria-hidden="true"><rect class="lane" width="100%" height="16"/>{}</svg>')
    return Markup("<p><b>{}</b> {}</p>{}").format(name(strip.name), strip.words, lane.format(Markup("").join(cells)))


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


def _dates(start: float, hours: int) -> Markup:
    step = max(1, math.ceil(hours / _DAY / _TIMES)) * _DAY if hours > 2 * _DAY else max(1, math.ceil(hours / _TIMES))
    text = Markup('<text x="{:.2f}%" y="14">{}</text>')
    times = ((hour, datetime.fromtimestamp(start + hour * _HOUR, UTC)) for hour in range(0, hours, step))
    texts = (
        text.format(hour / hours * 100, f"{time:%b} {time.day}" if hours > 2 * _DAY else f"{time:%H:%M}")
        for hour, time in times
    )
    return Markup('<svg height="18" aria-hidden="true">{}</svg>').format(Markup("").join(texts))
