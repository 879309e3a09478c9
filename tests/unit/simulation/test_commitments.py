"""The commitments that cost least, beside all amounts that could."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.simulation.commitments import MILLION, best_reservation, best_savings_plan, reservation, savings_plan
from tests.examples import examples

FAMILIES = ("c7g", "m7g", "t4g")
HOURS = st.lists(
    st.dictionaries(st.sampled_from(FAMILIES), st.integers(0, 40).map(lambda cents: cents * 10_000), max_size=3),
    min_size=1,
    max_size=8,
)
DISCOUNTS = st.dictionaries(
    st.sampled_from(FAMILIES), st.integers(0, 72).map(lambda percent: percent * 10_000), min_size=1, max_size=3
)


def cost_by_the_hour(hours, discounts, hourly):
    """Computed as AWS describes it: in each hour what saves most first, the rest on demand."""
    total = Fraction(0)
    for hour in hours:
        left = hourly
        for family in sorted(hour, key=lambda f: (-discounts.get(f, 0), f)):
            rate = Fraction(MILLION - discounts.get(family, 0), MILLION)
            covered = min(left, hour[family] * rate) if discounts.get(family) else Fraction(0)
            left -= covered
            total += hour[family] - covered / rate
        total += hourly
    return total


@pytest.mark.property
@examples(1)
@given(HOURS, DISCOUNTS)
def test_no_other_savings_plan_costs_less(hours, discounts):
    """All corners of the cost are tried, and steps of a cent."""
    best = best_savings_plan(hours, discounts)
    corners = {Fraction(0)}
    for hour in hours:
        covered = Fraction(0)
        for family in sorted(hour, key=lambda f: (-discounts.get(f, 0), f)):
            if discounts.get(family):
                covered += hour[family] * Fraction(MILLION - discounts[family], MILLION)
                corners.add(covered)
    costs = {amount: cost_by_the_hour(hours, discounts, amount) for amount in corners}
    least = min(costs.values())
    assert best.cost == least == cost_by_the_hour(hours, discounts, best.hourly)
    assert best.hourly == min(amount for amount, cost in costs.items() if cost == least)
    assert all(cost_by_the_hour(hours, discounts, Fraction(c * 10_000)) >= least for c in range(0, 100, 9))
    assert best.saved >= 0
    assert savings_plan(hours, discounts, best.hourly) == best
    assert 0 <= best.used <= 1


@pytest.mark.property
@examples(1)
@given(st.lists(st.fractions(0, 9, max_denominator=4), min_size=1, max_size=12), st.integers(1, 99))
def test_no_other_number_of_reserved_instances_costs_less(instances, reserved):
    best = best_reservation(instances, 100, reserved)
    costs = [
        sum(number * reserved + max(0, running - number) * 100 for running in instances)
        for number in range(int(max(instances)) + 3)
    ]
    assert best.cost == min(costs)
    assert best.instances == costs.index(min(costs))
    assert reservation(instances, 100, reserved, best.instances) == best


def test_a_commitment_says_what_it_saves_and_risks():
    """A dollar by day and half of it by night, at 30% off: half a dollar is always used, more would pay by day only."""
    hours = [{"m7g": 1_000_000}] * 12 + [{"m7g": 500_000}] * 12
    plan = best_savings_plan(hours, {"m7g": 300_000})
    assert (plan.hourly, plan.used) == (350_000, 1)
    assert plan.without == 18_000_000
    assert plan.saved == 24 * 150_000
    assert plan.enough_use == pytest.approx(7 / 15, abs=1e-4)  # 5.60 by day and 2.80 by night: as much as is paid
    too_much = savings_plan(hours, {"m7g": 300_000}, Fraction(900_000))
    assert too_much.saved < 0
    assert too_much.enough_use is None
    assert best_savings_plan(hours, {}).hourly == 0
    assert best_savings_plan(hours, {}).enough_use == 0


def test_instances_are_reserved_as_long_as_enough_hours_need_them():
    best = best_reservation([4, 4, 10, 10, 10], 100, 61)
    assert (best.instances, best.saved, best.used) == (4, 4 * 5 * 39, 1)
    assert best_reservation([4, 4, 10, 10, 10], 100, 59).instances == 10
    assert best.enough_use == pytest.approx(12.2 / 38, abs=1e-4)  # 12.2 instance-hours of 38 on demand cost as much
