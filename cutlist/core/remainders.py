"""Whole numbers for parts of a sum that have to add up to it: the method of the largest remainder."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor


def whole_parts(parts: Sequence[Fraction], total: int) -> tuple[int, ...]:
    """Return each part as a whole number next to it, so that together they are `total`.

    All are rounded down, and those with the largest remainders are then raised by one; of equal remainders the first. Parts
    whose sum is further from `total` than rounding can be get the rest in the same order, as evenly as possible.
    """
    if not parts:
        return ()
    lower = [floor(part) for part in parts]
    missing = total - sum(lower)
    order = sorted(range(len(parts)), key=lambda i: (lower[i] - parts[i], i))
    each, extra = divmod(missing, len(parts))
    raised = frozenset(order[:extra])
    return tuple(amount + each + (i in raised) for i, amount in enumerate(lower))
