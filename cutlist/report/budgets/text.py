"""A week of disruption budgets as text: for each day and hour, how many nodes may be disrupted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Final

from cutlist.api.budget_windows import UNLIMITED
from cutlist.disruption.budget_calendar import BudgetCalendar
from cutlist.disruption.reasons import Reason
from cutlist.report.budgets.week import HOURS, days, hour_name, named_together
from cutlist.report.page import BAD, HEADING, QUIET, WARN, Page
from cutlist.report.plain import counted

_LABEL: Final = 9
_CELL: Final = 3
_HALF: Final = 12  # hours per line where the page is narrow
_ANY: Final = "*"


def render_budgets(calendars: Sequence[BudgetCalendar], width: int = 100, colour: bool = False) -> str:
    """Return each NodePool with its week, hours in UTC, and surprising effects of its budgets. Ends in a newline."""
    page = Page(width)
    for calendar in calendars:
        page.blank()
        start = datetime.fromtimestamp(calendar.start, UTC).strftime("%Y-%m-%d %H:%MZ")
        page.line((f"NodePool {calendar.pool}", HEADING), f", {counted(calendar.nodes, 'node')}, week from {start}")
        for week, reasons in groupby(Reason, key=calendar.by_hour):
            page.line("  ", (", ".join(reasons), QUIET))
            _week(page, calendar, week)
        for oddity in calendar.oddities:
            page.paragraph(oddity, first="  - ", indent=4, style=WARN)
    page.blank()
    words = "Nodes that may go at any time in the hour (* for any number), less those that are going or not ready."
    page.paragraph(words, style=QUIET)
    return page.text(colour=colour)


def _week(page: Page, calendar: BudgetCalendar, week: Sequence[int]) -> None:
    """Add a line for each day, equal days together; on a narrow page one for each half of a day."""
    part = HOURS if page.width >= _LABEL + _CELL * HOURS + 2 else _HALF
    for first in range(0, HOURS, part):
        hours = "".join(f"{hour_name(calendar, hour):>{_CELL}}" for hour in range(first, first + part))
        page.line("  ".ljust(_LABEL), (hours, QUIET))
        for cells, alike in groupby(days(calendar, week), key=lambda d: d[1][first : first + part]):
            page.line(f"  {named_together(list(alike))}".ljust(_LABEL), *_cells(cells))


def _cells(cells: Sequence[int]) -> list[tuple[str, str]]:
    return [(f"{_ANY if cell == UNLIMITED else cell:>{_CELL}}", BAD if cell == 0 else "") for cell in cells]
