"""The catalogue that comes with Cutlist, each file read when first needed; a named folder can replace it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from cutlist.catalog.folder import CatalogFolder, unknown_region, vendors_in
from cutlist.catalog.format import Source
from cutlist.catalog.machines import Machines
from cutlist.catalog.own_files import DATA
from cutlist.catalog.regions import AWS_VENDOR, AZURE_VENDOR, AnyRegion, LocationCatalog, RegionCatalog
from cutlist.catalog.sizes import Sizes

_AWS: Final = CatalogFolder(DATA / AWS_VENDOR, f"catalog/{AWS_VENDOR}")
_AZURE: Final = CatalogFolder(DATA / AZURE_VENDOR, f"catalog/{AZURE_VENDOR}")


@lru_cache(maxsize=1)
def regions() -> tuple[str, ...]:
    """Return the regions of AWS in the embedded catalogue, sorted."""
    return _AWS.regions()


@lru_cache(maxsize=1)
def locations() -> tuple[str, ...]:
    """Return the locations of Azure in the embedded catalogue, sorted."""
    return _AZURE.regions()


@lru_cache(maxsize=64)
def load(region: str) -> RegionCatalog:
    """Return the catalogue of a region; the same object at every call.

    Raises InputError for an unknown region or a damaged file.
    """
    return _AWS.region(region, all_machines())


@lru_cache(maxsize=64)
def load_location(location: str) -> LocationCatalog:
    """Return the catalogue of a location of Azure, as `load` does for regions of AWS."""
    return _AZURE.region(location, all_sizes())


@lru_cache(maxsize=1)
def all_machines() -> Machines:
    """Return all machines of AWS in the embedded catalogue, wherever they are sold."""
    return _AWS.machines()


@lru_cache(maxsize=1)
def all_sizes() -> Sizes:
    """Return all sizes of Azure that Karpenter's provider knows, wherever they are sold."""
    return _AZURE.sizes()


def embedded_sources(vendor: str) -> Mapping[str, Source]:
    """Return the sources of the embedded machines of a vendor, by their code."""
    return (_AWS if vendor == AWS_VENDOR else _AZURE).machine_table()[0].sources


def machine_names() -> frozenset[str]:
    """Return the names of all machines of AWS in the embedded catalogue, wherever they are sold."""
    return frozenset(all_machines())


def chosen_folders(catalog: str | os.PathLike[str] | None) -> Mapping[str, CatalogFolder]:
    """Return the folders of a catalogue by vendor, else those of the embedded one. Raises InputError for an empty folder."""
    return {AWS_VENDOR: _AWS, AZURE_VENDOR: _AZURE} if catalog is None else vendors_in(catalog)


def chosen_regions(catalog: str | os.PathLike[str] | None) -> tuple[str, ...]:
    """Return the regions of a catalogue's folder, else of the embedded one, those of AWS first.

    Raises InputError for an empty folder.
    """
    if catalog is not None:
        return tuple(region for folder in vendors_in(catalog).values() for region in folder.regions())
    return (*regions(), *locations())


def load_chosen(catalog: str | os.PathLike[str] | None, region: str) -> AnyRegion:
    """Return a region of a catalogue's folder, else of the embedded one. Raises InputError for an unknown region."""
    known = chosen_regions(catalog)
    if region not in known:
        raise unknown_region(region, known)
    if catalog is not None:
        return _load_from(vendors_in(catalog), region)
    return load_location(region) if region in locations() else load(region)


def _load_from(folders: dict[str, CatalogFolder], region: str) -> AnyRegion:
    azure = folders.get(AZURE_VENDOR)
    if azure is not None and region in azure.regions():
        return replace(azure.region(region, azure.sizes()), services=azure.services())
    aws = folders[AWS_VENDOR]
    return replace(aws.region(region, aws.machines()), services=aws.services())
