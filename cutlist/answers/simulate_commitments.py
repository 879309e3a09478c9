"""The savings plan and the reserved instances that cost least for the on-demand instances of a simulation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from cutlist.catalog import AnyRegion, is_azure
from cutlist.core.errors import InputError, Place
from cutlist.core.labels import ON_DEMAND
from cutlist.core.values import dataclass
from cutlist.optimization.savings_plans import Rates
from cutlist.simulation.commitments import MILLION, Commitment, best_reservation, best_savings_plan
from cutlist.simulation.events import HOUR
from cutlist.simulation.result import SimulationResult

_Hours = list[Fraction]
"""How many instances of a type ran in each hour, as parts of the hour."""


@dataclass(frozen=True, slots=True)
class CommitmentChoice:
    """What costs least for a term: a savings plan for all families, or reserved instances of one type.

    `instance_type` is empty for a savings plan. Money is in millionths of the catalogue's currency.
    """

    term: str
    instance_type: str
    commitment: Commitment


@dataclass(frozen=True, slots=True)
class Commitments:
    """The commitments that cost least, for each term the savings plan first; `notes` say what they do not cover."""

    choices: tuple[CommitmentChoice, ...] = ()
    notes: tuple[str, ...] = ()


def commitments_of(result: SimulationResult, catalog: AnyRegion, rates: Rates) -> Commitments:
    """Return the commitments that cost least for the full hours of a simulation, at the catalogue's on-demand prices.

    Raises InputError where there is no full hour, and for regions of Azure. Spot instances are not covered, nor fees and disks.
    """
    if not rates.rates:
        return Commitments()
    if is_azure(catalog):
        raise InputError.one(Place(path="rates"), f"commitments for {catalog.region} are not computed", "a region of AWS")
    if result.until < HOUR:
        raise InputError.one(Place(path="days"), "the run is shorter than the one hour of a commitment", "at least 0.042 days")
    hours = _instance_hours(result)
    prices = {name: round(p.usd_per_hour * MILLION) for name in hours if (p := catalog.on_demand_price(name)) is not None}
    priced = {name: of for name, of in sorted(hours.items()) if name in prices}
    choices = [choice for term in rates.terms for choice in _choices(term, priced, prices, catalog.region, rates)]
    return Commitments(tuple(choices), tuple(_notes(hours, prices, catalog.region, rates)))


def _choices(
    term: str, hours: dict[str, _Hours], prices: dict[str, int], region: str, rates: Rates
) -> Iterator[CommitmentChoice]:
    rated = {name: rate for name in hours if (rate := rates.of(_family(name), region, term)) is not None}
    discounts = {_family(name): round(rate.discount * MILLION) for name, rate in rated.items()}
    if not rated:
        return
    yield CommitmentChoice(term, "", best_savings_plan(_costs({name: hours[name] for name in rated}, prices), discounts))
    for name in rated:
        reserved = prices[name] * (MILLION - discounts[_family(name)]) // MILLION
        reservation = best_reservation(hours[name], prices[name], reserved)
        if reservation.instances:
            yield CommitmentChoice(term, name, reservation)


def _costs(hours: dict[str, _Hours], prices: dict[str, int]) -> list[dict[str, int]]:
    """Return what the instances of each family cost on demand in each hour, in whole millionths."""
    costs: list[dict[str, int]] = [{} for _ in next(iter(hours.values()))]
    for name, of_type in hours.items():
        for cost, ran in zip(costs, of_type, strict=True):
            cost[_family(name)] = cost.get(_family(name), 0) + round(ran * prices[name])
    return costs


def _instance_hours(result: SimulationResult) -> dict[str, _Hours]:
    """Return how many on-demand instances of each type ran in each full hour."""
    full = result.until // HOUR
    hours: dict[str, _Hours] = {}
    for life in result.lives:
        if life.capacity_type != ON_DEMAND or not life.instance_type:
            continue
        ended = min(full * HOUR, result.until if life.ended is None else life.ended)
        of_type = hours.setdefault(life.instance_type, [Fraction(0)] * full)
        for number in range(life.started // HOUR, -(-ended // HOUR)):
            ran = min(ended, (number + 1) * HOUR) - max(life.started, number * HOUR)
            of_type[number] += Fraction(ran, HOUR)
    return hours


def _notes(hours: dict[str, _Hours], prices: dict[str, int], region: str, rates: Rates) -> Iterator[str]:
    if not hours:
        yield "no on-demand instance runs that a commitment could cover"
    unpriced = sorted(hours.keys() - prices.keys())
    if unpriced:
        yield f"commitments do not cover types of unknown price: {_listed(unpriced)}"
    for term in rates.terms:
        unrated = sorted(name for name in prices if rates.of(_family(name), region, term) is None)
        if unrated:
            yield f"for {term} there is no rate for {_listed(unrated)}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} types, such as {names[0]}"


def _family(instance_type: str) -> str:
    return instance_type.partition(".")[0]
