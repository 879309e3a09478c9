"""Draw choices by what they cost and what they risk: a labelled point for each, with a scale on both sides. SVG in a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from cutlist.report.plain import visible

_WIDTH: Final = 560
_HEIGHT: Final = 270
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 24, 40, 52
_NEAR: Final = 9.0  # units within which two points are one
_LINE: Final = 14.0
_LETTER: Final = 7.0


@dataclass(frozen=True, slots=True)
class Point:
    """A choice: its name, what it costs, what it risks, and the class of its colour."""

    name: str
    cost: float
    risk: float
    kind: str = "demand"


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A point where it is drawn, with the names of all that are there."""

    x: float
    y: float
    names: str
    kind: str


def points_chart(points: Sequence[Point], least: float, cost: Callable[[float], str], titles: tuple[str, str, str]) -> Markup:
    """Return the chart. `cost` writes an amount; no choice costs less than `least`, which the chart begins with. `titles` are
    those of the costs, the risks and the least."""
    costs, risks, of_least = titles
    high = max([*(point.cost for point in points), least * 1.01, 1e-9])
    most = max([*(point.risk for point in points), 1.0])

    def x(amount: float) -> float:
        return _LEFT + (amount - least) / (high - least or 1.0) * (_WIDTH - _LEFT - _RIGHT)

    def y(risk: float) -> float:
        return _HEIGHT - _BOTTOM - risk / most * (_HEIGHT - _TOP - _BOTTOM)

    bottom = _HEIGHT - _BOTTOM
    frame = Markup('<svg class="chart points" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>')
    parts = [
        Markup('<text class="title" x="0" y="14">{}</text>').format(risks),
        *(_level(y(risk), f"{risk:,.0f}") for risk in (0.0, most)),
        _tick(x(least), bottom, f"{cost(least)}: {of_least}", "start"),
        _tick(x(high), bottom, cost(high), "end"),
        Markup('<line class="least" x1="{x}" x2="{x}" y1="{}" y2="{}"/>').format(_TOP - 12, bottom, x=_LEFT),
        Markup('<text class="title" x="{}" y="{}" text-anchor="end">{}</text>').format(_WIDTH - _RIGHT, _HEIGHT - 6, costs),
        *_points(_together([_Drawn(x(p.cost), y(p.risk), visible(p.name), p.kind) for p in points])),
    ]
    words = "; ".join(f"{point.name}: {cost(point.cost)}, {point.risk:,.0f}" for point in points)
    return frame.format(_WIDTH, _HEIGHT, f"{costs} and {risks}: {visible(words)}", Markup("").join(parts))


def _level(y: float, text: str) -> Markup:
    line = Markup('<line x1="{}" x2="{}" y1="{y:.1f}" y2="{y:.1f}"/><text x="{}" y="{:.1f}" text-anchor="end">{}</text>')
    return line.format(_LEFT, _WIDTH - _RIGHT, _LEFT - 8, y + 4, text, y=y)


def _tick(x: float, bottom: float, text: str, anchor: str) -> Markup:
    return Markup('<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>').format(x, bottom + 18, anchor, text)


def _together(points: Sequence[_Drawn]) -> list[_Drawn]:
    """Return the points from the left; those that lie on one another are one with all their names."""
    drawn: list[_Drawn] = []
    for point in sorted(points, key=lambda of: (of.x, of.y)):
        near = next((n for n, of in enumerate(drawn) if abs(of.x - point.x) < _NEAR and abs(of.y - point.y) < _NEAR), None)
        if near is None:
            drawn.append(point)
        else:
            same = drawn[near]
            drawn[near] = _Drawn(same.x, same.y, f"{same.names}, {point.names}", same.kind)
    return drawn


def _points(points: Sequence[_Drawn]) -> list[Markup]:
    """Return each point with its label: to the right or the left of it, and lower where another label would lie under it."""
    taken: list[tuple[float, float, float]] = []
    drawn = []
    for point in points:
        wide = len(point.names) * _LETTER + 12
        is_left = point.x + wide > _WIDTH - 4
        start = point.x - wide if is_left else point.x
        down = point.y + 4
        while any(start < end and begin < start + wide and abs(down - at) < _LINE for begin, end, at in taken):
            down += _LINE
        taken.append((start, start + wide, down))
        mark = Markup(
            '<circle cx="{:.1f}" cy="{:.1f}" r="5" class="{}"/><text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>'
        )
        beside = point.x + (-9 if is_left else 9)
        drawn.append(mark.format(point.x, point.y, point.kind, beside, down, "end" if is_left else "start", point.names))
    return drawn
