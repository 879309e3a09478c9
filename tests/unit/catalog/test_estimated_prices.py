"""On-demand prices that nobody published: their rules, tried on prices that are known, are as near as their sources say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from statistics import median, quantiles

import pytest

from cutlist.catalog.embedded import all_machines, load, regions

_CAPACITY_BLOCKS = ("p5e.", "trn2.", "trn2u.")


@lru_cache
def family(name: str) -> str:
    return name.split(".")[0]


def category(name: str) -> str:
    return re.split(r"[^a-z]", name)[0]


@lru_cache
def generation(name: str) -> int:
    digits = re.search(r"\d+", name)
    return int(digits.group()) if digits else 0


@lru_cache
def lineage(name: str) -> tuple[str, str]:
    """Return what the newest generation of is looked for: the category, and who makes the CPU."""
    return category(name), all_machines()[name].cpu_maker


@lru_cache
def ratios(region: str) -> dict[str, float]:
    """Return the published prices of a region as parts of those in us-east-1, of virtual machines by name."""
    there, here = load("us-east-1").on_demand, load(region).on_demand
    return {
        name: price.usd_per_hour / there[name].usd_per_hour
        for name, price in here.items()
        if not price.estimated and name in there and "metal" not in name and "cut" not in price.source
    }


def errors(region: str, alike: Callable[[str, Mapping[str, float]], list[float]]) -> Iterator[float]:
    """Yield how far each published price of a region is from what a rule makes of the others."""
    known = ratios(region)
    for name, ratio in known.items():
        others = alike(name, known)
        if others:
            yield abs(median(others) / ratio - 1)


def same_family(name: str, known: Mapping[str, float]) -> list[float]:
    return [ratio for other, ratio in known.items() if other != name and family(other) == family(name)]


def newest_of_lineage(name: str, known: Mapping[str, float]) -> list[float]:
    others = {n: r for n, r in known.items() if n[0] == name[0] and family(n) != family(name) and lineage(n) == lineage(name)}
    newest = max(map(generation, others), default=0)
    return [ratio for other, ratio in others.items() if generation(other) == newest]


def priced_regions() -> list[str]:
    return [r for r in regions() if r != "us-east-1" and load(r).currency == "USD" and len(ratios(r)) > 50]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "ninth"), [(same_family, 0.0005), (newest_of_lineage, 0.013)], ids=["other sizes", "newest generation"]
)
def test_nine_of_ten_estimates_are_as_near_as_their_source_says(
    rule: Callable[[str, Mapping[str, float]], list[float]], ninth: float
):
    """Each published price is left out in turn and estimated from the others of its region."""
    found = [error for region in priced_regions()[::6] for error in errors(region, rule)]
    assert len(found) > 1500
    assert quantiles(found, n=10)[-1] <= ninth


@pytest.mark.parametrize("region", ["us-east-1", "eu-central-1", "ap-northeast-2", "ap-southeast-5"])
def test_every_type_that_is_sold_on_demand_has_a_price(region: str):
    """Only what is sold as capacity blocks alone has none, and machines that Karpenter never starts."""
    catalog = load(region)
    unpriced = {name for name in catalog.offered if name not in catalog.on_demand}
    assert {name for name in unpriced if not name.startswith(("mac", *_CAPACITY_BLOCKS))} == set()


@pytest.mark.parametrize("region", ["us-west-2", "eu-north-1"])
def test_an_estimate_names_its_rule_and_its_error(region: str):
    """The source of every estimate says what it was made from and how near that is."""
    catalog = load(region)
    estimates = {price.source for price in catalog.on_demand.values() if price.estimated}
    assert estimates
    assert all(source.startswith("estimate: ") and ("within" in source or "exact" in source) for source in estimates)
    spot = {price.source for zones in (catalog.spot or {}).values() for price in zones.values() if price.estimated}
    assert spot
    assert all(re.search(r"half of \d+ are within \d+%, nine of ten within \d+%", source) for source in spot)
