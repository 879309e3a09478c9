"""A catalogue in a folder: for each vendor `machines.tsv` and a file per region in `regions`, such as `aws/machines.tsv` and
`azure/regions/eastus.tsv`, as it comes with Cutlist or is written by `cutlist catalog update`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

from cutlist.catalog.format import Source, Table, read_table
from cutlist.catalog.machines import Machines
from cutlist.catalog.regions import AWS_VENDOR, AZURE_VENDOR, Region, read_region
from cutlist.catalog.rows import Rows
from cutlist.catalog.services import SERVICES, ServicePrices, read_services
from cutlist.catalog.sizes import Sizes
from cutlist.core.errors import InputError, Place, names_near, nearest
from cutlist.documents.files import MAX_BYTES, special_file
from cutlist.settings.planning import REGION

MACHINES: Final = "machines.tsv"
_REGIONS: Final = "regions"
_WRITTEN: Final = "one that `cutlist catalog update` wrote"
SUFFIX: Final = ".tsv"
"""The file name extension of catalogue files."""
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class CatalogFolder:
    """The catalogue folder of one vendor. `label` is the folder's name in messages."""

    path: Path
    label: str

    @staticmethod
    def of(folder: str | os.PathLike[str], vendor: str = AWS_VENDOR) -> CatalogFolder:
        """Return the catalogue of a vendor in a folder, whether or not it contains anything yet."""
        path = Path(folder) / vendor
        return CatalogFolder(path, path.as_posix())

    def regions(self) -> tuple[str, ...]:
        """Return the regions that have a file, sorted."""
        return tuple(sorted(path.stem for path in (self.path / _REGIONS).glob("*" + SUFFIX)))

    def region_file(self, region: str) -> Path:
        """Return the path of a region's file, whether or not it exists."""
        return self.path / _REGIONS / (region + SUFFIX)

    def machines(self) -> Machines:
        """Return all machines of AWS. Raises InputError for a missing or damaged file."""
        return Machines.of_table(*self.machine_table())

    def sizes(self) -> Sizes:
        """Return all sizes of Azure. Raises InputError for a missing or damaged file."""
        return Sizes.of_table(*self.machine_table())

    def machine_table(self) -> tuple[Table, Place]:
        """Return the file of machines as it is written."""
        return self._read(MACHINES)

    def region(self, region: str, machines: Rows[M]) -> Region[M]:
        """Return the folder's catalogue of a region. Raises InputError for an unknown region or a damaged file."""
        known = self.regions()
        if region not in known:
            raise unknown_region(region, known)
        table, place = self._read(f"{_REGIONS}/{region}{SUFFIX}")
        return read_region(table, machines, place)

    def region_sources(self, region: str) -> Mapping[str, Source]:
        """Return where the figures of a region are from, by code. Raises InputError for a damaged file."""
        return self._read(f"{_REGIONS}/{region}{SUFFIX}")[0].sources

    def services(self) -> ServicePrices | None:
        """Return the prices of services in the folder, or None if it has none. Raises InputError for a damaged file."""
        if not (self.path / SERVICES).exists():
            return None
        table, place = self._read(SERVICES)
        return read_services(table, place)

    def _read(self, name: str) -> tuple[Table, Place]:
        place = Place(f"{self.label}/{name}")
        special = special_file(self.path / name)
        if special is not None:
            raise InputError([replace(special, place=place, allowed="a file of a catalogue")])
        try:
            if (self.path / name).stat().st_size > MAX_BYTES:
                raise InputError.one(place, f"the catalogue file is larger than {MAX_BYTES // 2**20} MiB", _WRITTEN)
            text = (self.path / name).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as problem:
            raise InputError.one(place, f"the catalogue file cannot be read: {problem}") from None
        return read_table(text, place), place


def unknown_region(region: str, known: tuple[str, ...]) -> InputError:
    """Return the error that lists the regions most like the one that was named, or asks for one where none was."""
    return InputError.one(
        Place.of(REGION),
        f"region {region!r} is not in the catalogue" if region else "no region is given",
        allowed=names_near(region, known),
        nearest=nearest(region, known) if region else "",
    )


def vendors_in(folder: str | os.PathLike[str]) -> dict[str, CatalogFolder]:
    """Return the vendors whose regions a folder contains. Raises InputError when it contains none at all."""
    if not os.path.isdir(folder):
        text = "is a file, not the folder of a catalogue" if os.path.exists(folder) else "there is no such folder"
        raise InputError.one(Place(str(folder) or "''"), text, _WRITTEN)
    folders = {vendor: CatalogFolder.of(folder, vendor) for vendor in (AWS_VENDOR, AZURE_VENDOR)}
    filled = {vendor: folder_of for vendor, folder_of in folders.items() if folder_of.regions()}
    if not filled:
        raise InputError.one(Place(str(folder)), "this folder holds no catalogue", _WRITTEN)
    return filled
