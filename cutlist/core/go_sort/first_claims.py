"""The first of some claims in order, where much the same ones are asked for again and again."""

from __future__ import annotations

from heapq import heapify, heappop, heappush, heapreplace

from cutlist.core.bits import bits
from cutlist.core.go_sort.claim_levels import ClaimLevels


class FirstClaims:
    """Says which of some claims comes first, without going through those in front of it that are not among them.

    It remembers the claims that it was asked for with their places. A claim that gets a pod only ever moves back, so its old
    place comes up before its new one; where the sort has changed the places of others, all are looked up again.
    """

    __slots__ = ("_claims", "_heap", "_levels", "_sorted")

    def __init__(self, levels: ClaimLevels) -> None:
        self._levels = levels
        self._sorted = levels.sorted
        self._claims = 0
        self._heap: list[tuple[int, int, int]] = []

    def of(self, accepting: int) -> int | None:
        """Return the first of some claims, given as bits, or None for no claims."""
        if not accepting:
            return None
        self._take_up(accepting)
        heap = self._heap
        while True:
            count, rank, claim = heap[0]
            if not accepting >> claim & 1:
                heappop(heap)
                self._claims ^= 1 << claim
                continue
            place = self._levels.place(claim)
            if place == (count, rank):
                return claim
            heapreplace(heap, (*place, claim))

    def _take_up(self, accepting: int) -> None:
        if self._sorted != self._levels.sorted:
            self._sorted, self._claims = self._levels.sorted, accepting
            self._heap = [(*self._levels.place(claim), claim) for claim in bits(accepting)]
            heapify(self._heap)
            return
        for claim in bits(accepting & ~self._claims):
            heappush(self._heap, (*self._levels.place(claim), claim))
        self._claims |= accepting
