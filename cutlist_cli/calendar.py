"""The day from which calendars count in a call: that of its option, else that of `$CUTLIST_TODAY`, else today in UTC."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime

from cutlist.core.days import VARIABLE, day_of
from cutlist.core.errors import Place
from cutlist.core.setting import Setting


def chosen_day(setting: Setting, text: str | None) -> date:
    """Return the day of a setting, without one that of its variable, else today in UTC. Raises InputError for a text that is
    not a day."""
    if text is not None:
        return day_of(text, Place.of(setting))
    named = os.environ.get(VARIABLE)
    return day_of(named, Place(f"${VARIABLE}")) if named else datetime.now(UTC).date()


@contextmanager
def counted_from(day: date) -> Iterator[None]:
    """Let the programs of stacks that run meanwhile count from a day."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = day.isoformat()
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before
