"""The coming days on pages: a time strip as SVG, with a lane for each NodePool and a mark for each event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from markupsafe import Markup

from cutlist.core.wording import counted
from cutlist.disruption.timeline import ForcedRemoval
from cutlist.report.plain import instant, shorten, visible
from cutlist.verbs.budgets.answer import Upcoming
from cutlist.verbs.budgets.week import Week, weeks

_WIDTH: Final = 640
_MARGIN: Final = 24  # half of a label's width, on either side
_LANE: Final = 40  # a name, and the marks below it
_AXIS: Final = 26
_LETTERS: Final = 50  # of a lane's name
_LEAST: Final = 4  # smallest width of a mark in pixels, however short its event is
_TICKS: Final = 8
_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_STEPS: Final = (
    *(n * _MINUTE for n in (1, 2, 5, 10, 30)),
    *(n * _HOUR for n in (1, 3, 6, 12)),
    *(n * _DAY for n in (1, 2, 7, 14, 30, 90, 365)),
)


@dataclass(frozen=True, slots=True)
class Lane:
    """The events of one subject: begin and end of each, in seconds since 1970; equal for an event without duration."""

    name: str
    spans: tuple[tuple[float, float], ...]


def time_strip(lanes: Sequence[Lane], start: float, what: str) -> Markup:
    """Return the strip of all lanes from an instant on, with words for readers who cannot see it; past events are shown at its
    begin. Empty where all events are at the same time, which needs no picture."""
    if len({span for lane in lanes for span in lane.spans}) < 2:
        return Markup("")
    end = max([start + 10 * _MINUTE, *(until for lane in lanes for _, until in lane.spans)])
    height = _AXIS + _LANE * len(lanes) + 6
    events = sum(len(lane.spans) for lane in lanes)
    words = f"{what}: {counted(events, 'mark')} from {instant(start)} to {instant(end)}; the table below has each of them."
    drawn = [*_ticks(start, end, height), *(part for at, lane in enumerate(lanes) for part in _lane(at, lane, start, end))]
    frame = Markup('<svg class="strip" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>')
    return frame.format(_WIDTH, height, words, Markup("").join(drawn))


def _x(at: float, start: float, end: float) -> float:
    return _MARGIN + (max(at, start) - start) / (end - start) * (_WIDTH - 2 * _MARGIN)


def _ticks(start: float, end: float, height: int) -> Iterator[Markup]:
    step = next((step for step in _STEPS if (end - start) / step <= _TICKS), int((end - start) / _TICKS))
    at = -(-start // step) * step
    line = Markup('<line x1="{x:.1f}" x2="{x:.1f}" y1="{}" y2="{}"/><text x="{x:.1f}" y="{}" text-anchor="middle">{}</text>')
    while at <= end:
        label = datetime.fromtimestamp(at, UTC).strftime("%b %d" if step >= _DAY else "%H:%M")
        yield line.format(_AXIS - 4, height - 4, 16, label, x=_x(at, start, end))
        at += step


def _lane(number: int, lane: Lane, start: float, end: float) -> Iterator[Markup]:
    top = _AXIS + number * _LANE
    yield Markup('<text class="lane" x="0" y="{}">{}</text>').format(top + 16, shorten(visible(lane.name), _LETTERS))
    for at, until in lane.spans:
        x, last = _x(at, start, end), _x(until, start, end)
        x = min(x, _WIDTH - _MARGIN - _LEAST)
        box = Markup('<rect x="{:.1f}" y="{}" width="{:.1f}" height="{}" rx="2"/>')
        yield box.format(x, top + 22, max(last - x, _LEAST), _LANE - 24)


@dataclass(frozen=True, slots=True)
class RemovalGroup:
    """Nodes that are removed forcibly for the same reason at the same time; `first` has both."""

    first: ForcedRemoval
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UpcomingView:
    """The coming days, as pages show them: the week of disruption budgets and the nodes that are removed forcibly."""

    now: float
    weeks: tuple[Week, ...]
    removals: tuple[RemovalGroup, ...]
    strip: Markup

    @staticmethod
    def of(upcoming: Upcoming) -> UpcomingView:
        """Return the view of these days."""
        return UpcomingView(upcoming.now, weeks(upcoming.weeks), _removal_groups(upcoming.removals), _strip(upcoming))


def _removal_groups(removals: Sequence[ForcedRemoval]) -> tuple[RemovalGroup, ...]:
    groups: dict[ForcedRemoval, list[str]] = {}
    for removal in removals:
        groups.setdefault(replace(removal, node=""), []).append(removal.node)
    return tuple(RemovalGroup(first, tuple(nodes)) for first, nodes in groups.items())


def _strip(upcoming: Upcoming) -> Markup:
    pools = sorted({removal.pool for removal in upcoming.removals})
    lanes = [
        Lane(pool, tuple((r.at, r.at if r.latest is None else r.latest) for r in upcoming.removals if r.pool == pool))
        for pool in pools
    ]
    return time_strip(lanes, upcoming.now, "Nodes that are removed forcibly")
