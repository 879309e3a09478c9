"""Prices that overlays change (spec: scheduling 3.8)."""

from __future__ import annotations

import pytest

from cutlist.scheduling.nodeoverlays import adjusted_price


@pytest.mark.parametrize(
    ("change", "price"),
    [
        ("", 2.0),
        ("0.25", 0.25),
        ("0", 0.0),
        ("+0.5", 2.5),
        ("-0.5", 1.5),
        ("-3", 0.0),
        ("+10%", 2.2),
        ("-50%", 1.0),
        ("-150%", 0.0),
    ],
)
def test_text_replaces_adds_or_multiplies(change, price):
    """Without a sign the price is replaced; a sign adds, a percentage multiplies, and nothing falls below zero."""
    assert adjusted_price(2.0, change) == pytest.approx(price, abs=0)
