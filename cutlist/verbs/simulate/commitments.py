"""The savings plan and the reserved instances that cost least for the on-demand instances of a simulation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from cutlist.catalog.paid import PaidPrices
from cutlist.catalog.regions import AnyRegion, is_azure
from cutlist.core.errors import InputError, Place
from cutlist.core.labels import WINDOWS
from cutlist.core.records import FLAT, TextOrNull
from cutlist.optimization.savings_plans import Rates
from cutlist.settings.simulate import DAYS
from cutlist.simulation.commitments import Commitment, best_reservation, best_savings_plan
from cutlist.simulation.events import HOUR
from cutlist.simulation.on_demand_use import OnDemandUse
from cutlist.verbs.simulate.commitment_terms import RatedMachines, coverable, terms_of


@dataclass(frozen=True, slots=True)
class CommitmentChoice:
    """The commitment that costs least for a term, for the full hours of the run: `on_demand_usd` is what they cost without it.

    `used` is the part of it that is used, `enough_use` the part of the use from which on it costs no more than none. `os` is
    `windows` for reserved instances with Windows, else null; `sources` are those of the rates.
    """

    term: str
    instance_type: TextOrNull
    commitment: Annotated[Commitment, FLAT]
    os: TextOrNull = ""
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Commitments:
    """The commitments that cost least, for each term the savings plan first; `notes` say what they do not cover."""

    choices: tuple[CommitmentChoice, ...] = ()
    notes: tuple[str, ...] = ()


def commitments_of(use: OnDemandUse, catalog: AnyRegion, paid: PaidPrices | None, rates: Rates) -> Commitments:
    """Return the commitments that cost least for some full hours, at the on-demand prices of each node's OS, or at those that
    the account paid.

    Spot instances are not covered, nor fees and disks.
    """
    if not rates.rates:
        return Commitments()
    covered = coverable(use, catalog)
    terms = terms_of(covered, catalog, paid, rates)
    choices = tuple(choice for term in terms for choice in _choices(term, covered))
    without_licences = is_azure(catalog) and any(os == WINDOWS for _, os in use.ran)
    licences = ("commitments do not cover the licences of Windows",) if without_licences else ()
    return Commitments(choices, (*licences, *_notes(terms, covered)))


def check_hours(until: int, rates: Rates) -> None:
    """Raise InputError for a run without a full hour, in milliseconds, for which commitments are to be computed."""
    if rates.rates and until < HOUR:
        raise InputError.one(Place.of(DAYS), "the run is shorter than the one hour of a commitment", "at least 0.042 days")


def _choices(term: RatedMachines, use: OnDemandUse) -> Iterator[CommitmentChoice]:
    if not term.rates:
        return
    plan = best_savings_plan(term.costs(use), term.discounts)
    yield CommitmentChoice(term.term, "", plan, sources=term.sources)
    for machine, instances in term.numbers(use):
        reservation = best_reservation(instances, term.prices[machine], term.reserved_price(machine))
        if reservation.instances:
            (name, os), source = machine, term.rates[machine].source
            yield CommitmentChoice(term.term, name, reservation, os, (source,) if source else ())


def _notes(terms: Sequence[RatedMachines], use: OnDemandUse) -> Iterator[str]:
    if not use.ran:
        yield "no on-demand instance runs that a commitment could cover"
    unpriced = sorted({name for term in terms for name, _ in use.ran.keys() - term.prices.keys()})
    if unpriced:
        yield f"commitments do not cover types of unknown price: {_listed(unpriced)}"
    for term in terms:
        unrated = sorted({name for name, _ in term.prices.keys() - term.rates.keys()})
        if unrated:
            yield f"for {term.term} there is no rate for {_listed(unrated)}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} types, such as {names[0]}"
