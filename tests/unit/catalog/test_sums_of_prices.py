"""Sums of prices to the cent; docs/decisions/money.md has the figures."""

from __future__ import annotations

import math
import random
from decimal import ROUND_HALF_UP, Decimal

import pytest

from cutlist.catalog.embedded import load_chosen
from cutlist.catalog.prices import HOURS_PER_MONTH, a_month
from cutlist.core.money import money_sum, money_text

_NODES, _PLANS = 1_000, 500
_CENT = Decimal("0.01")


@pytest.mark.slow
def test_the_cent_of_a_month_is_that_of_the_exact_sum():
    """Adding floats gives another cent for some of the same plans, so this test can fail."""
    region = load_chosen(None, "us-west-2")
    prices = [p.usd_per_hour for n in sorted(region.machines) if (p := region.on_demand_price(n)) and not p.estimated]
    exact = [Decimal(repr(price)) for price in prices]
    drawn = random.Random(1)  # noqa: S311
    differing = 0
    for _ in range(_PLANS):
        bought = [drawn.randrange(len(prices)) for _ in range(_NODES)]
        whole = (sum((exact[i] for i in bought), Decimal(0)) * HOURS_PER_MONTH).quantize(_CENT, ROUND_HALF_UP)
        assert money_text(a_month(money_sum(prices[i] for i in bought)), 2) == f"{whole:,}"
        differing += f"{math.fsum(prices[i] for i in bought) * HOURS_PER_MONTH:,.2f}" != f"{whole:,}"
    assert differing
