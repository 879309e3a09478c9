"""How often spot instances are interrupted, in the bands of AWS' Spot Instance Advisor."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

BANDS: Final[Mapping[str, float]] = {"<5%": 0.025, "5-10%": 0.075, "10-15%": 0.125, "15-20%": 0.175, ">20%": 0.25}
"""The part of all instances of a type that is interrupted within a month, by band: its middle, and of the last 25%."""
_MIDDLES: Final = tuple(BANDS.values())


def monthly_part(band: int) -> float:
    """Return the part of instances that is interrupted within a month, by the number of its band from 0."""
    return _MIDDLES[min(band, len(_MIDDLES) - 1)]


def monthly_rate(part: float) -> float:
    """Return how often one instance is interrupted in a month if this part of all is interrupted within one."""
    return -math.log1p(-part)
