"""The part that each of several edits has in a difference, where what one does may depend on the others.

Pure arithmetic: what an edit is, and what a set of edits amounts to, is given. With few edits a part is the average, over all
orders in which they may be made, of what the edit changes when its turn comes (the Shapley value), so the parts add up to the
difference exactly. With many, a part is what the edit does alone, and one more part is what they do together beyond that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

Subset = frozenset[int]
Value = Callable[[Subset], Fraction]
"""Returns what a subset of the edits, by their numbers from 0, amounts to; nothing else is changed."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of edits, by number, whose sum with `together` is the difference that all of them make.

    `together` is None where the parts are averages over all orders: then there is no rest. A part is None for an edit that was
    not looked at alone; what it does is in `together`.
    """

    of_edits: tuple[Fraction | None, ...]
    together: Fraction | None = None


def parts(count: int, value: Value, most: int) -> Parts:
    """Return the parts of some edits. `most` is how many subsets `value` may be asked about, with the empty and the whole one:
    the parts are averages over all orders if these are enough, and else what the first edits do alone.
    """
    if 2**count <= most:
        return averages(count, value)
    return alone(count, value, max(most - 2, 0))


def averages(count: int, value: Value) -> Parts:
    """Return what each edit changes on average over all orders. Each subset is asked about once."""
    everything = range(count)
    values = {
        frozenset(chosen): value(frozenset(chosen)) for size in range(count + 1) for chosen in combinations(everything, size)
    }
    weights = [Fraction(1, count * comb(count - 1, size)) for size in range(count)]  # of a subset of this size without the edit
    return Parts(
        tuple(
            sum(
                (weights[len(s)] * (values[s | {edit}] - amount) for s, amount in values.items() if edit not in s),
                start=Fraction(0),
            )
            for edit in everything
        )
    )


def alone(count: int, value: Value, most: int) -> Parts:
    """Return what each of the first edits changes alone, and what is left of the difference."""
    nothing = value(frozenset())
    of_edits = tuple(value(frozenset((edit,))) - nothing if edit < most else None for edit in range(count))
    known = sum((part for part in of_edits if part is not None), start=Fraction(0))
    return Parts(of_edits, value(frozenset(range(count))) - nothing - known)
