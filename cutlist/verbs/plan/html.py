"""A plan as a page: the answers that people want first, the map of nodes, what causes the cost, what waits and why, and every
node."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.quantity import NANO
from cutlist.planning.model import Plan, PlannedNode, PoolTypes
from cutlist.planning.model.comparison import Comparison
from cutlist.planning.model.cost import Cost, by_namespace, by_node_pool, by_workload
from cutlist.planning.model.nodes import fill
from cutlist.planning.model.passes import passes_in_short
from cutlist.report.columns import in_currency
from cutlist.report.estimates import Money, money_of, span_in_words
from cutlist.report.html.deltas import Delta, deltas
from cutlist.report.html.map_layout import MapNode
from cutlist.report.html.node_map import node_map
from cutlist.report.html.rendering import render
from cutlist.report.html.types_chart import ChosenTypes, PoolCharts, types_charts
from cutlist.report.html.unnamed_nodes import unnamed_nodes
from cutlist.report.pending import pending_groups
from cutlist.report.plain import GIB, currency_sign, currency_unit
from cutlist.report.price_sources import candidate_price_sources, disk_sources, price_notes, price_parts
from cutlist.report.shares import month_cells, month_parts, shares
from cutlist.verbs.budgets.answer import Upcoming
from cutlist.verbs.budgets.timeline import UpcomingView
from cutlist.verbs.diff.columns import PAGE_WORDS as CHANGE_WORDS
from cutlist.verbs.disrupt import words as disrupt_words
from cutlist.verbs.plan.address_views import TABLE as SUBNETS
from cutlist.verbs.plan.address_views import subnet_line
from cutlist.verbs.plan.beside_views import TABLE, beside_line
from cutlist.verbs.plan.columns import page_columns
from cutlist.verbs.plan.environment_columns import PAGE, estimate_sentence, in_currencies
from cutlist.verbs.plan.environments import EnvironmentPlans, plan_rows
from cutlist.verbs.plan.environments_first import EnvironmentsFirst
from cutlist.verbs.plan.first_screen import PlanFirst
from cutlist.verbs.plan.gang_words import gang_lines
from cutlist.verbs.plan.node_views import NodeView, NodeViews
from cutlist.verbs.plan.scaling_words import autoscaler_line, rollout_line
from cutlist.verbs.plan.shared_gpu_words import shared_gpus_line
from cutlist.verbs.plan.text import bound_in_words
from cutlist.verbs.plan.volume_views import TABLE as VOLUMES
from cutlist.verbs.plan.volume_views import volume_line, volume_sources

_SAME: Final[Mapping[str, Delta]] = {}


def plan_html(plan: Plan, types: Sequence[PoolTypes] = (), before: Plan | None = None, upcoming: Upcoming | None = None) -> str:
    """Return the plan as one page; if there is an earlier plan, the changes come first.

    `types` are those that its NodePools allow, for the charts of prices by family; `upcoming` concerns the existing nodes.
    """
    return render("plan/page.html.j2", **page_values(plan, types, before, upcoming))


def page_values(
    plan: Plan, types: Sequence[PoolTypes] = (), before: Plan | None = None, upcoming: Upcoming | None = None
) -> dict[str, Any]:
    """Return what the page of a plan shows, by the names of its template."""
    comparison = None if before is None else Comparison.of(before, plan)
    week = None if upcoming is None else UpcomingView.of(upcoming)
    return {
        "words": {**CHANGE_WORDS, **disrupt_words.PAGE_WORDS},
        **_values(plan),
        "first": PlanFirst.of(plan, _SAME if comparison is None else deltas(comparison)),
        "charts": _charts(plan, types),
        "comparison": comparison,
        "deltas": _SAME if comparison is None else deltas(comparison),
        "new_notes": () if comparison is None else comparison.new_notes,
        "upcoming": week,
    }


def _values(plan: Plan) -> Mapping[str, Any]:
    views, currency = NodeViews.of(plan.nodes, plan.region), plan.totals.currency or "USD"
    return {
        "plan": plan,
        "month_of": lambda price, estimated=False: money_of(plan, price, "*" if estimated else "").month(),
        "sign": currency_sign(currency),
        "unit": currency_unit(currency),
        "ages": (plan.shown_age,),
        "totals": plan.totals,
        "may_cost_more": plan.may_cost_more,
        "estimated": plan.has_estimates,
        "amounts": {name: _amounts(plan, name, unit) for name, unit in (("cpu", NANO), ("memory", GIB))},
        "first_words": plan.first_words,
        "least": "" if plan.bound_per_hour is None else bound_in_words(plan),
        "passes": passes_in_short(plan.further_passes) if plan.further_passes else "",
        "moved": plan.pods_on_existing,
        "beside": beside_line(plan),
        "beside_columns": in_currency(TABLE, currency),
        "subnet_line": subnet_line(plan),
        "subnet_columns": SUBNETS,
        "volume_line": volume_line(plan),
        "volume_columns": in_currency(VOLUMES, currency),
        "volume_sources": volume_sources(plan),
        "map": node_map(_map_nodes(views.groups), currency_sign(currency), plan.totals.price_range),
        "unnamed": unnamed_nodes(_map_nodes(views.groups), currency_sign(currency), plan.totals.price_range),
        "groups": views.groups,
        "node_columns": in_currency(page_columns(plan.region), currency),
        "workloads": views.workloads,
        "pools": [n.node_pool for n in plan.nodes],
        "pending_groups": pending_groups(plan.pending),
        "gang_lines": gang_lines(plan),
        "shared_gpus": shared_gpus_line(plan),
        **_totals(plan),
        "by_node_pool": _pool_lines(plan),
        "costs": _costs(plan),
        "price_notes": price_notes(*candidate_price_sources(plan.nodes), disk_sources(plan.nodes)),
        "price_parts": price_parts(plan.totals),
        "autoscalers": autoscaler_line(plan),
        "rollout": rollout_line(plan),
    }


@dataclass(frozen=True, slots=True)
class _CostLine:
    """A cost, what it is a month, and its share of the plan's price."""

    cost: Cost
    month: str | None
    share: float | None


