"""The unstable sort of the Go standard library (spec: scheduling Appendix A).

Karpenter orders claims by pod count, instance types by price and preferred terms by weight with a pattern-defeating quicksort:
deterministic, but for more than twelve elements not stable. Which of several equal claims gets the next pod depends on it, so
the same swaps are made here. Ranges that the algorithm would only walk through are recognised with C-speed operations.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import cmp_to_key
from itertools import pairwise
from typing import Final, TypeVar

T = TypeVar("T")

_STABLE_UP_TO: Final = 12  # a plain insertion sort up to here
_SHIFTS_FROM: Final = 50  # shorter ranges are not mended by shifting, and get a simple median
_MAX_SHIFTS: Final = 5
_MAX_EXCHANGES: Final = 12  # of a median of medians: as many as there can be
_64_BITS: Final = 2**64 - 1
_CHUNK: Final = 32


def sort(items: list[T], less: Callable[[T, T], bool]) -> None:
    """Sort in place as Go's `sort.Slice` does, equal elements included. `less` must be a strict weak order."""

    def compare(a: T, b: T) -> int:
        return -1 if less(a, b) else int(less(b, a))

    by_rank = cmp_to_key(compare)
    in_order = sorted(range(len(items)), key=lambda i: by_rank(items[i]))
    ranks = [0] * len(items)
    for before, after in pairwise(in_order):
        ranks[after] = ranks[before] + less(items[before], items[after])
    items[:] = [items[i] for i in sort_by_key(ranks)]


def sort_by_key(keys: list[int]) -> list[int]:
    """The order in which Go's unstable sort leaves elements with these keys: for each place the original position."""
    positions = list(range(len(keys)))
    if len(keys) <= _STABLE_UP_TO:
        return sorted(positions, key=keys.__getitem__)
    if sorted(keys) == keys:  # what is in order stays as it is
        return positions
    _Ranges(list(keys), positions).sort(0, len(keys), len(keys).bit_length())
    return positions


