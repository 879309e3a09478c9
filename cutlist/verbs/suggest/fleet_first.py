"""What the page of a fleet says first: what is saved in all environments, where most of it is, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cutlist.core.money import money_sum
from cutlist.core.wording import counted, first_of
from cutlist.report.html.deltas import Delta
from cutlist.report.html.first import MOST_CAUSES, Driver, Sum, known_range
from cutlist.report.plain import per_month, percent
from cutlist.settings.suggest import WRITE
from cutlist.verbs.suggest.fleet import EnvironmentState, EnvironmentSuggestions, FleetSuggestions
from cutlist.verbs.suggest.fleet_words import fleet_verdict

_NAMED: Final = 3
_NOTHING: Final = 1e-6
"""USD/hour below which nothing is saved."""


@dataclass(frozen=True, slots=True)
class FleetFirst:
    """The first screen of a fleet: its title, sums, the environments that save most, what went wrong, and what to do."""

    title: str
    sums: tuple[Sum, ...]
    drivers: tuple[Driver, ...]
    wrong: tuple[str, ...]
    to_do: tuple[str, ...]

    @staticmethod
    def of(fleet: FleetSuggestions) -> FleetFirst:
        """Return the first screen of suggestions for a fleet."""
        return FleetFirst(
            _title(fleet), tuple(_sums(fleet)), tuple(_drivers(fleet)), tuple(_wrong(fleet)), tuple(_to_do(fleet))
        )


def _title(fleet: FleetSuggestions) -> str:
    """Return what may be saved, as a part of the price: the amounts stand below."""
    if fleet.prices is None or not fleet.answered:
        return fleet_verdict(fleet)
    environments = counted(fleet.answered, "environment")
    if fleet.prices.saving <= _NOTHING:
        return f"Nothing cheaper was found in {environments}"
    return f"{percent(fleet.prices.part_saved)} less a month in {environments}"


def _sums(fleet: FleetSuggestions) -> Iterator[Sum]:
    prices = fleet.prices
    if prices is None or not fleet.answered:
        return
    whole = prices.money
    now, ends = whole.month(per_month), tuple(filter(None, (known_range(whole.month_span()),)))
    if prices.saving <= _NOTHING:
        yield Sum("A month", now, ends)
    else:
        less = Delta(f"{whole.part(prices.saving).month(per_month)} a month less", is_rise=False, is_better=True)
        yield Sum("A month, then", whole.part(prices.best).month(per_month), (), less)
        yield Sum("Now", now, ends)
    yield Sum("No packing costs less than", whole.part(prices.bound).month(per_month))


def _saving(fleet: FleetSuggestions) -> list[tuple[float, EnvironmentSuggestions]]:
    """Return the environments that save something, the most first; none where amounts have no sum."""
    if fleet.prices is None:
        return []
    rows = [(prices.saving, of) for of in fleet.environments if (prices := of.prices) and prices.saving > _NOTHING]
    return sorted(rows, key=lambda row: -row[0])


def _drivers(fleet: FleetSuggestions) -> Iterator[Driver]:
    """Yield the environments that save most, where there are several."""
    found = _saving(fleet)
    whole = money_sum(saving for saving, _ in found)
    for saving, of in found[:MOST_CAUSES] if len(found) > 1 else ():
        if of.prices is not None:
            amount = of.prices.money.part(saving).month(per_month)
            yield Driver(amount, f"in {of.name}, {percent(of.prices.part_saved)} of its price", saving / whole)


def _wrong(fleet: FleetSuggestions) -> Iterator[str]:
    failed = [of.name for of in fleet.environments if of.state is EnvironmentState.FAILED]
    if failed:
        yield f"No answer for {first_of(failed, _NAMED)}: the table says why."
    if fleet.not_computed:
        yield f"{counted(fleet.not_computed, 'environment')} not computed: the work was ended before."


def _to_do(fleet: FleetSuggestions) -> Iterator[str]:
    found = _saving(fleet)
    if not found:
        return
    first = found[0][1].name
    yield f"Begin with {first}." if len(found) > 1 else f"All of it is in {first}."
    writes = f"`cutlist suggest {WRITE.flag} best` with the files of one writes what is suggested there"
    yield f"{writes}; without {WRITE.flag} it shows other options and what they risk."
