"""Lists sorted as Go's unstable sort leaves them.

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
from typing import Final

from cutlist.core.go_sort.pdqsort import MAX_INSERTION, pdqsort

_CHUNK: Final = 32


def sort_by_key(keys: list[int]) -> list[int]:
    """Return the order in which Go's unstable sort leaves elements with these keys: for each place the original position."""
    positions = list(range(len(keys)))
    if len(keys) <= MAX_INSERTION:  # an insertion sort is stable, and so is Python's
        return sorted(positions, key=keys.__getitem__)
    if sorted(keys) == keys:  # no swap while choosing the pivot, no descent: the algorithm ends without having moved anything
        return positions
    pdqsort(KeyList(list(keys), positions), len(keys))
    return positions


class KeyList:
    """Two lists that change places together: the keys, and where each came from.

    The searches take chunks that double until one holds the place, then halve: `min`, `max` and `sorted` of a slice are many
    times faster than a loop of Python, and a place that is near, as most are, costs one short slice.
    """

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
        """Reverse the elements from place `a` to the one before `b`."""
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
