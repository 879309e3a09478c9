"""Sets of small numbers as one integer: bit i is set if i is in the set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def bits(mask: int) -> Iterator[int]:
    """Yield the positions of the set bits, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(numbers: Iterable[int]) -> int:
    """Return the set of different numbers.

    >>> mask_of([0, 3])
    9
    """
    return sum(1 << number for number in numbers)
