"""Money as decimals: sums, multiples, and how halves are rounded."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.money import decimal_of, money_of, money_rounded, money_sum, money_text, money_times

_AMOUNTS = st.decimals(min_value=-100_000, max_value=100_000, places=5, allow_nan=False).map(float)


def test_a_tenth_is_a_tenth():
    assert money_sum([0.1] * 3) == 0.3 != 0.1 + 0.1 + 0.1
    assert money_times(0.00475, 730) == 3.4675
    assert money_of([(3, 0.1), (2, 0.05)]) == 0.4
    assert money_sum([]) == money_of([]) == 0


@pytest.mark.parametrize(
    ("amount", "places", "text"),
    [
        (86.485, 2, "86.49"),
        (2.675, 2, "2.68"),
        (-1234.565, 2, "-1,234.57"),
        (0.5, 0, "1"),
        (1e16, 2, "10,000,000,000,000,000.00"),
    ],
)
def test_halves_are_rounded_away_from_zero(amount: float, places: int, text: str):
    assert money_text(amount, places) == text
    assert money_rounded(amount, places) == float(text.replace(",", ""))


def test_what_is_no_amount_is_written_as_python_writes_it():
    assert money_text(math.inf, 2) == "inf"
    assert money_rounded(math.inf, 2) == math.inf


@given(st.lists(_AMOUNTS, max_size=30))
def test_a_sum_is_that_of_the_decimals_in_any_order(amounts: list[float]):
    whole = sum((Fraction(decimal_of(amount)) for amount in amounts), start=Fraction(0))
    assert Fraction(decimal_of(money_sum(amounts))) == whole
    assert money_sum(reversed(amounts)) == money_sum(amounts)
