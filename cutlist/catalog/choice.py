"""The catalogue that was asked for: a folder, or without one the embedded."""

from __future__ import annotations

import os

from cutlist.catalog import embedded, folder
from cutlist.catalog.regions import RegionCatalog


def chosen_regions(catalog: str | os.PathLike[str] | None) -> tuple[str, ...]:
    """The regions of a catalogue's folder, else of the embedded one. InputError when the folder holds none."""
    return folder.regions_in(catalog) if catalog else embedded.regions()


def load_chosen(catalog: str | os.PathLike[str] | None, region: str) -> RegionCatalog:
    """A region of a catalogue's folder, else of the embedded one. InputError for a region that is not there."""
    return folder.load_from(catalog, region) if catalog else embedded.load(region)
