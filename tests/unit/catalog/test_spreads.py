"""The range of an estimate follows from its kind, and from how far such estimates were from published prices."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.catalog.embedded import load, regions
from cutlist.catalog.prices import Price
from cutlist.catalog.spot import SPOT, SpotSource, Traits, spot_model
from cutlist.catalog.spreads import ON_DEMAND, spot_estimate, with_range
from tools.spot.__main__ import text
from tools.spot.errors import of_model, published
from tools.spot.fit import fit
from tools.spot.pairs import pairs

ESTIMATE = Price(1.1, "estimate: a rule", "2026-11", estimated=True)
LISTED = Price(1.0, "a list", "2026-11")


def test_an_estimate_on_demand_is_within_its_range():
    ranged = with_range(ESTIMATE)
    assert (ranged.low, ranged.high) == (1.024209, 1.168969)
    assert (ranged.usd_per_hour, ranged.source, ranged.estimated) == (1.1, "estimate: a rule", True)
    assert ON_DEMAND.pairs == 1204


def test_a_published_price_has_no_range():
    price = Price(1.1, "a list")
    assert with_range(price) is price


def test_the_model_is_the_one_that_its_prices_give():
    """`python -m tools.spot` writes the file again."""
    assert SPOT.read_text("utf-8") == text()


def test_pairs_that_a_model_is_tried_on_are_not_those_it_was_fitted_to():
    """Leaving out a fold changes the model, and each pair is in one fold, whatever the others are."""
    trials = of_model()
    assert [trial.pair for trial in sorted(trials, key=lambda t: published().index(t.pair))] == list(published())
    whole = fit(pairs())
    own = {trial.pair: whole.part(trial.pair.traits) for trial in trials}
    assert any(abs(trial.estimate - own[trial.pair]) > 0.05 for trial in trials)


def test_nearly_all_ranges_hold_for_prices_that_the_model_did_not_see():
    """A range is for eight in ten prices of zones."""
    model = spot_model()
    inside = total = 0
    for trial in of_model():
        ratios = model.range_of(SpotSource.MODEL, trial.pair.traits)
        for zone in trial.pair.zones:
            inside += ratios.low * trial.estimate - 1e-9 <= zone <= ratios.high * trial.estimate + 1e-9
            total += 1
    assert 0.75 < inside / total < 0.9


@pytest.mark.parametrize(
    ("machine", "size", "large", "maker", "kind"),
    [
        ("m7g.large", "up to xlarge", False, "AWS", "other"),
        ("c5a.8xlarge", "up to 8xlarge", False, "AMD", "other"),
        ("m8i-flex.4xlarge", "2xlarge to 4xlarge", False, "Intel", "other"),
        ("i4i.16xlarge", "12xlarge to 16xlarge", True, "Intel", "storage"),
        ("g5.48xlarge", "24xlarge and larger", True, "Intel", "accelerated"),
        ("t4g.nano", "up to xlarge", False, "AWS", "burstable"),
        ("c7i.metal-24xl", "metal", True, "Intel", "other"),
        ("a1.metal", "metal", True, "AWS", "other"),
        ("p6-b200.48xlarge", "24xlarge and larger", True, "Intel", "accelerated"),
    ],
)
def test_a_name_tells_what_the_model_needs(machine, size, large, maker, kind):
    assert Traits.of("eu-west-1", machine) == Traits("eu-west-1", size, large, maker, kind)


def test_prices_are_within_what_spot_has_ever_cost():
    """Spot costs at least a tenth of the on-demand price, and an estimate no more than the whole."""
    for region in regions():
        catalog = load(region)
        for name, by_zone in (catalog.spot or {}).items():
            base = catalog.on_demand[name].usd_per_hour
            for price in by_zone.values():
                if price.estimated:
                    assert price.low <= price.usd_per_hour <= price.high, (region, name)
                    assert 0.089 * base <= price.low, (region, name)
                    assert price.high <= base * 1.001, (region, name)


@given(
    st.sampled_from([SpotSource.MODEL, SpotSource.ADVISOR, SpotSource.FAR]),
    st.sampled_from(["eu-west-1", "sa-east-1"]),
    st.sampled_from(["m5.large", "c7g.metal", "g5.12xlarge", "x"]),
    st.floats(0.1, 1.0),
)
def test_a_range_holds_its_estimate(source, region, machine, part):
    price = spot_estimate(source, region, machine, LISTED, 1.0, part, "2026-08")
    assert 0.1 <= price.low <= price.usd_per_hour <= price.high <= 1.0


def test_all_estimates_of_a_region_have_a_range_and_no_other_price_has():
    catalog = load("us-west-2")
    prices = {*catalog.on_demand.values(), *(price for by_zone in (catalog.spot or {}).values() for price in by_zone.values())}
    assert {price.estimated for price in prices} == {True, False}
    assert all((price.low is not None) is (price.high is not None) is price.estimated for price in prices)


def test_each_kind_of_estimate_names_its_source():
    """Published zones come first, then their mean, the Advisor of 2026-08, the model, and the model of other regions."""
    there = {(region, machine): load(region).spot[machine] for region, machine in SOURCES}
    for key, words in SOURCES.items():
        assert any(words in price.source for price in there[key].values()), key


SOURCES = {
    ("eu-west-1", "m8g.xlarge"): "AWS spot prices by zone",
    ("eu-west-2", "m8g.xlarge"): "on-demand price less the Spot Advisor saving",
    ("eu-west-1", "m5.large"): "by region, size, CPU maker and kind",
    ("sa-east-1", "m5.large"): "in other regions and by the Spot Advisor",
}


def test_a_spot_price_for_want_of_one_has_no_range():
    """Nobody compared on-demand prices with the spot prices that they stand for."""
    catalog = load("ap-southeast-7")
    price = catalog.spot_price(next(iter(catalog.on_demand)), catalog.zones[0].name)
    assert (price.estimated, price.low, price.high) == (True, None, None)
