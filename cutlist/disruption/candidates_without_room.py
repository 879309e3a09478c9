"""Candidates that are hopeless for want of room, found together (spec: disruption 5.1 to 5.4).

How much room leaves a candidate hopeless is known as long as its node stays the same, but the room changes with each round.
So candidates are kept by that limit: a round costs the limits that there are, and not the candidates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cutlist.disruption.candidates import Candidate
from cutlist.disruption.room_left import PodSize, RoomLeft
from cutlist.workloads.objects import EvictionBudgets

RoomLimits = Sequence[tuple[PodSize, int]]
"""Sizes of pods, each with the room for how many of them at most leaves a candidate hopeless."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """A candidate that is hopeless with these budgets while one of its limits holds. Its bit stands for it in sets."""

    candidate: Candidate
    evictions: EvictionBudgets
    limits: RoomLimits
    bit: int


class CandidatesWithoutRoom:
    """Candidates with the room up to which they are hopeless. Sets of them are integers."""

    __slots__ = ("_by_limit", "_free", "_kept", "_lacking", "_names", "_room")

    def __init__(self) -> None:
        self._kept: dict[int, _Kept] = {}  # it keeps the candidates, so no other object gets the identity of one
        self._names: dict[str, int] = {}
        self._free: list[int] = []
        self._by_limit: dict[PodSize, dict[int, int]] = {}
        self._room: RoomLeft | None = None
        self._lacking = 0

    def keep(self, candidate: Candidate, evictions: EvictionBudgets, limits: RoomLimits, room: RoomLeft) -> None:
        """Keep a candidate with its limits, and judge it by the present room."""
        name = candidate.node.state.name
        self.forget(name)
        # Bits of candidates that were forgotten are used again, so that the integers stay as long as the cluster is large.
        bit = self._free.pop() if self._free else 1 << len(self._names)
        self._names[name] = id(candidate)
        self._kept[id(candidate)] = _Kept(candidate, evictions, limits, bit)
        for size, most in limits:
            at_size = self._by_limit.setdefault(size, {})
            at_size[most] = at_size.get(most, 0) | bit
        if any(room[size] <= most for size, most in limits):
            self._lacking |= bit

    def forget(self, name: str) -> None:
        """Forget the candidate of a name, if there is one."""
        number = self._names.pop(name, None)
        if number is None:
            return
        kept = self._kept.pop(number)
        for size, most in kept.limits:
            at_size = self._by_limit[size]
            at_size[most] ^= kept.bit
            if not at_size[most]:
                del at_size[most]
        self._lacking &= ~kept.bit
        self._free.append(kept.bit)

    def others(self, candidates: Iterable[Candidate], evictions: EvictionBudgets, room: RoomLeft) -> Iterator[Candidate]:
        """Yield those candidates of which it is not known that they are hopeless with these budgets and this room."""
        self._look(room)
        known = self._kept
        for candidate in candidates:
            kept = known.get(id(candidate))
            # Other budgets may let other pods move, so a limit holds only for the budgets that it was computed with.
            if kept is None or not kept.bit & self._lacking or kept.evictions is not evictions:
                yield candidate

    def lacks_room(self, candidate: Candidate, evictions: EvictionBudgets, room: RoomLeft) -> bool | None:
        """Tell whether a candidate is hopeless with these budgets and this room; None for one that is not kept."""
        kept = self._kept.get(id(candidate))
        if kept is None or kept.evictions is not evictions:
            return None
        self._look(room)
        return bool(kept.bit & self._lacking)

    def _look(self, room: RoomLeft) -> None:
        """Find the candidates that lack room now."""
        if room is self._room:
            return
        lacking = 0
        for size, at_size in self._by_limit.items():
            left = room[size]
            for most, candidates in at_size.items():
                if most >= left:
                    lacking |= candidates
        self._room, self._lacking = room, lacking
