"""Regions: zones, offerings and prices with their provenance."""

from __future__ import annotations

import subprocess
import sys
from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.catalog.embedded import load, regions
from cutlist.catalog.format import Source, read_table, write_table
from cutlist.catalog.machines import Machines
from cutlist.catalog.prices import Price
from cutlist.catalog.regions import COLUMNS, RegionCatalog, Zone, read_region
from cutlist.catalog.spot import Traits, spot_model
from cutlist.core.errors import InputError, Place

PLACE = Place("catalog/region.tsv")
ALL = regions()
WITHOUT_OFFERINGS = {
    *("ap-east-2", "ap-southeast-6", "ap-southeast-7", "cn-north-1", "cn-northwest-1"),
    *("mx-central-1", "us-gov-east-1", "us-gov-west-1"),
}
PLANNABLE = [region for region in ALL if region not in WITHOUT_OFFERINGS]


def test_regions_are_those_with_data():
    """All 38 regions are listed, 30 of them with offerings."""
    assert len(ALL) == 38
    assert tuple(sorted(ALL)) == ALL
    assert len(PLANNABLE) == 30
    assert {region for region in ALL if not load(region).offerings_known} == WITHOUT_OFFERINGS


def test_loading_twice_gives_the_same_object():
    """A region is read once."""
    assert load("eu-west-1") is load("eu-west-1")


@pytest.mark.parametrize(("asked", "meant"), [("us-west2", "us-west-2"), ("eu-wset-1", "eu-west-1")])
def test_an_unknown_region_names_the_nearest(asked: str, meant: str):
    """The message has the region meant and those that begin alike, and not all that there are."""
    with pytest.raises(InputError) as caught:
        load(asked)
    assert f"did you mean {meant}?" in str(caught.value)
    assert f"or one of {len(ALL) - 3} others" in str(caught.value) or f"or one of {len(ALL) - 2} others" in str(caught.value)
    assert "ap-south-1" not in str(caught.value)


@pytest.mark.parametrize("asked", ["", "../machines", "us-west-2.tsv"])
def test_a_region_is_a_name_not_a_path(asked: str):
    """Only listed names are looked up."""
    with pytest.raises(InputError):
        load(asked)


@pytest.mark.parametrize("region", ALL)
def test_no_price_is_zero_or_without_provenance(region: str):
    """An unknown price is not there at all; every other is positive and says where and when it is from."""
    catalog = load(region)
    prices = [*catalog.on_demand.values(), *(p for zones in (catalog.spot or {}).values() for p in zones.values())]
    assert all(price.usd_per_hour > 0 and price.source and price.date for price in prices)


@pytest.mark.parametrize("region", PLANNABLE)
def test_every_spot_offering_of_a_priced_type_has_a_spot_price(region: str):
    """Where a type is sold as spot and its on-demand price is known, each of its zones has a spot price."""
    catalog = load(region)
    sold = [n for n in catalog.offered if "spot" in catalog.machines[n].usage and n in catalog.on_demand]
    assert sold
    for name in sold:
        found = [catalog.spot_price(name, zone) for zone in catalog.offered[name]]
        assert all(found), name


@pytest.mark.parametrize("region", PLANNABLE)
def test_offered_types_have_machines_and_zones(region: str):
    """Every offered type is described, and sold only in zones that the region has."""
    catalog = load(region)
    names = {zone.name for zone in catalog.zones}
    assert set(catalog.offered) == set(catalog.machines)
    assert all(zones and set(zones) <= names for zones in catalog.offered.values())


def test_provenance_of_known_prices():
    """A published price is not an estimate and carries source and date."""
    price = load("us-west-2").on_demand_price("m5.large")
    assert price == Price(0.096, "AWS public price list", "2026-02-17")
    assert price.provenance == "AWS public price list, 2026-02-17"


def test_an_estimated_on_demand_price_says_how():
    """A price that nobody published is marked and tells what it was derived from."""
    prices = [price for price in load("eu-south-2").on_demand.values() if price.estimated]
    assert len(prices) == 245
    assert all("estimate: us-east-1 price x price ratio of" in price.provenance for price in prices)


