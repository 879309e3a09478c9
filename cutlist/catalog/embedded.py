"""The catalogue that comes with Cutlist: machines, offerings and prices of AWS regions, each file read when first needed."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

from cutlist.catalog.format import Table, read_table
from cutlist.catalog.machines import Machines
from cutlist.catalog.regions import RegionCatalog, read_region
from cutlist.errors import InputError, Place, nearest

_AWS: Final = Path(__file__).parent / "data" / "aws"
_MACHINES: Final = "machines.tsv"
_SUFFIX: Final = ".tsv"


@lru_cache(maxsize=1)
def regions() -> tuple[str, ...]:
    """The regions of the embedded catalogue, sorted."""
    return tuple(sorted(path.stem for path in (_AWS / "regions").glob("*" + _SUFFIX)))


@lru_cache(maxsize=64)
def load(region: str) -> RegionCatalog:
    """What is known of a region; the same object at every call. InputError for a region that is not there or a damaged file."""
    if region not in regions():
        raise InputError.one(
            Place(path="region"),
            f"region {region!r} is not in the catalogue" if region else "no region is given",
            allowed=", ".join(regions()),
            nearest=nearest(region, regions()),
        )
    table, place = _read(f"regions/{region}{_SUFFIX}")
    return read_region(table, _machines(), place)


def machine_names() -> frozenset[str]:
    """The names of all machines of the embedded catalogue, wherever they are sold."""
    return frozenset(_machines())


@lru_cache(maxsize=1)
def _machines() -> Machines:
    return Machines.of_table(*_read(_MACHINES))


def _read(name: str) -> tuple[Table, Place]:
    place = Place(f"catalog/aws/{name}")
    try:
        text = (_AWS / name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError.one(place, f"the catalogue file cannot be read: {problem}") from None
    return read_table(text, place), place
