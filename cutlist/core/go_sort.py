"""The unstable sort of the Go standard library (spec: scheduling Appendix A).

Karpenter orders claims by pod count, instance types by price and preferred terms by weight with a pattern-defeating quicksort:
deterministic, but for more than twelve elements not stable. Which of several equal claims gets the next pod depends on it, so
the same swaps are made here. The algorithm is written over a `Row` of elements, which finds the next key above or below a value
in whatever way suits how it is stored: a list does it with C-speed operations on slices.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import cmp_to_key
from itertools import pairwise
from typing import Final, Protocol, TypeVar

T = TypeVar("T")

STABLE_UP_TO: Final = 12  # a plain insertion sort up to here
SHIFTS_FROM: Final = 50  # shorter ranges are not mended by shifting, and get a simple median
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
    if len(keys) <= STABLE_UP_TO:
        return sorted(positions, key=keys.__getitem__)
    if sorted(keys) == keys:  # what is in order stays as it is
        return positions
    sort_row(KeyList(list(keys), positions), len(keys))
    return positions


class Row(Protocol):
    """Elements in places, to be sorted by an integer key. Ranges are [start, end)."""

    def key(self, place: int) -> int:
        """The key of the element at a place."""

    def swap(self, i: int, j: int) -> None:
        """Exchange two elements."""

    def move_back(self, start: int, to: int) -> None:
        """Take an element out and put it in at an earlier place; what lies between moves up by one."""

    def move_on(self, start: int, to: int) -> None:
        """Take an element out and put it in at a later place; what lies between moves down by one."""

    def first_above(self, start: int, end: int, key: int) -> int:
        """In an ascending range the first place whose key is above `key`; `end` when there is none."""

    def first_at_least(self, start: int, end: int, key: int) -> int:
        """The first place whose key is not below `key`; `end` when there is none."""

    def last_below(self, start: int, end: int, key: int) -> int:
        """The last place whose key is below `key`; the one before `start` when there is none."""

    def first_descent(self, start: int, end: int) -> int:
        """The first place whose key is below that of the place before it; `end` when there is none."""

    def arrange(self, a: int, b: int) -> None:
        """Sort a short range, keeping the order of equal elements."""

    def reverse(self, a: int, b: int) -> None:
        """Turn a range round."""


def sort_row(row: Row, length: int) -> None:
    """Sort a whole row."""
    _sort(row, 0, length, length.bit_length())


def _sort(row: Row, a: int, b: int, budget: int) -> None:
    """The quicksort itself; `budget` is how many unbalanced partitions it bears before turning to a heap sort."""
    balanced = partitioned = True
    while b - a > STABLE_UP_TO:
        if budget == 0:
            _heap_sort(row, a, b)
            return
        if not balanced:
            _break_patterns(row, a, b)
            budget -= 1
        pivot, exchanges = _choose_pivot(row, a, b)
        if exchanges == _MAX_EXCHANGES:  # probably descending
            row.reverse(a, b)
            pivot, exchanges = (b - 1) - (pivot - a), 0
        if balanced and partitioned and exchanges == 0 and _mend(row, a, b):
            return
        if a > 0 and row.key(a - 1) >= row.key(pivot):
            a = _gather_equal(row, a, b, pivot)
            continue
        length = b - a
        middle, partitioned = _partition(row, a, b, pivot)
        left, right = middle - a, b - middle
        balanced = min(left, right) >= length // 8
        if left < right:
            _sort(row, a, middle, budget)
            a = middle + 1
        else:
            _sort(row, middle + 1, b, budget)
            b = middle
    row.arrange(a, b)  # an insertion sort is stable


def _heap_sort(row: Row, a: int, b: int) -> None:
    size = b - a
    for root in range((size - 1) // 2, -1, -1):
        _sift_down(row, a, root, size)
    for last in range(size - 1, -1, -1):
        row.swap(a, a + last)
        _sift_down(row, a, 0, last)


def _sift_down(row: Row, first: int, root: int, size: int) -> None:
    while (child := 2 * root + 1) < size:
        if child + 1 < size and row.key(first + child) < row.key(first + child + 1):
            child += 1
        if row.key(first + root) >= row.key(first + child):
            return
        row.swap(first + root, first + child)
        root = child


def _break_patterns(row: Row, a: int, b: int) -> None:
    """Scatter three elements about the middle, by a generator that is seeded with the length."""
    length = b - a
    random, mask = length, (1 << length.bit_length()) - 1
    middle = a + length // 4 * 2
    for place in range(middle - 1, middle + 2):
        random ^= random << 13 & _64_BITS
        random ^= random >> 7
        random ^= random << 17 & _64_BITS
        other = random & mask
        row.swap(place, a + (other - length if other >= length else other))


def _choose_pivot(row: Row, a: int, b: int) -> tuple[int, int]:
    """The pivot's place, and how many exchanges finding it took: none for ascending ranges, all for descending ones."""
    length = b - a
    quarter = length // 4
    places = [a + quarter, a + quarter * 2, a + quarter * 3]
    exchanges = 0
    if length >= SHIFTS_FROM:
        for n, place in enumerate(places):
            places[n], more = _median(row, place - 1, place, place + 1)
            exchanges += more
    pivot, more = _median(row, *places)
    return pivot, exchanges + more


