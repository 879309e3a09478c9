"""Means of runs and their differences."""

from __future__ import annotations

import pytest

from cutlist.simulation.comparison import Interval, RunNumbers, difference_of, summary_of
from cutlist.simulation.events import MINUTE
from cutlist.simulation.outside_events import ReplicasSet
from tests.unit.simulation.builders import group, inputs, simulation


def run(seed: int, usd: float, evictions: dict[str, int] | None = None) -> RunNumbers:
    by_workload = evictions or {}
    return RunNumbers(seed, usd, usd * 10, sum(by_workload.values()), by_workload, 1.0, 2.0, 0)


def test_an_interval_is_that_of_student():
    """Ten values: nine degrees of freedom."""
    interval = Interval.of([9.0, 10.0, 11.0, 9.0, 10.0, 11.0, 9.0, 10.0, 11.0, 10.0])
    assert interval.mean == 10
    assert interval.margin == pytest.approx(2.262 * (6 / 9) ** 0.5 / 10**0.5)
    assert Interval.of([5.0]) == Interval(5.0, None, 1)
    assert Interval.of([1.0, 3.0] * 50).margin == pytest.approx(1.98422 * (100 / 99) ** 0.5 / 10, rel=1e-4)
    assert not Interval.of([5.0]).is_certain
    assert Interval.of([5.0, 6.0, 5.5]).is_certain
    assert not Interval.of([-5.0, 6.0, 5.5]).is_certain


def test_clusters_are_compared_seed_by_seed():
    """Weeks differ by a hundred dollars, the clusters by ten in each of them."""
    mine = [run(seed, 100.0 * seed) for seed in (1, 2, 3)]
    other = [run(seed, 100.0 * seed - 10, {"job/batch": seed}) for seed in (1, 2, 3)]
    difference = difference_of(mine, other)
    assert difference.usd == Interval(-10.0, 0.0, 3)
    assert difference.usd.is_certain
    assert difference.by_workload["job/batch"].mean == 2
    assert summary_of(mine).usd.margin == pytest.approx(4.303 * 100 / 3**0.5)


def test_a_run_is_summed_up():
    of = simulation(inputs(group(count=3)), [ReplicasSet(30 * MINUTE, "deployment/web", 1)]).result()
    numbers = RunNumbers.of(of)
    assert (numbers.usd, numbers.node_hours, numbers.evictions) == (of.totals.usd, of.totals.node_hours, of.totals.evictions)
    assert numbers.waited == of.totals.pending_seconds[0.5]
    assert sum(numbers.evictions_by_workload.values()) == numbers.evictions
