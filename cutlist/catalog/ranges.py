"""The range of a sum of prices, some of which are estimates with ranges of their own.

The model: the errors of all types of a family are one error, so their ranges add up. Errors of different families are
independent, so the range of their sum is the root of the sum of squares. Hence the estimate is within the range, the range
is never wider than from the sum of all low ends to the sum of all high ends, and another node never makes a side narrower.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple

from cutlist.catalog.prices import Price, a_month
from cutlist.core.money import money_rounded
from cutlist.core.records import Key, Usd, about, computed, form_of

_CENTS = form_of(Usd).through(lambda usd: money_rounded(usd, 2))


@dataclass(frozen=True, slots=True)
class PriceRange:
    """What a sum of prices that are partly estimates lies between in most cases, in USD per hour."""

    low: Annotated[Usd, Key("lowPerHour")]
    high: Annotated[Usd, Key("highPerHour")]

    @property
    @computed(after="high")
    def low_per_month(self) -> Annotated[float, _CENTS, about("USD for 730 hours.")]:
        """Return the low end in USD for 730 hours."""
        return a_month(self.low)

    @property
    @computed(after="low_per_month")
    def high_per_month(self) -> Annotated[float, _CENTS, about("USD for 730 hours.")]:
        """Return the high end in USD for 730 hours."""
        return a_month(self.high)

    def at(self, times: float) -> PriceRange:
        """Return the range for another time, or another number of things."""
        return PriceRange(self.low * times, self.high * times)


class Deviation(NamedTuple):
    """How far prices may be below and above their estimate, in USD per hour."""

    below: float
    above: float


def deviation_of(price: Price | None) -> Deviation:
    """Return how far a price may be off: nothing for a published or unknown one, and for an estimate without a range."""
    if price is None or price.low is None or price.high is None:
        return Deviation(0.0, 0.0)
    return Deviation(max(price.usd_per_hour - price.low, 0.0), max(price.high - price.usd_per_hour, 0.0))


@dataclass(frozen=True, slots=True)
class Deviations:
    """How far the prices of each family of types may be from their estimates together."""

    by_family: Mapping[str, Deviation]

    @staticmethod
    def of(bought: Iterable[tuple[str, float, Price | None]]) -> Deviations:
        """Return the deviations of numbers of machines, each given as its type, how many there are and the price of one."""
        return Deviations.of_each((machine, count, deviation_of(price)) for machine, count, price in bought)

    @staticmethod
    def of_each(bought: Iterable[tuple[str, float, Deviation]]) -> Deviations:
        """Return the deviations of numbers of machines, each given as its type, how many there are and that of one."""
        parts: dict[str, list[Deviation]] = {}
        for machine, count, (below, above) in bought:
            if count and (below or above):
                parts.setdefault(family_of(machine), []).append(Deviation(count * below, count * above))
        return Deviations({family: _sum(of) for family, of in parts.items()})

    def plus(self, other: Deviations) -> Deviations:
        """Return the deviations of a sum: those of a family add up."""
        both = [(family, 1.0, of) for each in (self, other) for family, of in each.by_family.items()]
        return Deviations.of_each(both)

    def minus(self, other: Deviations) -> Deviations:
        """Return the deviations of a difference: what both sides have of a family is off by the same on both."""
        families = sorted({*self.by_family, *other.by_family})
        none = Deviation(0.0, 0.0)
        changes = {f: (self.by_family.get(f, none), other.by_family.get(f, none)) for f in families}
        # Where a family costs less than before, its error counts the other way round.
        return Deviations({f: _turned(mine.below - its.below, mine.above - its.above) for f, (mine, its) in changes.items()})

    def around(self, amount: float) -> PriceRange | None:
        """Return the range of a sum, or None if no part of it has a range."""
        if not any(below or above for below, above in self.by_family.values()):
            return None
        below, above = (math.hypot(*side) for side in zip(*self.by_family.values(), strict=True))
        return PriceRange(amount - below, amount + above)


EXACT: Final = Deviations({})
"""Of prices without an estimate."""


def family_of(machine: str) -> str:
    """Return the family of a type: `m7g` of `m7g.large`."""
    return machine.partition(".")[0]


def _sum(parts: Iterable[Deviation]) -> Deviation:
    return Deviation(*(math.fsum(side) for side in zip(*parts, strict=True)))


def _turned(below: float, above: float) -> Deviation:
    return Deviation(max(below, -above, 0.0), max(above, -below, 0.0))