class _Ranges:
    """Two lists that change places together: the keys, and where each came from. Ranges are [a, b)."""

    __slots__ = ("keys", "positions")

    def __init__(self, keys: list[int], positions: list[int]) -> None:
        self.keys = keys
        self.positions = positions

    def sort(self, a: int, b: int, budget: int) -> None:
        """The quicksort itself; `budget` is how many unbalanced partitions it bears before turning to a heap sort."""
        balanced = partitioned = True
        while b - a > _STABLE_UP_TO:
            if budget == 0:
                self.heap_sort(a, b)
                return
            if not balanced:
                self.break_patterns(a, b)
                budget -= 1
            pivot, exchanges = self.choose_pivot(a, b)
            if exchanges == _MAX_EXCHANGES:  # probably descending
                self.reverse(a, b)
                pivot, exchanges = (b - 1) - (pivot - a), 0
            if balanced and partitioned and exchanges == 0 and self.mend(a, b):
                return
            if a > 0 and self.keys[a - 1] >= self.keys[pivot]:
                a = self.gather_equal(a, b, pivot)
                continue
            length = b - a
            middle, partitioned = self.partition(a, b, pivot)
            left, right = middle - a, b - middle
            balanced = min(left, right) >= length // 8
            if left < right:
                self.sort(a, middle, budget)
                a = middle + 1
            else:
                self.sort(middle + 1, b, budget)
                b = middle
        self.insertion_sort(a, b)

    def swap(self, i: int, j: int) -> None:
        keys, positions = self.keys, self.positions
        keys[i], keys[j] = keys[j], keys[i]
        positions[i], positions[j] = positions[j], positions[i]

    def move(self, start: int, to: int) -> None:
        """Take one element out and put it in elsewhere; what lies between moves up by one."""
        self.keys.insert(to, self.keys.pop(start))
        self.positions.insert(to, self.positions.pop(start))

    def reverse(self, a: int, b: int) -> None:
        self.keys[a:b] = self.keys[a:b][::-1]
        self.positions[a:b] = self.positions[a:b][::-1]

    def insertion_sort(self, a: int, b: int) -> None:
        order = sorted(range(a, b), key=self.keys.__getitem__)  # insertion sort is stable, and so is this
        self.keys[a:b] = [self.keys[i] for i in order]
        self.positions[a:b] = [self.positions[i] for i in order]

    def heap_sort(self, a: int, b: int) -> None:
        size = b - a
        for root in range((size - 1) // 2, -1, -1):
            self.sift_down(a, root, size)
        for last in range(size - 1, -1, -1):
            self.swap(a, a + last)
            self.sift_down(a, 0, last)

    def sift_down(self, first: int, root: int, size: int) -> None:
        keys = self.keys
        while (child := 2 * root + 1) < size:
            if child + 1 < size and keys[first + child] < keys[first + child + 1]:
                child += 1
            if keys[first + root] >= keys[first + child]:
                return
            self.swap(first + root, first + child)
            root = child

    def break_patterns(self, a: int, b: int) -> None:
        """Scatter three elements about the middle, by a generator that is seeded with the length."""
        length = b - a
        random, mask = length, (1 << length.bit_length()) - 1
        middle = a + length // 4 * 2
        for place in range(middle - 1, middle + 2):
            random ^= random << 13 & _64_BITS
            random ^= random >> 7
            random ^= random << 17 & _64_BITS
            other = random & mask
            self.swap(place, a + (other - length if other >= length else other))

    def choose_pivot(self, a: int, b: int) -> tuple[int, int]:
        """The pivot's place, and how many exchanges finding it took: none for ascending ranges, all for descending ones."""
        length = b - a
        quarter = length // 4
        places = [a + quarter, a + quarter * 2, a + quarter * 3]
        exchanges = 0
        if length >= _SHIFTS_FROM:
            for n, place in enumerate(places):
                places[n], more = self.median(place - 1, place, place + 1)
                exchanges += more
        pivot, more = self.median(*places)
        return pivot, exchanges + more

    def median(self, x: int, y: int, z: int) -> tuple[int, int]:
        keys, exchanges = self.keys, 0
        if keys[y] < keys[x]:
            x, y, exchanges = y, x, 1
        if keys[z] < keys[y]:
            y, exchanges = z, exchanges + 1  # the place that falls out is not looked at again
        if keys[y] < keys[x]:
            y, exchanges = x, exchanges + 1
        return y, exchanges

    def mend(self, a: int, b: int) -> bool:
        """Put right up to five inversions of a range that seems to be in order; whether it then is."""
        keys, i = self.keys, a + 1
        for _ in range(_MAX_SHIFTS):
            i = _first_descent(keys, i, b)
            if i == b:
                return True
            if b - a < _SHIFTS_FROM:
                return False
            self.swap(i, i - 1)
            if i - a >= 2:
                self.move(i - 1, bisect_right(keys, keys[i - 1], a, i - 1))
            if b - i >= 2:
                self.move(i, _first_at_least(keys, i + 1, b, keys[i]) - 1)
        return False

    def gather_equal(self, a: int, b: int, pivot: int) -> int:
        """Move what equals the pivot to the front, where nothing is smaller; where the rest begins."""
        self.swap(a, pivot)
        keys, value, i, j = self.keys, self.keys[a], a + 1, b - 1
        while True:
            i = _first_at_least(keys, i, j + 1, value + 1)
            j = _last_below(keys, i, j + 1, value + 1)
            if i > j:
                return i
            self.swap(i, j)
            i, j = i + 1, j - 1

    def partition(self, a: int, b: int, pivot: int) -> tuple[int, bool]:
        """Smaller ones left of the pivot, the others right of it; its new place, and whether that was so already."""
        self.swap(a, pivot)
        keys, value, i, j = self.keys, self.keys[a], a + 1, b - 1
        untouched = True
        while True:
            i = _first_at_least(keys, i, j + 1, value)
            j = _last_below(keys, i, j + 1, value)
            if i > j:
                self.swap(j, a)
                return j, untouched
            self.swap(i, j)
            untouched = False
            i, j = i + 1, j - 1


def _first_descent(keys: list[int], start: int, end: int) -> int:
    """The first place from `start` on whose key is below the one before it; `end` when there is none."""
    size = _CHUNK
    while start < end:
        stop = min(start + size, end)
        part = keys[start - 1 : stop]
        if sorted(part) == part:
            start, size = stop, size * 2
        elif size <= _CHUNK or stop - start <= _CHUNK:
            return next(i for i in range(start, stop) if keys[i] < keys[i - 1])
        else:
            size = (stop - start) // 2
    return end


def _first_at_least(keys: list[int], start: int, end: int, key: int) -> int:
    """The first place from `start` on whose key is not below `key`; `end` when there is none."""
    size = _CHUNK
    while start < end:
        stop = min(start + size, end)
        if max(keys[start:stop]) < key:
            start, size = stop, size * 2
        elif stop - start <= _CHUNK:
            return next(i for i in range(start, stop) if keys[i] >= key)
        else:
            size = (stop - start) // 2
    return end


def _last_below(keys: list[int], start: int, end: int, key: int) -> int:
    """The last place before `end` whose key is below `key`; the one before `start` when there is none."""
    size = _CHUNK
    while start < end:
        stop = max(end - size, start)
        if min(keys[stop:end]) >= key:
            end, size = stop, size * 2
        elif end - stop <= _CHUNK:
            return next(i for i in range(end - 1, stop - 1, -1) if keys[i] < key)
        else:
            size = (end - stop) // 2
    return start - 1
