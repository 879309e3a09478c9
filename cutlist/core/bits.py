"""Sets of small numbers as one integer: bit i is set if i is in the set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

_BITS: Final = 64
_WORD: Final = (1 << _BITS) - 1


def bits(mask: int) -> Iterator[int]:
    """Yield the positions of the set bits, lowest first."""
    base = 0
    while mask:
        # Each step on a set of thousands costs as much as its length, so it is taken for up to 64 numbers at once.
        empty = (mask & -mask).bit_length() - 1
        mask >>= empty
        base += empty
        word = mask & _WORD
        while word:
            low = word & -word
            yield base + low.bit_length() - 1
            word ^= low
        mask >>= _BITS
        base += _BITS


def mask_of(numbers: Iterable[int]) -> int:
    """Return the set of different numbers.

    >>> mask_of([0, 3])
    9
    """
    return sum(1 << number for number in numbers)
