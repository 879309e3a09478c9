"""Planned nodes as pages show them: groups of one NodePool, type and capacity type, and what else may be launched for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cutlist.core.identity import SameObject
from cutlist.core.money import money_sum
from cutlist.planning.model import CandidateType, PlannedNode, PodShare
from cutlist.planning.model.node_groups import NodeGroup, grouped
from cutlist.planning.model.nodes import deviations
from cutlist.report.estimates import Money
from cutlist.report.plain import zone_names
from cutlist.report.shares import month_cells, part_step

_NAMED: Final = 6  # workloads of a node that are shown at once
_CANDIDATES: Final = 12  # types shown of a list; the others are counted
_LISTS: Final = 300  # lists of types that are shown, those of the most nodes
_LISTS_EACH: Final = 3  # of them, the most that a group has
_LISTS_SHOWN: Final = 200  # the most that all groups have, those of the most expensive ones


@dataclass(frozen=True, slots=True)
class CandidateView:
    """A type that a node may be launched as; capacity type and zones only if they differ from those of the others."""

    instance_type: str
    price: str
    capacity_type: str
    zones: str


@dataclass(frozen=True, slots=True)
class CandidateList:
    """Other types that some nodes of a group may be launched as, cheapest first; `hidden` more are not shown."""

    nodes: int
    shown: tuple[CandidateView, ...]
    hidden: int


@dataclass(frozen=True, slots=True)
class NodeView(NodeGroup):
    """Nodes of one NodePool, instance type and capacity type, in the order of the plan, or equal ones among them.

    `month` is their price in dollars a month, None if no price is known: the rows of a group add up to it, and the groups of a
    NodePool to that of the NodePool. `rows` are the equal nodes of a group. `hidden` has positions and counts of the workloads
    of such a row that are not named initially.
    """

    month: str | None = None
    rows: tuple[NodeView, ...] = ()
    candidate_lists: tuple[CandidateList, ...] = ()
    hidden: str = ""

    @property
    def shown(self) -> Sequence[PodShare]:
        """Return the workloads that are named initially."""
        return self.first.pods[:_NAMED]

    @property
    def more(self) -> int:
        """Return how many workloads are not named initially."""
        return max(len(self.first.pods) - _NAMED, 0)


@dataclass(frozen=True, slots=True)
class NodeViews:
    """The groups of some nodes, most expensive first, and the names of workloads that rows refer to by number."""

    groups: tuple[NodeView, ...]
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
) -> tuple[NodeView, ...]:
    groups = [_group(group, region, shown_lists, places) for group in grouped(nodes)]
    by_price = sorted(_with_months(groups), key=lambda group: (group.known_price is None, -(group.known_price or 0.0)))
    return tuple(_with_few_lists(by_price))


def _with_few_lists(groups: Sequence[NodeView]) -> Iterator[NodeView]:
    """Yield the groups, of which the first have their lists of types: a page of many groups would consist of lists."""
    room = _LISTS_SHOWN
    for group in groups:
        lists = group.candidate_lists[:room]
        room -= len(lists)
        yield group if len(lists) == len(group.candidate_lists) else replace(group, candidate_lists=lists)


def _with_months(groups: Sequence[NodeView]) -> Iterator[NodeView]:
    """Yield the groups with what a month of them and of their rows costs, in cells that add up."""
    pools: dict[str, list[NodeView]] = {}
    for group in groups:
        pools.setdefault(group.node_pool, []).append(group)
    prices = [money_sum(group.known_price or 0.0 for group in members) for members in pools.values()]
    whole = money_sum(prices)
    of = deviations(node for group in groups for node in group.nodes).around(whole)
    step = None if of is None else part_step([row.known_price for group in groups for row in group.rows], of)
    months = month_cells(prices, whole, step=step)
    for members, price, month in zip(pools.values(), prices, months, strict=True):
        cells = month_cells([group.known_price for group in members], price, month, step)
        for group, cell in zip(members, cells, strict=True):
            parts = month_cells([row.known_price for row in group.rows], group.known_price or 0.0, cell, step)
            rows = tuple(replace(row, month=part) for row, part in zip(group.rows, parts, strict=True))
            yield replace(group, rows=rows, month=cell)


def _group(group: NodeGroup, region: str, shown_lists: set[SameObject], places: Mapping[str, int]) -> NodeView:
    kind = group.node_pool, group.instance_type, group.capacity_type
    rows = tuple(NodeView(*kind, (node,), hidden=_hidden(node, places)) for node in group.nodes)
    return NodeView(*kind, group.nodes, rows=rows, candidate_lists=_candidate_lists(group.nodes, region, shown_lists))


def _hidden(node: PlannedNode, places: Mapping[str, int]) -> str:
    return " ".join(f"{places[share.workload]}:{share.count}" for share in node.pods[_NAMED:])


def _shown_lists(nodes: Iterable[PlannedNode]) -> set[SameObject]:
    """Return the lists of types that are shown, as objects: those of the most nodes."""
    # Lists are long and mostly shared, so each object is examined only once.
    kinds: dict[tuple[CandidateType, ...], int] = {}
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
    counts: dict[tuple[CandidateType, ...], int] = {}
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
    node: PlannedNode, candidates: tuple[CandidateType, ...], region: str
) -> tuple[tuple[CandidateView, ...], int]:
    """Return the types of a list that are shown, and how many more it has."""
    others = [candidate for candidate in candidates if candidate.instance_type != node.instance_type]
    usual = candidates[0].zones
    shown = tuple(
        CandidateView(
            candidate.instance_type,
            "unknown" if candidate.price is None else Money.of_price(candidate.price).hour_in_table(),
            "" if candidate.capacity_type == node.capacity_type else candidate.capacity_type,
            "" if candidate.zones == usual else zone_names(candidate.zones, region),
        )
        for candidate in others[:_CANDIDATES]
    )
    return shown, max(len(others) - _CANDIDATES, 0)
