"""NodeOverlays: prices and capacity that users set over those of the cloud (spec: scheduling 3.8)."""

from __future__ import annotations


def adjusted_price(price: float, change: str) -> float:
    """A price after an overlay's `price` or `priceAdjustment`.

    Text without a sign replaces the price, `+0.5` and `-0.5` add, `+10%` and `-10%` multiply; an adjusted price never falls
    below 0. An empty text changes nothing. Raises ValueError for text that is no number: overlays are validated before.
    """
    if not change:
        return price
    if change[0] not in "+-":
        return float(change)
    by = float(change.removesuffix("%"))
    adjusted = price * (1 + by / 100) if change.endswith("%") else price + by
    return adjusted if adjusted >= 0 else 0.0
