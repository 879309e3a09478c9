"""Candidates that stay hopeless from round to round, until there is more room for their pods (spec: disruption 5.1 to 5.4)."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable

from cutlist.core.values import dataclass
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.pod_sizes import PodSize
from cutlist.disruption.room_left import RoomLeft
from cutlist.workloads.objects import EvictionBudgets


@dataclass(frozen=True, slots=True)
class _WithoutRoom:
    """A candidate that is hopeless with these budgets while there is room for at most this many pods of a size."""

    candidate: Candidate
    evictions: EvictionBudgets
    size: PodSize
    most: int


class CandidatesWithoutRoom:
    """Candidates whose pods have too little room. Those are forgotten whose pods have enough now.

    A round costs what has more room, not what there is.
    """

    __slots__ = ("_by_size", "_known", "_names", "_room")

    def __init__(self) -> None:
        self._known: dict[int, _WithoutRoom] = {}
        self._names: dict[str, int] = {}
        self._by_size: dict[PodSize, list[tuple[int, str]]] = {}
        self._room: RoomLeft | None = None

    def keep(self, candidate: Candidate, evictions: EvictionBudgets, size: PodSize, most: int) -> None:
        """Keep a candidate that is hopeless as long as there is room for at most this many pods of a size."""
        name = candidate.node.state.name
        self.forget(name)
        self._names[name] = id(candidate)
        self._known[id(candidate)] = _WithoutRoom(candidate, evictions, size, most)
        insort(self._by_size.setdefault(size, []), (most, name))

    def forget(self, name: str) -> None:
        """Forget the candidate of a name, if there is one."""
        number = self._names.pop(name, None)
        if number is not None:
            known = self._known.pop(number)
            self._by_size[known.size].remove((known.most, name))

    def others(self, candidates: Iterable[Candidate], evictions: EvictionBudgets, room: RoomLeft) -> list[Candidate]:
        """Return those candidates of which it is not known that they are hopeless with these budgets and this room."""
        if room is not self._room:
            self._look(room)
        known = self._known  # it keeps the candidates, so no other object gets the identity of one
        return [c for c in candidates if (kept := known.get(id(c))) is None or kept.evictions is not evictions]

    def _look(self, room: RoomLeft) -> None:
        """Forget the candidates that have enough room now."""
        self._room = room
        for size, listed in self._by_size.items():
            if listed and listed[0][0] < (left := room[size]):
                place = bisect_left(listed, (left, ""))
                for _, name in listed[:place]:
                    del self._known[self._names.pop(name)]
                del listed[:place]
