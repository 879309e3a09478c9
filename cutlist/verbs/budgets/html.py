"""Weeks of disruption budgets as a page."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.disruption.budget_calendar import BudgetCalendar
from cutlist.report.html.rendering import render
from cutlist.verbs.budgets.week import weeks


def budgets_html(calendars: Sequence[BudgetCalendar]) -> str:
    """Return each NodePool with its week, and surprising effects of its budgets."""
    return render("budgets/page.html.j2", weeks=weeks(calendars), start=min((c.start for c in calendars), default=None))
