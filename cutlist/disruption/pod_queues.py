"""Pods of nodes by kind, with their turns in the queue of a pass (spec: disruption 5.1, scheduling 3)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from cutlist.disruption.room_left import Counted
from cutlist.scheduling.firstfit import Place, Turn, place_of
from cutlist.scheduling.poddata import PodData
from cutlist.state.statenode import StateNode
from cutlist.workloads.objects import EvictionBudgets

Turns = dict[PodData, list[Turn]]
"""Pods by kind, each with its turn in the queue of a pass."""
Content = tuple[tuple[Hashable, ...], ...]
"""What decides where the pods of nodes go that are placed with the same others: see `content_of`."""


@dataclass(frozen=True, slots=True)
class NodeQueue:
    """The pods that move when a node is removed, and how many there are of each kind. They hold for these budgets. `counts` are
    the pods by a kind that bounds where they may go; `pods` is None if some are not plain. `first` are the pods that come first
    in the queue, None where they are of several kinds.
    """

    node: StateNode
    evictions: EvictionBudgets
    pods: Turns | None
    counts: Counted
    first: tuple[PodData, Sequence[Turn]] | None

    @staticmethod
    def of(node: StateNode, evictions: EvictionBudgets, pods: Turns | None, counts: Counted) -> NodeQueue:
        """Return the queue of a node from its pods by kind."""
        first = min(map(place_of, pods), default=None) if pods else None
        kinds = [(kind, turns) for kind, turns in (pods or {}).items() if place_of(kind) == first]
        return NodeQueue(node, evictions, pods, counts, kinds[0] if len(kinds) == 1 else None)


def counted(queues: Iterable[NodeQueue]) -> Counted:
    """Return how many pods of each kind some nodes have together."""
    counts: dict[PodData, int] = {}
    for queue in queues:
        for kind, count in queue.counts:
            counts[kind] = counts.get(kind, 0) + count
    return list(counts.items())


def together(queues: Iterable[NodeQueue]) -> Turns | None:
    """Return the pods of some nodes by kind, or None if some are not plain."""
    turns: Turns = {}
    for queue in queues:
        if queue.pods is None:
            return None
        for kind, own in queue.pods.items():
            turns.setdefault(kind, []).extend(own)
    return turns


def turns_by_place(pods: Iterable[Turns]) -> dict[Place, list[Turn]]:
    """Return the turns of pods at each place in the queue, in order."""
    by_place: dict[Place, list[Turn]] = {}
    for turns_of in pods:
        for kind, turns in turns_of.items():
            by_place.setdefault(place_of(kind), []).extend(turns)
    return {place: sorted(turns) for place, turns in by_place.items()}


def content_of(own: Turns, others: Mapping[Place, Sequence[Turn]]) -> Content:
    """Return what decides where pods go that are placed together with others: the number of each kind, and their positions
    among others at the same place in the queue."""
    places: set[Place] = set()
    content: list[tuple[Hashable, ...]] = []
    for kind, turns in own.items():
        place = place_of(kind)
        # Two kinds at one place take turns with each other, so only exactly these turns lead to the same places.
        if place in places:
            return tuple([(kind.number, *turns) for kind, turns in own.items()])
        places.add(place)
        at_place = others.get(place)
        # Ages matter only relative to others at the same place; so nodes with pods of other ages share an answer.
        content.append((kind.number, len(turns)) if at_place is None else (kind.number, *_ranks(turns, at_place)))
    return tuple(sorted(content, key=itemgetter(0)))


def _ranks(turns: Iterable[Turn], others: Sequence[Turn]) -> list[int]:
    return sorted(bisect_left(others, turn) for turn in turns)
