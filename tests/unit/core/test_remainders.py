"""Whole numbers for parts of a sum: they add up to it, and the largest remainders are raised."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.remainders import whole_parts
from tests.examples import examples

amounts = st.integers(-(10**9), 10**9).map(lambda n: Fraction(n, 10**4))


@examples(0.3)
@given(st.lists(amounts, min_size=1, max_size=8))
def test_whole_parts_add_up_and_none_is_a_whole_one_away(exact: list[Fraction]):
    """The total is that of the exact parts, rounded either way."""
    total = round(sum(exact, start=Fraction(0)))
    whole = whole_parts(exact, total)
    assert sum(whole) == total
    assert all(abs(part - amount) < 1 or len(exact) == 1 for part, amount in zip(exact, whole, strict=True))


def test_the_largest_remainders_are_raised():
    thirds = [Fraction(1, 3)] * 3
    assert whole_parts([part * 100 for part in thirds], 100) == (34, 33, 33)
    assert whole_parts([Fraction(5, 10), Fraction(-5, 10)], 0) == (1, -1)
    assert whole_parts([], 0) == ()
