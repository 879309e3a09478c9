"""The day from which calendars count: each edge passes its own, so that an answer can be had again."""

from __future__ import annotations

from datetime import date
from typing import Final

from cutlist.core.errors import InputError, Place

VARIABLE: Final = "CUTLIST_TODAY"
"""The variable of the environment that edges read in place of a clock."""
AHEAD: Final = 90
"""How many days before the end of a version's support answers begin to say so."""
A_DAY: Final = "a day such as 2026-12-31"


def day_of(text: str, place: Place) -> date:
    """Return a day that is written in ISO form. Raises InputError for anything else."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError.one(place, f"{text!r} is not a date", A_DAY) from None


def days_until(end: date, day: date) -> str:
    """Return in words how far a later day is off: `today`, `tomorrow`, `in 3 days`."""
    left = (end - day).days
    return "today" if left == 0 else "tomorrow" if left == 1 else f"in {left} days"
