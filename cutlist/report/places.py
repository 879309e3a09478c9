"""Amounts of one column with as many decimal places each: as the least exact estimate has, and enough for the smallest."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from cutlist.core.money import money_text

T = TypeVar("T")
_NUMBER: Final = re.compile(r"\d[\d,]*(?:\.\d+)?")
_TEN: Final = 10
_CENTS: Final = 2
_TWO_DIGITS: Final = 1  # places beyond the first digit


def in_one_way(show: Callable[[T], str], rows: Sequence[T], is_estimate: Callable[[T], bool]) -> Callable[[T], str]:
    """Return `show` for the rows of a column, so that all their amounts have as many decimal places.

    That is as many as the least exact estimate has, but enough for two digits of the smallest amount; without estimates it is
    as many as one of the amounts needs. Where all are alike, nothing changes.
    """
    places = common_places([(show(row), is_estimate(row)) for row in rows])
    return show if places is None else lambda row: _in_places(show(row), places)


def alike(cells: Sequence[tuple[str, bool]]) -> list[str]:
    """Return the texts of a column, each with whether its amount is an estimate, so that all have as many decimal places."""
    places = common_places(cells)
    return [text if places is None else _in_places(text, places) for text, _ in cells]


def common_places(cells: Iterable[tuple[str, bool]]) -> int | None:
    """Return how many decimal places amounts should have in one column, each with whether it is an estimate; None where they
    agree."""
    numbers = [(match[0], estimated) for text, estimated in cells if (match := _NUMBER.search(text)) is not None]
    own = [(len(number.partition(".")[2]), estimated) for number, estimated in numbers]
    most = max((places for places, _ in own), default=0)
    if all(places == most for places, _ in own):
        return None
    least_exact = min((places for places, estimated in own if estimated), default=most)
    amounts = (float(number.replace(",", "")) for number, _ in numbers)
    smallest = min((amount for amount in amounts if amount), default=1.0)
    return min(max(least_exact, _needed(smallest)), most)


def _needed(amount: float) -> int:
    """Return the places that two digits of an amount need; amounts of money have none or at least two."""
    if amount >= _TEN:
        return 0
    return max(_CENTS, _TWO_DIGITS - math.floor(math.log10(amount)))


def _in_places(text: str, places: int) -> str:
    return _NUMBER.sub(lambda match: money_text(float(match[0].replace(",", "")), places), text, count=1)
