"""How old the prices of a region are on a day, and what error their age adds."""

from __future__ import annotations

from calendar import monthrange
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Annotated, Any, Final

from cutlist.catalog.prices import Price
from cutlist.catalog.regions import AnyRegion, is_azure
from cutlist.core.records import SPARSE, Key, about
from cutlist.settings.catalog import public_update_of

OLD: Final = 90
"""After how many days prices are old."""
ERRORS_OF_SPOT: Final = ((180, 0.11), (90, 0.09))
"""By how much savings of the Spot Advisor were off after so many days, in the median of its types."""
PRICE_AGE: Final = about("Which prices are older than 90 days, as of the day of the answer; only where some are.")
"""What an answer's JSON says of the member."""
_ISO_DAY: Final = len("2026-01-01")
_ISO_MONTH: Final = len("2026-01")


@dataclass(frozen=True, slots=True)
class OldPrices:
    """Prices of one kind: the date that half of them are as old as, or older, and how many days ago that was.

    A date may be a month, of which the last day counts. `added_error` is the error that this age adds in the median, as a
    fraction: None where nobody measured it.
    """

    date: str
    days: int
    added_error: Annotated[float | None, SPARSE, about("What the age adds, in the median; only where it was measured.")] = None


@dataclass(frozen=True, slots=True)
class PriceAge:
    """Which prices of a region are older than 90 days, as of a day."""

    region: str
    day: str
    listed: Annotated[OldPrices | None, SPARSE, Key("onDemand")] = None
    spot: Annotated[OldPrices | None, SPARSE] = None

    @staticmethod
    def of(catalog: AnyRegion, day: date | None) -> PriceAge | None:
        """Return which prices of a region are old on a day; None where none is, and without a day."""
        if day is None:
            return None
        dates = _dates(catalog)
        listed = _old(dates.get("listed"), day)
        spot = _old(dates.get("spot"), day)
        if spot is not None and not is_azure(catalog):
            error = next(error for days, error in ERRORS_OF_SPOT if spot.days >= days)
            spot = OldPrices(spot.date, spot.days, error)
        return None if listed is None and spot is None else PriceAge(catalog.region, day.isoformat(), listed, spot)

    @property
    def days(self) -> int:
        """Return how old the older of the two kinds is."""
        return max(of.days for of in (self.listed, self.spot) if of is not None)

    def sentence(self, regions: int = 1) -> str:
        """Return what a reader of an answer has to know; it may be about several regions, of which this one is the oldest."""
        kinds = ((self.listed, "list prices"), (self.spot, "spot"))
        ages = ", ".join(f"{what} of {of.date} ({of.days} days)" for of, what in kinds if of is not None)
        (late, more), (early, less) = ERRORS_OF_SPOT
        known = self.spot is not None and self.spot.added_error is not None
        error = f". Age adds an error to spot: {less:.0%} in the median after {early} days, {more:.0%} after {late}"
        current = f"{public_update_of(self.region)} reads current ones"
        where = f" in {regions} regions; in {self.region}" if regions > 1 else ""
        return f"Old prices on {self.day}{where}: {ages}{error if known else ''}. {current}."


def _old(written: str | None, day: date) -> OldPrices | None:
    known = None if written is None else last_day(written)
    days = 0 if known is None else (day - known).days
    return OldPrices(written or "", days) if days > OLD else None


def last_day(written: str) -> date | None:
    """Return the day of a date, of a month its last one; None for anything else, such as no date."""
    try:
        if len(written) == _ISO_DAY:
            return date.fromisoformat(written)
        if len(written) == _ISO_MONTH:
            year, month = int(written[:4]), int(written[5:])
            return date(year, month, monthrange(year, month)[1])
    except ValueError:
        return None
    return None


@lru_cache(maxsize=64)
def _dates(catalog: AnyRegion) -> Mapping[str, str]:
    """Return the median date of the prices on demand, and that of spot prices; without those of no date."""
    spot = (price for prices in (catalog.spot or {}).values() for price in prices.values())
    medians = {"listed": _median(catalog.on_demand.values()), "spot": _median(spot)}
    return {kind: median for kind, median in medians.items() if median}


def _median(prices: Iterable[Price]) -> str:
    counts = Counter(price.date for price in prices if last_day(price.date) is not None)
    ordered: list[Any] = sorted(counts, key=lambda written: (last_day(written), written))
    half, seen = counts.total() / 2, 0
    for written in ordered:
        seen += counts[written]
        if seen >= half:
            return str(written)
    return ""
