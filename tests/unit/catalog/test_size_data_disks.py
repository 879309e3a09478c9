"""How many data disks Azure's VM sizes take."""

from __future__ import annotations

import pytest

from cutlist.catalog.size_data_disks import data_disks
from cutlist.catalog.size_names import size_name

# As records of Azure's SKU service have it.
RECORDED = {
    "Standard_B1ms": 2,
    "Standard_B8ms": 16,
    "Standard_B12ms": 16,
    "Standard_B20ms": 32,
    "Standard_D2": 8,
    "Standard_D14_v2": 64,
    "Standard_DS2_v2": 8,
    "Standard_D2s_v3": 4,
    "Standard_D16as_v4": 32,
    "Standard_D96a_v4": 32,
    "Standard_D16plds_v5": 32,
    "Standard_D2as_v6": 4,
    "Standard_D128ds_v6": 64,
    "Standard_E20s_v4": 32,
    "Standard_E4d_v5": 8,
    "Standard_F8s": 32,
    "Standard_F8s_v2": 16,
    "Standard_L8s_v2": 16,
}


@pytest.mark.parametrize(("size", "disks"), RECORDED.items())
def test_the_name_says_how_many_data_disks_a_size_takes(size: str, disks: int) -> None:
    """The rules give what the service records."""
    # VL-5
    assert data_disks(size_name(size)) == disks


@pytest.mark.parametrize(("size", "disks"), [("Standard_D2s_v6", 8), ("Standard_D8ds_v6", 24), ("Standard_E32s_v6", 64)])
def test_intels_sizes_of_version_6_take_more(size: str, disks: int) -> None:
    """They follow another rule than AMD's."""
    # VL-5
    assert data_disks(size_name(size)) == disks


@pytest.mark.parametrize("size", ["Standard_NC24ads_A100_v4", "Standard_D4ps_v6", "Standard_M64s", "Custom"])
def test_a_series_without_a_known_rule_has_no_number(size: str) -> None:
    """Nothing is made up."""
    # VL-5
    assert data_disks(size_name(size)) is None
