"""How many data disks Azure's VM sizes take."""

from __future__ import annotations

import pytest

from cutlist.catalog.embedded import all_sizes
from cutlist.catalog.format import Table
from cutlist.catalog.size_data_disks import COLUMNS, OF_OTHERS, data_disks, read_data_disks
from cutlist.core.errors import InputError, Place

# As records of Azure's SKU service have it.
RECORDED = {
    "Standard_B1ms": 2,
    "Standard_B8ms": 16,
    "Standard_B20ms": 32,
    "Standard_D2": 8,
    "Standard_D14_v2": 64,
    "Standard_D2s_v3": 4,
    "Standard_D96a_v4": 32,
    "Standard_D16plds_v5": 32,
    "Standard_D128ds_v6": 64,
    "Standard_E20s_v4": 32,
    "Standard_F8s": 32,
    "Standard_F8s_v2": 16,
    "Standard_L8s_v2": 16,
}
# Series whose names do not tell: GPU, M, and Arm of version 6; and some that differ from their series.
FURTHER = {
    "Standard_NC24ads_A100_v4": 8,
    "Standard_M64s": 64,
    "Standard_D4ps_v6": 12,
    "Standard_E104is_v5": 64,
    "Standard_L8s_v4": 24,
    "Standard_E20ds_v6": 48,
}


@pytest.mark.parametrize(("size", "disks"), [*RECORDED.items(), *FURTHER.items()])
def test_a_size_takes_what_its_driver_reports(size: str, disks: int) -> None:
    """The table gives what the SKU service records, and has the series without a rule."""
    # VL-5
    assert data_disks(size) == disks


def test_every_size_of_the_catalogue_is_in_the_table() -> None:
    """No size of the catalogue falls back to what the driver assumes of sizes that it does not know."""
    # VL-5
    from cutlist.catalog.size_data_disks import _table

    assert not {size.lower() for size in all_sizes()} - set(_table())


def test_a_size_that_the_driver_does_not_know_reports_sixteen() -> None:
    """The node of such a size says so in its CSINode, whatever Azure would allow."""
    # VL-5
    assert data_disks("Standard_X2_v99") == OF_OTHERS == 16


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (Table({}, {}, ("type",), ()), "the columns are type"),
        (Table({}, {}, COLUMNS, (("Standard_A", "many"),)), "'many' is not a number of disks"),
    ],
)
def test_a_damaged_table_is_refused(table: Table, message: str) -> None:
    """The error says what was found."""
    with pytest.raises(InputError, match=message):
        read_data_disks(table, Place("data-disks.tsv"))
