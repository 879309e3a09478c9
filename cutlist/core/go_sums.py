"""Sums of floating-point numbers as Go computes them, so that prices and costs compare as they do in Karpenter."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add


def sum_in_turn(numbers: Iterable[float]) -> float:
    """Return the sum of numbers, added one after the other and rounded each time.

    Python's own `sum` compensates for the rounding since 3.12, so it can differ in the last digit from Go's and from that of
    3.11.
    """
    return reduce(add, numbers, 0.0)
