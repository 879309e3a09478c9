"""Amounts of one column with as many decimal places each: as the least exact one has, and enough for the smallest."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Final, TypeVar

T = TypeVar("T")
_NUMBER: Final = re.compile(r"\d[\d,]*(?:\.\d+)?")
_TEN: Final = 10
_CENTS: Final = 2
_TWO_DIGITS: Final = 1  # places beyond the first digit


def in_one_way(show: Callable[[T], str], rows: Iterable[T]) -> Callable[[T], str]:
    """Return `show` for the rows of a column, so that all their amounts have as many decimal places.

    That is as many as the least exact of them, but enough for two digits of the smallest. Where all are alike, nothing changes.
    """
    places = common_places(map(show, rows))
    return show if places is None else lambda row: _NUMBER.sub(lambda match: _to(match[0], places), show(row), count=1)


def common_places(texts: Iterable[str]) -> int | None:
    """Return how many decimal places amounts should have in one column; None where they agree."""
    numbers = [match[0] for text in texts if (match := _NUMBER.search(text)) is not None]
    own = {len(number.partition(".")[2]) for number in numbers}
    if len(own) < _CENTS:
        return None
    amounts = [float(number.replace(",", "")) for number in numbers]
    least = min((amount for amount in amounts if amount), default=1.0)
    return min(max(min(own), _needed(least)), max(own))


def _needed(amount: float) -> int:
    """Return the places that two digits of an amount need; amounts of money have none or at least two."""
    if amount >= _TEN:
        return 0
    return max(_CENTS, _TWO_DIGITS - math.floor(math.log10(amount)))


def _to(number: str, places: int) -> str:
    return f"{Decimal(number.replace(',', '')).quantize(Decimal(1).scaleb(-places)):,}"