def _median(row: Row, x: int, y: int, z: int) -> tuple[int, int]:
    kx, ky, kz, exchanges = row.key(x), row.key(y), row.key(z), 0
    if ky < kx:
        x, y, kx, ky, exchanges = y, x, ky, kx, 1
    if kz < ky:
        y, ky, exchanges = z, kz, exchanges + 1  # the place that falls out is not looked at again
    if ky < kx:
        y, exchanges = x, exchanges + 1
    return y, exchanges


def _mend(row: Row, a: int, b: int) -> bool:
    """Put right up to five inversions of a range that seems to be in order; whether it then is."""
    i = a + 1
    for _ in range(_MAX_SHIFTS):
        i = row.first_descent(i, b)
        if i == b:
            return True
        if b - a < SHIFTS_FROM:
            return False
        row.swap(i, i - 1)
        if i - a >= 2:
            row.move_back(i - 1, row.first_above(a, i - 1, row.key(i - 1)))
        if b - i >= 2:
            row.move_on(i, row.first_at_least(i + 1, b, row.key(i)) - 1)
    return False


def _gather_equal(row: Row, a: int, b: int, pivot: int) -> int:
    """Move what equals the pivot to the front, where nothing is smaller; where the rest begins."""
    row.swap(a, pivot)
    value, i, j = row.key(a), a + 1, b - 1
    while True:
        i = row.first_at_least(i, j + 1, value + 1)
        j = row.last_below(i, j + 1, value + 1)
        if i > j:
            return i
        row.swap(i, j)
        i, j = i + 1, j - 1


def _partition(row: Row, a: int, b: int, pivot: int) -> tuple[int, bool]:
    """Smaller ones left of the pivot, the others right of it; its new place, and whether that was so already."""
    row.swap(a, pivot)
    value, i, j = row.key(a), a + 1, b - 1
    untouched = True
    while True:
        i = row.first_at_least(i, j + 1, value)
        j = row.last_below(i, j + 1, value)
        if i > j:
            row.swap(j, a)
            return j, untouched
        row.swap(i, j)
        untouched = False
        i, j = i + 1, j - 1


class KeyList:
    """A row as two lists that change places together: the keys, and where each came from."""

    __slots__ = ("keys", "positions")

    def __init__(self, keys: list[int], positions: list[int]) -> None:
        self.keys = keys
        self.positions = positions

    def key(self, place: int) -> int:
        """See `Row`, as below."""
        return self.keys[place]

    def swap(self, i: int, j: int) -> None:
        """See `Row`."""
        keys, positions = self.keys, self.positions
        keys[i], keys[j] = keys[j], keys[i]
        positions[i], positions[j] = positions[j], positions[i]

    def move_back(self, start: int, to: int) -> None:
        """See `Row`."""
        self.keys.insert(to, self.keys.pop(start))
        self.positions.insert(to, self.positions.pop(start))

    move_on = move_back

    def reverse(self, a: int, b: int) -> None:
        """See `Row`."""
        self.keys[a:b] = self.keys[a:b][::-1]
        self.positions[a:b] = self.positions[a:b][::-1]

    def arrange(self, a: int, b: int) -> None:
        """See `Row`."""
        order = sorted(range(a, b), key=self.keys.__getitem__)
        self.keys[a:b] = [self.keys[i] for i in order]
        self.positions[a:b] = [self.positions[i] for i in order]

    def first_above(self, start: int, end: int, key: int) -> int:
        """See `Row`."""
        return bisect_right(self.keys, key, start, end)

    def first_at_least(self, start: int, end: int, key: int) -> int:
        """See `Row`."""
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
        """See `Row`."""
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
        """See `Row`."""
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
