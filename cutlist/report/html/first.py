"""What pages say first: sums, parts of a sum, and what causes most of it, as values that templates draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cutlist.report.html.deltas import Delta

MOST_CAUSES: Final = 3
"""How many causes of a cost a first screen names."""


@dataclass(frozen=True, slots=True)
class Sum:
    """An amount under its title, with words below it and its difference to an earlier one. `kind` is its class."""

    title: str
    amount: str
    small: tuple[str, ...] = ()
    delta: Delta | None = None
    kind: str = ""


UNPRICED: Final = Sum("A month", "unknown", ("no node has a known price",))


def known_range(span: str) -> str:
    """Return the range of a sum in words that go below it; empty without a range."""
    return f"{span}, as far as prices are known" if span else ""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a sum: its name and amount, its share of the sum as a part of 1, words, and the class of its colour."""

    name: str
    amount: str
    share: float | None
    words: str = ""
    kind: str = "share"


@dataclass(frozen=True, slots=True)
class Driver:
    """What makes an amount of the cost: the amount, a sentence that goes on from it, its share of the price, and its place."""

    amount: str
    what: str
    share: float | None = None
    where: str = ""
    kind: str = ""