@dataclass(frozen=True, slots=True)
class _PoolLine:
    """What a NodePool costs, also a month and as a share of the plan's price, and how full its nodes are."""

    cost: Cost
    month: str | None
    share: float | None
    cpu: float | None
    memory: float | None


def _totals(plan: Plan) -> dict[str, str]:
    """Return what all nodes cost a month and an hour, and the range of that a month; words for an unknown price."""
    if plan.totals.price_per_hour is None:
        return {"month": "unknown", "hour": "", "span": ""}
    money = Money.of_totals(plan.totals, "*" if plan.has_estimates else "")
    return {"month": money.month(), "hour": money.hour(), "span": span_in_words(plan.totals)}


def _pool_lines(plan: Plan) -> list[_PoolLine]:
    nodes: dict[str, list[PlannedNode]] = {}
    for node in plan.nodes:
        nodes.setdefault(node.node_pool, []).append(node)
    return [
        _PoolLine(line.cost, line.month, line.share, *(fill(nodes[line.cost.name], resource) for resource in ("cpu", "memory")))
        for line in _with_shares(plan, by_node_pool(plan))
    ]


def _costs(plan: Plan) -> list[tuple[str, str, list[_CostLine]]]:
    views = (("Namespace", by_namespace(plan)), ("Workload", by_workload(plan)))
    return [(title, f"by-{title.lower()}", _with_shares(plan, costs)) for title, costs in views if costs]


def _with_shares(
    plan: Plan, costs: Sequence[Cost], months: Callable[[Sequence[float | None], float], list[str | None]] = month_cells
) -> list[_CostLine]:
    prices, whole, of = [cost.price for cost in costs], plan.totals.price_per_hour, plan.totals.price_range
    cells = months(prices, whole or 0.0) if of is None else month_parts(prices, whole or 0.0, of)
    return list(map(_CostLine, costs, cells, shares(prices, whole)))


def _amounts(plan: Plan, resource: str, unit: int) -> tuple[float, float]:
    """Return the requested and the total amount of a resource, over the nodes that have any."""
    nodes = [n for n in plan.nodes if n.allocatable.get(resource, 0) > 0]
    requested, total = (sum(n.count * of(n).get(resource, 0) for n in nodes) / unit for of in (_requests, _allocatable))
    return requested, total


def _requests(node: PlannedNode) -> Mapping[str, int]:
    return node.requests


def _allocatable(node: PlannedNode) -> Mapping[str, int]:
    return node.allocatable


def _map_nodes(groups: Sequence[NodeView]) -> Iterator[MapNode]:
    for number, group in enumerate(groups, 1):
        for node, price in ((row.first, row.known_price) for row in group.rows):
            yield MapNode(
                node_pool=node.node_pool,
                instance_type=node.instance_type,
                capacity_type=node.capacity_type,
                count=node.count,
                cpu=node.fill("cpu"),
                memory=node.fill("memory"),
                price=price,
                extended=max((use.part for use in node.extended.values() if use.part is not None), default=None),
                mark="*" if node.is_estimated else "",
                row=f"node-table-{number}",
            )


def _charts(plan: Plan, types: Sequence[PoolTypes]) -> Sequence[PoolCharts]:
    used = {n.node_pool for n in plan.nodes}
    return types_charts([p for p in types if p.node_pool in used], ChosenTypes.by_plan(plan))


def environments_html(plans: EnvironmentPlans) -> str:
    """Return the plans of all environments as one page."""
    *environments, _ = plan_rows(plans)
    return render(
        "plan/environments_page.html.j2",
        first=EnvironmentsFirst.of(plans),
        estimate=estimate_sentence(plans),
        ages=plans.price_ages,
        columns=in_currencies(PAGE, plans),
        environments=environments,
    )
