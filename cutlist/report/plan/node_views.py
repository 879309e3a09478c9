"""Planned nodes as pages show them: a row for equal nodes, the workloads on them, and the other types they may become."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from cutlist.core.identity import SameObject
from cutlist.core.values import dataclass
from cutlist.planning.model import Candidate, PlannedNode, PodShare
from cutlist.report.plain import zone_names

_NAMED: Final = 6  # workloads of a node that are shown at once
_CANDIDATES: Final = 12  # types shown of a list; the others are counted
_LISTS: Final = 300  # lists of types that are shown, those of the most nodes


@dataclass(frozen=True, slots=True)
class NodeView:
    """A row of the table of nodes.

    `others` are how many other types it may become, `candidates` is the number of their list, 0 where it is not shown, `hidden`
    has positions and counts of the workloads that are not named initially.
    """

    node: PlannedNode
    zones: str
    others: int
    candidates: int
    hidden: str

    @property
    def shown(self) -> Sequence[PodShare]:
        """Return the workloads that are named initially."""
        return self.node.pods[:_NAMED]

    @property
    def more(self) -> int:
        """Return how many workloads are not named initially."""
        return max(len(self.node.pods) - _NAMED, 0)


@dataclass(frozen=True, slots=True)
class CandidateList:
    """Types that some nodes may become, cheapest first; `hidden` more are not shown."""

    number: int
    nodes: int
    shown: tuple[Candidate, ...]
    hidden: int


@dataclass(frozen=True, slots=True)
class NodeViews:
    """The rows of some nodes in order, the names of workloads that rows refer to by number, and the lists of types."""

    rows: tuple[NodeView, ...]
    workloads: tuple[str, ...]
    candidate_lists: tuple[CandidateList, ...]

    @staticmethod
    def of(nodes: Sequence[PlannedNode], region: str) -> NodeViews:
        """Return the view of these nodes."""
        lists, shown_lists = _candidate_lists(nodes)
        names = sorted({share.workload for node in nodes for share in node.pods[_NAMED:]})
        places = {name: number for number, name in enumerate(names)}
        rows = tuple(_row(node, region, lists, places) for node in nodes)
        return NodeViews(rows, tuple(names), tuple(shown_lists))


def _row(node: PlannedNode, region: str, lists: Mapping[SameObject, int], places: Mapping[str, int]) -> NodeView:
    hidden = " ".join(f"{places[s.workload]}:{s.count}" for s in node.pods[_NAMED:])
    return NodeView(node, zone_names(node.zones, region), node.alternatives, lists.get(SameObject(node.candidates), 0), hidden)


def _candidate_lists(nodes: Sequence[PlannedNode]) -> tuple[dict[SameObject, int], list[CandidateList]]:
    """Return the number of each list of types that is shown, and the lists, numbered from 1, that leave a choice."""
    # Lists are long and mostly shared, so each object is examined only once.
    kinds: dict[tuple[Candidate, ...], int] = {}
    by_identity: dict[SameObject, int] = {}
    counts: Counter[int] = Counter()
    for node in nodes:
        if len(node.candidates) > 1:
            key = SameObject(node.candidates)
            if key not in by_identity:
                by_identity[key] = kinds.setdefault(node.candidates, len(kinds))
            counts[by_identity[key]] += node.count
    lists = list(kinds)
    numbers = {kind: number for number, (kind, _) in enumerate(counts.most_common(_LISTS), 1)}
    shown = [_candidate_list(number, counts[kind], lists[kind]) for kind, number in numbers.items()]
    return {key: numbers[kind] for key, kind in by_identity.items() if kind in numbers}, shown


def _candidate_list(number: int, nodes: int, candidates: tuple[Candidate, ...]) -> CandidateList:
    return CandidateList(number, nodes, candidates[:_CANDIDATES], max(len(candidates) - _CANDIDATES, 0))
