"""Amounts of money in sentences."""

from __future__ import annotations

import pytest

from cutlist.core.wording import hourly_apart


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
