"""Draw what each day costs as a line, with the first part of the time set apart. SVG inside a page."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from markupsafe import Markup

_WIDTH: Final = 560
_HEIGHT: Final = 230
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 24, 44, 30
_DAY: Final = 86_400  # seconds
_TIMES: Final = 6  # dates of the axis at most
_LEAST_BAND: Final = 3.0  # units, so that a short time is seen


@dataclass(frozen=True, slots=True)
class DayPoint:
    """A day, or what a run has of it: when it begins and ends, in days since the start, and what it costs at its rate."""

    begins: float
    ends: float
    cost: float


def days_chart(
    title: str, unit: str, days: Sequence[DayPoint], start: float, write: Callable[[float], str], apart: float, apart_words: str
) -> Markup:
    """Return the chart of days from a start on, in seconds since 1970. `apart` is how many days the part takes that is set
    apart, 0 for none, and `apart_words` what it is. `write` writes an amount."""
    length = max(day.ends for day in days)
    top = max(day.cost for day in days) or 1.0

    def x(day: float) -> float:
        return _LEFT + day / length * (_WIDTH - _LEFT - _RIGHT)

    def y(cost: float) -> float:
        return _HEIGHT - _BOTTOM - cost / top * (_HEIGHT - _TOP - _BOTTOM)

    points = [(x((day.begins + day.ends) / 2), y(day.cost), day) for day in days]
    line = " ".join(f"{left:.1f},{height:.1f}" for left, height, _ in points)
    costs = [day.cost for day in days]
    words = f"{title}, {unit}: from {write(min(costs))} to {write(max(costs))} in {len(days)} days"
    words += f"; {apart_words}" if apart else ""
    band = Markup('<rect class="apart" x="{}" y="{}" width="{:.1f}" height="{}"/><text x="{:.1f}" y="{}">{}</text>')
    wide = max(x(apart) - _LEFT, _LEAST_BAND)
    parts = [
        Markup('<text class="title" x="0" y="14">{}</text>').format(title),
        *(_level(y(cost), write(cost)) for cost in (0.0, top / 2, top)),
        band.format(_LEFT, _TOP, wide, _HEIGHT - _TOP - _BOTTOM, _LEFT + 2, _TOP - 12, apart_words) if apart else "",
        Markup('<polyline class="line" points="{}"/>').format(line),
        *(_dot(left, height, f"{_date(start + day.begins * _DAY)}: {write(day.cost)}") for left, height, day in points),
        *_dates(start, days, x),
    ]
    frame = Markup('<svg class="chart days" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>')
    return frame.format(_WIDTH, _HEIGHT, words, Markup("").join(parts))


def _level(y: float, text: str) -> Markup:
    line = Markup('<line x1="{}" x2="{}" y1="{y:.1f}" y2="{y:.1f}"/><text x="{}" y="{:.1f}" text-anchor="end">{}</text>')
    return line.format(_LEFT, _WIDTH - _RIGHT, _LEFT - 8, y + 4, text, y=y)


def _dot(x: float, y: float, words: str) -> Markup:
    return Markup('<circle class="demand" cx="{:.1f}" cy="{:.1f}" r="3"><title>{}</title></circle>').format(x, y, words)


def _dates(start: float, days: Sequence[DayPoint], x: Callable[[float], float]) -> list[Markup]:
    step = math.ceil(len(days) / _TIMES)
    text = Markup('<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>')
    return [text.format(x((day.begins + day.ends) / 2), _HEIGHT - 8, _date(start + day.begins * _DAY)) for day in days[::step]]


def _date(at: float) -> str:
    time = datetime.fromtimestamp(at, UTC)
    return f"{time:%b} {time.day}"
