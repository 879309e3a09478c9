"""The cron expressions of disruption budgets."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.api.schedules import DESCRIPTORS, Schedule, mistake


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def after(schedule: str, instant: str) -> str | None:
    found = Schedule.parse(schedule).next_after(at(instant))
    return None if found is None else datetime.fromtimestamp(found, UTC).strftime("%a %Y-%m-%d %H:%M:%S")


@pytest.mark.parametrize(
    ("schedule", "instant", "fires"),
    [
        ("0 9 * * mon-fri", "2026-01-05T08:59:59", "Mon 2026-01-05 09:00:00"),
        ("0 9 * * mon-fri", "2026-01-05T09:00:00", "Tue 2026-01-06 09:00:00"),
        ("0 9 * * MON-FRI", "2026-01-09T09:00:00", "Mon 2026-01-12 09:00:00"),
        ("*/15 * * * *", "2026-01-05T09:14:59", "Mon 2026-01-05 09:15:00"),
        ("5/20 * * * *", "2026-01-05T09:00:00", "Mon 2026-01-05 09:05:00"),
        ("0 0 29 2 *", "2026-01-05T00:00:00", "Tue 2028-02-29 00:00:00"),
        ("0 0 1 Dec ?", "2026-01-05T00:00:00", "Tue 2026-12-01 00:00:00"),
        ("59 23 31 12 *", "2026-12-31T23:59:00", "Fri 2027-12-31 23:59:00"),
        ("@weekly", "2026-01-05T00:00:00", "Sun 2026-01-11 00:00:00"),
        ("@monthly", "2026-01-01T00:00:00", "Sun 2026-02-01 00:00:00"),
        ("@yearly", "2026-01-01T00:00:00", "Fri 2027-01-01 00:00:00"),
    ],
)
def test_when_a_schedule_fires_next(schedule, instant, fires):
    """Strictly after an instant, in UTC."""
    assert after(schedule, instant) == fires


def test_two_restricted_days_are_alternatives():
    """The 13th, or any Friday."""
    assert after("0 0 13 * fri", "2026-01-05T00:00:00") == "Fri 2026-01-09 00:00:00"
    assert after("0 0 13 * fri", "2026-01-09T00:00:00") == "Tue 2026-01-13 00:00:00"


@pytest.mark.parametrize("everyday", ["*", "?", "*/1"])
def test_an_open_day_restricts_nothing(everyday):
    """Then the other one alone decides."""
    assert after(f"0 0 13 * {everyday}", "2026-01-05T00:00:00") == "Tue 2026-01-13 00:00:00"
    assert after(f"0 0 {everyday} * fri", "2026-01-05T00:00:00") == "Fri 2026-01-09 00:00:00"


def test_every_second_day_is_a_restriction():
    """So a weekday beside it is an alternative."""
    assert after("0 0 */2 * sun", "2026-01-05T00:00:00") == "Wed 2026-01-07 00:00:00"
    assert after("0 0 */2 * sun", "2026-01-03T00:00:00") == "Sun 2026-01-04 00:00:00"


def test_a_day_that_never_comes():
    """Is looked for during five years."""
    assert after("0 0 30 2 *", "2026-01-05T00:00:00") is None


@pytest.mark.parametrize(
    ("schedule", "part"),
    [
        ("* * * * 7", "day of week: it goes from 0 to 6"),
        ("60 * * * *", "minute: it goes from 0 to 59"),
        ("0 0 0 * *", "day of month: it goes from 1 to 31"),
        ("0 9 * * 5-1", "its start is after its end"),
        ("*/0 * * * *", "its step is zero"),
        ("0 9 * * mon-", "is not a day of week"),
        ("0 9 * *", "has 4 fields instead of five"),
        ("0 0 9 * * 1", "has 6 fields instead of five"),
        ("TZ=Europe/Berlin 0 9 * * *", "always in UTC"),
        ("CRON_TZ=UTC 0 9 * * *", "always in UTC"),
        ("@reboot", "is not one of @annually"),
        ("@every 1h", "is not one of"),
    ],
)
def test_what_cannot_be_read_is_reported(schedule, part):
    """With the field and what is allowed."""
    # D-31
    assert part in mistake(schedule)
    with pytest.raises(ValueError, match=r".+"):
        Schedule.parse(schedule)


def field(low: int, high: int) -> st.SearchStrategy[str]:
    number = st.integers(low, high)
    spans = st.tuples(number, number).map(lambda two: f"{min(two)}-{max(two)}")
    stepped = st.tuples(st.one_of(st.just("*"), number.map(str), spans), st.integers(1, high)).map(lambda p: f"{p[0]}/{p[1]}")
    part = st.one_of(st.just("*"), number.map(str), spans, stepped)
    return st.lists(part, min_size=1, max_size=2).map(",".join)


EXPRESSIONS = st.one_of(
    st.sampled_from(sorted(DESCRIPTORS)),
    st.tuples(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6)).map(" ".join),
)
INSTANTS = st.integers(int(at("2025-12-30T00:00:00")), int(at("2026-03-02T00:00:00")))


@given(EXPRESSIONS, INSTANTS)
def test_a_schedule_fires_later_and_not_in_between(text, instant):
    """The next time is after the instant, on a whole minute, and from just before it the same."""
    schedule = Schedule.parse(text)
    found = schedule.next_after(instant)
    if found is not None:
        assert found > instant
        assert found % 60 == 0
        assert schedule.next_after(found - 1) == found
        assert schedule.next_after((instant + found) / 2) == found


@given(EXPRESSIONS, INSTANTS, INSTANTS)
def test_later_instants_never_have_earlier_next_times(text, one, two):
    """Time goes forward."""
    schedule = Schedule.parse(text)
    first, second = schedule.next_after(min(one, two)), schedule.next_after(max(one, two))
    if first is not None and second is not None:
        assert first <= second
