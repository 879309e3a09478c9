"""The prices of services other than machines: control planes, gateways, addresses, keys; by vendor, item and region.

A row applies to one region, or with `*` to every region except those that the header lists as `apart`, which have their own
price lists. An item without a row is unknown, not zero; only managed disks of Azure are then estimated, as the median of the
locations with a price (VL-13). The format is that of the catalogue's other files, so a changed figure needs a source.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from statistics import median
from typing import Final

from cutlist.catalog import managed_disks
from cutlist.catalog.format import Table
from cutlist.catalog.own_files import own_table
from cutlist.catalog.prices import HOURS_PER_MONTH, Price
from cutlist.catalog.spreads import DISKS
from cutlist.core.errors import InputError, Place

COLUMNS: Final = ("item", "region", "usd", "per", "source")
EVERYWHERE: Final = "*"
_HOURS: Final[Mapping[str, int]] = {"hour": 1, "month": HOURS_PER_MONTH}
SERVICES: Final = "services.tsv"
AUTO_FEE: Final = "eks-auto-"
"""How the items begin that are management fees of EKS Auto Mode; an instance type follows."""


@dataclass(frozen=True, slots=True)
class ServicePrices:
    """The known prices of one vendor by item and region. Regions that begin with one of `apart` have no general price."""

    vendor: str
    prices: Mapping[tuple[str, str], Price]
    apart: tuple[str, ...] = ()

    @property
    def items(self) -> tuple[str, ...]:
        """Return the items with any known price, sorted."""
        return tuple(sorted({item for item, _ in self.prices}))

    def price(self, item: str, region: str) -> Price | None:
        """Return the price of one item per hour in a region, or None if it is unknown."""
        general = None if not region or region.startswith(self.apart) else self.prices.get((item, EVERYWHERE))
        return self.prices.get((item, region), general) or self._estimate(item, region)

    def _estimate(self, item: str, region: str) -> Price | None:
        """Return the median of the locations with a price, for items that are estimated at all; with its range in Europe, where
        those locations are."""
        if not region or not item.startswith(managed_disks.PREFIX):
            return None
        known = [price for (other, _), price in self.prices.items() if other == item]
        if not known:
            return None
        middle = median(price.usd_per_hour for price in known)
        compared = managed_disks.is_european(region)
        basis = (
            f"{len(known)} European locations" if compared else f"{len(known)} European locations, compared with none elsewhere"
        )
        estimate = Price(middle, f"estimated as the median of {basis}, {known[0].source}", known[0].date, estimated=True)
        return DISKS.around(estimate) if compared else estimate


@lru_cache(maxsize=4)
def service_prices(vendor: str) -> ServicePrices:
    """Return the prices that come with Cutlist, of `aws` or `azure`. Raises InputError for a damaged file."""
    return read_services(*own_table(vendor, SERVICES))


def read_services(table: Table, place: Place) -> ServicePrices:
    """Return the prices of a catalogue file. Raises InputError for a row without a figure, a unit or a source, or for a
    repeated one."""
    if table.columns != COLUMNS:
        raise InputError.one(place, f"the columns are {', '.join(table.columns)}", allowed=", ".join(COLUMNS))
    prices: dict[tuple[str, str], Price] = {}
    currency = table.header.get("currency", "USD")
    for item, region, usd, per, code in table.rows:
        source, hours, figure = table.sources.get(code), _HOURS.get(per), _figure(usd)
        if not item or not region or source is None or hours is None or figure is None:
            wanted = f"a figure in USD, {' or '.join(_HOURS)}, and a source of the header"
            raise InputError.one(place.at(f"{item} {region}"), "the price cannot be read", allowed=wanted)
        if (item, region) in prices:
            raise InputError.one(place.at(f"{item} {region}"), "the price appears twice", allowed="one row for each region")
        prices[item, region] = Price(figure / hours, source.text, source.date, currency=currency)
    return ServicePrices(table.header.get("vendor", ""), prices, tuple(table.header.get("apart", "").split()))


def _figure(text: str) -> float | None:
    try:
        figure = float(text)
    except ValueError:
        return None
    return figure if 0 <= figure < float("inf") else None
