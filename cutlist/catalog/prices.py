"""Prices: the cost per hour, and the source of the figure (spec: AWS 4.3)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

HOURS_PER_MONTH: Final = 730  # the number that AWS and Azure use in their own calculators


PAID_FOR_ANYWAY: Final = "capacity reservation, paid for whether used or not"
"""The source of the price 0 for machines that a reservation pays for."""


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a machine per hour. `source` is for people, `date` (ISO, a day or a month) gives its age.

    `estimated` marks a figure that nobody published, which its source mentions. `usd_per_hour` is in `currency`: US dollars
    everywhere except in China, where Karpenter compares yuan as plain numbers.
    """

    usd_per_hour: float
    source: str
    date: str = ""
    estimated: bool = False
    currency: str = "USD"

    @property
    def provenance(self) -> str:
        """Return source and date in one phrase."""
        return _phrase(self.source, self.date)


def mentions_estimate(provenance: str) -> bool:
    """Tell whether a price of this provenance is an estimate, which its source then mentions."""
    return "estimate" in provenance.lower()


@lru_cache(maxsize=256)
def _phrase(source: str, date: str) -> str:
    """Return the one text that the many prices of a source share."""
    return f"{source}, {date}" if date else source


def sum_of_prices(parts: Iterable[tuple[Price | None, float]]) -> Price | None:
    """Return the price of several things together, each times its number, or None without any or if a price is unknown.

    The source is that of the largest part; the sum is an estimate when one part is.
    """
    priced = [(price, times) for price, times in parts if times]
    if not priced or any(price is None for price, _ in priced):
        return None
    known = [(price.usd_per_hour * times, price) for price, times in priced if price is not None]
    _, largest = max(known, key=lambda part: part[0])
    return replace(
        largest, usd_per_hour=math.fsum(usd for usd, _ in known), estimated=any(price.estimated for _, price in known)
    )
