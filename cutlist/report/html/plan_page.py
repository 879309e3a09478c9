"""A plan as a page: what people ask first, the map of nodes, who pays, what waits and why, and every node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from markupsafe import Markup

from cutlist.disrupt import Upcoming
from cutlist.planned import Candidate, PendingPods, Plan, PlannedNode, PodShare, PoolTypes
from cutlist.planned.comparison import Comparison
from cutlist.planned.cost import Cost, by_namespace, by_node_pool, by_workload
from cutlist.report.chart import Chosen, types_charts
from cutlist.report.html.rendering import render
from cutlist.report.html.tiles import Tile, pool_maps
from cutlist.report.html.upkeep import Upkeep
from cutlist.report.plain import GIB, zone_names
from cutlist.report.sources import price_notes, source_counts
from cutlist.resources import NANO

_NAMED: Final = 6  # workloads of a node that are shown at once
_CANDIDATES: Final = 12  # types shown of a list; the others are counted
_LISTS: Final = 300  # lists of types that are shown, those of the most nodes


@dataclass(frozen=True, slots=True)
class NodeView:
    """A row of the table of nodes.

    `others` are how many other types it may become, `candidates` is the number of their list, 0 where it is not shown, `hidden`
    has places and counts of the workloads that are not named at once.
    """

    node: PlannedNode
    zones: str
    others: int
    candidates: int
    hidden: str

    @property
    def shown(self) -> Sequence[PodShare]:
        """The workloads that are named at once."""
        return self.node.pods[:_NAMED]

    @property
    def more(self) -> int:
        """How many workloads are not named at once."""
        return max(len(self.node.pods) - _NAMED, 0)


@dataclass(frozen=True, slots=True)
class CandidateList:
    """Types that some nodes may become, cheapest first; `hidden` more are not shown."""

    number: int
    nodes: int
    shown: tuple[Candidate, ...]
    hidden: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """Workloads that wait for the same reason."""

    workloads: tuple[PendingPods, ...]

    @property
    def first(self) -> PendingPods:
        """Stands for the others in all but name and count."""
        return self.workloads[0]

    @property
    def pods(self) -> int:
        """How many pods wait."""
        return sum(w.count for w in self.workloads)


def plan_html(plan: Plan, types: Sequence[PoolTypes] = (), before: Plan | None = None, upcoming: Upcoming | None = None) -> str:
    """The plan as one page; where there is a plan of before, what changes comes first.

    `types` are those that its NodePools allow, for the charts of price against size; `upcoming` is of the nodes that exist.
    """
    comparison = None if before is None else Comparison.of(before, plan)
    upkeep = None if upcoming is None else Upkeep.of(upcoming)
    return render("plan.html.j2", **_values(plan), charts=_charts(plan, types), comparison=comparison, upkeep=upkeep)


def _values(plan: Plan) -> Mapping[str, Any]:
    lists, shown_lists = _candidate_lists(plan)
    names = sorted({share.workload for node in plan.nodes for share in node.pods[_NAMED:]})
    places = {name: number for number, name in enumerate(names)}
    return {
        "plan": plan,
        "totals": plan.totals,
        "at_least": plan.may_cost_more,
        "estimated": plan.has_estimates,
        "amounts": {name: _amounts(plan, name, unit) for name, unit in (("cpu", NANO), ("memory", GIB))},
        "moved": sum(s.count for n in plan.existing for s in n.pods),
        "maps": pool_maps(_tile(n, plan.region) for n in plan.nodes),
        "rows": [_row(n, plan.region, lists, places) for n in plan.nodes],
        "workloads": names,
        "pools": [n.node_pool for n in plan.nodes],
        "candidate_lists": shown_lists,
        "waiting": [Waiting(tuple(alike)) for _, alike in groupby(plan.pending, key=_why)],
        "costs": _costs(plan),
        "price_notes": price_notes(*source_counts(plan.nodes)),
    }


def _why(pending: PendingPods) -> tuple[object, ...]:
    return pending.reason, pending.by_node_pool, pending.remedy


def _costs(plan: Plan) -> list[tuple[str, str, tuple[Cost, ...]]]:
    found = (("NodePool", by_node_pool(plan)), ("Namespace", by_namespace(plan)), ("Workload", by_workload(plan)))
    return [(title, f"by-{title.lower()}", costs) for title, costs in found if costs]


def _amounts(plan: Plan, resource: str, unit: int) -> tuple[float, float]:
    """What is requested of a resource and what there is, over the nodes that have any."""
    nodes = [n for n in plan.nodes if n.allocatable.get(resource, 0) > 0]
    requested, total = (sum(n.count * of(n).get(resource, 0) for n in nodes) / unit for of in (_requests, _allocatable))
    return requested, total


def _requests(node: PlannedNode) -> Mapping[str, int]:
    return node.requests


def _allocatable(node: PlannedNode) -> Mapping[str, int]:
    return node.allocatable


def _tile(node: PlannedNode, region: str) -> Tile:
    return Tile(
        node_pool=node.node_pool,
        zones=tuple(z.removeprefix(region) or z for z in node.zones),
        title=node.instance_type,
        bought=node.capacity_type,
        count=node.count,
        cpu=node.fill("cpu"),
        memory=node.fill("memory"),
        price=None if node.price is None else node.count * node.price,
        mark="*" if node.is_estimated else "",
    )


def _row(node: PlannedNode, region: str, lists: Mapping[int, int], places: Mapping[str, int]) -> NodeView:
    hidden = " ".join(f"{places[s.workload]}:{s.count}" for s in node.pods[_NAMED:])
    return NodeView(node, zone_names(node.zones, region), node.alternatives, lists.get(id(node.candidates), 0), hidden)


def _candidate_lists(plan: Plan) -> tuple[dict[int, int], list[CandidateList]]:
    """The lists of types that leave a choice, numbered from 1, and by the identity of each list its number, if it is shown."""
    # Lists are long and mostly shared, so that each object is looked into once.
    kinds: dict[tuple[Candidate, ...], int] = {}
    by_identity: dict[int, int] = {}
    nodes: Counter[int] = Counter()
    for node in plan.nodes:
        if len(node.candidates) > 1:
            key = id(node.candidates)
            if key not in by_identity:
                by_identity[key] = kinds.setdefault(node.candidates, len(kinds))
            nodes[by_identity[key]] += node.count
    lists = list(kinds)
    numbers = {kind: number for number, (kind, _) in enumerate(nodes.most_common(_LISTS), 1)}
    shown = [_candidate_list(number, nodes[kind], lists[kind]) for kind, number in numbers.items()]
    return {key: numbers[kind] for key, kind in by_identity.items() if kind in numbers}, shown


def _candidate_list(number: int, nodes: int, candidates: tuple[Candidate, ...]) -> CandidateList:
    return CandidateList(number, nodes, candidates[:_CANDIDATES], max(len(candidates) - _CANDIDATES, 0))


def _charts(plan: Plan, types: Sequence[PoolTypes]) -> Sequence[Markup]:
    used = {n.node_pool for n in plan.nodes}
    return types_charts([p for p in types if p.node_pool in used], Chosen.by_plan(plan))
