"""How far estimated prices of machines are from the real ones: what was compared, and when.

Estimates that were not compared have no range: a spot price for want of any, a licence or a fee by a share.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from cutlist.catalog.prices import Price
from cutlist.catalog.spot import LEAST, Ratios, SpotSource, Traits, spot_model, within


@dataclass(frozen=True, slots=True)
class Spread:
    """The range of real prices as multiples of their estimate, of all `pairs`."""

    low: float
    high: float
    pairs: int
    source: str
    date: str

    def around(self, price: Price) -> Price:
        """Return an estimate with its range."""
        return replace(price, low=_rounded(price.usd_per_hour * self.low), high=_rounded(price.usd_per_hour * self.high))


ON_DEMAND: Final = Spread(1 / 1.074, 1 / (1 - 0.059), 1204, "public catalogues of on-demand prices", "2026-11")
"""On demand: the median of 1,204 is 0.03 % off, the worst 7.4 % too high or 5.9 % too low; 180 of them are metal sizes."""
_TEXTS: Final = {
    SpotSource.ZONES: "mean of the spot prices of its other zones",
    SpotSource.ADVISOR: "on-demand price less the Spot Advisor saving, whose region is inferred",
    SpotSource.MODEL: "on-demand price x what spot is of it by region, size, CPU maker and kind",
    SpotSource.FAR: "on-demand price x the mean of what spot is of it in other regions and by the Spot Advisor",
}

DISKS: Final = Spread(0.82, 1.15, 365, "Azure's retail price list of five European locations", "2026-08")
"""Managed disks in Europe: each price against the median of the other four locations. Half of them are less than 0.1 % off,
one in ten more than 9 %. No location elsewhere was compared."""


def with_range(price: Price) -> Price:
    """Return an on-demand price with its range if it is an estimate; a published price is returned unchanged."""
    return ON_DEMAND.around(price) if price.estimated else price


def spot_estimate(
    source: SpotSource, region: str, machine: str, on_demand: Price, listed: float, part: float, date: str
) -> Price:
    """Return the estimate of a spot price with its range.

    `listed` is the list price with shared tenancy that spot is a part of, and `part` what the Advisor or other zones say it
    is. For sources with the model, `part` is the Advisor's earlier one.
    """
    traits, model = Traits.of(region, machine), spot_model()
    if source is SpotSource.MODEL:
        part = model.part(traits)
    elif source is SpotSource.FAR:
        part = within((model.part(traits) * max(part, LEAST)) ** 0.5)
    ratios = model.range_of(source, traits)
    text = f"estimate: {_TEXTS[source]}; {_errors(ratios)}"
    text += "; the on-demand price is an estimate too" if on_demand.estimated else ""
    low, high = (_rounded(listed * within(part * ratio)) for ratio in (ratios.low, ratios.high))
    amount = _rounded(listed * part)
    return Price(amount, text, date, True, on_demand.currency, min(low, amount), max(high, amount))


def kept_spot_estimate(price: Price, region: str, machine: str, on_demand: Price | None) -> Price:
    """Return an estimate whose amount and source a file has kept, with the range of the model's estimates."""
    ratios, amount = spot_model().range_of(SpotSource.MODEL, Traits.of(region, machine)), price.usd_per_hour
    most = amount * ratios.high if on_demand is None else min(amount * ratios.high, on_demand.usd_per_hour)
    return replace(price, low=_rounded(amount * ratios.low), high=max(_rounded(most), amount))


def _errors(ratios: Ratios) -> str:
    return f"half of {ratios.pairs} are within {ratios.median:.0%}, nine of ten within {ratios.ninth:.0%}"


def _rounded(usd: float) -> float:
    return round(usd, 6)
