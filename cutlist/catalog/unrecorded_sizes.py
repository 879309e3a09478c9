"""VM sizes of Azure that have a price, and no record of their vCPUs, memory and disks: they exist, and cannot be planned.

Some are spelt as the price list does, such as `Standard_DC128edsv5`; names are compared without underscores and hyphens.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from cutlist.catalog.format import Table
from cutlist.catalog.own_files import own_table
from cutlist.catalog.prices import Price
from cutlist.core.errors import InputError, Place

COLUMNS: Final = ("type", "location", "on_demand", "spot")
UNRECORDED: Final = "unrecorded.tsv"
_Prices = Mapping[str, Mapping[str, Price]]


def unrecorded_prices(size: str) -> Mapping[str, Price]:
    """Return the on-demand prices per hour of a size without a record by location; empty for a size with one, and for a name
    that no price list has."""
    return _prices().get(_spelt(size), {})


def why_not_planned(size: str, location: str = "") -> str:
    """Return in words that a size is priced and not recorded; empty for any other. Its price in the location comes first."""
    prices = unrecorded_prices(size)
    if not prices:
        return ""
    where = location if location in prices else min(prices)
    price = prices[where]
    text = f"priced at ${price.usd_per_hour:.4g} an hour in {where} ({price.provenance})"
    return f"{text}, but its record (vCPUs, memory, disks) is not in the catalogue: it cannot be planned"


def _spelt(size: str) -> str:
    return size.lower().replace("_", "").replace("-", "")


@lru_cache(maxsize=1)
def _prices() -> _Prices:
    return read_unrecorded(*own_table("azure", UNRECORDED))


def read_unrecorded(table: Table, place: Place) -> _Prices:
    """Return the on-demand prices of a catalogue file by name and location. Raises InputError for other columns or a row
    without a price."""
    if table.columns != COLUMNS:
        raise InputError.one(place, f"the columns are {', '.join(table.columns)}", allowed=", ".join(COLUMNS))
    (source, *_) = table.sources.values()
    prices: dict[str, dict[str, Price]] = {}
    for size, location, on_demand, _spot in table.rows:
        try:
            price = Price(float(on_demand), source.text, source.date)
        except ValueError:
            raise InputError.one(place.at(f"{size} {location}"), f"{on_demand!r} is not a price", "USD an hour") from None
        prices.setdefault(_spelt(size), {})[location] = price
    return prices
