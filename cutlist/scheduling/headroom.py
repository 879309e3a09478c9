"""An index of which claims may have room for a request, so that the full ones are left out without a look at them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from cutlist.scheduling.poddata import Amounts


class HeadroomIndex:
    """Claims or nodes filed, for each resource, by how large a request they could still take.

    Only amounts that pods of the pass request are distinguished. A claim that is named may still refuse: what is free of cpu
    and what is free of memory may belong to different types.
    """

    __slots__ = ("_amounts", "_filed", "_trees")

    def __init__(self, requests: Iterable[Amounts], resources: int) -> None:
        amounts: list[set[int]] = [set() for _ in range(resources)]
        for pod_requests in requests:
            for i, amount in enumerate(pod_requests):
                if amount > 0:
                    amounts[i].add(amount)
        self._amounts = [sorted(a) for a in amounts]
        # A claim's place in resource i is 1 when it can take the largest distinct request, one more for each that it cannot.
        # The trees are Fenwick trees: filing and asking take as many steps as the number of distinct requests has digits.
        self._trees = [[0] * (len(a) + 2) for a in amounts]
        self._filed: list[tuple[int, ...]] = []

    def copy(self) -> HeadroomIndex:
        """Return the same index, to go on with by itself."""
        copied = HeadroomIndex.__new__(HeadroomIndex)
        copied._amounts = self._amounts
        copied._trees = [tree[:] for tree in self._trees]
        copied._filed = self._filed[:]
        return copied

    def add(self, headroom: Amounts, claims: int = 1) -> None:
        """File the next claims, all with the same room."""
        bits = ((1 << claims) - 1) << len(self._filed)
        places = tuple([_place(amounts, free) for amounts, free in zip(self._amounts, headroom, strict=True)])
        for tree, place in zip(self._trees, places, strict=True):
            _flip(tree, place, bits)
        self._filed.extend([places] * claims)

    def update(self, claim: int, headroom: Amounts) -> None:
        """File a claim anew after it has taken pods."""
        bit, before = 1 << claim, self._filed[claim]
        places = tuple([_place(amounts, free) for amounts, free in zip(self._amounts, headroom, strict=True)])
        for tree, old, new in zip(self._trees, before, places, strict=True):
            if old != new:
                _flip(tree, old, bit)
                _flip(tree, new, bit)
        self._filed[claim] = places

    def candidates(self, requests: Amounts) -> int:
        """Return the claims that have, of each resource by itself, as much as is requested."""
        claims = (1 << len(self._filed)) - 1
        for i, amount in enumerate(requests):
            if amount > 0:
                amounts = self._amounts[i]
                claims &= _up_to(self._trees[i], len(amounts) - bisect_left(amounts, amount))
        return claims


def _place(amounts: list[int], free: int) -> int:
    return len(amounts) + 1 - bisect_right(amounts, free)


def _flip(tree: list[int], place: int, bit: int) -> None:
    """Put claims into a place, or take them out again."""
    while place < len(tree):
        tree[place] ^= bit
        place += place & -place


def _up_to(tree: list[int], place: int) -> int:
    """Return the claims in places 1 to this; each claim is in one place, so their bits never meet."""
    claims = 0
    while place:
        claims ^= tree[place]
        place &= place - 1
    return claims