def test_spot_prices_say_if_their_base_is_an_estimate_too():
    """A spot estimate of a type whose on-demand price is one says so; one with a list price does not."""
    catalog = load("us-west-2")
    sources = {
        name: price.source for name, zones in (catalog.spot or {}).items() for price in zones.values() if price.estimated
    }
    assert {catalog.on_demand[name].estimated for name in sources} == {True, False}
    for name, source in sources.items():
        assert source.endswith("the on-demand price is an estimate too") is catalog.on_demand[name].estimated
    price = catalog.spot_price("m5.large", "us-west-2a")
    assert price is not None
    assert price.date == "2026-02"


def test_where_offerings_are_unknown_none_are_invented():
    """A region known by price only has prices, says so, and offers nothing."""
    catalog = load("us-gov-west-1")
    assert not catalog.offerings_known
    assert not catalog.offered
    assert "m5.large" in catalog.machines
    assert catalog.on_demand_price("m5.large") is not None
    assert "it is not known which types us-gov-west-1 offers" in catalog.remarks[0]


def test_yuan_are_not_dollars():
    """Prices of China are marked as yuan."""
    catalog = load("cn-north-1")
    assert catalog.currency == "CNY"
    assert all(price.currency == "CNY" for price in catalog.on_demand.values())


def test_without_any_spot_data_the_on_demand_price_stands_in():
    """Before anything is known of spot, its price is the on-demand price, marked as an estimate."""
    catalog = small(spot=None)
    price = catalog.spot_price("m5.large", "a1")
    assert price is not None
    assert (price.usd_per_hour, price.estimated) == (0.1, True)
    assert "for want of a spot price" in price.source
    assert catalog.spot_price("c5.large", "a1") is None


@pytest.mark.parametrize("region", ["us-west-2", "ap-southeast-7"])
def test_the_source_of_an_estimate_mentions_that(region):
    """Readers of the source alone learn that a price is an estimate, with spot prices and without any."""
    catalog = load(region)
    prices = [*catalog.on_demand.values(), *(catalog.spot_price(name, catalog.zones[0].name) for name in catalog.on_demand)]
    known = {price for price in prices if price is not None}
    assert {price.estimated for price in known} == {True, False}
    assert all(("estimate" in price.source) is price.estimated for price in known)


def test_loading_is_quick():
    """A fresh interpreter reads the largest region in well under 100 ms of its own time."""
    code = (
        "import time\nfrom cutlist.catalog.embedded import load\nstart = time.process_time()\n"
        "catalog = load('us-east-1')\nprint(time.process_time() - start)"
    )
    runs = (subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(3))
    assert any(float(run.stdout) < 0.1 for run in runs)  # the first that is quick is enough


def small(spot: object, zones: tuple[Zone, ...] = (Zone("a1", "z1"), Zone("a2", "z2"))) -> RegionCatalog:
    return RegionCatalog("r", zones, {}, {"m5.large": tuple(z.name for z in zones)}, {"m5.large": Price(0.1, "list")}, spot)  # type: ignore[arg-type]


def region_file(*rows: tuple[str, ...], **header: str) -> RegionCatalog:
    sources = {"P": Source("2026-01-01", "list"), "o": Source("2026-01-02", "seen"), "a": Source("2025-06", "advisor")}
    text = write_table({"region": "r", "zones": "ra=z1 rb=z2"} | header, sources, COLUMNS, rows)
    return read_region(read_table(text, PLACE), Machines({}, PLACE), PLACE)


def test_observed_spot_prices_by_zone():
    """A file with spot prices of single zones gives each zone its own; a zone without one has none."""
    catalog = region_file(("m5.large", "z1+z2", "0.1", "P", "", "", "", "", "z1=0.03", "P"))
    assert catalog.spot_price("m5.large", "ra") == Price(0.03, "list", "2026-01-01")
    assert catalog.spot_price("m5.large", "rb") is None


