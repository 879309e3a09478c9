"""Tests of the limits of budgets over a time: the same at each instant as Karpenter has them then, and no more work for windows
that open by the minute."""

from __future__ import annotations

from random import Random

import pytest

from cutlist import Budget, NodePool
from cutlist.api.budget_windows import limits_by_reason, next_change
from cutlist.disruption.budget_calendar import WEEK, budget_calendar, frozen_since, open_time, week_spans
from cutlist.disruption.limits_over_time import LimitsOverTime
from cutlist.disruption.reasons import Reason
from tests.unit.disruption.builders import pool
from tools.benchmarks.growth_calls import calls_of

MONDAY = 1767571200.0
DAY, HOUR = 24 * 3600.0, 3600.0
EACH_MINUTE = Budget(nodes="0", schedule="* * * * *", duration="1000000h")


def _budget(random: Random) -> Budget:
    minute, hour = random.choice(("0", "7,30", "*/20", "*")), random.choice(("*", "9", "*/6", "1-5", "22"))
    day, month = random.choice(("*", "*", "1", "31")), random.choice(("*", "*", "jan", "feb"))
    weekday = random.choice(("*", "*", "mon-fri", "sat"))
    lengths = ("0m", "1m", "20m", "1h", "2h10m", "24h", "168h", "9000h")
    window = {"schedule": f"{minute} {hour} {day} {month} {weekday}", "duration": random.choice(lengths)}
    reasons = random.choice((None, (), ("Drifted",), ("Empty", "Drifted")))
    nodes = random.choice(("0", "5", "10%", "0%", "100%"))
    return Budget(nodes=nodes, reasons=reasons, **(window if random.random() < 0.85 else {}))


def _of_random(seed: int) -> NodePool:
    random = Random(seed)  # noqa: S311 - no secret is made of it
    return pool(budgets=tuple(_budget(random) for _ in range(random.randint(0, 4))))


@pytest.mark.parametrize("seed", range(40))
def test_the_limits_are_those_of_each_instant(seed: int):
    """On both sides of each change, and in the middle between two."""
    # D-30, D-32, D-33
    of, start = _of_random(seed), MONDAY + (0.0, 5 * HOUR, 12_345.5)[seed % 3]
    spans = list(LimitsOverTime(of, Reason).spans(start, start + 2 * DAY))
    assert [span.end for span in spans] == [*(span.start for span in spans[1:]), start + 2 * DAY]
    for span in spans:
        for instant in (span.start, (span.start + span.end) / 2, span.end - 0.001):
            assert span.limits == limits_by_reason(of, Reason, instant), instant


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_a_calendar_has_each_change_of_a_window(seed: int):
    of, at, changes = _of_random(seed), MONDAY, [MONDAY]
    while (change := next_change(of, at)) is not None and change < MONDAY + WEEK:
        at = change
        changes.append(at)
    spans = budget_calendar(of, 20, MONDAY).spans
    assert [span.start for span in spans] == changes
    assert all(span.limits == limits_by_reason(of, tuple(Reason), span.start) for span in spans)


def test_a_window_that_opens_again_before_it_closes_is_one():
    assert [(span.start, span.end) for span in week_spans(pool(budgets=(EACH_MINUTE,)), MONDAY)] == [(MONDAY, MONDAY + WEEK)]


@pytest.mark.parametrize("number", [1, 50])
def test_windows_of_every_minute_are_not_opened_each_minute(number: int):
    """However many budgets have them. The minutes of a day are looked at once, and those of a week or a year never."""
    of = pool(budgets=(EACH_MINUTE,) * number)
    assert calls_of(lambda: week_spans(of, MONDAY)) < 2 * 24 * 60 + 100 * number
    assert calls_of(lambda: frozen_since(of, Reason.DRIFTED, MONDAY, 60 * DAY)) < 2 * 24 * 60 + 100 * number


def test_each_of_two_thousand_minutes_is_not_a_change():
    """A pool that is closed on weekdays is not frozen for two months, though its window opens each minute of them."""
    weekdays = pool(budgets=(Budget(nodes="0", schedule="* * * * mon-fri", duration="1h"),))
    assert frozen_since(weekdays, Reason.DRIFTED, MONDAY, 3 * DAY) == MONDAY
    assert frozen_since(weekdays, Reason.DRIFTED, MONDAY, 60 * DAY) is None
    weekend = 2 * DAY - 59 * 60
    assert open_time(weekdays, Reason.DRIFTED, MONDAY, 10 * weekend) == 10 * weekend
