"""Two states of a region's catalogue side by side."""

from __future__ import annotations

from dataclasses import replace

from cutlist.catalog.comparison import Comparison, compare
from cutlist.catalog.embedded import load
from cutlist.catalog.prices import Price
from cutlist.catalog.regions import RegionCatalog
from cutlist.verbs.catalog.answer import CatalogDiff
from cutlist.verbs.catalog.text import render_catalog


def region(windows: dict[str, float], linux: float = 0.096) -> RegionCatalog:
    """Return us-west-2 with two types, of which some have list prices with Windows."""
    full = load("us-west-2")
    listed = {name: Price(usd, "price list", "2026-11-20") for name, usd in windows.items()}
    names = ("m5.large", "c5.large")
    prices = {**{name: full.on_demand[name] for name in names}, "m5.large": Price(linux, "price list", "2026-11-20")}
    machines = {name: full.machines[name] for name in names}
    offered = {name: full.offered[name] for name in names}
    return replace(full, machines=machines, offered=offered, on_demand=prices, windows=listed)


def changes(comparison: Comparison) -> list[tuple[str, str, float | None, float | None]]:
    return [(p.machine, p.os, p.old and p.old.usd_per_hour, p.new and p.new.usd_per_hour) for p in comparison.repriced]


def test_a_list_price_with_windows_that_changed_is_listed():
    comparison = compare(region({"m5.large": 0.188, "c5.large": 0.177}), region({"m5.large": 0.2, "c5.large": 0.177}))
    assert changes(comparison) == [("m5.large", "windows", 0.188, 0.2)]
    assert "m5.large  on-demand, windows  $0.1880  ->  $0.2000  +6.4%" in render_catalog(CatalogDiff((comparison,)))


def test_a_price_with_windows_that_only_one_side_lists_is_compared_with_the_estimate_of_the_other():
    """The rule of 0.046 USD a vCPU and hour is what plans use without a list."""
    assert changes(compare(region({}), region({"m5.large": 0.2}))) == [("m5.large", "windows", 0.188, 0.2)]
    assert changes(compare(region({"m5.large": 0.188}), region({}))) == []


def test_estimates_with_windows_are_not_listed_besides_the_prices_that_they_follow():
    assert changes(compare(region({}), region({}, linux=0.1))) == [("m5.large", "linux", 0.096, 0.1)]
