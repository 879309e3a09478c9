"""`cutlist catalog update --public`: prices of regions from endpoints that need no account."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, TypeVar

from cutlist.catalog.embedded import regions
from cutlist.catalog.folder import CatalogFolder
from cutlist.catalog.machines import Machine
from cutlist.catalog.regions import RegionCatalog
from cutlist.core.errors import InputError, Place, Problem, names_near, nearest
from cutlist.settings.catalog import REGIONS
from cutlist_live.azure_price_update import update_location_prices
from cutlist_live.errors import RegionError
from cutlist_live.in_turn import UpdateResult, in_turn
from cutlist_live.price_files import LivePrices, PublicSpot, UpdatedPrices, write_prices
from cutlist_live.price_lists import METAL_FAMILY, currency_of, list_prices
from cutlist_live.prices import on_demand_prices, product_filters
from cutlist_live.public.endpoints import Addresses, PublicFiles
from cutlist_live.public.price_list import PublicPriceList
from cutlist_live.public.retail import PublicRetailPrices
from cutlist_live.public.spot import savings, zone_prices
from cutlist_live.store import EC2_TYPES, Store

T = TypeVar("T")
_STAYS: Final = "; what was known of it stays"


@dataclass(slots=True)
class _OpenParts:
    """Collects what cannot be read, so that the rest is."""

    problems: list[Problem] = field(default_factory=list)

    def __call__(self, call: Callable[[], list[Any]]) -> list[Any]:
        """Return what a call returns, else an empty list."""
        return self.part(call) or []

    def part(self, call: Callable[[], T]) -> T | None:
        """Return what a call returns, else None."""
        try:
            return call()
        except RegionError as error:
            problem = replace(error.problem, message=f"{error.problem.message}{_STAYS}")
            self.problems += [problem] if problem not in self.problems else []
            return None


def update_public(
    files: PublicFiles, addresses: Addresses, names: Sequence[str], folder: CatalogFolder, now: datetime
) -> UpdateResult[UpdatedPrices]:
    """Write the public prices of regions of AWS whose types and zones the catalogue knows.

    A file that cannot be read is an open part of the answer, and the prices that it would have stay as they are. Raises
    InputError at once for an unknown region or a damaged folder.
    """
    store = Store(folder, EC2_TYPES)
    answers = PublicPriceList(files, addresses)

    def one(region: str) -> UpdatedPrices:
        return write_prices(store, folder, region, lambda before: _public_prices(answers, before, now))

    return in_turn(names, lambda region: _check(region, store), one)


def update_public_locations(
    files: PublicFiles, addresses: Addresses, names: Sequence[str], folder: CatalogFolder, now: datetime
) -> UpdateResult[UpdatedPrices]:
    """Write the retail prices of locations of Azure. Raises InputError at once for an unknown location or a damaged folder."""
    return update_location_prices(PublicRetailPrices(files, addresses.azure), names, folder, now)


def _check(region: str, store: Store[Machine]) -> None:
    if store.before(region) is None:
        known = regions()
        text = f"region {region!r} of AWS is not known"
        raise InputError.one(Place.of(REGIONS), text, names_near(region, known), nearest(region, known))


def _public_prices(answers: PublicPriceList, before: RegionCatalog, now: datetime) -> LivePrices:
    region, parts = before.region, _OpenParts()
    prices = list_prices(answers, region, now, parts)
    listed = product_filters(region, METAL_FAMILY, "Shared")
    metal = on_demand_prices(parts(lambda: answers.products(region, listed)), currency_of(region))
    files, addresses = answers.files, answers.addresses
    zones = frozenset(zone.zone_id for zone in before.zones)
    by_zone = parts.part(lambda: zone_prices(files, addresses.skypilot, region, zones))
    advised = parts.part(lambda: savings(files, addresses.spot_advisor, region)) or {}
    sold = {name: saving for name, saving in advised.items() if name in before.machines}
    return replace(prices, public_spot=PublicSpot(by_zone, sold, metal), open=tuple(parts.problems))
