"""The day from which calendars count in a program: that of `$CUTLIST_TODAY`, else today in UTC."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime

from cutlist.core.days import VARIABLE, day_of
from cutlist.core.errors import Place


def today() -> date:
    """Return the day. Raises InputError if the variable does not hold one."""
    text = os.environ.get(VARIABLE)
    return day_of(text, Place(f"${VARIABLE}")) if text else datetime.now(UTC).date()
