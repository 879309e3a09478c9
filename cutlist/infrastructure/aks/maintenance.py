"""When AKS may upgrade a cluster and its nodes (spec: azure 1.7)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, Final

from cutlist.infrastructure.aks.notes import AksNotes

DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_TIME: Final = re.compile(r"([01]\d|2[0-3]):[0-5]\d")
_OFFSET: Final = re.compile(r"[+-](0\d|1[0-4]):[0-5]\d")
_HOURS: Final = range(4, 25)
_WEEKS: Final = range(1, 5)
_EVERY_DAYS: Final = range(1, 8)


class Upgrade(StrEnum):
    """The purpose of a window."""

    NODE_IMAGES = "nodeImages"
    KUBERNETES = "kubernetes"

    @property
    def config_name(self) -> str:
        """Return AKS's name of the purpose; a window with any other name has no effect."""
        return _CONFIG_NAMES[self]


_CONFIG_NAMES: Final = {
    Upgrade.NODE_IMAGES: "aksManagedNodeOSUpgradeSchedule",
    Upgrade.KUBERNETES: "aksManagedAutoUpgradeSchedule",
}


@dataclass(frozen=True, slots=True)
class MaintenanceWindow:
    """A recurring time, weekly on a day or every few days. Times are HH:MM at `utc_offset`, dates ISO dates.

    `not_allowed` are ranges of days, first and last, on which nothing is upgraded.
    """

    start_time: str
    duration_hours: int = 4
    day_of_week: str | None = None
    every_weeks: int = 1
    every_days: int | None = None
    utc_offset: str = "+00:00"
    start_date: str | None = None
    not_allowed: Sequence[tuple[str, str]] = ()

    @property
    def schedule(self) -> dict[str, Any]:
        """Return the recurrence in the form of AKS's API."""
        if self.every_days is not None:
            return {"daily": {"intervalDays": self.every_days}}
        return {"weekly": {"dayOfWeek": self.day_of_week, "intervalWeeks": self.every_weeks}}


def check_windows(windows: Mapping[str, MaintenanceWindow], notes: AksNotes) -> None:
    """Report windows that AKS would refuse."""
    for key, window in windows.items():
        path = f"windows.{key}"
        notes.one_of(path, key, Upgrade)
        _check_times(window, path, notes)
        _check_recurrence(key, window, path, notes)
        for n, span in enumerate(window.not_allowed):
            _check_span(span, f"{path}.notAllowed[{n}]", notes)


def _check_times(window: MaintenanceWindow, path: str, notes: AksNotes) -> None:
    if not _TIME.fullmatch(window.start_time):
        notes.refuse(f"{path}.startTime", f"{window.start_time!r} is not a time of day", "HH:MM, from 00:00 to 23:59")
    if window.duration_hours not in _HOURS:
        notes.refuse(f"{path}.durationHours", f"{window.duration_hours} hours", f"{_HOURS[0]} to {_HOURS[-1]}")
    if not _OFFSET.fullmatch(window.utc_offset):
        notes.refuse(f"{path}.utcOffset", f"{window.utc_offset!r} is not an offset", "an offset such as +05:30")
    if window.start_date is not None:
        _read_date(window.start_date, f"{path}.startDate", notes)


def _check_recurrence(key: str, window: MaintenanceWindow, path: str, notes: AksNotes) -> None:
    if (window.day_of_week is None) == (window.every_days is None):
        notes.refuse(path, "exactly one of dayOfWeek and everyDays is to be given")
    elif window.every_days is not None:
        if window.every_days not in _EVERY_DAYS:
            message = f"every {window.every_days} days"
            notes.refuse(f"{path}.everyDays", message, f"{_EVERY_DAYS[0]} to {_EVERY_DAYS[-1]}")
        if key == Upgrade.KUBERNETES:
            notes.refuse(f"{path}.everyDays", "a daily window for upgrades of Kubernetes", "dayOfWeek")
    else:
        notes.one_of(f"{path}.dayOfWeek", str(window.day_of_week), DAYS)
        if window.every_weeks not in _WEEKS:
            notes.refuse(f"{path}.everyWeeks", f"every {window.every_weeks} weeks", f"{_WEEKS[0]} to {_WEEKS[-1]}")


def _check_span(span: tuple[str, str], path: str, notes: AksNotes) -> None:
    first, last = (_read_date(text, path, notes) for text in span)
    if first and last and last < first:
        notes.refuse(path, f"{last} is before {first}")


def _read_date(text: str, path: str, notes: AksNotes) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        notes.refuse(path, f"{text!r} is not a date", "a date such as 2026-12-24")
        return None
