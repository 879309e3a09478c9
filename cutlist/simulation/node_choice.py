"""kube-scheduler's choice of a node: scores of plugins, normalized among the nodes that may take a pod, weighed and added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from heapq import heapify, heappop, heappush
from typing import Final, NamedTuple

from cutlist.simulation.node_scores import NO_TRAITS, Traits
from cutlist.simulation.pod_preferences import MOST, PodPreferences, ScoringPlace

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

    __slots__ = ("_best", "_kinds", "_preferences")

    def __init__(self, preferences: PodPreferences) -> None:
        self._preferences = preferences
        self._kinds: dict[_Kind, list[tuple[int, str]]] = {}
        self._best: _Kind | None = None

    def fill(self, scores: Mapping[str, int], traits: Mapping[str, Traits]) -> None:
        """Take nodes with their scores by room."""
        plain = {name: score for name, score in scores.items() if name not in traits} if traits else scores
        self._kinds = {_Kind(NO_TRAITS, place): nodes for place, nodes in self._preferences.by_place(plain).items()}
        for name in traits.keys() & scores.keys():
            self._kinds.setdefault(self._kind(name, traits[name]), []).append((-scores[name], name))
        for nodes in self._kinds.values():
            heapify(nodes)

    def change(self, name: str, score: int | None, traits: Traits) -> None:
        """Give the node that `best` has returned its present score by room and its present kind; without a score it takes no
        further pod."""
        assert self._best is not None  # noqa: S101 - a node was returned
        heappop(self._kinds[self._best])
        if score is not None:
            heappush(self._kinds.setdefault(self._kind(name, traits), []), (-score, name))

    def best(self) -> str | None:
        """Return the node of the highest score, of equal ones the first by name; None if no node takes a pod."""
        kinds = self._present()
        if not kinds:
            return None
        # Kube-scheduler relates such scores to the highest among the nodes that take part, so they hold for one turn only.
        bonus = self._bonuses(kinds) if len(kinds) > 1 else {kinds[0]: 0}
        tops = ((kind, self._kinds[kind][0]) for kind in kinds)
        _, name, number = min((score - bonus[kind], name, number) for number, (kind, (score, name)) in enumerate(tops))
        self._best = kinds[number]
        return name

    def scores(self) -> dict[str, int]:
        """Return the whole score of each node."""
        bonus = self._bonuses(self._present())
        return {name: bonus[kind] - score for kind, nodes in self._kinds.items() for score, name in nodes}

    def _kind(self, name: str, traits: Traits) -> _Kind:
        return _Kind(traits, self._preferences.place(name))

    def _present(self) -> list[_Kind]:
        return [kind for kind, nodes in self._kinds.items() if nodes]

    def _bonuses(self, kinds: list[_Kind]) -> dict[_Kind, int]:
        """Return the scores of the plugins that do not depend on room."""
        places: Counter[ScoringPlace] = Counter()
        for kind in kinds:
            places[kind.place] += len(self._kinds[kind])
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
