"""Which open claims may have room for a request: an index that leaves out the full ones without looking at them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from cutlist.scheduling.admission import Amounts


class HeadroomIndex:
    """Claims filed, for each resource, by how large a request they could still take.

    Only amounts that pods of the pass ask for are told apart. A claim that is named may still refuse: what is free of cpu and
    what is free of memory may belong to different types.
    """

    __slots__ = ("_asked", "_filed", "_trees")

    def __init__(self, needs: Iterable[Amounts], resources: int) -> None:
        asked: list[set[int]] = [set() for _ in range(resources)]
        for amounts in needs:
            for i, amount in enumerate(amounts):
                if amount > 0:
                    asked[i].add(amount)
        self._asked = [sorted(a) for a in asked]
        # A claim's place in resource i is 1 when it can take the largest distinct request, one more for each that it cannot.
        # The trees are Fenwick trees: filing and asking take as many steps as the number of distinct requests has digits.
        self._trees = [[0] * (len(a) + 2) for a in asked]
        self._filed: list[tuple[int, ...]] = []

    def copy(self) -> HeadroomIndex:
        """The same index, to go on with by itself."""
        made = HeadroomIndex.__new__(HeadroomIndex)
        made._asked = self._asked
        made._trees = [tree[:] for tree in self._trees]
        made._filed = self._filed[:]
        return made

    def add(self, headroom: Amounts, claims: int = 1) -> None:
        """File the next claims, all with the same room."""
        bits = ((1 << claims) - 1) << len(self._filed)
        places = tuple([_place(asked, free) for asked, free in zip(self._asked, headroom, strict=True)])
        for tree, place in zip(self._trees, places, strict=True):
            _flip(tree, place, bits)
        self._filed.extend([places] * claims)

    def update(self, claim: int, headroom: Amounts) -> None:
        """File a claim anew after it has taken pods."""
        bit, before = 1 << claim, self._filed[claim]
        places = tuple([_place(asked, free) for asked, free in zip(self._asked, headroom, strict=True)])
        for tree, old, new in zip(self._trees, before, places, strict=True):
            if old != new:
                _flip(tree, old, bit)
                _flip(tree, new, bit)
        self._filed[claim] = places

    def candidates(self, needs: Amounts) -> int:
        """Claims that have, of each resource by itself, as much as is asked for."""
        found = (1 << len(self._filed)) - 1
        for i, amount in enumerate(needs):
            if amount > 0:
                asked = self._asked[i]
                found &= _up_to(self._trees[i], len(asked) - bisect_left(asked, amount))
        return found


def _place(asked: list[int], free: int) -> int:
    return len(asked) + 1 - bisect_right(asked, free)


def _flip(tree: list[int], place: int, bit: int) -> None:
    """Put claims into a place, or take them out again."""
    while place < len(tree):
        tree[place] ^= bit
        place += place & -place


def _up_to(tree: list[int], place: int) -> int:
    """The claims in places 1 to this; each claim is in one place, so their bits never meet."""
    found = 0
    while place:
        found ^= tree[place]
        place &= place - 1
    return found
