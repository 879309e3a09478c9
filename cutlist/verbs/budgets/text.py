"""A week of disruption budgets as text: for each day and hour, how many nodes may be disrupted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Final

from cutlist.core.wording import counted
from cutlist.disruption.budget_calendar import BudgetCalendar
from cutlist.report.page import BAD, HEADING, QUIET, WARN, Page
from cutlist.settings.budgets import NODES
from cutlist.verbs.budgets.week import (
    CHANGES,
    HOURS,
    HourLimit,
    days,
    grouped,
    hour_name,
    hour_text,
    named_together,
    windows_in_words,
)

_LABEL: Final = 9
_CELL: Final = 3
_PARTS: Final = (HOURS, 12, 6, 4)  # hours per line on a narrow page
_ANY: Final = "*"


def render_budgets(calendars: Sequence[BudgetCalendar], width: int = 100, colour: bool = False) -> str:
    """Return each NodePool with its week, hours in UTC, and what is unusual about its budgets. Ends in a newline."""
    page = Page(width)
    for calendar in calendars:
        page.blank()
        start = datetime.fromtimestamp(calendar.start, UTC).strftime("%Y-%m-%d %H:%MZ")
        nodes = "" if calendar.nodes is None else f", {counted(calendar.nodes, 'node')}"
        page.line((f"NodePool {calendar.pool}", HEADING), f"{nodes}, week from {start}")
        for week, reasons in grouped(calendar):
            page.line("  ", (", ".join(reasons), QUIET))
            _week(page, calendar, week)
            if windows := windows_in_words(calendar, reasons[0], "any"):
                page.paragraph("; ".join(windows), first="  windows ", indent=10)
        for oddity in calendar.oddities:
            page.paragraph(oddity, first="  - ", indent=4, style=WARN)
    page.blank()
    words = "How many nodes may be disrupted at any time in the hour (* for any number), less those disrupted or unready."
    if any(of.changes for calendar in calendars for week, _ in grouped(calendar) for of in week):
        words += f" {CHANGES} marks an hour in part of which more may be disrupted: see the windows."
    if any(calendar.nodes is None for calendar in calendars):
        words += f" Percentages are of the NodePool's nodes, rounded up; {NODES.flag} N gives numbers."
    page.paragraph(words, style=QUIET)
    return page.text(colour=colour)


def _week(page: Page, calendar: BudgetCalendar, week: Sequence[HourLimit]) -> None:
    """Add a line for each day, identical days together; on a narrow page one for each part of a day."""
    cell = max(_CELL, 1 + max(len(hour_text(of, _ANY)) for of in week))
    part = next((hours for hours in _PARTS if page.width >= _LABEL + cell * hours + 2), _PARTS[-1])
    for first in range(0, HOURS, part):
        hours = "".join(f"{hour_name(calendar, hour):>{cell}}" for hour in range(first, first + part))
        page.line("  ".ljust(_LABEL), (hours, QUIET))
        for cells, alike in groupby(days(calendar, week), key=lambda d: d[1][first : first + part]):
            page.line(f"  {named_together(list(alike))}".ljust(_LABEL), *_cells(cells, cell))


def _cells(hours: Sequence[HourLimit], width: int) -> list[tuple[str, str]]:
    return [(f"{hour_text(of, _ANY):>{width}}", _style(of)) for of in hours]


def _style(of: HourLimit) -> str:
    return WARN if of.changes else BAD if of.limit.is_closed else ""
