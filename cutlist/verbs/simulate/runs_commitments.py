"""Commitments for several runs of a simulation: the amounts that cost least on average, and their effect in each run. It is not
known which run will happen, so one amount has to serve for all. Each run is as likely as any other, so the amount with the
least expected cost is the one with the least cost for the hours of all runs together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final

from cutlist.catalog.paid import PaidPrices
from cutlist.catalog.regions import AnyRegion
from cutlist.optimization.savings_plans import Rates
from cutlist.simulation.commitments import (
    MILLION,
    best_hourly,
    best_number,
    saved_by_plan,
    saved_by_reservation,
)
from cutlist.simulation.comparison import RunNumbers
from cutlist.simulation.on_demand_use import Machine, OnDemandUse
from cutlist.verbs.simulate.commitment_terms import RatedMachines, coverable, terms_of
from cutlist.verbs.simulate.commitments import CommitmentChoice, commitments_of

SAVINGS_PLAN: Final = "savings plan"
RESERVED: Final = "reserved instances"


@dataclass(frozen=True, slots=True)
class CommitmentOfRuns:
    """A commitment for all runs of a cluster; its `choice` is computed for the hours of all of them.

    `best` is what would cost least for each run alone, per hour, and `saved` what the chosen one saves in each, both in the
    order of the seeds and in millionths of the catalogue's currency. `saved` is negative for a run that costs more with it.
    """

    choice: CommitmentChoice
    best: tuple[Fraction, ...]
    saved: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class CommitmentsOfRuns:
    """The commitments of a cluster; `notes` say what they do not cover."""

    choices: tuple[CommitmentOfRuns, ...] = ()
    notes: tuple[str, ...] = field(default=())


def commitments_of_runs(
    uses: Sequence[OnDemandUse], catalog: AnyRegion, paid: PaidPrices | None, rates: Rates
) -> CommitmentsOfRuns:
    """Return the commitments that cost least on average for runs of equal length."""
    commitments = commitments_of(OnDemandUse.of_all(uses), catalog, paid, rates)
    covered = [coverable(use, catalog) for use in uses]
    terms = {term.term: term for term in terms_of(OnDemandUse.of_all(covered), catalog, paid, rates)}
    choices = tuple(_of_runs(choice, terms[choice.term], covered) for choice in commitments.choices)
    return CommitmentsOfRuns(choices, commitments.notes)


def _of_runs(choice: CommitmentChoice, term: RatedMachines, uses: Sequence[OnDemandUse]) -> CommitmentOfRuns:
    amount = choice.commitment
    if amount.instances is None:
        hours = [term.costs(use) for use in uses]
        best = (best_hourly(of_run, term.discounts) for of_run in hours)
        saved = (saved_by_plan(of_run, term.discounts, amount.hourly) for of_run in hours)
        return CommitmentOfRuns(choice, tuple(best), tuple(saved))
    machine = choice.instance_type, choice.os
    prices = term.prices[machine], term.reserved_price(machine)
    instances = [use.instances(machine) for use in uses]
    return CommitmentOfRuns(
        choice,
        tuple(Fraction(best_number(of_run, *prices) * prices[1]) for of_run in instances),
        tuple(saved_by_reservation(of_run, *prices, amount.instances) for of_run in instances),
    )


def with_commitments(
    runs: Sequence[RunNumbers], uses: Sequence[OnDemandUse], catalog: AnyRegion, paid: PaidPrices | None, rates: Rates
) -> tuple[RunNumbers, ...]:
    """Return runs of a cluster with what each costs under the commitments that cost least on average for all of them."""
    covered = [coverable(use, catalog) for use in uses]
    everything = OnDemandUse.of_all(covered)
    saved: dict[str, list[Fraction]] = {}
    for term in terms_of(everything, catalog, paid, rates):
        saved[f"{term.term} {SAVINGS_PLAN}"] = _saved_by_plan(term, everything, covered)
        saved[f"{term.term} {RESERVED}"] = _saved_by_reservations(term, everything, covered)
    return tuple(replace(run, committed=_committed(run, saved, number)) for number, run in enumerate(runs))


def _committed(run: RunNumbers, saved: Mapping[str, Sequence[Fraction]], number: int) -> Mapping[str, float]:
    return {name: run.usd - float(of_runs[number] / MILLION) for name, of_runs in saved.items()}


def _saved_by_plan(term: RatedMachines, everything: OnDemandUse, uses: Sequence[OnDemandUse]) -> list[Fraction]:
    hourly = best_hourly(term.costs(everything), term.discounts)
    return [saved_by_plan(term.costs(use), term.discounts, hourly) for use in uses]


def _saved_by_reservations(term: RatedMachines, everything: OnDemandUse, uses: Sequence[OnDemandUse]) -> list[Fraction]:
    numbers = {m: best_number(n, term.prices[m], term.reserved_price(m)) for m, n in term.numbers(everything)}
    return [sum((_saved(term, machine, use, numbers[machine]) for machine in numbers), Fraction(0)) for use in uses]


def _saved(term: RatedMachines, machine: Machine, use: OnDemandUse, number: int) -> Fraction:
    return saved_by_reservation(use.instances(machine), term.prices[machine], term.reserved_price(machine), number)
