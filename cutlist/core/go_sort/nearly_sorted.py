"""Claims in order of their counts when one of them has just grown: sorted except for one element.

The sort that Karpenter runs then exchanges a few elements of equal count. This module finds them without listing all elements:
from levels of equal count, the place of each exchanged element, and that of the grown one.

Three claims with one pod and two with two; the claim at place 0 has just got its second pod:

>>> claims = NearlySortedClaims(heights=[1, 2], starts=[0, 3], length=5, place=0)
>>> [claims.key(place) for place in range(5)]
[2, 1, 1, 2, 2]
>>> claims.first_descent(1, 5)
1

The sort moves it on behind the other claims with one pod. Only `at` changes, the place that it has now:

>>> claims.move_on(0, 2)
>>> [claims.element(place) for place in range(5)], claims.at, claims.moved
([1, 2, 0, 3, 4], 2, {})

Only elements that the sort exchanges on its way, as it may when it chooses a pivot, are kept one by one:

>>> claims.swap(0, 1)
>>> [claims.element(place) for place in range(5)], claims.moved
([2, 1, 0, 3, 4], {0: 2, 1: 1})
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence


class NearlySortedClaims:
    """A `Sortable` (see `cutlist.core.go_sort.pdqsort`) of `length` places. Elements are named by the place they had before.

    `heights` are the counts of the levels, ascending, `starts` where each level begins while the grown element, at `place`,
    still counts as one of its old level; `grown` is its new count. `moved` holds the element at a place where it is not the
    expected one, which is the place's own or, between `place` and `at`, the next one.
    """

    __slots__ = ("at", "grown", "heights", "length", "moved", "place", "starts")

    def __init__(self, heights: Sequence[int], starts: Sequence[int], length: int, place: int) -> None:
        self.heights = heights
        self.starts = starts
        self.length = length
        self.place = self.at = place
        self.grown = heights[bisect_right(starts, place) - 1] + 1
        self.moved: dict[int, int] = {}

    def element(self, place: int) -> int:
        """Return which element is at a place now, whether or not it was moved there."""
        moved = self.moved.get(place)
        return self._expected(place) if moved is None else moved

    def beside(self, last: int) -> Mapping[int, int]:
        """Return by place the elements that are not where they would be if the grown one had only been moved on to the last
        place."""
        if self.at == last:
            return self.moved
        passed = {place: place + 1 for place in range(self.place, last)} | {last: self.place}
        places = {*self.moved, *passed}
        return {p: element for p in places if (element := self.element(p)) != passed.get(p, p)}

    def key(self, place: int) -> int:
        """Return the key of the element at a place (see `Sortable`, as below). Called most often, so it calls nothing
        itself."""
        element = self.moved.get(place)
        if element is None:
            if place == self.at:
                return self.grown
            element = place + 1 if self.place <= place < self.at else place
        elif element == self.place:
            return self.grown
        return self.heights[bisect_right(self.starts, element) - 1]

    def swap(self, i: int, j: int) -> None:
        """Exchange two elements. A step of the grown element to the next place is recorded as such."""
        # Go shifts an element by exchanging neighbours. Noted as `at`, the grown element passes a whole level without an entry
        # for each place.
        if abs(i - j) == 1 and min(i, j) == self.at and i not in self.moved and j not in self.moved:
            self.at += 1
            return
        first, second = self.element(i), self.element(j)
        self._put(i, second)
        self._put(j, first)

    def move_back(self, start: int, to: int) -> None:
        """Take an element out and insert it at an earlier place."""
        self._rotate(range(to, start + 1), -1)

    def move_on(self, start: int, to: int) -> None:
        """Take an element out and insert it at a later place."""
        if start == self.at and not any(start <= place <= to for place in self.moved):
            self.at = to
        else:
            self._rotate(range(start, to + 1), 1)

    def reverse_range(self, a: int, b: int) -> None:
        """Reverse the elements from place `a` to the one before `b`."""
        self._write(a, [self.element(place) for place in range(b - 1, a - 1, -1)])

    def insertion_sort(self, a: int, b: int) -> None:
        """Sort a short range, keeping the order of equal elements."""
        self._write(a, [self.element(place) for place in sorted(range(a, b), key=self.key)])

    def first_above(self, start: int, end: int, key: int) -> int:
        """Return the first place whose key is above `key`."""
        return self.first_at_least(start, end, key + 1)

    def first_at_least(self, start: int, end: int, key: int) -> int:
        """Return the first place whose key is not below `key`."""
        # The expected elements ascend, so their level tells the place. Only the grown element and the moved ones may be
        # elsewhere, and these are few: they are looked at one by one, here and below.
        first = max(start, self._from(key))
        while first in self.moved:
            first += 1
        if start <= self.at < first and self.grown >= key and self.at not in self.moved:
            first = self.at
        for place in self.moved:
            if start <= place < first and self.key(place) >= key:
                first = place
        return min(first, end)

    def last_below(self, start: int, end: int, key: int) -> int:
        """Return the last place whose key is below `key`."""
        last = min(end, self._from(key)) - 1
        while last >= start and (last in self.moved or (last == self.at and self.grown >= key)):
            last -= 1
        last = max(last, start - 1)
        for place in self.moved:
            if last < place < end and place >= start and self.key(place) < key:
                last = place
        return last

    def first_descent(self, start: int, end: int) -> int:
        """Return the first place whose key is below that of the place before it: this is only possible next to moved
        elements."""
        suspects = {self.at, self.at + 1, *self.moved, *(place + 1 for place in self.moved)}
        return min((p for p in suspects if start <= p < end and self.key(p) < self.key(p - 1)), default=end)

    def _from(self, key: int) -> int:
        """Return the first place from which the expected elements, except the grown one, are not below a key."""
        level = bisect_left(self.heights, key)
        first = self.starts[level] if level < len(self.starts) else self.length
        return first - 1 if self.place < first <= self.at else first

    def _expected(self, place: int) -> int:
        if place == self.at:
            return self.place
        return place + 1 if self.place <= place < self.at else place

    def _put(self, place: int, element: int) -> None:
        if element == self._expected(place):
            self.moved.pop(place, None)
        else:
            self.moved[place] = element

    def _write(self, start: int, elements: Sequence[int]) -> None:
        for place, element in enumerate(elements, start):
            self._put(place, element)

    def _rotate(self, places: range, by: int) -> None:
        elements = [self.element(place) for place in places]
        self._write(places.start, [*elements[by:], *elements[:by]])
