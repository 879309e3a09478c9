"""Sums of prices as floats beside exact ones; docs/decisions/floats.md has the figures."""

from __future__ import annotations

import math
import random
from decimal import Decimal
from fractions import Fraction

from cutlist.catalog import HOURS_PER_MONTH, load_chosen

_NODES, _PLANS = 1_000, 500
_HALF_A_CENT = Decimal("0.005")


def test_a_cent_differs_only_where_the_exact_sum_is_half_a_cent():
    """Of 1,000 nodes at published prices, a month as a float is within a millionth of a cent of the exact sum."""
    region = load_chosen(None, "us-west-2")
    prices = [p.usd_per_hour for n in sorted(region.machines) if (p := region.on_demand_price(n)) and not p.estimated]
    exact = [Decimal(repr(price)) for price in prices]
    drawn = random.Random(1)  # noqa: S311
    differing = 0
    for _ in range(_PLANS):
        bought = [drawn.randrange(len(prices)) for _ in range(_NODES)]
        month = math.fsum(prices[i] for i in bought) * HOURS_PER_MONTH
        whole = sum((exact[i] for i in bought), Decimal(0)) * HOURS_PER_MONTH
        assert abs(Fraction(month) - Fraction(whole)) < Fraction(1, 10**8)
        if Decimal(f"{round(month, 2):.2f}") != round(whole, 2):
            differing += 1
            assert whole % Decimal("0.01") == _HALF_A_CENT
    assert 0 < differing < _PLANS // 50
