"""Which open claims may have room for a request: an index that leaves out the full ones without looking at them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from cutlist.scheduling.claims import Amounts


class Roominess:
    """Claims filed, for each resource, by how large a request they could still take.

    Only amounts that pods of the pass ask for are told apart. A claim that is named may still refuse: what is free of cpu and
    what is free of memory may belong to different types.
    """

    __slots__ = ("_asked", "_filed", "_files")

    def __init__(self, needs: Iterable[Amounts], resources: int) -> None:
        asked: list[set[int]] = [set() for _ in range(resources)]
        for amounts in needs:
            for i, amount in enumerate(amounts):
                if amount > 0:
                    asked[i].add(amount)
        self._asked = [sorted(a) for a in asked]
        # _files[i][k] are the claims that can take the k smallest distinct requests of resource i, and not the next one.
        self._files = [[0] * (len(a) + 1) for a in asked]
        self._filed: list[list[int]] = []

    def add(self, headroom: Amounts) -> None:
        """File the next claim."""
        bit = 1 << len(self._filed)
        places = [bisect_right(asked, free) for asked, free in zip(self._asked, headroom, strict=True)]
        for files, place in zip(self._files, places, strict=True):
            files[place] |= bit
        self._filed.append(places)

    def update(self, claim: int, headroom: Amounts) -> None:
        """File a claim anew after it has taken pods."""
        bit, places = 1 << claim, self._filed[claim]
        for i, free in enumerate(headroom):
            place = bisect_right(self._asked[i], free)
            if place != places[i]:
                self._files[i][places[i]] ^= bit
                self._files[i][place] |= bit
                places[i] = place

    def candidates(self, needs: Amounts) -> int:
        """Claims that have, of each resource by itself, as much as is asked for."""
        found = (1 << len(self._filed)) - 1
        for i, amount in enumerate(needs):
            if amount > 0:
                large_enough = 0
                for filed in self._files[i][bisect_left(self._asked[i], amount) + 1 :]:
                    large_enough |= filed
                found &= large_enough
        return found
