"""Sets of small numbers as one integer: bit i is set if i is in the set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

_BITS: Final = 64
_WORD: Final = (1 << _BITS) - 1
_ONE: Final = ord("1")


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
    listed = list(numbers)
    if len(listed) < _BITS:
        return sum(1 << number for number in listed)
    low, high = min(listed), max(listed)
    if high - low < len(listed):
        return mask_of_run(range(low, high + 1))
    # Each step on a set of thousands costs as much as its length, so its digits are written one by one and read together.
    digits = bytearray(b"0") * (high + 1)
    for number in listed:
        digits[high - number] = _ONE
    return int(digits, 2)


def mask_of_run(run: range) -> int:
    """Return the set of numbers that follow each other.

    >>> bin(mask_of_run(range(1, 4)))
    '0b1110'
    """
    return ((1 << len(run)) - 1) << run.start


def runs(mask: int) -> Iterator[range]:
    """Yield the numbers of a set as far as they follow each other, lowest first.

    >>> list(runs(0b1011100))
    [range(2, 5), range(6, 7)]
    """
    base = 0
    while mask:
        empty = (mask & -mask).bit_length() - 1
        mask >>= empty
        length = (~mask & mask + 1).bit_length() - 1
        yield range(base + empty, base + empty + length)
        mask >>= length
        base += empty + length
