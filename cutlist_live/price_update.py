"""`cutlist catalog update` for regions of AWS: their machines and prices, or with `--prices` today's list prices alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cutlist.catalog.embedded import all_machines
from cutlist.catalog.folder import CatalogFolder
from cutlist.catalog.machines import Machine
from cutlist.core.errors import Place, Problem
from cutlist_live.account import Account
from cutlist_live.errors import RegionError
from cutlist_live.in_turn import UpdateResult, in_turn
from cutlist_live.price_files import LivePrices, UpdatedPrices, write_prices
from cutlist_live.price_lists import list_prices
from cutlist_live.prices import has_price_list
from cutlist_live.region import LiveRegion, RegionFile, RegionReader, machine_source, read_region, region_file
from cutlist_live.store import EC2_TYPES, Store


def update_prices(
    account: Account, regions: Sequence[str], folder: CatalogFolder, now: datetime
) -> UpdateResult[UpdatedPrices]:
    """Write today's list prices of each region of AWS. Raises InputError at once for an unknown region or a damaged folder."""
    store = Store(folder, EC2_TYPES)

    def one(region: str) -> UpdatedPrices:
        return write_prices(store, folder, region, lambda _: _aws_prices(account, region, now))

    return in_turn(regions, account.check_region, one)


def _aws_prices(account: Account, region: str, now: datetime) -> LivePrices:
    if not has_price_list(region):
        raise RegionError(Problem(Place(region), "accounts of GovCloud cannot reach the price list"))
    ask = RegionReader()
    prices = list_prices(account, region, now, ask)
    ask.problems.raise_if_any()
    return prices


@dataclass(frozen=True, slots=True)
class UpdatedRegion:
    """A region that was written, and where."""

    live: LiveRegion
    file: RegionFile
    path: Path
    open: tuple[Problem, ...] = ()

    @property
    def summary(self) -> str:
        """Return what was read and what was missing, in lines for people."""
        file = self.file
        lines = [
            f"{self.live.region}: {file.types} types in {len(self.live.zones)} zones, {file.on_demand} on-demand prices, "
            f"{file.spot} spot prices; written to {self.path}"
        ]
        if file.kept:
            lines.append(
                f"  {file.kept} types are not in the price list and keep the price known before, with its source and date"
            )
        if file.types > file.on_demand:
            lines.append(f"  {file.types - file.on_demand} types have no known price: plans cannot use them")
        if file.beyond_tables:
            lines.append(
                f"  {file.beyond_tables} types are not in Karpenter's tables of bandwidth and branch interfaces: "
                "without that label, and without pod-eni"
            )
        return "".join(f"{line}\n" for line in lines)


def update(account: Account, regions: Sequence[str], folder: CatalogFolder, now: datetime) -> UpdateResult[UpdatedRegion]:
    """Write the catalogue of each region. Raises InputError at once for an unknown region or a damaged folder."""
    store = Store(folder, EC2_TYPES)
    return in_turn(regions, account.check_region, lambda region: _update(account, region, store, now))


def _update(account: Account, region: str, store: Store[Machine], now: datetime) -> UpdatedRegion:
    live = read_region(account, region, now, all_machines())
    file = region_file(live, store.before(region))
    sold = {name: machine for name, machine in live.machines.items() if name in live.offered}
    return UpdatedRegion(live, file, store.write(region, file.text, sold, dict([machine_source(live.date)])))
