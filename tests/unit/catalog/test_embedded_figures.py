"""The embedded catalogue against the tables it was made from: nothing lost, nothing invented."""

from __future__ import annotations

import csv
from collections import defaultdict
from functools import lru_cache

import pytest

from cutlist.catalog.embedded import load, regions
from tests.recorded import FACTS

RETIRED = ("c6gn.metal", "cc2.", "cr1.", "g2.", "g3.", "g3s.", "hs1.", "i3p.")


@lru_cache
def rows(name: str) -> list[dict[str, str]]:
    with (FACTS / name).open() as file:
        return list(csv.DictReader(file))


@lru_cache
def by_region(name: str) -> dict[str, dict[str, dict[str, str]]]:
    found: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
    for row in rows(name):
        found[row["region"]][row["instance_type"]] = row
    return found


def offered(region: str) -> dict[str, set[str]]:
    path = FACTS / "aws-offerings" / f"{region}.csv"
    return (
        {r["instance_type"]: set(r["zone_ids"].split("+")) for r in rows(f"aws-offerings/{region}.csv")}
        if path.exists()
        else {}
    )


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("region", regions())
def test_offerings_are_those_recorded(region: str):
    """Every type is sold in exactly the zones, by id, that were recorded."""
    catalog = load(region)
    ids = {zone.name: zone.zone_id for zone in catalog.zones}
    assert {name: {ids[zone] for zone in zones} for name, zones in catalog.offered.items()} == offered(region)


@pytest.mark.parametrize("region", regions())
def test_on_demand_prices_are_those_recorded(region: str):
    """Every price is there with its figure and date, estimates only where there is no price; retired types are left out."""
    catalog = load(region)
    published = {n: r for n, r in by_region("aws-prices.csv")[region].items() if not n.startswith(RETIRED)}
    later = by_region("aws-prices-replacing-estimates.csv")[region]
    facts = {n: (p.usd_per_hour, p.date) for n, p in catalog.on_demand.items() if not p.estimated}
    expected = {n: (float(r["usd_per_hour"]), r["date"]) for n, r in published.items()}
    replaced = {n: (pytest.approx(float(r["list_usd_hour"]), rel=1e-5), "2026-02") for n, r in later.items()}
    assert not expected.keys() & replaced.keys()
    assert facts == expected | replaced
    estimated = {n: r for n, r in by_region("aws-prices-estimated.csv")[region].items() if n not in later}
    guesses = {n: p.usd_per_hour for n, p in catalog.on_demand.items() if p.estimated}
    assert guesses.keys() == estimated.keys()
    for name, price in guesses.items():
        recorded = float(estimated[name]["usd_per_hour_estimate"])
        assert price in (recorded, pytest.approx(recorded * shared_tenancy(name), rel=5e-5)), name


@lru_cache
def shared_tenancy(name: str) -> float:
    """Return what a metal type costs in us-east-1 with shared tenancy as a part of its price there, which may be dedicated."""
    row = by_region("aws-prices.csv")["us-east-1"].get(name)
    return float(row["note"].split()[-1]) / float(row["usd_per_hour"]) if row and row["note"].startswith("list ") else 1.0


def test_a_metal_type_costs_about_what_virtual_machines_of_its_vcpus_cost():
    """The dedicated-tenancy price of us-east-1 is 6 or 10 % higher: no estimate elsewhere follows it."""
    compared = 0
    for region in regions():
        prices = load(region).on_demand
        for name in (name for name, price in prices.items() if ".metal-" in name and price.estimated):
            virtual = prices.get(f"{name.replace('.metal-', '.')}arge")
            if virtual is not None:
                compared += 1
                assert prices[name].usd_per_hour == pytest.approx(virtual.usd_per_hour, rel=0.02), (region, name)
    assert compared > 150


def test_published_spot_prices_are_those_recorded():
    """Each zone of each pair has its price and no range; other zones where the type is offered have an estimate."""
    for row in rows("aws-observed-skypilot-v9.csv"):
        catalog, name = load(row["region"]), row["instance_type"]
        names = {zone.zone_id: zone.name for zone in catalog.zones}
        cells = [cell.split("=") for cell in row["spot_usd_hour_by_zone_id"].split("+") if cell]
        expected = {names[zone]: float(price) for zone, price in cells}
        by_zone = (catalog.spot or {})[name]
        assert {zone: p.usd_per_hour for zone, p in by_zone.items() if not p.estimated} == expected
        assert not cells or set(by_zone) == set(catalog.offered[name])


def test_the_newest_savings_are_those_recorded():
    """Where no zone's price is published, a saving of 2026-08 gives the price."""
    compared = 0
    for row in rows("aws-spot-advisor-2026-08-sample.csv"):
        catalog, name = load(row["region_inferred"]), row["instance_type"]
        price = next(iter((catalog.spot or {})[name].values()))
        if price.date == "2026-08":
            compared += 1
            part = max(1 - float(row["savings_percent"]) / 100, 0.1)
            assert price.usd_per_hour == pytest.approx(catalog.on_demand[name].usd_per_hour * part, abs=1e-6)
    assert compared == 309


@pytest.mark.parametrize(
    ("region", "types", "date"),
    [
        (
            "us-east-1",
            {f"g7.{size}" for size in ("2xlarge", "4xlarge", "8xlarge", "12xlarge", "24xlarge", "48xlarge")},
            "2026-07-20",
        ),
        ("us-gov-west-1", {"m5.large", "c7i.large"}, "2026-08-24"),
        ("us-gov-east-1", {"m5.large"}, "2026-08-24"),
        ("cn-north-1", {"m5.large"}, "2024-11-06"),
    ],
)
def test_start_prices_are_those_of_karpenter_1_15(region, types, date):  # VA15-82
    """The list that is built into the AWS provider 1.15.1; before, it had no g7."""
    prices = [load(region).on_demand_price(name) for name in types]
    assert {price.date for price in prices if price is not None and "built into Karpenter" in price.source} == {date}
    assert None not in prices
