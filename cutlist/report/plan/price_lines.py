"""What a plan costs, in the words that stand first: the sum a month, its split by capacity type and its NodePools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.core.wording import counted
from cutlist.planning.model import HOURS_PER_MONTH, Plan
from cutlist.planning.model.cost import Cost, by_capacity_type, by_node_pool
from cutlist.report.plain import hourly, monthly, percent
from cutlist.report.price_sources import price_parts

_POOLS_NAMED: Final = 6


def money_headline(plan: Plan) -> tuple[str, str]:
    """Return the first line of a plan in two parts: what it costs a month, and for what.

    Without new nodes the first part says so.
    """
    totals = plan.totals
    place = f" in {plan.region or 'an unknown region'}"
    under = f", Karpenter {plan.karpenter}" if plan.karpenter else ""
    if not plan.nodes:
        return "No new nodes", f"{place}{under}"
    moved = sum(share.count for node in plan.existing for share in node.pods)
    what = f": {counted(totals.nodes, 'node')} for {counted(totals.pods - moved, 'pod')}{place}{under}"
    if totals.price_per_month is None:
        return "Unknown price", what
    lowest = "From " if plan.may_cost_more else ""
    return f"{lowest}${monthly(totals.price_per_month)}{_mark(plan)} a month", what


def price_line(plan: Plan) -> str:
    """Return the price per hour, and what of it is for disks, estimated or not known."""
    totals = plan.totals
    if totals.price_per_hour is None:
        return "unknown"
    text = f"${hourly(totals.price_per_hour)}{_mark(plan)} an hour"
    text += f", and {counted(totals.unpriced_nodes, 'node')} of unknown price" if totals.unpriced_nodes else ""
    return "; ".join([text, *price_parts(totals)])


def capacity_line(plan: Plan) -> str:
    """Return how the price is split between capacity types, the most expensive first."""
    costs = by_capacity_type(plan)
    return f"all {costs[0].name}" if len(costs) == 1 else _split(costs)


def pool_line(plan: Plan) -> str:
    """Return what each NodePool costs, the most expensive first; empty for a plan of one."""
    costs = by_node_pool(plan)
    if len(costs) < 2:
        return ""
    more = f", and {counted(len(costs) - _POOLS_NAMED, 'more NodePool')}" if len(costs) > _POOLS_NAMED else ""
    return f"{_split(costs[:_POOLS_NAMED], sum(cost.price or 0.0 for cost in costs))}{more}"


def _split(costs: Sequence[Cost], total: float | None = None) -> str:
    total = sum(cost.price or 0.0 for cost in costs) if total is None else total
    return ", ".join(_cost(cost, total) for cost in costs)


def _cost(cost: Cost, total: float) -> str:
    nodes = counted(cost.nodes, "node")
    if cost.price is None:
        return f"{cost.name} of unknown price ({nodes})"
    part = f"{percent(cost.price / total)}, " if total else ""
    return f"{cost.name} ${monthly(cost.price * HOURS_PER_MONTH)} ({part}{nodes})"


def _mark(plan: Plan) -> str:
    return "*" if plan.has_estimates else ""
