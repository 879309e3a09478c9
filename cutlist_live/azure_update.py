"""`cutlist catalog update --cloud azure`: locations with their sizes, prices and quotas."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from cutlist.catalog.embedded import locations, regions
from cutlist.catalog.folder import CatalogFolder
from cutlist.catalog.sizes import Size
from cutlist.core.errors import InputError, Place, Problem, nearest
from cutlist.core.wording import counted
from cutlist.settings.catalog import CLOUD, REGIONS
from cutlist_live import azure_location
from cutlist_live.in_turn import UpdateResult, in_turn
from cutlist_live.store import VM_SIZES, Store, write_catalogue_file

_LOCATION: Final = re.compile(r"[a-z][a-z0-9]+")


@dataclass(frozen=True, slots=True)
class UpdatedLocation:
    """A location that was written, and where; its quotas are in a separate file."""

    live: azure_location.LiveLocation
    file: azure_location.LocationFile
    path: Path
    quotas: Path
    open: tuple[Problem, ...] = ()

    @property
    def summary(self) -> str:
        """Return what was read and what was missing, in lines for people."""
        live, file = self.live, self.file
        lines = [
            f"{live.location}: {file.sizes} sizes in {len(live.zones)} zones, {file.on_demand} on-demand prices, "
            f"{file.spot} spot prices; written to {self.path}",
            f"  {len(live.quotas)} quotas written to {self.quotas}; give them to plans as a file",
        ]
        for sizes, what in (
            (len(live.skus) - file.sizes, "not open to the subscription and left out"),
            (file.kept, "not in the price list, so with the price known before, its source and date"),
            (file.sizes - file.on_demand, "without a known price, so taken last by plans"),
        ):
            lines += [f"  {what}: {counted(sizes, 'size')}"] if sizes else []
        return "".join(f"{line}\n" for line in lines)


def update_locations(
    answers: azure_location.Answers, names: Sequence[str], folder: CatalogFolder, now: datetime
) -> UpdateResult[UpdatedLocation]:
    """Write the catalogue and the quotas of each location. Raises InputError at once for an invalid name."""
    store = Store(folder, VM_SIZES)
    return in_turn(names, _check, lambda location: _update(answers, location, store, folder, now))


def _check(location: str) -> None:
    if _LOCATION.fullmatch(location) is None:
        is_of_aws = f"; it is a region of AWS, which is read without {CLOUD.flag} azure" if location in regions() else ""
        text = f"{location!r} is not a name of a location of Azure{is_of_aws}"
        raise InputError.one(Place.of(REGIONS), text, "a name such as westeurope", nearest(location, locations()))


def _update(
    answers: azure_location.Answers, location: str, store: Store[Size], folder: CatalogFolder, now: datetime
) -> UpdatedLocation:
    live = azure_location.read_location(answers, location, now)
    file = azure_location.location_file(live, store.before(location))
    path = store.write(location, file.text, azure_location.sizes_by_name(live), dict([azure_location.size_source(live.date)]))
    quotas = folder.path / "quotas" / f"{location}.yaml"
    write_catalogue_file(quotas, azure_location.quota_document(live), "the quotas")
    return UpdatedLocation(live, file, path, quotas)
