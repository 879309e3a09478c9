"""A week of disruption budgets as a table: a row for days that are equal, a cell for hours that are; and its windows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Final, NamedTuple

from cutlist.api.budget_windows import UNLIMITED, Limit
from cutlist.disruption.budget_calendar import BudgetCalendar, Window
from cutlist.disruption.reasons import Reason

HOURS: Final = 24
"""Number of hours in a day."""
_HOUR: Final = 3600
_DAY: Final = 24 * 3600.0
CHANGES: Final = "+"
"""Marks an hour in a part of which more nodes may be disrupted."""
_MOST_WINDOWS: Final = 12


class HourLimit(NamedTuple):
    """The least limit of an hour, and whether a part of the hour has a higher one."""

    limit: Limit
    changes: bool


_DayHours = tuple[str, tuple[HourLimit, ...]]


@dataclass(frozen=True, slots=True)
class Hours:
    """A number of hours in which the same number of nodes may be disrupted."""

    length: int
    allowed: str
    is_closed: bool


@dataclass(frozen=True, slots=True)
class Day:
    """A day, or several that are equal: `Mon-Fri`."""

    name: str
    hours: tuple[Hours, ...]


@dataclass(frozen=True, slots=True)
class Week:
    """The week of a NodePool for reasons with the same allowance; `starts` names each of the 24 hours of a day."""

    pool: str
    nodes: int | None
    reasons: tuple[str, ...]
    starts: tuple[str, ...]
    days: tuple[Day, ...]
    oddities: tuple[str, ...]
    windows: tuple[str, ...] = ()

    @property
    def is_constant(self) -> bool:
        """Tell whether the same number of nodes may be disrupted all the time."""
        return not self.windows

    @property
    def has_changes(self) -> bool:
        """Tell whether an hour is marked, because more nodes may be disrupted in a part of it."""
        return any(hours.allowed.endswith(CHANGES) for day in self.days for hours in day.hours)


def weeks(calendars: Sequence[BudgetCalendar]) -> tuple[Week, ...]:
    """Return the weeks of all NodePools; surprising effects are shown with the first week of each."""
    return tuple(week for calendar in calendars for week in _of_pool(calendar))


def _of_pool(calendar: BudgetCalendar) -> Iterator[Week]:
    starts = tuple(hour_name(calendar, hour) for hour in range(HOURS))
    for number, (hours, reasons) in enumerate(grouped(calendar)):
        oddities = calendar.oddities if number == 0 else ()
        windows = windows_in_words(calendar, reasons[0], "any")
        yield Week(calendar.pool, calendar.nodes, tuple(map(str, reasons)), starts, _days(calendar, hours), oddities, windows)


def grouped(calendar: BudgetCalendar) -> list[tuple[tuple[HourLimit, ...], list[Reason]]]:
    """Return the hours of the week with the reasons that have the same limits at all times."""
    groups = [list(reasons) for _, reasons in groupby(calendar.reasons, key=calendar.windows)]
    return [(_hour_limits(calendar, reasons[0]), reasons) for reasons in groups]


def _hour_limits(calendar: BudgetCalendar, reason: Reason) -> tuple[HourLimit, ...]:
    return tuple(map(HourLimit, calendar.by_hour(reason), calendar.changing(reason)))


def _days(calendar: BudgetCalendar, by_hour: Sequence[HourLimit]) -> tuple[Day, ...]:
    return tuple(
        Day(named_together(list(alike)), tuple(_hours(of, len(list(same))) for of, same in groupby(hours)))
        for hours, alike in groupby(days(calendar, by_hour), key=lambda day: day[1])
    )


def _hours(of: HourLimit, length: int) -> Hours:
    return Hours(length, hour_text(of, "any"), of.limit.is_closed and not of.changes)


def hour_text(of: HourLimit, unlimited: str) -> str:
    """Return the limit of an hour in short, marked where a part of it has a higher one."""
    return limit_text(of.limit, unlimited) + CHANGES * of.changes


def windows_in_words(calendar: BudgetCalendar, reason: Reason, unlimited: str) -> tuple[str, ...]:
    """Return when another number of nodes may be disrupted than most of the time, those at the same times of several days
    together, and at last what applies otherwise; nothing if the number is the same all week."""
    windows = calendar.windows(reason)
    if len(windows) == 1:
        return ()
    lengths: dict[Limit, float] = {}
    for window in windows:
        lengths[window.limit] = lengths.get(window.limit, 0.0) + window.end - window.start
    usual = max(lengths, key=lambda limit: lengths[limit])
    daily: dict[tuple[float, float, Limit], list[Window]] = {}
    for window in windows:
        if window.limit != usual:
            daily.setdefault(((window.start - calendar.start) % _DAY, window.end - window.start, window.limit), []).append(
                window
            )
    lines = [f"{_when(alike)}: {limit_text(limit, unlimited)}" for (_, _, limit), alike in daily.items()]
    more = [f"and {len(lines) - _MOST_WINDOWS:,} more"] if len(lines) > _MOST_WINDOWS else []
    return (*lines[:_MOST_WINDOWS], *more, f"otherwise: {limit_text(usual, unlimited)}")


def _when(alike: Sequence[Window]) -> str:
    """Return the days and times of windows that begin at the same time of the day and are equally long."""
    first = alike[0]
    start, end = (datetime.fromtimestamp(at, UTC) for at in (first.start, first.end))
    if first.end - first.start > _DAY:
        return f"{start:%a %H:%M} to {end:%a %H:%M}"
    until = "24:00" if end.hour == end.minute == 0 else f"{end:%H:%M}{' next day' * (end.day != start.day)}"
    days = [round((window.start - first.start) / _DAY) for window in alike]
    names = [f"{datetime.fromtimestamp(window.start, UTC):%a}" for window in alike]
    is_run = days == list(range(len(days))) and len(days) > 1
    return f"{f'{names[0]}-{names[-1]}' if is_run else ', '.join(names)} {start:%H:%M}-{until}"


def limit_text(limit: Limit, unlimited: str) -> str:
    """Return a limit in short: `4`, `10%`, or `5,10%` for the smaller of both."""
    count = "" if limit.count == UNLIMITED else str(limit.count)
    percent = "" if limit.percent is None else f"{limit.percent}%"
    if limit.is_closed:
        return "0"
    return ",".join(filter(None, (count, percent))) or unlimited


def days(calendar: BudgetCalendar, by_hour: Sequence[HourLimit]) -> list[_DayHours]:
    """Return the weekdays in order, each with how many nodes may be disrupted in each of its hours."""
    starts = range(0, len(by_hour), HOURS)
    return [(_named(calendar, start, "%a"), tuple(by_hour[start : start + HOURS])) for start in starts]


def hour_name(calendar: BudgetCalendar, hour: int) -> str:
    """Return the hour of the day for an hour of the week."""
    return _named(calendar, hour, "%H")


def named_together(alike: Sequence[_DayHours]) -> str:
    """Return the name of consecutive days that are equal: `Mon-Fri`."""
    (first, _), (last, _) = alike[0], alike[-1]
    return first if len(alike) == 1 else f"{first}-{last}"


def _named(calendar: BudgetCalendar, hour: int, form: str) -> str:
    return datetime.fromtimestamp(calendar.start + hour * _HOUR, UTC).strftime(form)
