"""The part that each of several edits has in a difference, where what one does may depend on the others.

Pure arithmetic: what an edit is, and what a set of edits amounts to, is given. With few edits a part is the average, over all
orders in which they may be made, of what the edit changes when its turn comes (the Shapley value), so the parts add up to the
difference exactly. With many, a part is what the edit does alone, and one more part is what they do together beyond that. If
that is much, the edits that depend on others most have averages after all: over their own orders, once the others are made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Final

Subset = frozenset[int]
_MUCH: Final = Fraction(1, 5)
"""Which share of all parts is much to leave to edits together."""
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
    averaged: Subset = frozenset()
    """The edits whose parts are averages where the others are not."""


def parts(count: int, value: Value, most: int) -> Parts:
    """Return the parts of some edits. `most` is how many subsets `value` may be asked about, with the empty and the whole one:
    the parts are averages over all orders if these are enough, and else what the first edits do alone, or some of both.
    """
    if 2**count <= most:
        return averages(count, value)
    value = _asked_once(value)
    found = alone(count, value, max(most - 2, 0))
    known = [part for part in found.of_edits if part is not None]
    rest = abs(found.together or Fraction(0))
    if len(known) < count or rest <= _MUCH * (rest + sum((abs(part) for part in known), start=Fraction(0))):
        return found
    better = some_averaged(known, value, most)
    return better if 2 * abs(better.together or Fraction(0)) <= rest else found


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


def some_averaged(of_alone: Sequence[Fraction], value: Value, most: int) -> Parts:
    """Return what each edit does alone, but averages for those that depend on others most, as many as `most` allows. An edit
    depends on others if it does something else alone than as the last of all."""
    count = len(of_alone)
    everything, together = frozenset(range(count)), value(frozenset(range(count))) - value(frozenset())
    without = Parts(tuple(of_alone), together - sum(of_alone, start=Fraction(0)))
    left = most - 2 - 2 * count
    if left < 1:
        return without
    gaps = [abs(value(everything) - value(everything - {edit}) - part) for edit, part in enumerate(of_alone)]
    dependent = sorted((edit for edit in everything if gaps[edit]), key=lambda edit: (-gaps[edit], edit))
    # A cut between edits that depend on others alike would be unfair to those beyond it.
    next_gaps = [gaps[edit] for edit in dependent[1:]] + [Fraction(0)]
    cuts = [n for n, edit in enumerate(dependent, start=1) if next_gaps[n - 1] <= _MUCH * gaps[edit]]
    chosen = sorted(dependent[: max((size for size in cuts if size > 1 and 2**size - 1 - size <= left), default=0)])
    if not chosen:
        return without
    others = everything - {*chosen}
    of_chosen = averages(len(chosen), lambda subset: value(others | {chosen[number] for number in subset})).of_edits
    of_edits = {**dict(enumerate(of_alone)), **dict(zip(chosen, of_chosen, strict=True))}
    rest = value(others) - value(frozenset()) - sum((of_alone[edit] for edit in others), start=Fraction(0))
    return Parts(tuple(of_edits[edit] for edit in range(count)), rest, frozenset(chosen))


def _asked_once(value: Value) -> Value:
    known: dict[Subset, Fraction] = {}

    def asked(subset: Subset) -> Fraction:
        if subset not in known:
            known[subset] = value(subset)
        return known[subset]

    return asked
