"""The unstable sort of the Go standard library (spec: scheduling Appendix A; Go's `sort/zsortfunc.go`).

Karpenter orders claims by pod count, instance types by price and preferred terms by weight with a pattern-defeating quicksort:
deterministic, but for more than twelve elements not stable. Which of several equal claims gets the next pod depends on it, so
the same swaps are made here. The functions carry Go's names. The algorithm works on a `Sortable`, which finds the next key
above or below a value as its storage does that best: a list uses fast operations on slices.

Up to twelve elements it is an insertion sort, which is stable: equal elements keep their order.

>>> sort_by_key([2, 1, 2, 1])
[1, 3, 0, 2]

With thirteen elements it is not. Here all keys but the last are 1. The pivot is the median of the places 3, 6 and 9, so 6.
Partitioning puts it in front (swap 0 and 6), finds that place 1 is not below the pivot and that place 12 is (swap 1 and 12),
and puts the pivot between the smaller element and the others (swap 0 and 1). The eleven after it are equal and stay:

>>> sort_by_key([1] * 12 + [0])
[12, 6, 2, 3, 4, 5, 0, 7, 8, 9, 10, 11, 1]

A stable sort would have left `[12, 0, 1, 2, ...]`: the claim that Karpenter tries second is the seventh one, not the first.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import cmp_to_key
from itertools import pairwise
from typing import Final, Protocol, TypeVar

T = TypeVar("T")

MAX_INSERTION: Final = 12  # ranges up to this length get a plain insertion sort
SHORTEST_SHIFTING: Final = 50  # shorter ranges are not repaired by shifting, and get a simple median
_MAX_STEPS: Final = 5
_MAX_SWAPS: Final = 12  # swaps that a median of medians takes at most
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
    """Return the order in which Go's unstable sort leaves elements with these keys: for each place the original position."""
    positions = list(range(len(keys)))
    if len(keys) <= MAX_INSERTION:
        return sorted(positions, key=keys.__getitem__)
    if sorted(keys) == keys:  # elements in order stay where they are
        return positions
    pdqsort(KeyList(list(keys), positions), len(keys))
    return positions


class Sortable(Protocol):
    """Elements in places, to be sorted by an integer key. Ranges are [start, end)."""

    def key(self, place: int) -> int:
        """Return the key of the element at a place."""

    def swap(self, i: int, j: int) -> None:
        """Exchange two elements."""

    def move_back(self, start: int, to: int) -> None:
        """Take an element out and insert it at an earlier place; the elements between move up by one."""

    def move_on(self, start: int, to: int) -> None:
        """Take an element out and insert it at a later place; the elements between move down by one."""

    def first_above(self, start: int, end: int, key: int) -> int:
        """Return in an ascending range the first place whose key is above `key`, or `end` without one."""

    def first_at_least(self, start: int, end: int, key: int) -> int:
        """Return the first place whose key is not below `key`, or `end` without one."""

    def last_below(self, start: int, end: int, key: int) -> int:
        """Return the last place whose key is below `key`, or the one before `start` without one."""

    def first_descent(self, start: int, end: int) -> int:
        """Return the first place whose key is below that of the place before it, or `end` without one."""

    def insertion_sort(self, a: int, b: int) -> None:
        """Sort a short range, keeping the order of equal elements."""

    def reverse_range(self, a: int, b: int) -> None:
        """Reverse a range."""


def pdqsort(data: Sortable, length: int) -> None:
    """Sort all elements."""
    _pdqsort(data, 0, length, length.bit_length())


def _pdqsort(data: Sortable, a: int, b: int, limit: int) -> None:
    """Sort a range. `limit` is how many unbalanced partitions are tolerated before a heap sort."""
    balanced = partitioned = True
    while b - a > MAX_INSERTION:
        if limit == 0:
            _heap_sort(data, a, b)
            return
        if not balanced:
            _break_patterns(data, a, b)
            limit -= 1
        pivot, swaps = _choose_pivot(data, a, b)
        if swaps == _MAX_SWAPS:  # probably descending
            data.reverse_range(a, b)
            pivot, swaps = (b - 1) - (pivot - a), 0
        if balanced and partitioned and swaps == 0 and _partial_insertion_sort(data, a, b):
            return
        if a > 0 and data.key(a - 1) >= data.key(pivot):
            a = _partition_equal(data, a, b, pivot)
            continue
        length = b - a
        middle, partitioned = _partition(data, a, b, pivot)
        left, right = middle - a, b - middle
        balanced = min(left, right) >= length // 8
        if left < right:
            _pdqsort(data, a, middle, limit)
            a = middle + 1
        else:
            _pdqsort(data, middle + 1, b, limit)
            b = middle
    data.insertion_sort(a, b)  # an insertion sort is stable


