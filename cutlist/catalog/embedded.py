"""The catalogue that comes with Cutlist: machines, offerings and prices of AWS regions, each file read when first needed."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

from cutlist.catalog.folder import VENDOR, CatalogFolder
from cutlist.catalog.machines import Machines
from cutlist.catalog.regions import RegionCatalog

_AWS: Final = CatalogFolder(Path(__file__).parent / "data" / VENDOR, f"catalog/{VENDOR}")


@lru_cache(maxsize=1)
def regions() -> tuple[str, ...]:
    """The regions of the embedded catalogue, sorted."""
    return _AWS.regions()


@lru_cache(maxsize=64)
def load(region: str) -> RegionCatalog:
    """What is known of a region; the same object at every call. InputError for a region that is not there or a damaged file."""
    return _AWS.region(region, all_machines())


@lru_cache(maxsize=1)
def all_machines() -> Machines:
    """All machines of the embedded catalogue, wherever they are sold."""
    return _AWS.machines()


def machine_names() -> frozenset[str]:
    """The names of all machines of the embedded catalogue, wherever they are sold."""
    return frozenset(all_machines())
