"""Candidates that stay hopeless from round to round, until there is more room for their pods (spec: disruption 5.1 to 5.4)."""

from __future__ import annotations

from bisect import bisect_left, insort

from cutlist.core.values import dataclass
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.pod_sizes import PodSize
from cutlist.disruption.room_left import RoomLeft
from cutlist.workloads.objects import EvictionBudgets


@dataclass(frozen=True, slots=True)
class _WithoutRoom:
    """A candidate that is hopeless with these budgets while pods of a size have room for at most so many."""

    candidate: Candidate
    evictions: EvictionBudgets
    size: PodSize
    most: int


class CandidatesWithoutRoom:
    """Candidates by name whose pods have too little room. Those are forgotten whose pods have enough now.

    A round costs what has more room, not what there is.
    """

    __slots__ = ("_by_size", "_known", "_room")

    def __init__(self) -> None:
        self._known: dict[str, _WithoutRoom] = {}
        self._by_size: dict[PodSize, list[tuple[int, str]]] = {}
        self._room: RoomLeft | None = None

    def keep(self, candidate: Candidate, evictions: EvictionBudgets, size: PodSize, most: int) -> None:
        """Keep a candidate that is hopeless as long as there is room for at most so many pods of a size."""
        name = candidate.node.state.name
        before = self._known.get(name)
        if before is not None:
            self._by_size[before.size].remove((before.most, name))
        self._known[name] = _WithoutRoom(candidate, evictions, size, most)
        insort(self._by_size.setdefault(size, []), (most, name))

    def has(self, candidate: Candidate, evictions: EvictionBudgets, room: RoomLeft) -> bool:
        """Tell whether it is known of a candidate that it is hopeless with these budgets and this room."""
        if room is not self._room:
            self._look(room)
        known = self._known.get(candidate.node.state.name)
        return known is not None and known.candidate is candidate and known.evictions is evictions

    def _look(self, room: RoomLeft) -> None:
        """Forget the candidates that have enough room now."""
        self._room = room
        for size, listed in self._by_size.items():
            if listed and listed[0][0] < (left := room.of(size)):
                place = bisect_left(listed, (left, ""))
                for _, name in listed[:place]:
                    del self._known[name]
                del listed[:place]