def _heap_sort(data: Sortable, a: int, b: int) -> None:
    size = b - a
    for root in range((size - 1) // 2, -1, -1):
        _sift_down(data, a, root, size)
    for last in range(size - 1, -1, -1):
        data.swap(a, a + last)
        _sift_down(data, a, 0, last)


def _sift_down(data: Sortable, first: int, root: int, size: int) -> None:
    while (child := 2 * root + 1) < size:
        if child + 1 < size and data.key(first + child) < data.key(first + child + 1):
            child += 1
        if data.key(first + root) >= data.key(first + child):
            return
        data.swap(first + root, first + child)
        root = child


def _break_patterns(data: Sortable, a: int, b: int) -> None:
    """Scatter three elements around the middle, with a generator seeded by the length."""
    length = b - a
    random, mask = length, (1 << length.bit_length()) - 1
    middle = a + length // 4 * 2
    for place in range(middle - 1, middle + 2):
        random ^= random << 13 & _64_BITS
        random ^= random >> 7
        random ^= random << 17 & _64_BITS
        other = random & mask
        data.swap(place, a + (other - length if other >= length else other))


def _choose_pivot(data: Sortable, a: int, b: int) -> tuple[int, int]:
    """Return the pivot's place, and how many swaps finding it took: none for ascending ranges, all for descending ones."""
    length = b - a
    quarter = length // 4
    places = [a + quarter, a + quarter * 2, a + quarter * 3]
    swaps = 0
    if length >= SHORTEST_SHIFTING:
        for n, place in enumerate(places):
            places[n], more = _median(data, place - 1, place, place + 1)
            swaps += more
    pivot, more = _median(data, *places)
    return pivot, swaps + more


def _median(data: Sortable, x: int, y: int, z: int) -> tuple[int, int]:
    kx, ky, kz, swaps = data.key(x), data.key(y), data.key(z), 0
    if ky < kx:
        x, y, kx, ky, swaps = y, x, ky, kx, 1
    if kz < ky:
        y, ky, swaps = z, kz, swaps + 1  # the swapped-out place is not read again
    if ky < kx:
        y, swaps = x, swaps + 1
    return y, swaps


def _partial_insertion_sort(data: Sortable, a: int, b: int) -> bool:
    """Repair up to five inversions of a range that seems to be in order; return whether it is in order then."""
    i = a + 1
    for _ in range(_MAX_STEPS):
        i = data.first_descent(i, b)
        if i == b:
            return True
        if b - a < SHORTEST_SHIFTING:
            return False
        data.swap(i, i - 1)
        if i - a >= 2:
            data.move_back(i - 1, data.first_above(a, i - 1, data.key(i - 1)))
        if b - i >= 2:
            data.move_on(i, data.first_at_least(i + 1, b, data.key(i)) - 1)
    return False


def _partition_equal(data: Sortable, a: int, b: int, pivot: int) -> int:
    """Move the elements equal to the pivot to the front, knowing that none is smaller; return where the rest begins."""
    data.swap(a, pivot)
    value, i, j = data.key(a), a + 1, b - 1
    while True:
        i = data.first_at_least(i, j + 1, value + 1)
        j = data.last_below(i, j + 1, value + 1)
        if i > j:
            return i
        data.swap(i, j)
        i, j = i + 1, j - 1


def _partition(data: Sortable, a: int, b: int, pivot: int) -> tuple[int, bool]:
    """Put smaller elements left of the pivot and the others right of it; return its new place, and whether they were in order
    before."""
    data.swap(a, pivot)
    value, i, j = data.key(a), a + 1, b - 1
    untouched = True
    while True:
        i = data.first_at_least(i, j + 1, value)
        j = data.last_below(i, j + 1, value)
        if i > j:
            data.swap(j, a)
            return j, untouched
        data.swap(i, j)
        untouched = False
        i, j = i + 1, j - 1


class KeyList:
    """Two lists that change places together: the keys, and where each came from."""

    __slots__ = ("keys", "positions")

    def __init__(self, keys: list[int], positions: list[int]) -> None:
        self.keys = keys
        self.positions = positions

    def key(self, place: int) -> int:
        """Return the key at a place (see `Sortable`, as below)."""
        return self.keys[place]

    def swap(self, i: int, j: int) -> None:
        """Exchange two elements."""
        keys, positions = self.keys, self.positions
        keys[i], keys[j] = keys[j], keys[i]
        positions[i], positions[j] = positions[j], positions[i]

    def move_back(self, start: int, to: int) -> None:
        """Take an element out and insert it at another place; `move_on` is the same."""
        self.keys.insert(to, self.keys.pop(start))
        self.positions.insert(to, self.positions.pop(start))

    move_on = move_back

    def reverse_range(self, a: int, b: int) -> None:
        """Reverse a range."""
        self.keys[a:b] = self.keys[a:b][::-1]
        self.positions[a:b] = self.positions[a:b][::-1]

    def insertion_sort(self, a: int, b: int) -> None:
        """Sort a short range, keeping the order of equal elements."""
        order = sorted(range(a, b), key=self.keys.__getitem__)
        self.keys[a:b] = [self.keys[i] for i in order]
        self.positions[a:b] = [self.positions[i] for i in order]

    def first_above(self, start: int, end: int, key: int) -> int:
        """Return the first place whose key is above `key`."""
        return bisect_right(self.keys, key, start, end)

    def first_at_least(self, start: int, end: int, key: int) -> int:
        """Return the first place whose key is not below `key`."""
        keys, size = self.keys, _CHUNK
        while start < end:
            stop = min(start + size, end)
            if max(keys[start:stop]) < key:
                start, size = stop, size * 2
            elif stop - start <= _CHUNK:
                return next(i for i in range(start, stop) if keys[i] >= key)
            else:
                size = (stop - start) // 2
        return end

    def last_below(self, start: int, end: int, key: int) -> int:
        """Return the last place whose key is below `key`."""
        keys, size = self.keys, _CHUNK
        while start < end:
            stop = max(end - size, start)
            if min(keys[stop:end]) >= key:
                end, size = stop, size * 2
            elif end - stop <= _CHUNK:
                return next(i for i in range(end - 1, stop - 1, -1) if keys[i] < key)
            else:
                size = (end - stop) // 2
        return start - 1

    def first_descent(self, start: int, end: int) -> int:
        """Return the first place whose key is below that of the place before it."""
        keys, size = self.keys, _CHUNK
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
