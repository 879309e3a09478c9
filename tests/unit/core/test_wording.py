"""Amounts of money and lists in sentences."""

from __future__ import annotations

import pytest

from cutlist.core.wording import hourly_apart, listed


@pytest.mark.parametrize(
    ("prices", "texts"),
    [
        ((2.5, 2.0), ["2.50", "2.00"]),
        ((2.004, 2.0), ["2.0040", "2.0000"]),
        ((2.0, 2.0), ["2.00", "2.00"]),
        ((0.0123, 1234.5), ["0.0123", "1,234.50"]),
    ],
)
def test_prices_that_differ_never_look_alike(prices: tuple[float, ...], texts: list[str]):
    """Two places are enough for most; a ceiling that is exceeded by less than a cent needs four."""
    assert hourly_apart(*prices) == texts


@pytest.mark.parametrize(("parts", "text"), [((), ""), (("a",), "a"), (("a", "b"), "a and b"), ((1, 2, 3), "1, 2 and 3")])
def test_parts_of_a_sentence_have_commas_and_a_last_and(parts: tuple[object, ...], text: str):
    """As a reader would say them."""
    assert listed(parts) == text
