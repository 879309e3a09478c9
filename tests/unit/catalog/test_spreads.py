"""The range of an estimate follows from its kind."""

from __future__ import annotations

import pytest

from cutlist.catalog import Price, load
from cutlist.catalog.spreads import METAL, ON_DEMAND, SPOT, with_range

ESTIMATE = Price(1.1, "estimate: a rule", "2026-11", estimated=True)


@pytest.mark.parametrize(
    ("machine", "spot", "low", "high"),
    [("m7g.large", False, 1.025163, 1.186624), ("m7g.metal", False, 1.0, 1.1), ("m7g.metal", True, 0.55, 2.2)],
)
def test_each_kind_of_estimate_has_its_spread(machine, spot, low, high):
    """On demand, metal and spot differ; the estimate is within the range."""
    ranged = with_range(ESTIMATE, machine, spot=spot)
    assert (ranged.low, ranged.high) == (low, high)
    assert (ranged.usd_per_hour, ranged.source, ranged.estimated) == (1.1, "estimate: a rule", True)


def test_a_published_price_has_no_range():
    price = Price(1.1, "a list")
    assert with_range(price, "m7g.large") is price


def test_every_row_says_what_was_compared_and_when():
    for spread in (ON_DEMAND, METAL, SPOT):
        assert spread.low < 1 <= spread.high
        assert spread.pairs > 100
        assert spread.source
        assert spread.date == "2026-11"


def test_all_estimates_of_a_region_have_a_range_and_no_other_price_has():
    catalog = load("us-west-2")
    prices = {*catalog.on_demand.values(), *(price for by_zone in (catalog.spot or {}).values() for price in by_zone.values())}
    assert {price.estimated for price in prices} == {True, False}
    assert all((price.low is not None) is (price.high is not None) is price.estimated for price in prices)


def test_a_spot_price_for_want_of_one_has_no_range():
    """Nobody compared on-demand prices with the spot prices that they stand for."""
    catalog = load("ap-southeast-7")
    price = catalog.spot_price(next(iter(catalog.on_demand)), catalog.zones[0].name)
    assert (price.estimated, price.low, price.high) == (True, None, None)
