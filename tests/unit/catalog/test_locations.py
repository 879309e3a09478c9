"""Locations of Azure in the embedded catalogue."""

from __future__ import annotations

from dataclasses import fields

import pytest

from cutlist.catalog.embedded import all_sizes, load, load_chosen, load_location, locations
from cutlist.catalog.format import Source, read_table
from cutlist.catalog.regions import is_azure
from cutlist.catalog.sizes import Sizes, read_size, write_sizes
from cutlist.core.errors import InputError, Place

PLACE = Place("catalog/machines.tsv")


@pytest.mark.slow
def test_every_location_can_be_read() -> None:
    """All of them have machines, prices, and the zone of machines that are in none."""
    assert len(locations()) == 59
    for name in locations():
        location = load_location(name)
        assert is_azure(location)
        assert "0" in [zone.name for zone in location.zones]
        assert len(location.on_demand) > 300
        assert set(location.offered) == set(location.machines)


# Z-32
def test_zones_have_the_location_in_their_names() -> None:
    assert [z.name for z in load_location("japaneast").zones] == ["0", "japaneast-1", "japaneast-2", "japaneast-3"]
    assert [z.name for z in load_location("westus").zones] == ["0"]


def test_prices_have_a_source_and_a_date() -> None:
    """A location has one price for all zones."""
    japan = load_location("japaneast")
    price = japan.on_demand_price("Standard_D2_v4")
    assert price is not None
    assert (price.usd_per_hour, price.currency, price.estimated, bool(price.date)) == (0.124, "USD", False, True)
    assert japan.spot_price("Standard_D2_v4", "0") == japan.spot_price("Standard_D2_v4", "japaneast-3")
    assert japan.spot_price("Standard_B2s", "0") is None


def test_a_region_is_found_whoever_sells_it() -> None:
    assert load_chosen(None, "japaneast") is load_location("japaneast")
    assert load_chosen(None, "us-west-2") is load("us-west-2")
    assert not is_azure(load("us-west-2"))


def test_an_unknown_location_is_reported_with_the_nearest() -> None:
    with pytest.raises(InputError, match="westeurop") as caught:
        load_chosen(None, "westeurop")
    assert caught.value.problems[0].nearest == "westeurope"


def test_sizes_survive_writing_and_reading() -> None:
    """What was derived stays derived."""
    text = write_sizes(all_sizes().values(), {"vendor": "azure"}, {"S": Source("2023", "SKU service")})
    again = Sizes.of_table(read_table(text, PLACE), PLACE)
    for name, size in all_sizes().items():
        assert [getattr(again[name], f.name) for f in fields(size)] == [getattr(size, f.name) for f in fields(size)]


def test_a_size_that_nothing_tells_the_memory_of_is_refused() -> None:
    with pytest.raises(ValueError, match="neither the file nor the name"):
        read_size({"type": "Standard_ND128isr_GB300_v6"})
    with pytest.raises(ValueError, match="neither true nor false"):
        read_size({"type": "Standard_D2_v4", "spot": "perhaps"})
