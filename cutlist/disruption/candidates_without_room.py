"""Candidates that stay hopeless from round to round, until there is more room for their pods (spec: disruption 5.1 to 5.4)."""

from __future__ import annotations

from collections.abc import Mapping

from cutlist.core.values import dataclass
from cutlist.disruption.candidates import Candidate
from cutlist.scheduling.firstfit import FirstFit
from cutlist.scheduling.poddata import PodData
from cutlist.workloads.objects import EvictionBudgets


@dataclass(frozen=True, slots=True)
class _WithoutRoom:
    """A candidate that is hopeless with these budgets, and how much room there is for the kinds of pods that have too little.

    It is the room on all nodes, its own included: that stays the same as long as the candidate does. While it rests,
    its own node has no room.
    """

    candidate: Candidate
    evictions: EvictionBudgets
    room: Mapping[PodData, int]


class CandidatesWithoutRoom:
    """Candidates by name of whose pods some have too little room. Those are forgotten for whose pods there is more now.

    A round costs what has more room, not what there is.
    """

    __slots__ = ("_by_kind", "_known", "_least", "_nodes")

    def __init__(self) -> None:
        self._known: dict[str, _WithoutRoom] = {}
        self._by_kind: dict[PodData, dict[str, int]] = {}
        self._least: dict[PodData, int] = {}
        self._nodes: FirstFit | None = None

    def keep(self, candidate: Candidate, evictions: EvictionBudgets, room: Mapping[PodData, int]) -> None:
        """Keep a candidate that is hopeless as long as no kind of its pods has more room than this."""
        name = candidate.node.state.name
        self._forget(name)
        self._known[name] = _WithoutRoom(candidate, evictions, room)
        for kind, pods in room.items():
            self._by_kind.setdefault(kind, {})[name] = pods
            self._least[kind] = min(pods, self._least.get(kind, pods))

    def has(self, candidate: Candidate, evictions: EvictionBudgets, nodes: FirstFit) -> bool:
        """Tell whether it is known of a candidate that it is hopeless with these budgets, on these nodes."""
        if nodes is not self._nodes:
            self._look(nodes)
        known = self._known.get(candidate.node.state.name)
        return known is not None and known.candidate is candidate and known.evictions is evictions

    def _look(self, nodes: FirstFit) -> None:
        """Forget the candidates for whose pods there is more room now."""
        self._nodes = nodes
        for kind, by_name in self._by_kind.items():
            if not by_name or nodes.has_no_more_room(kind, self._least[kind]):
                continue
            room = nodes.room_for(kind)
            for name in [name for name, pods in by_name.items() if pods < room]:
                self._forget(name)
            self._least[kind] = min(by_name.values(), default=room)

    def _forget(self, name: str) -> None:
        known = self._known.pop(name, None)
        for kind in known.room if known is not None else ():
            del self._by_kind[kind][name]
