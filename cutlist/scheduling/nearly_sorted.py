"""Claims in order of their counts when one of them has just grown: a row that is sorted but for one element.

The sort that Karpenter runs then exchanges a few elements of equal count. They are found here without writing the row down:
by levels of equal count, a note of where each exchanged element stands, and where the grown one is.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence


class NearlySortedClaims:
    """A `Row` (see `cutlist.core.go_sort`) of `length` places. Elements are named by the place they had before.

    `heights` are the counts of the levels, ascending, `starts` where each level begins while the grown element, at `place`,
    still counts as one of its old level; `grown` is what it has grown to. `moved` holds which element stands at a place, where
    that is not the one expected there: its own, or while the grown one was taken on to `at`, the next one up to there.
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
        """Which element stands at a place."""
        found = self.moved.get(place)
        return self._expected(place) if found is None else found

    def beside(self, last: int) -> Mapping[int, int]:
        """By place the elements that do not stand where they would had the grown one just been taken on to the last place."""
        if self.at == last:
            return self.moved
        passed = {place: place + 1 for place in range(self.place, last)} | {last: self.place}
        places = {*self.moved, *passed}
        return {p: there for p in places if (there := self.element(p)) != passed.get(p, p)}

    def key(self, place: int) -> int:
        """See `cutlist.core.go_sort.Row`, as below. Asked for most often, hence without calls."""
        element = self.moved.get(place)
        if element is None:
            if place == self.at:
                return self.grown
            element = place + 1 if self.place <= place < self.at else place
        elif element == self.place:
            return self.grown
        return self.heights[bisect_right(self.starts, element) - 1]

    def swap(self, i: int, j: int) -> None:
        """See `Row`. A step of the grown element to the next place is kept as such."""
        if abs(i - j) == 1 and min(i, j) == self.at and i not in self.moved and j not in self.moved:
            self.at += 1
            return
        one, other = self.element(i), self.element(j)
        self._put(i, other)
        self._put(j, one)

    def move_back(self, start: int, to: int) -> None:
        """See `Row`."""
        self._rotate(range(to, start + 1), -1)

    def move_on(self, start: int, to: int) -> None:
        """See `Row`."""
        if start == self.at and not any(start <= place <= to for place in self.moved):
            self.at = to
        else:
            self._rotate(range(start, to + 1), 1)

    def reverse(self, a: int, b: int) -> None:
        """See `Row`."""
        self._write(a, [self.element(place) for place in range(b - 1, a - 1, -1)])

    def arrange(self, a: int, b: int) -> None:
        """See `Row`."""
        self._write(a, [self.element(place) for place in sorted(range(a, b), key=self.key)])

    def first_above(self, start: int, end: int, key: int) -> int:
        """See `Row`."""
        return self.first_at_least(start, end, key + 1)

    def first_at_least(self, start: int, end: int, key: int) -> int:
        """See `Row`."""
        found = max(start, self._from(key))
        while found in self.moved:
            found += 1
        if start <= self.at < found and self.grown >= key and self.at not in self.moved:
            found = self.at
        for place in self.moved:
            if start <= place < found and self.key(place) >= key:
                found = place
        return min(found, end)

    def last_below(self, start: int, end: int, key: int) -> int:
        """See `Row`."""
        found = min(end, self._from(key)) - 1
        while found >= start and (found in self.moved or (found == self.at and self.grown >= key)):
            found -= 1
        found = max(found, start - 1)
        for place in self.moved:
            if found < place < end and place >= start and self.key(place) < key:
                found = place
        return found

    def first_descent(self, start: int, end: int) -> int:
        """See `Row`. Only beside elements that are not where they are expected can the order be broken."""
        suspects = {self.at, self.at + 1, *self.moved, *(place + 1 for place in self.moved)}
        return min((p for p in suspects if start <= p < end and self.key(p) < self.key(p - 1)), default=end)

    def _from(self, key: int) -> int:
        """The place from which on the elements expected there, the grown one aside, are not below a key."""
        level = bisect_left(self.heights, key)
        found = self.starts[level] if level < len(self.starts) else self.length
        return found - 1 if self.place < found <= self.at else found

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
