"""A catalogue in a folder: for each vendor `machines.tsv` and a file a region in `regions`, such as `aws/machines.tsv` and
`azure/regions/eastus.tsv`, as it comes with Cutlist or is written by `cutlist catalog update`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from cutlist.catalog.format import Table, read_table
from cutlist.catalog.machines import Machines
from cutlist.catalog.regions import AWS_VENDOR, AZURE_VENDOR, Region, read_region
from cutlist.catalog.rows import Rows
from cutlist.catalog.sizes import Sizes
from cutlist.core.errors import InputError, Place, nearest

MACHINES: Final = "machines.tsv"
_REGIONS: Final = "regions"
SUFFIX: Final = ".tsv"
"""How the files of a catalogue end."""
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class CatalogFolder:
    """The files of one vendor. `label` is what messages call the folder."""

    path: Path
    label: str

    @staticmethod
    def of(folder: str | os.PathLike[str], vendor: str = AWS_VENDOR) -> CatalogFolder:
        """Return the catalogue of a vendor in a folder, whether anything is there yet or not."""
        path = Path(folder) / vendor
        return CatalogFolder(path, path.as_posix())

    def regions(self) -> tuple[str, ...]:
        """Return the regions that have a file, sorted."""
        return tuple(sorted(path.stem for path in (self.path / _REGIONS).glob("*" + SUFFIX)))

    def region_file(self, region: str) -> Path:
        """Return where a region is, or would be."""
        return self.path / _REGIONS / (region + SUFFIX)

    def machines(self) -> Machines:
        """Return all machines of AWS. InputError for a missing or damaged file."""
        return Machines.of_table(*self.machine_table())

    def sizes(self) -> Sizes:
        """Return all sizes of Azure. InputError for a missing or damaged file."""
        return Sizes.of_table(*self.machine_table())

    def machine_table(self) -> tuple[Table, Place]:
        """Return the file of machines as it is written."""
        return self._read(MACHINES)

    def region(self, region: str, machines: Rows[M]) -> Region[M]:
        """Return what the folder knows of a region. InputError for a region that is not there or a damaged file."""
        known = self.regions()
        if region not in known:
            raise unknown_region(region, known)
        table, place = self._read(f"{_REGIONS}/{region}{SUFFIX}")
        return read_region(table, machines, place)

    def _read(self, name: str) -> tuple[Table, Place]:
        place = Place(f"{self.label}/{name}")
        try:
            text = (self.path / name).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as problem:
            raise InputError.one(place, f"the catalogue file cannot be read: {problem}") from None
        return read_table(text, place), place


def unknown_region(region: str, known: tuple[str, ...]) -> InputError:
    """Return what is said of a region that is not there."""
    return InputError.one(
        Place(path="region"),
        f"region {region!r} is not in the catalogue" if region else "no region is given",
        allowed=", ".join(known),
        nearest=nearest(region, known),
    )


def vendors_in(folder: str | os.PathLike[str]) -> dict[str, CatalogFolder]:
    """Return the vendors of which a folder holds regions. InputError when it holds none at all."""
    folders = {vendor: CatalogFolder.of(folder, vendor) for vendor in (AWS_VENDOR, AZURE_VENDOR)}
    filled = {vendor: folder_of for vendor, folder_of in folders.items() if folder_of.regions()}
    if not filled:
        raise InputError.one(Place(str(folder)), "this folder holds no catalogue", "one that `cutlist catalog update` wrote")
    return filled
