"""The weeks of disruption budgets as a page."""

from __future__ import annotations

from cutlist.verbs.budgets.html import budgets_html
from tests.unit.report.forecasts import week
from tests.unit.report.pages import taken


def test_the_weeks_of_budgets_are_a_page_without_a_search_for_nothing():
    found = taken(budgets_html(week().weeks))
    assert "The week from 2026-01-05 00:00:00Z." in found.text
    assert "Mon-Fri 2 0 2 Sat-Sun 2" in found.text
    assert found.faults == []
