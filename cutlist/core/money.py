"""Arithmetic of money: every amount counts as the decimal that its source wrote, and halves are rounded up.

A price is published as a decimal of at most fifteen digits, and a float gives any such decimal back (its `repr`). So a float
may hold an amount, and Karpenter's own decisions need it as one; but sums and multiples are made here, where 0.1 is a tenth.
The cents of a total are those that adding the published prices by hand gives. An amount that was computed, such as an estimate,
counts as the shortest decimal that stands for it. docs/decisions/money.md has the figures.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from math import isfinite
from typing import Final

# Sums of amounts whose sizes differ by up to 10^40 are exact, which no bill comes near.
_EXACT: Final = Context(prec=60, rounding=ROUND_HALF_UP)

_CENTS: Final = 100
_HALF: Final = Fraction(1, 2)


def decimal_of(amount: float) -> Decimal:
    """Return an amount as the decimal that its source wrote: 0.1 is a tenth."""
    return Decimal(repr(float(amount)))


def money_sum(amounts: Iterable[float]) -> float:
    """Return the exact sum of amounts of money, 0 without any."""
    return float(_sum(map(decimal_of, amounts)))


def money_times(amount: float, times: float) -> float:
    """Return an exact multiple of an amount of money, such as of a price an hour for a month."""
    return float(_times(amount, times))


def money_of(parts: Iterable[tuple[float, float]]) -> float:
    """Return the exact sum of amounts, each with how often it counts: `(number of nodes, price of one)`."""
    return float(_sum(_times(amount, times) for times, amount in parts))


def money_rounded(amount: float, places: int) -> float:
    """Return an amount rounded to decimal places, halves away from zero as bills round them."""
    return float(_quantized(amount, places)) if isfinite(amount) else amount


def whole_cents(amount: float | Decimal | Fraction) -> int:
    """Return an amount of money in whole cents, halves away from zero."""
    exact = Fraction(decimal_of(amount) if isinstance(amount, float | int) else amount)
    return int(abs(exact) * _CENTS + _HALF) * (1 if exact > 0 else -1)


def money_text(amount: float, places: int) -> str:
    """Return an amount rounded to decimal places, with commas between thousands: `1,200.35`."""
    return f"{_quantized(amount, places):,f}" if isfinite(amount) else f"{amount:,.{places}f}"


def _sum(amounts: Iterable[Decimal]) -> Decimal:
    whole = Decimal(0)
    for amount in amounts:
        whole = _EXACT.add(whole, amount)
    return whole


def _times(amount: float, times: float) -> Decimal:
    return _EXACT.multiply(decimal_of(amount), decimal_of(times))


def _quantized(amount: float, places: int) -> Decimal:
    return decimal_of(amount).quantize(Decimal(1).scaleb(-places), context=_EXACT)
