"""An index of the claims that may have room for a request, so that full ones are skipped without a closer look."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from cutlist.scheduling.poddata import Amounts


class HeadroomIndex:
    """Claims or nodes indexed, for each resource, by the largest request they could still accept.

    Only amounts that pods of the pass request are distinguished. A candidate may still refuse, because its free cpu and its
    free memory may belong to different types.
    """

    __slots__ = ("_amounts", "_filed", "_trees")

    def __init__(self, requests: Iterable[Amounts], resources: int) -> None:
        amounts: list[set[int]] = [set() for _ in range(resources)]
        for pod_requests in requests:
            for i, amount in enumerate(pod_requests):
                if amount > 0:
                    amounts[i].add(amount)
        self._amounts = [sorted(a) for a in amounts]
        # A claim's place in resource i is 1 when it can accept the largest distinct request, and one more for each that it
        # cannot. The trees are Fenwick trees: updates and queries take as many steps as the number of distinct requests has
        # binary digits.
        self._trees = [[0] * (len(a) + 2) for a in amounts]
        self._filed: list[tuple[int, ...]] = []

    def copy(self) -> HeadroomIndex:
        """Return an independent copy of the index."""
        copied = HeadroomIndex.__new__(HeadroomIndex)
        copied._amounts = self._amounts
        copied._trees = [tree[:] for tree in self._trees]
        copied._filed = self._filed[:]
        return copied

    def add(self, headroom: Amounts, claims: int = 1) -> None:
        """Add the next claims, all with the same room."""
        bits = ((1 << claims) - 1) << len(self._filed)
        places = self._places(headroom)
        for tree, place in zip(self._trees, places, strict=True):
            _flip(tree, place, bits)
        self._filed.extend([places] * claims)

    def insert(self, place: int, headroom: Amounts) -> None:
        """Add a node before those that have this place and later ones."""
        if place < len(self._filed):
            self._trees = [[with_gap(mask, place) for mask in tree] for tree in self._trees]
        places = self._places(headroom)
        for tree, at in zip(self._trees, places, strict=True):
            _flip(tree, at, 1 << place)
        self._filed.insert(place, places)

    def remove(self, place: int) -> None:
        """Remove the node of this place; those of later places move up."""
        for tree, at in zip(self._trees, self._filed.pop(place), strict=True):
            _flip(tree, at, 1 << place)
        self._trees = [[without_gap(mask, place) for mask in tree] for tree in self._trees]

    def update(self, first: int, headroom: Amounts, claims: int = 1) -> None:
        """Move equal claims, of which this is the first by number, to their new place after they have accepted pods."""
        bits, before = ((1 << claims) - 1) << first, self._filed[first]
        places = self._places(headroom)
        for tree, old, new in zip(self._trees, before, places, strict=True):
            if old != new:
                _flip(tree, old, bits)
                _flip(tree, new, bits)
        self._filed[first : first + claims] = [places] * claims

    def candidates(self, requests: Amounts) -> int:
        """Return the claims that have enough of each resource, each resource taken separately."""
        claims = (1 << len(self._filed)) - 1
        for i, amount in enumerate(requests):
            if amount > 0:
                amounts = self._amounts[i]
                # Places count from the roomiest claim on, so those with enough are a prefix, which is what a Fenwick tree sums.
                claims &= _up_to(self._trees[i], len(amounts) - bisect_left(amounts, amount))
        return claims

    def _places(self, headroom: Amounts) -> tuple[int, ...]:
        return tuple([_place(amounts, free) for amounts, free in zip(self._amounts, headroom, strict=True)])


def with_gap(mask: int, place: int) -> int:
    """Return a set of numbers in which those from a place on are one higher."""
    return mask >> place << place + 1 | mask & (1 << place) - 1


def without_gap(mask: int, place: int) -> int:
    """Return a set of numbers without one of them, in which those behind it are one lower."""
    return mask >> place + 1 << place | mask & (1 << place) - 1


def _place(amounts: list[int], free: int) -> int:
    return len(amounts) + 1 - bisect_right(amounts, free)


def _flip(tree: list[int], place: int, bit: int) -> None:
    """Add claims to a place, or remove them again."""
    while place < len(tree):
        tree[place] ^= bit
        place += place & -place


def _up_to(tree: list[int], place: int) -> int:
    """Return the claims in places 1 to this; each claim is in one place, so their bits never overlap."""
    claims = 0
    while place:
        # Exclusive or stands for a sum here.
        claims ^= tree[place]
        place &= place - 1
    return claims
