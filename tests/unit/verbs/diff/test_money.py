"""Amounts in whole cents: as views round them, and parts that add up."""

from __future__ import annotations

from fractions import Fraction

from cutlist.catalog.ranges import PriceRange
from cutlist.core.money import whole_cents
from cutlist.report.plain import per_month
from cutlist.verbs.diff.money import ChangeRanges, MonthlyPrice, cent_parts, in_usd
from cutlist.verbs.diff.shown_prices import ShownPrices


def test_an_amount_is_rounded_as_views_round_it():
    assert in_usd(whole_cents(86.485)) == float(per_month(86.485)) == 86.49
    assert (in_usd(whole_cents(86.48)), in_usd(None)) == (86.48, None)


def test_parts_in_usd_add_up_to_whole_cents():
    assert cent_parts([Fraction(1, 3)] * 3, 100) == (34, 33, 33)


def test_a_difference_that_is_known_better_than_the_sums_is_no_more_exact_than_its_own_range():
    """Most of what both sums do not know is the same on both sides."""
    ranges = ChangeRanges(PriceRange(55.1, 62.2), PriceRange(56.8, 63.0), PriceRange(0.82, 1.76))
    shown = ShownPrices.of(MonthlyPrice(4_257_424, 4_355_296, ranges=ranges))
    assert (shown.before, shown.after, shown.difference) == ("about $42,600", "about $43,580", "about +$980")
    exact = ShownPrices.of(MonthlyPrice(4_257_424, 4_355_296, ranges=ChangeRanges(ranges.before, ranges.after)))
    assert exact.difference == "+$978.72"
