"""A week of disruption budgets as a table: a row for days that are equal, a cell for hours that are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Final

from cutlist.api.budget_windows import UNLIMITED, Limit
from cutlist.disruption.budget_calendar import BudgetCalendar

HOURS: Final = 24
"""Number of hours in a day."""
_HOUR: Final = 3600
_DayHours = tuple[str, tuple[Limit, ...]]


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

    @property
    def is_constant(self) -> bool:
        """Tell whether the same number of nodes may be disrupted in every hour."""
        return len(self.days) == 1 and len(self.days[0].hours) == 1


def weeks(calendars: Sequence[BudgetCalendar]) -> tuple[Week, ...]:
    """Return the weeks of all NodePools; surprising effects are shown with the first week of each."""
    return tuple(week for calendar in calendars for week in _of_pool(calendar))


def _of_pool(calendar: BudgetCalendar) -> Iterator[Week]:
    starts = tuple(hour_name(calendar, hour) for hour in range(HOURS))
    for number, (by_hour, reasons) in enumerate(groupby(calendar.reasons, key=calendar.by_hour)):
        oddities = calendar.oddities if number == 0 else ()
        yield Week(calendar.pool, calendar.nodes, tuple(map(str, reasons)), starts, _days(calendar, by_hour), oddities)


def _days(calendar: BudgetCalendar, by_hour: Sequence[Limit]) -> tuple[Day, ...]:
    return tuple(
        Day(named_together(list(alike)), tuple(_hours(limit, len(list(same))) for limit, same in groupby(hours)))
        for hours, alike in groupby(days(calendar, by_hour), key=lambda day: day[1])
    )


def _hours(limit: Limit, length: int) -> Hours:
    return Hours(length, limit_text(limit, "any"), limit.is_closed)


def limit_text(limit: Limit, unlimited: str) -> str:
    """Return a limit in short: `4`, `10%`, or `5,10%` for the smaller of both."""
    count = "" if limit.count == UNLIMITED else str(limit.count)
    percent = "" if limit.percent is None else f"{limit.percent}%"
    if limit.is_closed:
        return "0"
    return ",".join(filter(None, (count, percent))) or unlimited


def days(calendar: BudgetCalendar, by_hour: Sequence[Limit]) -> list[_DayHours]:
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
