"""The cron expressions of disruption budgets: which ones the controller can read, and when they fire (spec: api-objects 1.4,
disruption 3.4). All times are UTC."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache
from itertools import count
from typing import Final, NamedTuple

DESCRIPTORS: Final = {
    "@annually": "0 0 1 1 *",
    "@yearly": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
_DAY: Final = 24 * 60  # minutes
_SECONDS: Final = 60.0 * _DAY
_FIRST_DAY: Final = date(1970, 1, 1).toordinal()
_YEARS: Final = 5  # a schedule that does not fire for this long counts as never firing

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS: Final = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_PART: Final = re.compile(r"(?:([*?])|([A-Za-z]+|[0-9]+)(?:-([A-Za-z]+|[0-9]+))?)(?:/([0-9]+))?", re.ASCII)


class _Field(NamedTuple):
    name: str
    low: int
    high: int
    names: tuple[str, ...] = ()


_FIELDS: Final = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day of month", 1, 31),
    _Field("month", 1, 12, _MONTHS),
    _Field("day of week", 0, 6, _DAYS),
)


def mistake(schedule: str) -> str:
    """Return why a budget's schedule cannot be read, or an empty string if it can.

    An unreadable one blocks all disruption of its pool.
    """
    if schedule.startswith("@"):
        return "" if schedule in DESCRIPTORS else f"{schedule!r} is not one of {', '.join(DESCRIPTORS)}"
    if schedule.startswith(("TZ=", "CRON_TZ=")):
        return "a schedule is always in UTC; a time zone in front of it cannot be read"
    words = schedule.split()
    if len(words) != len(_FIELDS):
        return f"{schedule!r} has {len(words)} fields instead of five: minute, hour, day of month, month, day of week"
    wrong = (_wrong_part(word, field) for word, field in zip(words, _FIELDS, strict=True))
    return next((text for text in wrong if text), "")


def _wrong_part(word: str, field: _Field) -> str:
    for part in word.split(","):
        match = _PART.fullmatch(part)
        if match is None:
            return f"{part!r} is not a {field.name}"
        _, first, last, step = match.groups()
        bounds = [_number(text, field) for text in (first, last) if text is not None]
        if any(number is None or not field.low <= number <= field.high for number in bounds):
            return f"{part!r} is not a {field.name}: it goes from {field.low} to {field.high}"
        if len(bounds) == 2 and (bounds[0] or 0) > (bounds[1] or 0):
            return f"{part!r} is not a {field.name}: its start is after its end"
        if step is not None and int(step) == 0:
            return f"{part!r} is not a {field.name}: its step is zero"
    return ""


def _number(text: str, field: _Field) -> int | None:
    if text.isdigit():
        return int(text)
    name = text.lower()
    return field.names.index(name) + field.low if name in field.names else None


@dataclass(frozen=True, slots=True)
class Schedule:
    """A readable cron expression: the values of each field at which it fires.

    If one of the two day fields is open, both have to match; if both are restricted, either one. `times` are the minutes
    of a day at which it fires, in order.
    """

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    either_day: bool
    times: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute the times of a day once, since they are needed often."""
        object.__setattr__(
            self, "times", tuple(60 * hour + minute for hour in sorted(self.hours) for minute in sorted(self.minutes))
        )

    @staticmethod
    def parse(text: str) -> Schedule:
        """Read an expression. Raises ValueError with the reason why it cannot be read."""
        wrong = mistake(text)
        if wrong:
            raise ValueError(wrong)
        words = DESCRIPTORS.get(text, text).split()
        minutes, hours, days, months, weekdays = (_values(word, field) for word, field in zip(words, _FIELDS, strict=True))
        return Schedule(minutes, hours, days, months, weekdays, not (_is_open(words[2]) or _is_open(words[4])))

    def next_after(self, instant: float) -> float | None:
        """Return the first time it fires after an instant, both in seconds since 1970, or None if that is not within five
        years."""
        days, minute = divmod(int(instant // 60) + 1, _DAY)
        day = date.fromordinal(_FIRST_DAY + days)
        last = day.year + _YEARS
        while day.year <= last:
            if self._fires_on(day) and (place := bisect_left(self.times, minute)) < len(self.times):
                return ((day.toordinal() - _FIRST_DAY) * _DAY + self.times[place]) * 60.0
            day, minute = day + timedelta(days=1), 0
        return None

    def last_until(self, instant: float, after: float) -> float | None:
        """Return the last time it fires up to an instant and after another one, in seconds since 1970, or None."""
        days, minute = divmod(int(instant // 60), _DAY)
        while days * _SECONDS > after - _SECONDS:
            place = bisect_right(self.times, minute) if self._fires_on(date.fromordinal(_FIRST_DAY + days)) else 0
            if place:
                fires = (days * _DAY + self.times[place - 1]) * 60.0
                return fires if fires > after else None
            days, minute = days - 1, _DAY
        return None

    def days_from(self, instant: float) -> Iterator[float]:
        """Yield the beginning of each day on which it fires, from the day of an instant on, without end."""
        for days in count(int(instant // _SECONDS)):
            if self._fires_on(date.fromordinal(_FIRST_DAY + days)):
                yield days * _SECONDS

    def between(self, start: float, end: float) -> Iterator[float]:
        """Yield when it fires after an instant and before another one, in seconds since 1970."""
        for days in range(int(start // _SECONDS), int(end // _SECONDS) + 1):
            if self._fires_on(date.fromordinal(_FIRST_DAY + days)):
                instants = (days * _SECONDS + 60.0 * minute for minute in self.times)
                yield from (instant for instant in instants if start < instant < end)

    def _fires_on(self, day: date) -> bool:
        if day.month not in self.months:
            return False
        of_month, of_week = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        return of_month or of_week if self.either_day else of_month and of_week


def _values(word: str, field: _Field) -> frozenset[int]:
    return frozenset(number for part in word.split(",") for number in _part_values(part, field))


def _part_values(part: str, field: _Field) -> range:
    span, _, step = part.partition("/")
    first, _, last = span.partition("-")
    low = field.low if first in ("*", "?") else _number(first, field) or 0
    whole = first in ("*", "?") or step
    high = (_number(last, field) or 0) if last else field.high if whole else low
    return range(low, high + 1, int(step or 1))


def _is_open(word: str) -> bool:
    """Tell whether a day field restricts nothing: `*` or `?`, also with a step of one."""
    return any(part in ("*", "?", "*/1", "?/1") for part in word.split(","))


@lru_cache(maxsize=1024)
def readable_schedule(text: str) -> Schedule | None:
    """Return the schedule in a text, or None for one that the controller cannot read."""
    try:
        return Schedule.parse(text)
    except ValueError:
        return None
