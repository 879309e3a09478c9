"""VM sizes of Azure with a price and without a record."""

from __future__ import annotations

import pytest

from cutlist.catalog.embedded import all_sizes, load_location
from cutlist.catalog.format import Source, Table
from cutlist.catalog.unrecorded_sizes import COLUMNS, read_unrecorded, unrecorded_prices, why_not_planned
from cutlist.core.errors import InputError, Place
from tests.unit.planning import azure_manifests
from tests.unit.planning.manifests import deployment

EBS = "Standard_E16bds_v6"


def test_a_priced_size_without_a_record_says_its_price_and_why_it_is_not_planned() -> None:
    """The location's price comes first; without one there, another location's."""
    prices = unrecorded_prices(EBS)
    assert "westeurope" in prices
    here = why_not_planned(EBS, "westeurope")
    assert here.startswith(
        f"priced at ${prices['westeurope'].usd_per_hour:.4g} an hour in westeurope (Azure retail price list, 2026"
    )
    assert here.endswith("but its record (vCPUs, memory, disks) is not in the catalogue: it cannot be planned")
    assert f"in {min(prices)}" in why_not_planned(EBS, "japaneast")


def test_the_spelling_of_the_price_list_and_of_azure_are_the_same() -> None:
    """Price lists leave out underscores."""
    assert why_not_planned("Standard_DC128eds_v5") == why_not_planned("Standard_DC128edsv5") != ""


def test_no_recorded_size_is_among_them_and_a_misspelt_one_is_not_either() -> None:
    """They are those that the catalogue lacks."""
    assert [size for size in all_sizes() if unrecorded_prices(size)] == []
    assert why_not_planned("Standard_D4s_v99") == ""
    assert all(size in all_sizes() for size in load_location("westeurope").on_demand)


def test_a_nodepool_that_names_one_is_told_its_price_and_no_other_name() -> None:
    """It is no misspelling."""
    wanted = f"{{key: node.kubernetes.io/instance-type, operator: In, values: [{EBS}, Standard_D8s_v5]}}"
    made = azure_manifests.plan_of(azure_manifests.pool(wanted), deployment(replicas=1), region="westeurope")
    (text,) = [note.text for note in made.warnings if note.code == "not-a-value"]
    assert text == f"NodePool general: no known VM size has node.kubernetes.io/instance-type {EBS}: " + why_not_planned(
        EBS, "westeurope"
    )
    assert [node.instance_type for node in made.nodes] == ["Standard_D8s_v5"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (Table({}, {}, ("type",), ()), "the columns are type"),
        (Table({}, {"P": Source("2026", "x")}, COLUMNS, (("a", "b", "much", ""),)), "'much' is not a price"),
    ],
)
def test_a_damaged_table_is_refused(table: Table, message: str) -> None:
    """The error says what was found."""
    with pytest.raises(InputError, match=message):
        read_unrecorded(table, Place("unrecorded.tsv"))
