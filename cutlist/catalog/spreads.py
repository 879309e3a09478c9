"""How far estimated prices are from the real ones: a row for each kind of estimate, with what was compared and when.

Estimates that were not compared have no row: a spot price for want of any, a licence or a fee by a share.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from cutlist.catalog.prices import Price


@dataclass(frozen=True, slots=True)
class Spread:
    """The range of real prices as multiples of their estimate: of all `pairs`, or for `part` below 1 of that part of them."""

    low: float
    high: float
    pairs: int
    part: float
    source: str
    date: str

    def around(self, price: Price) -> Price:
        """Return an estimate with its range."""
        return replace(price, low=_rounded(price.usd_per_hour * self.low), high=_rounded(price.usd_per_hour * self.high))


_CATALOGUES: Final = "public catalogues of on-demand and spot prices"
ON_DEMAND: Final = Spread(1 / 1.073, 1 / (1 - 0.073), 1024, 1.0, _CATALOGUES, "2026-11")
"""On demand, without metal: the median is 0.03 % off, the worst 7.3 %."""
METAL: Final = Spread(1 / 1.10, 1.0, 280, 1.0, _CATALOGUES, "2026-11")
"""On demand, metal sizes: estimates are 6 to 10 % too high, so the estimate itself is the upper end."""
SPOT: Final = Spread(0.5, 2.0, 508, 0.9, _CATALOGUES, "2026-11")
"""Spot: the median is 23.6 % off, and one in ten is off by more than a factor of two."""

DISKS: Final = Spread(0.82, 1.15, 365, 1.0, "Azure's retail price list of five European locations", "2026-08")
"""Managed disks in Europe: each price against the median of the other four locations. Half of them are less than 0.1 % off,
one in ten more than 9 %. No location elsewhere was compared."""


def with_range(price: Price, machine: str, *, spot: bool = False) -> Price:
    """Return a machine's price with its range if it is an estimate; a published price is returned unchanged."""
    if not price.estimated:
        return price
    return (SPOT if spot else METAL if ".metal" in machine else ON_DEMAND).around(price)


def _rounded(usd: float) -> float:
    return round(usd, 6)
