"""The days and hours of a week of disruption budgets, as every view of it names them. All are in UTC."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from cutlist.disruption.budget_calendar import BudgetCalendar

HOURS: Final = 24
"""Hours of a day."""
_HOUR: Final = 3600
_Day = tuple[str, tuple[int, ...]]


def days(calendar: BudgetCalendar, by_hour: Sequence[int]) -> list[_Day]:
    """The weekdays in their order, each with how many nodes may go in each of its hours."""
    starts = range(0, len(by_hour), HOURS)
    return [(_named(calendar, start, "%a"), tuple(by_hour[start : start + HOURS])) for start in starts]


def hour_name(calendar: BudgetCalendar, hour: int) -> str:
    """The hour of the day that an hour of the week is."""
    return _named(calendar, hour, "%H")


def named_together(alike: Sequence[_Day]) -> str:
    """Days that follow each other and are alike: `Mon-Fri`."""
    (first, _), (last, _) = alike[0], alike[-1]
    return first if len(alike) == 1 else f"{first}-{last}"


def _named(calendar: BudgetCalendar, hour: int, form: str) -> str:
    return datetime.fromtimestamp(calendar.start + hour * _HOUR, UTC).strftime(form)