def test_the_saving_of_a_metal_type_is_from_its_list_price():
    """Where the on-demand figure is the dedicated one, the spot price derives from the public list price."""
    catalog = region_file(("m5.metal", "z1", "1.1", "P", "1.0", "50", "a", "", "", ""))
    price = catalog.spot_price("m5.metal", "ra")
    part = (0.5 * spot_model().part(Traits.of("r", "m5.metal"))) ** 0.5
    assert price is not None
    assert price.usd_per_hour == pytest.approx(1.0 * part, abs=1e-6)
    assert price.date == "2025-06"
    assert catalog.on_demand_price("m5.metal") == Price(1.1, "list", "2026-01-01")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("m5.large", "z1", "0", "P", "", "", "", "", "", ""), "0.0 is not a price"),
        (("m5.large", "z1", "-1", "P", "", "", "", "", "", ""), "-1.0 is not a price"),
        (("m5.large", "z1", "free", "P", "", "", "", "", "", ""), "cannot be read"),
        (("m5.large", "z1", "nan", "P", "", "", "", "", "", ""), "nan is not a price"),
        (("m5.large", "z1", "1", "P", "", "", "", "", "z9=1", "o"), "cannot be read"),
        (("m5.large", "z1", "1", "Q", "", "", "", "", "", ""), "source 'Q' is not in the header"),
        (("m5.large", "z9", "1", "P", "", "", "", "", "", ""), "zone z9 is offered but not listed; allowed: z1, z2"),
    ],
)
def test_unusable_figures_are_refused(row: tuple[str, ...], message: str):
    """A zero price, an unknown source or an unlisted zone is an error that names file and type, not a figure."""
    with pytest.raises(InputError) as caught:
        region_file(row)
    assert message in str(caught.value)
    assert "catalog/region.tsv" in str(caught.value)


@pytest.mark.parametrize("header", [{"region": ""}, {"zones": "ra"}, {"zones": "ra=z1 =z2"}])
def test_a_header_must_say_which_region(header: dict[str, str]):
    """A region's file names the region and its zones with their ids."""
    with pytest.raises(InputError, match="does not name a region and its zones"):
        region_file(**header)


def test_zone_names_of_another_account():
    """Zone ids are the same for everyone: with another account's names, offerings and spot prices follow the id."""
    spot = {"m5.large": {"a1": Price(0.01, "s"), "a2": Price(0.02, "s")}}
    seen = small(spot).with_zone_names({"z1": "a2", "z2": "a1"})
    assert {zone.zone_id: zone.name for zone in seen.zones} == {"z1": "a2", "z2": "a1"}
    assert seen.spot_price("m5.large", "a2") == Price(0.01, "s")


def test_names_as_they_are_change_nothing():
    """The same object comes back when an account calls the zones as the catalogue does, or names none of them."""
    catalog = small({})
    assert catalog.with_zone_names({"z1": "a1"}) is catalog
    assert catalog.with_zone_names({"elsewhere": "x"}) is catalog


@given(st.data())
def test_renaming_keeps_zones_apart(data: st.DataObject):
    """However few zones an account names, each zone keeps a name of its own, and named zones get theirs."""
    count = data.draw(st.integers(1, 6))
    zones = tuple(Zone(f"r{ascii_lowercase[i]}", f"z{i}") for i in range(count))
    names = data.draw(st.permutations([zone.name for zone in zones]))
    named = data.draw(st.sets(st.integers(0, count - 1)))
    given_names = {f"z{i}": names[i] for i in named}
    seen = {zone.zone_id: zone.name for zone in small({}, zones).with_zone_names(given_names).zones}
    assert len(set(seen.values())) == count
    assert given_names.items() <= seen.items()


def test_columns_that_would_be_empty_may_be_left_out():
    """`all` stands for every zone, and a single source needs no codes."""
    header = {"region": "r", "zones": "a2=z2 a1=z1"}
    rows = [("m5.large", "all", "1.5"), ("m5.xlarge", "z1", "")]
    text = write_table(header, {"P": Source("2026-01-01", "list")}, ("type", "zones", "on_demand"), rows)
    region = read_region(read_table(text, PLACE), load("us-west-2").machines, PLACE)
    assert region.offered == {"m5.large": ("a1", "a2"), "m5.xlarge": ("a1",)}
    assert region.on_demand_price("m5.large") == Price(1.5, "list", "2026-01-01", False, "USD")
    assert region.on_demand_price("m5.xlarge") is None


@pytest.mark.parametrize(
    "columns", [("type", "on_demand"), ("type", "zones", "spot", "on_demand"), ("type", "zones", "colour")]
)
def test_foreign_columns_of_a_region_are_refused(columns):
    """One that is needed is missing, the order is another, or nobody knows what it is."""
    text = write_table({"region": "r", "zones": "a=z"}, {}, columns, [("",) * len(columns)])
    with pytest.raises(InputError, match="the columns of a region differ"):
        read_region(read_table(text, PLACE), load("us-west-2").machines, PLACE)
