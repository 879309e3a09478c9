"""How many data disks an Azure VM size takes, as the Azure Disk CSI driver reports it in the CSINode (VL-5)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from cutlist.catalog.format import Table
from cutlist.catalog.own_files import own_table
from cutlist.core.errors import InputError, Place

COLUMNS: Final = ("type", "data_disks")
DATA_DISKS: Final = "data-disks.tsv"
OF_OTHERS: Final = 16
"""What the driver reports of a size that is not in its table."""


def data_disks(size: str) -> int:
    """Return the most data disks of a size; 16 for one that the driver does not know, since its nodes report that."""
    return _table().get(size.lower(), OF_OTHERS)


@lru_cache(maxsize=1)
def _table() -> Mapping[str, int]:
    return read_data_disks(*own_table("azure", DATA_DISKS))


def read_data_disks(table: Table, place: Place) -> Mapping[str, int]:
    """Return the disks of a catalogue file by size in lower case. Raises InputError for other columns or a row without a
    number."""
    if table.columns != COLUMNS:
        raise InputError.one(place, f"the columns are {', '.join(table.columns)}", allowed=", ".join(COLUMNS))
    odd = next((row for row in table.rows if not row[1].isdecimal()), None)
    if odd is not None:
        raise InputError.one(place.at(odd[0]), f"{odd[1]!r} is not a number of disks", allowed="0 or more")
    return {size.lower(): int(disks) for size, disks in table.rows}
