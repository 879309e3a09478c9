"""Where the pods of a candidate go that come first in the queue (spec: disruption 5.1, scheduling 3).

Before a candidate's first pods only others are placed, those of nodes that are being removed and those that wait: the same ones
for all candidates. So it is known for all of them together how much room is left then. A pod that goes to a node that is not
initialized settles the matter: nothing comes of the candidate.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from cutlist.core.bits import bits
from cutlist.disruption.pod_queues import Turns
from cutlist.scheduling.firstfit import FirstFit, PodsOfKind, Turn, place_of
from cutlist.scheduling.poddata import PodData


@dataclass(frozen=True, slots=True)
class _Room:
    """The room for pods of a kind once others are placed that come before all of them.

    `initialized` and `starting` are for how many of them there is room on nodes that are initialized and on others. `asked` are
    the nodes that others were tried on, `tied` the turns of others between which these pods are placed.
    """

    initialized: int
    starting: int
    asked: Collection[int]
    tied: Sequence[Turn]


class FirstTurns:
    """The first turns of a round."""

    __slots__ = ("_first_fit", "_others", "_rooms")

    def __init__(self, first_fit: FirstFit, leaving: Turns, waiting: Turns) -> None:
        """Begin with the nodes as they are, and the pods that are placed together with any candidate's."""
        kinds = dict.fromkeys((*leaving, *waiting))
        self._others = [PodsOfKind(kind, (), leaving.get(kind, ()), waiting.get(kind, ())) for kind in kinds]
        self._first_fit = first_fit
        self._rooms: dict[PodData, _Room | None] = {}

    def reach_starting(self, kind: PodData, turns: Sequence[Turn], node: str) -> bool:
        """Tell whether it is certain that some of the first pods of a node go to a node that is not initialized.

        They are all its pods at their place in the queue, of one kind. False where it depends on more.
        """
        if kind not in self._rooms:
            self._rooms[kind] = self._room_for(kind)
        room = self._rooms[kind]
        number = self._first_fit.numbers.get(node)
        if room is None or number is None or not room.starting or number in room.asked:
            return False
        if not room.tied and len(turns) > room.initialized:
            return True  # whatever room the node itself has, which is not for its own pods
        # The node that is removed takes none of its own pods.
        own = self._first_fit.room_on(1 << number, kind, self._first_fit.needs_of(kind))
        first = room.initialized - own
        if not room.tied:
            return len(turns) > first
        ranks = (own_rank + bisect_left(room.tied, turn) for own_rank, turn in enumerate(sorted(turns)))
        return any(first <= rank < first + room.starting for rank in ranks)

    def _room_for(self, kind: PodData) -> _Room | None:
        """Return the room for a kind, or None where others at the same place may go to other nodes."""
        place = place_of(kind)
        tied = [others for others in self._others if place_of(others.kind) == place]
        # With others of equal requests, who comes first depends on ages; and resting nodes take some of these pods and not
        # others.
        if tied and (len(tied) > 1 or tied[0].kind is not kind or self._first_fit.has_resting_takers(kind)):
            return None
        # Only larger pods come before these, and what they leave is the same for every candidate.
        free = self._first_fit.free_after([others for others in self._others if place_of(others.kind) < place])
        takers = self._first_fit.takers_of(kind, settled=True)
        initialized = self._first_fit.initialized
        rooms = [(number < initialized, self._pods_on(number, kind, free)) for number in bits(takers)]
        return _Room(
            sum([pods for is_initialized, pods in rooms if is_initialized]),
            sum([pods for is_initialized, pods in rooms if not is_initialized]),
            free.keys(),
            sorted(turn for others in tied for turn in (*others.leaving, *others.waiting)),
        )

    def _pods_on(self, number: int, kind: PodData, free: Mapping[int, Sequence[int]]) -> int:
        left = free[number] if number in free else self._first_fit.node_index.nodes[number].free
        return min([left[at] // need for at, need in self._first_fit.needs_of(kind)])
