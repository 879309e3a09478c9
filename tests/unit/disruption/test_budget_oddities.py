"""Tests of windows in the calendar of budgets, and of budgets that do not do what they seem to."""

from __future__ import annotations

from cutlist import Budget, NodePool
from cutlist.core.karpenter.baselines import BASELINES
from cutlist.disruption.budget_calendar import BudgetCalendar, budget_calendar
from cutlist.disruption.reasons import Reason
from cutlist.verbs.budgets.html import budgets_html
from cutlist.verbs.budgets.text import render_budgets
from tests.unit.disruption.builders import pool

MONDAY = 1767571200.0
TEN_MINUTES = (Budget(nodes="0", schedule="10 2 * * *", duration="23h50m"), Budget(nodes="10%"))
ONLY_LIMITED = (Budget(nodes="35%", schedule="0 1 * * mon", duration="4h"), Budget(nodes="35%", reasons=("Empty",)))


def week(own: NodePool, nodes: int | None = 20) -> BudgetCalendar:
    return budget_calendar(own, nodes, MONDAY)


def odd(*budgets: Budget, **fields: object) -> list[str]:
    return list(week(pool(budgets=budgets, **{"expire_after": "Never", **fields})).oddities)


def test_a_window_of_ten_minutes_marks_its_hour() -> None:
    calendar = week(pool(budgets=TEN_MINUTES))
    assert [hour for hour, changes in enumerate(calendar.changing(Reason.DRIFTED)) if changes] == [2 + 24 * d for d in range(7)]


def test_the_text_shows_the_mark_and_lists_the_window() -> None:
    text = render_budgets([week(pool(budgets=TEN_MINUTES))])
    assert "0  0 0+  0" in text
    assert "  windows Mon-Sun 02:00-02:10: 2; otherwise: 0\n" in text
    assert "+ marks an hour in part of which more may be disrupted" in " ".join(text.split())


def test_the_page_shows_the_mark_and_lists_the_window() -> None:
    page = budgets_html([week(pool(budgets=TEN_MINUTES))])
    assert ">0+</td>" in page
    assert "Windows: Mon-Sun 02:00-02:10: 2; otherwise: 0." in page
    legend = "+ marks an hour in part of which more may be disrupted"
    assert legend in page
    assert legend not in budgets_html([week(pool())])


def test_windows_over_midnight_and_over_days_say_where_they_end() -> None:
    text = render_budgets([week(pool(budgets=(Budget(nodes="10%"), Budget(nodes="0", schedule="0 22 * * *", duration="8h"))))])
    assert "Mon-Sat 22:00-06:00 next day: 0" in " ".join(text.split())
    text = render_budgets(
        [week(pool(budgets=(Budget(nodes="10%"), Budget(nodes="0", schedule="0 8 * * fri", duration="60h"))))]
    )
    assert "Fri 08:00 to Sun 20:00: 0" in text


def test_a_week_without_windows_lists_none() -> None:
    assert "windows" not in render_budgets([week(pool(budgets=(Budget(nodes="10%"),)))])


def test_a_budget_that_was_meant_as_a_window_says_that_the_rest_is_open() -> None:
    """Its reporter saw nodes drift on Thursday."""
    # D-30
    (said,) = odd(*ONLY_LIMITED)
    assert said.startswith("while no window is open, any number of nodes may be disrupted at a time for Drifted, Underutilized")
    assert 'add budgets of {nodes: "0"} for the rest' in said


def test_windows_that_only_freeze_say_that_the_default_is_missing() -> None:
    (said,) = odd(Budget(nodes="0", schedule="0 9 * * mon-fri", duration="8h"))
    assert 'add {nodes: "10%"} without a schedule' in said


def test_a_freeze_beside_a_limit_at_any_time_is_not_odd() -> None:
    assert odd(Budget(nodes="10%"), Budget(nodes="0", schedule="0 9 * * mon-fri", duration="8h")) == []


def test_expiry_in_closed_hours_is_named() -> None:  # D-74
    closed = (Budget(nodes="1"), Budget(nodes="0", schedule="0 8 * * fri", duration="74h"))
    (said,) = odd(*closed, expire_after="48h")
    assert said.startswith("expireAfter 48h ignores budgets: a node is removed when it is that old, in closed hours too")
    assert odd(Budget(nodes="1"), expire_after="48h") == []


def test_a_static_pool_without_room_for_a_replacement_is_named_with_the_limit_that_has_some() -> None:  # D-73, V15-29
    static = pool(replicas=2, limits={"nodes": 2}, expire_after="Never")
    new, old = (budget_calendar(static, 2, MONDAY, karpenter).oddities for karpenter in (BASELINES[-1], BASELINES[0]))
    assert new[0].endswith("unless the feature gate TerminateFirstDrift is on; a replacement comes first: set it to 3 or more")
    assert "TerminateFirstDrift" not in old[0]
    assert odd(Budget(nodes="100%"), replicas=2, limits={"nodes": 3}) == []
