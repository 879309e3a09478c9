"""kube-scheduler's choice of a node: scores of plugins, normalized among the nodes that may take a pod, weighed and added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from heapq import heapify, heappop, heappush
from typing import Final, NamedTuple

from cutlist.simulation.node_scores import NO_TRAITS, Traits
from cutlist.simulation.pod_preferences import MOST, NOWHERE, PodPreferences, ScoringPlace

_TAINTS: Final = 3
_NODE_AFFINITY: Final = 2
_POD_SPREAD: Final = 2
_POD_AFFINITY: Final = 2
"""The default weights of the plugins; those that look at room have a weight of 1."""


class _Kind(NamedTuple):
    """What scores of a node depend on besides its room."""

    traits: Traits
    place: ScoringPlace


class NodeChoice:
    """The nodes that may take the next one of equal pods.

    Nodes of one kind differ only in their room, so the best node is the best one of some kind, and only kinds are scored.
    """

    __slots__ = ("_kinds", "_nodes", "_numbers", "_preferences")

    def __init__(self, preferences: PodPreferences) -> None:
        self._preferences = preferences
        self._nodes: dict[str, tuple[_Kind, int]] = {}
        self._kinds: dict[_Kind, list[tuple[int, str]]] = {}
        self._numbers: Counter[_Kind] = Counter()

    def fill(self, scores: Mapping[str, int], traits: Mapping[str, Traits]) -> None:
        """Take nodes with their scores by room."""
        is_concerned = self._preferences.is_concerned
        if not is_concerned and not traits:
            self._fill_with_one_kind(scores)
            return
        for name, score in scores.items():
            place = self._preferences.place(name) if is_concerned else NOWHERE
            kind = _Kind(traits.get(name, NO_TRAITS), place)
            self._nodes[name] = kind, score
            self._numbers[kind] += 1
            self._kinds.setdefault(kind, []).append((-score, name))
        for nodes in self._kinds.values():
            heapify(nodes)

    def _fill_with_one_kind(self, scores: Mapping[str, int]) -> None:
        kind = _Kind(NO_TRAITS, NOWHERE)
        self._nodes = {name: (kind, score) for name, score in scores.items()}
        self._numbers[kind] = len(scores)
        self._kinds[kind] = nodes = [(-score, name) for name, score in scores.items()]
        heapify(nodes)

    def change(self, name: str, score: int | None, traits: Traits) -> None:
        """Give a node its present score by room and its present kind; without a score it takes no further pod."""
        kind, _ = self._nodes.pop(name)
        self._numbers[kind] -= 1
        if score is not None:
            place = self._preferences.place(name) if self._preferences.is_concerned else NOWHERE
            kind = _Kind(traits, place)
            self._nodes[name] = kind, score
            self._numbers[kind] += 1
            heappush(self._kinds.setdefault(kind, []), (-score, name))

    def best(self) -> str | None:
        """Return the node of the highest score, of equal ones the first by name; None if no node takes a pod."""
        kinds = self._present()
        if not kinds:
            return None
        # Kube-scheduler relates such scores to the highest among the nodes that take part, so they hold for one turn only.
        bonus = self._bonuses(kinds) if len(kinds) > 1 else {kinds[0]: 0}
        tops = ((kind, self._top(kind)) for kind in kinds)
        return min((score - bonus[kind], name) for kind, (score, name) in tops)[1]

    def scores(self) -> dict[str, int]:
        """Return the whole score of each node."""
        bonus = self._bonuses(self._present())
        return {name: room + bonus[kind] for name, (kind, room) in self._nodes.items()}

    def _present(self) -> list[_Kind]:
        return [kind for kind, number in self._numbers.items() if number]

    def _top(self, kind: _Kind) -> tuple[int, str]:
        """Return the node of a kind that has most room; outdated entries are dropped on the way."""
        nodes = self._kinds[kind]
        # A heap cannot change an entry, so `change` pushes another one and leaves the old one to be found out here.
        while self._nodes.get(nodes[0][1]) != (kind, -nodes[0][0]):
            heappop(nodes)
        return nodes[0]

    def _bonuses(self, kinds: list[_Kind]) -> dict[_Kind, int]:
        """Return the scores of the plugins that do not depend on room."""
        places: Counter[ScoringPlace] = Counter()
        for kind in kinds:
            places[kind.place] += self._numbers[kind]
        is_concerned = self._preferences.is_concerned
        spread = self._preferences.spread_scores(places) if is_concerned else dict.fromkeys(places, 0)
        affinity = self._preferences.affinity_scores(places) if is_concerned else dict.fromkeys(places, 0)
        avoided, preferred = (max((kind.traits[number] for kind in kinds), default=0) for number in range(2))
        return {
            kind: _TAINTS * (MOST - _part(kind.traits[0], avoided))
            + _NODE_AFFINITY * _part(kind.traits[1], preferred)
            + _POD_SPREAD * spread[kind.place]
            + _POD_AFFINITY * affinity[kind.place]
            for kind in kinds
        }


def _part(number: int, most: int) -> int:
    """Return a number in relation to the highest one, as a score."""
    return number * MOST // most if most else 0
