"""A price stays a value: its range and its source follow it."""

from __future__ import annotations

import pytest

from cutlist.catalog.prices import Price, sum_of_prices, usd

ESTIMATE = Price(2.0, "estimate: a rule", "2026-11", estimated=True, low=1.0, high=4.0)


@pytest.mark.parametrize(
    "provenance", ["a list", "a list, 2026-02-17", "a list, 2026-02", "a list, of 2026-02, 2025", "", ", 2026-02"]
)
def test_a_provenance_reads_back(provenance):
    """Source and date are found again in the phrase that has both."""
    assert Price.of_provenance(1.0, provenance).provenance == provenance


def test_a_date_at_the_end_is_the_date():
    assert Price.of_provenance(1.0, "a list, 2026-02-17") == Price(1.0, "a list", "2026-02-17")


def test_a_discount_keeps_the_proportion_of_the_range():
    discounted = ESTIMATE.at(1.0)
    assert (discounted.usd_per_hour, discounted.low, discounted.high) == (1.0, 0.5, 2.0)
    assert (discounted.source, discounted.estimated) == (ESTIMATE.source, True)


def test_an_exact_charge_moves_the_range_and_another_makes_it_unknown():
    exact, other = (ESTIMATE.plus(0.5, "a rule; a fee", estimated=True, is_exact=known) for known in (True, False))
    assert (exact.usd_per_hour, exact.low, exact.high) == (2.5, 1.5, 4.5)
    assert (other.usd_per_hour, other.low, other.high) == (2.5, None, None)


def test_a_sum_has_the_range_of_its_estimates_together():
    """They are off in the same way; an estimate that nobody measured makes the range unknown."""
    total = sum_of_prices([(ESTIMATE, 2), (Price(1.0, "a list"), 1)])
    assert (usd(total), total.estimated, total.low, total.high) == (5.0, True, 3.0, 9.0)
    unmeasured = sum_of_prices([(ESTIMATE, 2), (Price(1.0, "a guess", estimated=True), 1)])
    assert (unmeasured.low, unmeasured.high) == (None, None)
    exact = sum_of_prices([(Price(1.0, "a list"), 3)])
    assert (exact.estimated, exact.low, exact.high) == (False, None, None)


def test_an_unknown_price_is_not_zero():
    assert usd(None) is None
    assert usd(ESTIMATE, 3) == 6.0
