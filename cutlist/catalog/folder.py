"""A catalogue in a folder: `aws/machines.tsv` and a file a region in `aws/regions`, as it comes with Cutlist or is written by
`cutlist catalog update`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cutlist.catalog.format import Table, read_table
from cutlist.catalog.machines import Machines
from cutlist.catalog.regions import RegionCatalog, read_region
from cutlist.errors import InputError, Place, nearest

VENDOR: Final = "aws"
MACHINES: Final = "machines.tsv"
_REGIONS: Final = "regions"
_SUFFIX: Final = ".tsv"


@dataclass(frozen=True, slots=True)
class CatalogFolder:
    """The files of one vendor. `label` is what messages call the folder."""

    path: Path
    label: str

    @staticmethod
    def of(folder: str | os.PathLike[str]) -> CatalogFolder:
        """The catalogue of AWS in a folder, whether anything is there yet or not."""
        path = Path(folder) / VENDOR
        return CatalogFolder(path, path.as_posix())

    def regions(self) -> tuple[str, ...]:
        """The regions that have a file, sorted."""
        return tuple(sorted(path.stem for path in (self.path / _REGIONS).glob("*" + _SUFFIX)))

    def region_file(self, region: str) -> Path:
        """Where a region is, or would be."""
        return self.path / _REGIONS / (region + _SUFFIX)

    def machines(self) -> Machines:
        """All machines of the folder. InputError for a missing or damaged file."""
        return Machines.of_table(*self.machine_table())

    def machine_table(self) -> tuple[Table, Place]:
        """The file of machines as it is written."""
        return self._read(MACHINES)

    def region(self, region: str, machines: Machines) -> RegionCatalog:
        """What the folder knows of a region. InputError for a region that is not there or a damaged file."""
        known = self.regions()
        if region not in known:
            raise InputError.one(
                Place(path="region"),
                f"region {region!r} is not in the catalogue" if region else "no region is given",
                allowed=", ".join(known),
                nearest=nearest(region, known),
            )
        table, place = self._read(f"{_REGIONS}/{region}{_SUFFIX}")
        return read_region(table, machines, place)

    def _read(self, name: str) -> tuple[Table, Place]:
        place = Place(f"{self.label}/{name}")
        try:
            text = (self.path / name).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as problem:
            raise InputError.one(place, f"the catalogue file cannot be read: {problem}") from None
        return read_table(text, place), place


def regions_in(folder: str | os.PathLike[str]) -> tuple[str, ...]:
    """The regions of a catalogue that was written to a folder, sorted. InputError when the folder holds none."""
    found = CatalogFolder.of(folder).regions()
    if not found:
        raise InputError.one(Place(str(folder)), "this folder holds no catalogue", "one that `cutlist catalog update` wrote")
    return found


def load_from(folder: str | os.PathLike[str], region: str) -> RegionCatalog:
    """What a catalogue in a folder knows of a region, read anew at every call. Raises InputError as `load` does."""
    regions_in(folder)
    written = CatalogFolder.of(folder)
    return written.region(region, written.machines())
