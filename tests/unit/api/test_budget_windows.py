"""How many nodes the budgets of a NodePool let go at an instant."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist import Budget, Disruption, NodePool
from cutlist.api.budget_windows import UNLIMITED, allowed, is_active, readable
from cutlist.api.schedules import Schedule

OFFICE = Budget(nodes="0", schedule="0 9 * * mon-fri", duration="8h")
UNREADABLE = "0 9 * * 5-1"


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


MONDAY = at("2026-01-05T12:00:00")


def most(*budgets: Budget, reason: str = "Empty", nodes: int = 10, now: float = MONDAY) -> int:
    return allowed(NodePool(name="p", node_class="n", disruption=Disruption(budgets=budgets)), reason, nodes, now)


def test_nothing_written_is_a_tenth_and_an_empty_list_is_no_limit():
    """As the API server fills it in."""
    # D-26
    written = NodePool(name="p", node_class="n")
    assert allowed(written, "Empty", 20, MONDAY) == 2
    assert most() == UNLIMITED


@pytest.mark.parametrize(
    ("share", "nodes", "count"), [("10%", 1, 1), ("10%", 11, 2), ("10%", 19, 2), ("10%", 0, 0), ("100%", 7, 7), ("0%", 9, 0)]
)
def test_shares_round_up(share, nodes, count):
    """There is always one for a tenth of one."""
    # D-27, V-60
    assert most(Budget(nodes=share), nodes=nodes) == count


@pytest.mark.parametrize(
    ("time", "active"),
    [
        ("2026-01-05T08:59:59", False),
        ("2026-01-05T09:00:00", True),
        ("2026-01-05T16:59:59", True),
        ("2026-01-05T17:00:00", False),
        ("2026-01-04T12:00:00", False),
    ],
)
def test_a_window_has_its_first_second_and_not_its_end(time, active):
    """From nine for eight hours, on working days, in UTC; on a Sunday only where no days are named."""
    # D-32, V-59
    daily = Budget(nodes="0", schedule="0 9 * * *", duration="8h")
    assert is_active(daily, at(time)) is (active or time.startswith("2026-01-04"))
    assert is_active(OFFICE, at(time)) is active
    assert most(OFFICE, now=at(time)) == (0 if active else UNLIMITED)


def test_a_budget_out_of_its_window_counts_for_nothing():
    """The smallest of those that count is taken."""
    # D-30
    assert most(OFFICE, Budget(nodes="3"), now=at("2026-01-04T12:00:00")) == 3
    assert most(OFFICE, Budget(nodes="3")) == 0


def test_windows_that_overlap_are_one():
    """A window is open as long as one of its starts is not over."""
    hourly = Budget(nodes="0", schedule="@hourly", duration="90m")
    assert all(is_active(hourly, MONDAY + 60 * minute) for minute in range(300))


def test_a_budget_for_no_reason_holds_nothing_back():
    """An empty list of reasons names none; a missing one names all."""
    # D-33, V-62
    assert most(Budget(nodes="0", reasons=())) == UNLIMITED
    assert most(Budget(nodes="0")) == 0


def test_a_budget_counts_for_the_reasons_that_it_names():
    """And for no other."""
    # V-61
    only = Budget(nodes="0", reasons=("Drifted",))
    assert most(only, reason="Drifted") == 0
    assert most(only, reason="Empty") == UNLIMITED
    assert [most(Budget(nodes="5"), only, reason=reason) for reason in ("Empty", "Drifted")] == [5, 0]


def test_a_schedule_that_cannot_be_read_blocks_everything():
    """Also reasons that it does not name, and outside of any window."""
    # D-31
    broken = stored(schedule=UNREADABLE, duration="1h", reasons=("Drifted",), nodes="5")
    assert not readable(broken)
    assert allowed(with_budgets(broken, Budget(nodes="100%")), "Empty", 10, MONDAY) == 0


def stored(**fields) -> Budget:
    """A budget as an API server has it, whose rules let some schedules pass that nobody can read."""
    return Budget.model_construct(**fields)


class with_budgets:  # noqa: N801 - stands for a NodePool, of which only this is read
    """A NodePool with budgets past all rules."""

    def __init__(self, *budgets: Budget) -> None:
        self.disruption = Disruption.model_construct(budgets=budgets)


def test_a_schedule_that_never_fires_is_always_open():
    """The 30th of February keeps its budget in force."""
    assert is_active(Budget(nodes="0", schedule="0 0 30 2 *", duration="1h"), MONDAY)


FIELDS = st.tuples(
    st.sampled_from(["*", "0", "30", "*/7", "5,50", "10-20"]),
    st.sampled_from(["*", "0", "9", "*/6", "8-10", "22,23"]),
    st.sampled_from(["*", "?", "5", "*/2", "28-31"]),
    st.sampled_from(["*", "1", "jan-feb", "12"]),
    st.sampled_from(["*", "mon", "0", "sat,sun", "1-5/2"]),
).map(" ".join)


@given(FIELDS, st.integers(0, 3 * 24 * 60 - 1), st.integers(1, 400))
def test_a_budget_is_active_exactly_while_a_start_is_not_over(text, minute, length):
    """A scan of all minutes says the same."""
    # D-32
    now = at("2026-01-04T00:00:00") + 60 * minute
    schedule = Schedule.parse(text)
    starts = [now - 60 * before for before in range(length) if fires(schedule, now - 60 * before)]
    if schedule.next_after(now - 60 * length) is not None:
        assert is_active(Budget(nodes="0", schedule=text, duration=f"{length}m"), now) is bool(starts)


def fires(schedule: Schedule, instant: float) -> bool:
    moment = datetime.fromtimestamp(instant, UTC)
    days = moment.day in schedule.days, moment.isoweekday() % 7 in schedule.weekdays
    return (
        moment.minute in schedule.minutes
        and moment.hour in schedule.hours
        and moment.month in schedule.months
        and (any(days) if schedule.either_day else all(days))
    )
