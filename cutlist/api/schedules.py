"""The cron expressions of disruption budgets: which ones the controller can read (spec: api-objects 1.4)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

DESCRIPTORS: Final = ("@annually", "@yearly", "@monthly", "@weekly", "@daily", "@midnight", "@hourly")

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
    """Why a budget's schedule cannot be read; empty when it can. An unreadable one blocks all disruption of its pool."""
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
