"""Weeks that are drawn."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

from cutlist.simulation.demand.typical import TypicalWeek, typical_curves
from cutlist.simulation.events import DAY, HOUR
from cutlist.simulation.outside_events import ReplicasSet

MONDAY = datetime(2026, 11, 16, tzinfo=UTC).timestamp()
WEB, NIGHTLY = "deployment/web", "job/nightly"


def week(kind, replicas, seed=1):
    return typical_curves(TypicalWeek(kind), replicas, MONDAY, 7 * DAY, Random(seed))  # noqa: S311


def at(curves, workload, day, hour):
    return curves.replicas[workload].value_at(day * DAY + hour * HOUR) // 1000


def test_people_come_by_day_and_less_on_weekends():
    curves = week("web", {WEB: 100})
    assert 95 <= at(curves, WEB, 2, 15) <= 105
    assert 33 <= at(curves, WEB, 2, 3) <= 37
    assert 66 <= at(curves, WEB, 5, 15) <= 74
    assert len(curves.events()) > 400


def test_batches_run_at_night():
    curves = week("batch", {NIGHTLY: 50})
    assert [at(curves, NIGHTLY, 1, hour) > 0 for hour in (0, 1, 4, 5, 12)] == [False, True, True, False, False]


def test_a_mixed_week_has_both():
    curves = week("mixed", {WEB: 10, NIGHTLY: 10})
    assert at(curves, WEB, 1, 12) >= 8
    assert at(curves, NIGHTLY, 1, 12) == 0


def test_the_largest_workload_of_a_mixed_week_follows_people():
    """Whatever its name is."""
    curves = week("mixed", {"deployment/alone": 1, WEB: 12})
    assert at(curves, WEB, 1, 12) >= 10
    assert at(curves, "deployment/alone", 1, 12) == 0


def test_a_week_is_drawn_from_its_seed_and_by_workload():
    assert week("web", {WEB: 10}) == week("web", {WEB: 10})
    assert week("web", {WEB: 10}) != week("web", {WEB: 10}, seed=2)
    assert week("web", {WEB: 10}).replicas[WEB] == week("web", {WEB: 10, "deployment/a": 3}).replicas[WEB]
    assert week("web", {WEB: 0}).events() == (ReplicasSet(0, WEB, 0),)
    assert all(event.replicas == 1 for event in week("web", {WEB: 1}).events())
