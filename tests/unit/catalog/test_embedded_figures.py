"""The embedded catalogue against the tables it was made from: nothing lost, nothing invented."""

from __future__ import annotations

import csv
from collections import defaultdict
from functools import lru_cache

import pytest

from cutlist.catalog import load, regions
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
    estimated = by_region("aws-prices-estimated.csv")[region]
    facts = {n: (p.usd_per_hour, p.date) for n, p in catalog.on_demand.items() if not p.estimated}
    assert facts == {n: (float(r["usd_per_hour"]), r["date"]) for n, r in published.items()}
    guesses = {n: p.usd_per_hour for n, p in catalog.on_demand.items() if p.estimated}
    assert guesses == {n: float(r["usd_per_hour_estimate"]) for n, r in estimated.items()}


@pytest.mark.parametrize("region", regions())
def test_spot_prices_are_near_those_derived_from_the_advisor(region: str):
    """A type's own saving gives the price that the table derived from it, but for rounding."""
    catalog = load(region)
    known = by_region("aws-spot.csv")[region]
    compared = 0
    for name, zones in (catalog.spot or {}).items():
        expected = known.get(name, {}).get("usd_per_hour_estimate")
        if expected:
            compared += 1
            assert next(iter(zones.values())).usd_per_hour == pytest.approx(float(expected), rel=6e-4), name
    assert compared or not catalog.offered


def test_the_median_stands_in_for_a_missing_saving():
    """A type that the advisor lacks gets the median saving of its category and CPU maker in the region."""
    catalog = load("us-west-2")
    known = by_region("aws-spot.csv")["us-west-2"]
    alike = [
        int(row["savings_percent"])
        for name, row in known.items()
        if name in catalog.machines and name[0] == "m" and name[1].isdigit() and catalog.machines[name].cpu_maker == "Intel"
    ]
    assert "m8i.large" not in known
    ordered = sorted(alike)
    median = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    on_demand, spot = catalog.on_demand_price("m8i.large"), catalog.spot_price("m8i.large", "us-west-2a")
    assert on_demand is not None
    assert spot is not None
    assert spot.usd_per_hour == pytest.approx(on_demand.usd_per_hour * (1 - median / 100), abs=1e-6)
    assert "median" in spot.source


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
