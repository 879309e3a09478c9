"""`cutlist catalog update --prices` for locations of Azure: today's list prices of machines and services."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from cutlist.catalog.embedded import locations
from cutlist.catalog.folder import CatalogFolder
from cutlist.core.errors import InputError, Place, nearest
from cutlist.settings.catalog import REGIONS
from cutlist_live.azure_location import TITLE as AZURE_TITLE
from cutlist_live.azure_prices import AZURE_ITEMS, MACHINES, retail_prices, service_rows
from cutlist_live.azure_sizes import Record
from cutlist_live.in_turn import UpdateResult, in_turn
from cutlist_live.price_files import LivePrices, UpdatedPrices, write_prices
from cutlist_live.store import VM_SIZES, ServiceRow, Store


class RetailAnswers(Protocol):
    """Azure's retail price list, from any source. Each raises AccountError or RegionError."""

    def prices(self, location: str) -> list[Record]:
        """Return rows about machines, including other locations and perhaps other things."""

    def service_prices(self, location: str) -> list[Record]:
        """Return rows about disks, gateways and other services."""


def update_location_prices(
    answers: RetailAnswers, names: Sequence[str], folder: CatalogFolder, now: datetime
) -> UpdateResult[UpdatedPrices]:
    """Write today's retail prices of each location of Azure, which need no sign-in."""
    store = Store(folder, VM_SIZES)

    def check(location: str) -> None:
        if location not in locations():
            text = f"location {location!r} is not known"
            raise InputError.one(Place.of(REGIONS), text, nearest=nearest(location, locations()))

    return in_turn(
        names, check, lambda location: write_prices(store, folder, location, lambda _: _azure_prices(answers, location, now))
    )


def _azure_prices(answers: RetailAnswers, location: str, now: datetime) -> LivePrices:
    rows = [*answers.prices(location), *answers.service_prices(location)]
    machines = (row for row in rows if row.get("serviceName", MACHINES) == MACHINES)
    on_demand, spot = retail_prices(machines, location)
    rates = service_rows(rows, location)
    words = f"{AZURE_TITLE}: retail prices"
    services = [ServiceRow(item, location, usd, per, words) for item, (usd, per) in sorted(rates.items())]
    return LivePrices(
        location,
        now.date().isoformat(),
        {name: (usd, words) for name, usd in on_demand.items()},
        {name: (usd, f"{words} of spot") for name, usd in spot.items()},
        services,
        tuple(item.name for item in AZURE_ITEMS if item.name not in rates),
    )
