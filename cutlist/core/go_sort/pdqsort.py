"""The pattern-defeating quicksort of Go's library, step by step (spec: scheduling Appendix A; Go's `sort/zsortfunc.go`).

The functions carry Go's names and do Go's swaps. They work on a `Sortable`, which finds the next key above or below a value as
its storage does that best.
"""

from __future__ import annotations

from typing import Final, Protocol

MAX_INSERTION: Final = 12  # ranges up to this length get a plain insertion sort, which is stable
SHORTEST_SHIFTING: Final = 50  # shorter ranges are not repaired by shifting, and get a simple median
_MAX_STEPS: Final = 5
_MAX_SWAPS: Final = 12  # swaps that a median of medians takes at most
_64_BITS: Final = 2**64 - 1


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
        """Reverse the elements from place `a` to the one before `b`."""


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
        # The element before the range was a pivot: nothing here is smaller. If this pivot equals it, many keys are equal.
        if a > 0 and data.key(a - 1) >= data.key(pivot):
            a = _partition_equal(data, a, b, pivot)
            continue
        length = b - a
        middle, partitioned = _partition(data, a, b, pivot)
        left, right = middle - a, b - middle
        balanced = min(left, right) >= length // 8
        # Recursion only into the smaller side keeps the stack logarithmic. There both flags begin as true again.
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
    """Scatter three elements around the middle, with a generator seeded by the length: the same numbers in each run."""
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
