"""Commitments for several runs: one amount for all of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from cutlist.catalog.embedded import load_chosen
from cutlist.optimization.savings_plans import NO_RATES, Rate, Rates
from cutlist.simulation.commitments import MILLION, saved_by_plan, saved_by_reservation
from cutlist.simulation.comparison import difference_of, summary_of
from cutlist.simulation.events import HOUR
from cutlist.simulation.on_demand_use import OnDemandUse
from cutlist.verbs.simulate.commitments import commitments_of
from cutlist.verbs.simulate.runs_commitments import commitments_of_runs, with_commitments
from tests.unit.report.simulate.runs import numbers

AWS = load_chosen(None, "us-west-2")
RATES = Rates((Rate("*", "*", "1y", 0.3, "a list"), Rate("m7i", "*", "1y", 0.4, "an offer")))
LARGE, SMALL = ("m7i.large", ""), ("c7g.large", "")


def use(large: str, small: str = "") -> OnDemandUse:
    """So many instances of each type run in each hour."""
    counts = {SMALL: small, LARGE: large} if small else {LARGE: large}
    return OnDemandUse(len(large), {m: tuple(int(n) * HOUR for n in of_type) for m, of_type in counts.items()})


USES = (use("4422", "1111"), use("2211", "1011"), use("9999", "1101"))


def prices(machine: tuple[str, str], discount: float) -> tuple[int, int]:
    on_demand = round(AWS.on_demand_price(machine[0]).usd_per_hour * MILLION)
    return on_demand, on_demand * round((1 - discount) * MILLION) // MILLION


def test_no_other_amount_saves_more_on_average():
    """All sums of instances are tried as amounts of a plan, and all numbers of reserved instances."""
    plan, small, large = commitments_of_runs(USES, AWS, None, RATES).choices
    assert [c.choice.instance_type for c in (plan, small, large)] == ["", "c7g.large", "m7i.large"]
    paid = {machine: prices(machine, discount) for machine, discount in ((LARGE, 0.4), (SMALL, 0.3))}
    hours = [
        [{"c7g": a // HOUR * paid[SMALL][0], "m7i": b // HOUR * paid[LARGE][0]} for a, b in zip(*of.ran.values(), strict=True)]
        for of in USES
    ]
    discounts = {"m7i": 400_000, "c7g": 300_000}
    amounts = [
        a * Fraction(paid[LARGE][0] * 6, 10) + b * Fraction(paid[SMALL][0] * 7, 10) for a, b in product(range(10), range(3))
    ]
    saved = {amount: [saved_by_plan(of_run, discounts, amount) for of_run in hours] for amount in amounts}
    assert sum(plan.saved) == max(map(sum, saved.values()))
    assert plan.saved == tuple(saved[plan.choice.commitment.hourly])
    assert plan.best == tuple(max(amounts, key=lambda a: (saved[a][number], -a)) for number in range(3))
    for machine, chosen in ((SMALL, small), (LARGE, large)):
        by_number = [[saved_by_reservation(of.instances(machine), *paid[machine], n) for of in USES] for n in range(10)]
        assert sum(chosen.saved) == max(map(sum, by_number))
        assert chosen.saved == tuple(by_number[chosen.choice.commitment.instances])


def test_a_run_with_little_use_loses_by_an_amount_that_is_best_for_all():
    """Nine instances run in two of three runs: nine are reserved, although the third run has one."""
    (_, reserved) = commitments_of_runs(
        (use("99"), use("99"), use("11")), AWS, None, Rates((Rate("m7i", "*", "1y", 0.4, ""),))
    ).choices
    on_demand, price = prices(LARGE, 0.4)
    assert reserved.choice.commitment.instances == 9
    assert reserved.best == (9 * price, 9 * price, 1 * price)
    assert reserved.saved[2] == 2 * (on_demand - 9 * price) < 0


def test_one_run_has_the_commitments_of_a_single_run():
    (single,) = [commitments_of(USES[0], AWS, None, RATES)]
    several = commitments_of_runs(USES[:1], AWS, None, RATES)
    assert tuple(c.choice for c in several.choices) == single.choices
    assert [c.saved for c in several.choices] == [(c.commitment.saved,) for c in single.choices]
    assert commitments_of_runs(USES, AWS, None, NO_RATES).choices == ()


def test_clusters_are_compared_after_the_commitments_of_each():
    """The reserved instances of all types together are one kind of commitment, a savings plan is another."""
    runs = [numbers(seed, 100.0) for seed in (1, 2, 3)]
    these = with_commitments(runs, USES, AWS, None, RATES)
    choices = commitments_of_runs(USES, AWS, None, RATES).choices
    for number, run in enumerate(these):
        saved = [float(c.saved[number]) / MILLION for c in choices]
        assert run.committed == {
            "1y savings plan": pytest.approx(100 - saved[0]),
            "1y reserved instances": pytest.approx(100 - sum(saved[1:])),
        }
    others = with_commitments(runs, [use("0000")] * 3, AWS, None, RATES)
    assert {usd for run in others for usd in run.committed.values()} == {100.0}
    difference = difference_of(these, others).committed["1y savings plan"]
    assert difference.mean == pytest.approx(100 - summary_of(these).committed["1y savings plan"].mean)


def test_sizes_of_azure_have_the_rates_of_their_letter_and_licences_are_not_covered():
    azure = load_chosen(None, "japaneast")
    name = "Standard_D8_v5"
    of = OnDemandUse(2, {(name, ""): (HOUR, HOUR), (name, "windows"): (HOUR, HOUR)})
    rates = Rates((Rate("D", "japaneast", "1y", 0.4, "a list"), Rate("E", "*", "1y", 0.9, "another")))
    commitments = commitments_of(of, azure, None, rates)
    assert [(c.instance_type, c.os, c.sources) for c in commitments.choices] == [
        ("", "", ("a list",)),
        (name, "", ("a list",)),
    ]
    usd = azure.on_demand_price(name).usd_per_hour
    assert [float(c.commitment.saved) / MILLION for c in commitments.choices] == pytest.approx([4 * 0.4 * usd] * 2)
    assert commitments.notes == ("commitments do not cover the licences of Windows",)


def test_what_runs_is_read_back():
    assert OnDemandUse.read(USES[0].plain()) == USES[0]
