"""Shares of a whole in whole percents that add up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

_ROUNDING: Final = 1e-9


def shares(amounts: Sequence[float | None], whole: float | None) -> list[float | None]:
    """Return each amount as a share of the whole in whole percent; the shares add up to 100% if the amounts are all of it. Each
    is rounded down, and the remaining percents go to those that lost most, the first of equal ones. The share is None for an
    unknown amount, and for every amount if the whole is unknown or zero.
    """
    if not whole:
        return [None] * len(amounts)
    known = [amount or 0.0 for amount in amounts]
    exact = [100 * amount / whole for amount in [*known, max(0.0, whole - math.fsum(known))]]
    percents = [math.floor(part + _ROUNDING) for part in exact]
    lost_most = sorted(range(len(exact)), key=lambda number: percents[number] - exact[number])
    for number in lost_most[: max(0, 100 - sum(percents))]:
        percents[number] += 1
    return [None if amount is None else percent / 100 for amount, percent in zip(amounts, percents[:-1], strict=True)]
