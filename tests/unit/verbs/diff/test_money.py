"""Amounts in whole cents: as views round them, and parts that add up."""

from __future__ import annotations

from fractions import Fraction

from cutlist.verbs.diff.money import cent_parts, cents, in_usd


def test_an_amount_is_rounded_as_views_round_it():
    assert cents(86.485) == cents(round(86.485, 2))
    assert (in_usd(cents(86.48)), in_usd(None)) == (86.48, None)


def test_parts_in_usd_add_up_to_whole_cents():
    assert cent_parts([Fraction(1, 3)] * 3, 100) == (34, 33, 33)
