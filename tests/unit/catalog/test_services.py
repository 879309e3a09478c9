"""Prices of services: each figure has a source, holds where its row says, and a row that says less is refused."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from cutlist import catalog
from cutlist.catalog.embedded import regions
from cutlist.catalog.format import Source, Table, read_table, write_table
from cutlist.catalog.prices import HOURS_PER_MONTH
from cutlist.catalog.services import COLUMNS, EVERYWHERE, read_services, service_prices
from cutlist.core.errors import InputError, Place

DATA = Path(catalog.__file__).parent / "data"
VENDORS = ("aws", "azure")
PLACE = Place("services.tsv")


def table(vendor: str) -> Table:
    return read_table((DATA / vendor / "services.tsv").read_text(), PLACE)


def of_rows(*rows: tuple[str, ...]) -> Table:
    return Table({"vendor": "aws", "apart": "cn- us-gov-"}, {"A": Source("2026-09-29", "a price page")}, COLUMNS, rows)


@pytest.mark.parametrize("vendor", VENDORS)
def test_each_figure_has_a_dated_source_and_each_source_a_figure(vendor):
    read = table(vendor)
    assert {row[-1] for row in read.rows} == set(read.sources)
    for code, source in read.sources.items():
        assert source.text
        if code == "EB":  # the newest list of disks by region that is public; their prices seldom change
            assert source.date == "2024-07-18"
            continue
        assert date.fromisoformat(source.date if source.date.count("-") == 2 else f"{source.date}-01") > date(2026, 1, 1)
    for price in service_prices(vendor).prices.values():
        assert 0 < price.usd_per_hour < 20
        assert not price.estimated
        assert price.date in price.provenance


@pytest.mark.parametrize("vendor", VENDORS)
def test_the_files_are_as_they_would_be_written(vendor):
    """Rows in order and a checksum that fits, so that two versions show as a small diff."""
    read = table(vendor)
    rows = sorted(read.rows)
    assert write_table(read.header, read.sources, read.columns, rows) == (DATA / vendor / "services.tsv").read_text()


def test_regions_of_aws_are_those_of_the_catalogue():
    assert {region for _, region in service_prices("aws").prices} - {EVERYWHERE} <= set(regions())


def test_a_price_holds_for_its_region_alone():
    prices = service_prices("aws")
    ireland = prices.price("nat-gateway", "eu-west-1")
    assert ireland is not None
    assert ireland.usd_per_hour == 0.048
    assert prices.price("nat-gateway", "eu-north-1") is None
    assert service_prices("azure").price("aks-standard", "polandcentral") is None


def test_a_general_price_does_not_hold_where_price_lists_are_apart():
    prices = service_prices("aws")
    assert prices.price("eks-control-plane", "eu-north-1") is not None
    for region in ("cn-north-1", "us-gov-west-1", "us-iso-east-1", "eusc-de-east-1", ""):
        assert prices.price("eks-control-plane", region) is None


def test_a_region_s_own_price_comes_before_the_general_one():
    prices = read_services(of_rows(("key", "*", "1", "hour", "A"), ("key", "cn-north-1", "2", "hour", "A")), PLACE)
    found = [prices.price("key", region) for region in ("eu-west-1", "cn-north-1", "cn-northwest-1")]
    assert [price and price.usd_per_hour for price in found] == [1, 2, None]


def test_a_price_by_the_month_is_spread_over_its_hours():
    price = read_services(of_rows(("key", "*", "1", "month", "A")), PLACE).price("key", "eu-west-1")
    assert price is not None
    assert price.usd_per_hour * HOURS_PER_MONTH == pytest.approx(1)
    assert price.provenance == "a price page, 2026-09-29"


@pytest.mark.parametrize(
    "row",
    [
        ("", "*", "1", "hour", "A"),
        ("key", "", "1", "hour", "A"),
        ("key", "*", "", "hour", "A"),
        ("key", "*", "cheap", "hour", "A"),
        ("key", "*", "nan", "hour", "A"),
        ("key", "*", "inf", "hour", "A"),
        ("key", "*", "-1", "hour", "A"),
        ("key", "*", "1", "year", "A"),
        ("key", "*", "1", "hour", "B"),
    ],
)
def test_a_row_without_figure_unit_or_source_is_refused(row):
    with pytest.raises(InputError, match="the price cannot be read"):
        read_services(of_rows(row), PLACE)


def test_a_price_that_is_there_twice_is_refused():
    row = ("key", "*", "1", "hour", "A")
    with pytest.raises(InputError, match="appears twice"):
        read_services(of_rows(row, row), PLACE)


def test_other_columns_are_refused():
    with pytest.raises(InputError, match="the columns are item, usd"):
        read_services(Table({}, {}, ("item", "usd"), ()), PLACE)
