"""The catalogue that was asked for: a folder, or without one the embedded."""

from __future__ import annotations

import os

from cutlist.catalog import embedded
from cutlist.catalog.folder import CatalogFolder, unknown_region, vendors_in
from cutlist.catalog.regions import AWS_VENDOR, AZURE_VENDOR, AnyRegion


def chosen_regions(catalog: str | os.PathLike[str] | None) -> tuple[str, ...]:
    """The regions of a catalogue's folder, else of the embedded one, those of AWS first. InputError for an empty folder."""
    if catalog:
        return tuple(region for folder in vendors_in(catalog).values() for region in folder.regions())
    return (*embedded.regions(), *embedded.locations())


def load_chosen(catalog: str | os.PathLike[str] | None, region: str) -> AnyRegion:
    """A region of a catalogue's folder, else of the embedded one. InputError for a region that is not there."""
    known = chosen_regions(catalog)
    if region not in known:
        raise unknown_region(region, known)
    if catalog:
        return _load_from(vendors_in(catalog), region)
    return embedded.load_location(region) if region in embedded.locations() else embedded.load(region)


def _load_from(folders: dict[str, CatalogFolder], region: str) -> AnyRegion:
    azure = folders.get(AZURE_VENDOR)
    if azure is not None and region in azure.regions():
        return azure.region(region, azure.sizes())
    aws = folders[AWS_VENDOR]
    return aws.region(region, aws.machines())
