"""The savings plan and the reserved instances that cost least for the on-demand instances of a simulation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from cutlist.catalog import AnyRegion, Price, is_azure
from cutlist.catalog.windows import windows_price
from cutlist.core.errors import InputError, Place
from cutlist.core.labels import ON_DEMAND
from cutlist.core.values import dataclass
from cutlist.optimization.savings_plans import Rates
from cutlist.simulation.commitments import MILLION, Commitment, best_reservation, best_savings_plan
from cutlist.simulation.events import HOUR
from cutlist.simulation.result import SimulationResult

_WINDOWS: Final = "windows"
_Machine = tuple[str, str]
"""An instance type, and its OS if that is Windows, else an empty text."""
_Hours = list[Fraction]
"""How many instances of a type ran in each hour, as parts of the hour."""


@dataclass(frozen=True, slots=True)
class CommitmentChoice:
    """What costs least for a term: a savings plan for all families, or reserved instances of one type.

    `instance_type` is empty for a savings plan, and `os` is `windows` for instances with Windows, else empty. `sources` are
    those of the rates. Money is in millionths of the catalogue's currency.
    """

    term: str
    instance_type: str
    commitment: Commitment
    os: str = ""
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Commitments:
    """The commitments that cost least, for each term the savings plan first; `notes` say what they do not cover."""

    choices: tuple[CommitmentChoice, ...] = ()
    notes: tuple[str, ...] = ()


def commitments_of(result: SimulationResult, catalog: AnyRegion, rates: Rates) -> Commitments:
    """Return the commitments that cost least for the full hours of a simulation, at the on-demand prices of each node's OS.

    Raises InputError where there is no full hour, and for regions of Azure. Spot instances are not covered, nor fees and disks.
    """
    if not rates.rates:
        return Commitments()
    if is_azure(catalog):
        raise InputError.one(Place(path="rates"), f"commitments for {catalog.region} are not computed", "a region of AWS")
    if result.until < HOUR:
        raise InputError.one(Place(path="days"), "the run is shorter than the one hour of a commitment", "at least 0.042 days")
    hours = _instance_hours(result)
    prices = {m: round(price.usd_per_hour * MILLION) for m in hours if (price := _price(catalog, m)) is not None}
    priced = {machine: of for machine, of in sorted(hours.items()) if machine in prices}
    choices = [choice for term in rates.terms for choice in _choices(term, priced, prices, catalog.region, rates)]
    return Commitments(tuple(choices), tuple(_notes(hours, prices, catalog.region, rates)))


def _price(catalog: AnyRegion, machine: _Machine) -> Price | None:
    """Return the on-demand price of an instance with its OS."""
    name, os = machine
    price = catalog.on_demand_price(name)
    return windows_price(catalog, name, price) if os == _WINDOWS and not is_azure(catalog) else price


def _choices(
    term: str, hours: dict[_Machine, _Hours], prices: dict[_Machine, int], region: str, rates: Rates
) -> Iterator[CommitmentChoice]:
    rated = {machine: rate for machine in hours if (rate := rates.of(_family(machine), region, term)) is not None}
    discounts = {_family(machine): round(rate.discount * MILLION) for machine, rate in rated.items()}
    if not rated:
        return
    plan = best_savings_plan(_costs({machine: hours[machine] for machine in rated}, prices), discounts)
    yield CommitmentChoice(term, "", plan, sources=tuple(dict.fromkeys(rate.source for rate in rated.values() if rate.source)))
    for machine, rate in rated.items():
        reserved = prices[machine] * (MILLION - discounts[_family(machine)]) // MILLION
        reservation = best_reservation(hours[machine], prices[machine], reserved)
        if reservation.instances:
            name, os = machine
            yield CommitmentChoice(term, name, reservation, os, (rate.source,) if rate.source else ())


def _costs(hours: dict[_Machine, _Hours], prices: dict[_Machine, int]) -> list[dict[str, int]]:
    """Return what the instances of each family cost on demand in each hour, in whole millionths."""
    costs: list[dict[str, int]] = [{} for _ in next(iter(hours.values()))]
    for machine, of_type in hours.items():
        for cost, ran in zip(costs, of_type, strict=True):
            cost[_family(machine)] = cost.get(_family(machine), 0) + round(ran * prices[machine])
    return costs


def _instance_hours(result: SimulationResult) -> dict[_Machine, _Hours]:
    """Return how many on-demand instances of each type and OS ran in each full hour."""
    full = result.until // HOUR
    hours: dict[_Machine, _Hours] = {}
    for life in result.lives:
        if life.capacity_type != ON_DEMAND or not life.instance_type:
            continue
        ended = min(full * HOUR, result.until if life.ended is None else life.ended)
        machine = life.instance_type, _WINDOWS if life.os == _WINDOWS else ""
        of_type = hours.setdefault(machine, [Fraction(0)] * full)
        for number in range(life.started // HOUR, -(-ended // HOUR)):
            ran = min(ended, (number + 1) * HOUR) - max(life.started, number * HOUR)
            of_type[number] += Fraction(ran, HOUR)
    return hours


def _notes(hours: dict[_Machine, _Hours], prices: dict[_Machine, int], region: str, rates: Rates) -> Iterator[str]:
    if not hours:
        yield "no on-demand instance runs that a commitment could cover"
    unpriced = sorted({name for name, _ in hours.keys() - prices.keys()})
    if unpriced:
        yield f"commitments do not cover types of unknown price: {_listed(unpriced)}"
    for term in rates.terms:
        unrated = sorted({machine[0] for machine in prices if rates.of(_family(machine), region, term) is None})
        if unrated:
            yield f"for {term} there is no rate for {_listed(unrated)}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} types, such as {names[0]}"


def _family(machine: _Machine) -> str:
    return machine[0].partition(".")[0]
