"""The catalogue files that come with Cutlist."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cutlist.catalog.format import Table, read_table
from cutlist.core.errors import InputError, Place

DATA: Final = Path(__file__).parent / "data"


def own_table(vendor: str, name: str) -> tuple[Table, Place]:
    """Return a file of a vendor, with its place. Raises InputError for a damaged one."""
    place = Place(f"catalog/{vendor}/{name}")
    try:
        text = (DATA / vendor / name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError.one(place, f"the catalogue file cannot be read: {problem}") from None
    return read_table(text, place), place
