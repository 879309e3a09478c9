"""`cutlist catalog update` for regions of AWS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cutlist.catalog import Machine, all_machines
from cutlist.catalog.folder import CatalogFolder
from cutlist_live.account import Account
from cutlist_live.in_turn import UpdateResult, in_turn
from cutlist_live.region import LiveRegion, RegionFile, machine_source, read_region, region_file
from cutlist_live.store import EC2_TYPES, Store


@dataclass(frozen=True, slots=True)
class UpdatedRegion:
    """A region that was written, and where."""

    live: LiveRegion
    file: RegionFile
    path: Path

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
