"""Prices: the cost per hour, and the source of the figure (spec: AWS 4.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Final, Literal

from cutlist.core.money import money_of, money_sum, money_times
from cutlist.core.records import SPARSE, After, Key, about

HOURS_PER_MONTH: Final = 730  # the number that AWS and Azure use in their own calculators

LOW: Final = about("The low end of an estimate, only where its spread is known.")
HIGH: Final = about("The high end of an estimate, only where its spread is known.")


PAID_FOR_ANYWAY: Final = "capacity reservation, paid for whether used or not"
"""The source of the price 0 for machines that a reservation pays for."""

_DATED: Final = re.compile(r"(.*), (\d{4}-\d\d(?:-\d\d)?)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a machine per hour, with its source for people and a date (ISO, a day or a month) that gives its age.

    `estimated` marks a figure that nobody published. `usd_per_hour` is in `currency`: US dollars everywhere except in China,
    where Karpenter compares yuan as plain numbers. `low` and `high` are the range of an estimate in the same unit, as
    `spreads` measured it; None for a published figure, and for an estimate that nobody measured.
    """

    usd_per_hour: Annotated[float, Key("perHour")]
    source: str
    date: str = ""
    estimated: bool = False
    currency: Annotated[str, After("usd_per_hour")] = "USD"
    low: Annotated[float | None, SPARSE, LOW] = None
    high: Annotated[float | None, SPARSE, HIGH] = None

    @staticmethod
    def of_provenance(usd_per_hour: float, provenance: str, *, estimated: bool = False) -> Price:
        """Return the price of a phrase with source and date, as `provenance` returns it."""
        dated = _DATED.fullmatch(provenance)
        source, date = (dated[1], dated[2]) if dated is not None else (provenance, "")
        return Price(usd_per_hour, source, date, estimated)

    @property
    def provenance(self) -> str:
        """Return source and date in one phrase."""
        return _phrase(self.source, self.date)

    @property
    def foreign_currency(self) -> str | None:
        """Return the currency if it is not US dollars."""
        return None if self.currency == "USD" else self.currency

    def at(self, usd_per_hour: float) -> Price:
        """Return the price at another amount, such as after a discount; a range keeps its proportion."""
        if usd_per_hour == self.usd_per_hour:
            return self
        low, high = ((end and end / self.usd_per_hour * usd_per_hour) for end in (self.low, self.high))
        return replace(self, usd_per_hour=usd_per_hour, low=low, high=high)

    def plus(self, usd_per_hour: float, provenance: str, *, estimated: bool, is_exact: bool) -> Price:
        """Return the price with a charge on top, such as a fee, and the provenance of the sum. The range moves with it, and
        is unknown if the charge is not exact."""
        low, high = ((end + usd_per_hour if end is not None and is_exact else None) for end in (self.low, self.high))
        total = Price.of_provenance(self.usd_per_hour + usd_per_hour, provenance, estimated=estimated)
        return replace(total, currency=self.currency, low=low, high=high)


@lru_cache(maxsize=256)
def _phrase(source: str, date: str) -> str:
    """Return the one text that the many prices of a source share."""
    return f"{source}, {date}" if date else source


def a_month(per_hour: float) -> float:
    """Return what a price per hour is in a month of 730 hours."""
    return money_times(per_hour, HOURS_PER_MONTH)


def usd(price: Price | None, times: float = 1) -> float | None:
    """Return what a number of things of this price cost per hour, or None if the price is unknown."""
    return None if price is None else money_times(price.usd_per_hour, times)


def is_estimate(price: Price | None) -> bool:
    """Tell whether a price is known and an estimate."""
    return price is not None and price.estimated


PriceOf = Callable[[str], Price | None]
"""Returns the price per hour of one unit of an item such as `ebs-gp3` or `managed-disk-p10`, or None if it is unknown."""


def sum_of_prices(parts: Iterable[tuple[Price | None, float]]) -> Price | None:
    """Return the price of several things together, each times its number, or None without any or if a price is unknown.

    The source is that of the largest part; the sum is an estimate when one part is. Its range is the sum of theirs, since they
    are off in the same way, and None unless each estimate among them has one.
    """
    priced = [(price, times) for price, times in parts if times]
    if not priced or any(price is None for price, _ in priced):
        return None
    known = [(money_times(price.usd_per_hour, times), price) for price, times in priced if price is not None]
    _, largest = max(known, key=lambda part: part[0])
    low, high = _end(priced, "low"), _end(priced, "high")
    return replace(
        largest,
        usd_per_hour=money_sum(amount for amount, _ in known),
        estimated=any(price.estimated for _, price in known),
        low=low,
        high=high,
    )


def _end(priced: Iterable[tuple[Price | None, float]], end: Literal["low", "high"]) -> float | None:
    """Return the end of the range of a sum, in which exact parts count as they are. None where no estimate or not each has
    one."""
    ends = [(price, getattr(price, end), times) for price, times in priced if price is not None]
    if not any(of is not None for _, of, _ in ends) or any(price.estimated and of is None for price, of, _ in ends):
        return None
    return money_of((times, price.usd_per_hour if of is None else of) for price, of, times in ends)
