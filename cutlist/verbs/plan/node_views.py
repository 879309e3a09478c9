"""Planned nodes as pages show them: groups of one NodePool, type and capacity type, and what else may be launched for them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cutlist.catalog.prices import usd
from cutlist.core.identity import SameObject
from cutlist.planning.model import Candidate, PlannedNode, PodShare
from cutlist.planning.model.extended import NodeAmounts, Use, extended_use
from cutlist.planning.model.nodes import fill
from cutlist.report.plain import zone_names
from cutlist.report.shares import month_cells

_NAMED: Final = 6  # workloads of a node that are shown at once
_CANDIDATES: Final = 12  # types shown of a list; the others are counted
_LISTS: Final = 300  # lists of types that are shown, those of the most nodes
_LISTS_EACH: Final = 3  # of them, the most that a group has


@dataclass(frozen=True, slots=True)
class NodeView:
    """Equal nodes; `hidden` has positions and counts of the workloads that are not named initially.

    `month` is their price in dollars a month, None if it is unknown.
    """

    node: PlannedNode
    zones: str
    hidden: str
    month: str | None = None

    @property
    def shown(self) -> Sequence[PodShare]:
        """Return the workloads that are named initially."""
        return self.node.pods[:_NAMED]

    @property
    def more(self) -> int:
        """Return how many workloads are not named initially."""
        return max(len(self.node.pods) - _NAMED, 0)

    @property
    def price(self) -> float | None:
        """Return USD an hour for all of them with their disks, or None if it is unknown."""
        price = self.node.price_with_disks
        return None if price is None else price * self.node.count


@dataclass(frozen=True, slots=True)
class CandidateView:
    """A type that a node may be launched as; capacity type and zones only if they differ from those of the others."""

    instance_type: str
    price: float | None
    is_estimated: bool
    capacity_type: str
    zones: str


@dataclass(frozen=True, slots=True)
class CandidateList:
    """Other types that some nodes of a group may be launched as, cheapest first; `hidden` more are not shown."""

    nodes: int
    shown: tuple[CandidateView, ...]
    hidden: int


@dataclass(frozen=True, slots=True)
class NodeGroup:
    """Nodes of one NodePool, instance type and capacity type, in the order of the plan.

    `month` is their price in dollars a month: the rows of a group add up to it, and the groups of a NodePool to that of the
    NodePool. None if no price is known.
    """

    rows: tuple[NodeView, ...]
    candidate_lists: tuple[CandidateList, ...]
    zones: str
    month: str | None = None

    @property
    def first(self) -> PlannedNode:
        """Return one of the nodes, which has the NodePool, instance type and capacity type of all."""
        return self.rows[0].node

    @property
    def count(self) -> int:
        """Return how many nodes these are."""
        return sum(row.node.count for row in self.rows)

    @property
    def pods(self) -> int:
        """Return how many pods they have, DaemonSets aside."""
        return sum(row.node.count * row.node.pods_each for row in self.rows)

    @property
    def others(self) -> str:
        """Return how many other types each may be launched as: `3`, `3 to 8`, or nothing for none."""
        counts = [row.node.alternatives for row in self.rows]
        least, most = min(counts), max(counts)
        return "" if not most else str(most) if least == most else f"{least} to {most}"

    @property
    def price(self) -> float | None:
        """Return USD an hour for all nodes of known price, or None if no price is known."""
        known = [row.price for row in self.rows if row.price is not None]
        return math.fsum(known) if known else None

    @property
    def is_estimated(self) -> bool:
        """Tell whether a price is an estimate."""
        return any(row.node.is_estimated for row in self.rows)

    @property
    def extended(self) -> dict[str, Use]:
        """Return the use of accelerators and other extended resources."""
        return extended_use(NodeAmounts(row.node.count, row.node.requests, row.node.allocatable) for row in self.rows)

    def fill(self, resource: str) -> float | None:
        """Return the fraction of a resource that pods request over all nodes, or None if they have none of it."""
        return fill([row.node for row in self.rows], resource)


@dataclass(frozen=True, slots=True)
class NodeViews:
    """The groups of some nodes, most expensive first, and the names of workloads that rows refer to by number."""

    groups: tuple[NodeGroup, ...]
    workloads: tuple[str, ...]

    @staticmethod
    def of(nodes: Sequence[PlannedNode], region: str) -> NodeViews:
        """Return the view of these nodes."""
        (views,) = NodeViews.of_each([nodes], region)
        return views

    @staticmethod
    def of_each(parts: Sequence[Sequence[PlannedNode]], region: str) -> list[NodeViews]:
        """Return the view of the nodes of each part of one page: all have the same workloads."""
        nodes = [node for part in parts for node in part]
        names = sorted({share.workload for node in nodes for share in node.pods[_NAMED:]})
        places = {name: number for number, name in enumerate(names)}
        shown_lists = _shown_lists(nodes)
        return [NodeViews(_groups(part, region, shown_lists, places), tuple(names)) for part in parts]


def _groups(
    nodes: Sequence[PlannedNode], region: str, shown_lists: set[SameObject], places: Mapping[str, int]
) -> tuple[NodeGroup, ...]:
    alike: dict[tuple[str, str, str], list[PlannedNode]] = {}
    for node in nodes:
        alike.setdefault((node.node_pool, node.instance_type, node.capacity_type), []).append(node)
    groups = [_group(members, region, shown_lists, places) for members in alike.values()]
    return tuple(sorted(_with_months(groups), key=lambda group: (group.price is None, -(group.price or 0.0))))


def _with_months(groups: Sequence[NodeGroup]) -> Iterator[NodeGroup]:
    """Yield the groups with what a month of them and of their rows costs, in cells that add up."""
    pools: dict[str, list[NodeGroup]] = {}
    for group in groups:
        pools.setdefault(group.first.node_pool, []).append(group)
    prices = [math.fsum(group.price or 0.0 for group in members) for members in pools.values()]
    months = month_cells(prices, math.fsum(prices))
    for members, price, month in zip(pools.values(), prices, months, strict=True):
        cells = month_cells([group.price for group in members], price, month)
        for group, cell in zip(members, cells, strict=True):
            rows = zip(group.rows, month_cells([row.price for row in group.rows], group.price or 0.0, cell), strict=True)
            yield replace(group, rows=tuple(replace(row, month=one) for row, one in rows), month=cell)


def _group(nodes: Sequence[PlannedNode], region: str, shown_lists: set[SameObject], places: Mapping[str, int]) -> NodeGroup:
    rows = tuple(NodeView(node, zone_names(node.zones, region), _hidden(node, places)) for node in nodes)
    zones = zone_names(tuple(sorted({zone for node in nodes for zone in node.zones})), region)
    return NodeGroup(rows, _candidate_lists(nodes, region, shown_lists), zones)


def _hidden(node: PlannedNode, places: Mapping[str, int]) -> str:
    return " ".join(f"{places[share.workload]}:{share.count}" for share in node.pods[_NAMED:])


def _shown_lists(nodes: Iterable[PlannedNode]) -> set[SameObject]:
    """Return the lists of types that are shown, as objects: those of the most nodes."""
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
    most = {kind for kind, _ in counts.most_common(_LISTS)}
    return {key for key, kind in by_identity.items() if kind in most}


def _candidate_lists(nodes: Sequence[PlannedNode], region: str, shown_lists: set[SameObject]) -> tuple[CandidateList, ...]:
    """Return the lists of a group that are shown, those of the most nodes first."""
    counts: dict[tuple[Candidate, ...], int] = {}
    for node in nodes:
        if SameObject(node.candidates) in shown_lists:
            counts[node.candidates] = counts.get(node.candidates, 0) + node.count
    by_look: dict[tuple[tuple[CandidateView, ...], int], int] = {}
    for candidates, count in counts.items():
        look = _candidate_views(nodes[0], candidates, region)
        by_look[look] = by_look.get(look, 0) + count
    most = sorted(by_look.items(), key=lambda item: -item[1])[:_LISTS_EACH]
    return tuple(CandidateList(count, shown, hidden) for (shown, hidden), count in most)


def _candidate_views(
    node: PlannedNode, candidates: tuple[Candidate, ...], region: str
) -> tuple[tuple[CandidateView, ...], int]:
    """Return the types of a list that are shown, and how many more it has."""
    others = [candidate for candidate in candidates if candidate.instance_type != node.instance_type]
    usual = candidates[0].zones
    shown = tuple(
        CandidateView(
            candidate.instance_type,
            usd(candidate.price),
            candidate.is_estimated,
            "" if candidate.capacity_type == node.capacity_type else candidate.capacity_type,
            "" if candidate.zones == usual else zone_names(candidate.zones, region),
        )
        for candidate in others[:_CANDIDATES]
    )
    return shown, max(len(others) - _CANDIDATES, 0)
