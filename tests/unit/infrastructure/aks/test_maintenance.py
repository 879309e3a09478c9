"""Windows for upgrades: what AKS takes, under the names by which it knows them."""

from __future__ import annotations

import pytest

from cutlist.infrastructure.aks.maintenance import MaintenanceWindow, Upgrade, check_windows
from cutlist.infrastructure.aks.notes import AksNotes
from tests.unit.infrastructure.aks.facts import mistakes

SUNDAYS = {"start_time": "02:00", "day_of_week": "Sunday"}


def checked(key: str = "nodeImages", **window: object) -> list[str]:
    notes = AksNotes()
    check_windows({key: MaintenanceWindow(**window)}, notes)
    return mistakes(notes)


def test_windows_have_the_names_that_aks_looks_for():
    assert [upgrade.config_name for upgrade in Upgrade] == ["aksManagedNodeOSUpgradeSchedule", "aksManagedAutoUpgradeSchedule"]


@pytest.mark.parametrize(
    ("window", "schedule"),
    [
        (SUNDAYS, {"weekly": {"dayOfWeek": "Sunday", "intervalWeeks": 1}}),
        ({"start_time": "23:59", "every_days": 2}, {"daily": {"intervalDays": 2}}),
    ],
)
def test_a_window_comes_weekly_or_daily(window, schedule):
    assert checked(**window) == []
    assert MaintenanceWindow(**window).schedule == schedule


@pytest.mark.parametrize(
    ("key", "window", "message"),
    [
        (
            "nodeImage",
            SUNDAYS,
            "windows.nodeImage: unknown value 'nodeImage'; allowed: nodeImages, kubernetes; did you mean nodeImages?",
        ),
        ("nodeImages", {**SUNDAYS, "start_time": "24:00"}, "windows.nodeImages.startTime: '24:00'"),
        ("nodeImages", {**SUNDAYS, "duration_hours": 3}, "windows.nodeImages.durationHours: 3 hours; allowed: 4 to 24"),
        ("nodeImages", {**SUNDAYS, "utc_offset": "CET"}, "windows.nodeImages.utcOffset: 'CET'"),
        ("nodeImages", {**SUNDAYS, "day_of_week": "sunday"}, "windows.nodeImages.dayOfWeek: unknown value 'sunday'"),
        ("nodeImages", {**SUNDAYS, "every_weeks": 5}, "windows.nodeImages.everyWeeks: every 5 weeks; allowed: 1 to 4"),
        ("nodeImages", {**SUNDAYS, "every_days": 1}, "windows.nodeImages: exactly one of dayOfWeek and everyDays"),
        ("nodeImages", {"start_time": "02:00"}, "windows.nodeImages: exactly one of"),
        ("nodeImages", {"start_time": "02:00", "every_days": 0}, "windows.nodeImages.everyDays: every 0 days; allowed: 1 to 7"),
        ("kubernetes", {"start_time": "02:00", "every_days": 1}, "windows.kubernetes.everyDays: a daily window for upgrades"),
        ("nodeImages", {**SUNDAYS, "start_date": "2026-13-01"}, "windows.nodeImages.startDate: '2026-13-01' is not a date"),
        (
            "nodeImages",
            {**SUNDAYS, "not_allowed": [("2026-12-31", "2026-12-24")]},
            "windows.nodeImages.notAllowed[0]: 2026-12-24 is before",
        ),
    ],
)
def test_a_window_that_aks_refuses_is_reported(key, window, message):
    [text] = checked(key, **window)
    assert text.startswith(message)
