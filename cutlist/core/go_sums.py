"""Sums of floating-point numbers as Go has them, so that prices and costs compare as Karpenter compares them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add


def sum_in_turn(numbers: Iterable[float]) -> float:
    """Return the sum of numbers that are added one after the other, each time rounded.

    That of Python makes up for the rounding since 3.12, so it differs in the last digit from Go's, and from that of 3.11.
    """
    return reduce(add, numbers, 0.0)
