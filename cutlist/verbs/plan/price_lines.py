"""The first words of a plan, on its cost: the sum per month, its split by capacity type and by NodePool."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from cutlist.core.wording import counted, first_of
from cutlist.planning.model import Plan
from cutlist.planning.model.cost import Cost, by_capacity_type, by_node_pool
from cutlist.planning.model.restrictions import PricedRestriction
from cutlist.report.estimates import Money, money_of, total_month
from cutlist.report.plain import currency_sign, percent
from cutlist.report.price_sources import price_parts
from cutlist.report.shares import month_parts, shares
from cutlist.verbs.plan.settled_words import settled_price

_POOLS_NAMED: Final = 6
_WORKLOADS_NAMED: Final = 2


def money_headline(plan: Plan) -> tuple[str, str]:
    """Return the first line of a plan in two parts: its cost per month, also once settled if that differs, and what it is for.
    Without new nodes, the first part says so.
    """
    totals = plan.totals
    place = f" in {plan.region or 'an unknown region'}"
    under = f", {plan.karpenter_words}" if plan.karpenter else ""
    if not plan.nodes and plan.has_no_pods:
        return "No pods to place", f": every workload has 0 pods{place}{under}"
    if not plan.nodes:
        return "No new nodes", f"{'' if plan.is_complete else ' for what is read'}{place}{under}"
    what = f": {counted(totals.nodes, 'node')} for {counted(plan.pods_on_new_nodes, 'pod')}{place}{under}"
    if totals.price_per_month is None:
        return "Unknown price", what
    lowest = f"{word} " if (word := plan.lower_bound_word) else ""
    money = f"{lowest}{total_month(totals, _mark(plan))}"
    money = f"{money[:1].upper()}{money[1:]}"
    return ", ".join(part for part in (money, settled_price(plan)) if part), what


def price_line(plan: Plan) -> str:
    """Return the price per hour, and which part of it is for disks, estimated or unknown."""
    totals = plan.totals
    if totals.price_per_hour is None:
        return "unknown"
    text = f"{Money.of_totals(totals, _mark(plan)).hour()} an hour"
    text += f", and {counted(totals.unpriced_nodes, 'node')} of unknown price" if totals.unpriced_nodes else ""
    return "; ".join([text, *price_parts(totals)])


def capacity_line(plan: Plan) -> str:
    """Return how the price is split between capacity types, the most expensive first."""
    costs = by_capacity_type(plan)
    return f"all {costs[0].name}" if len(costs) == 1 else _split(plan, costs)


def pool_line(plan: Plan) -> str:
    """Return what each NodePool costs, the most expensive first; empty for a plan of one."""
    costs = by_node_pool(plan)
    if len(costs) < 2:
        return ""
    more = f", and {counted(len(costs) - _POOLS_NAMED, 'more NodePool')}" if len(costs) > _POOLS_NAMED else ""
    return f"{_split(plan, costs, _POOLS_NAMED)}{more}"


def driver_lines(plan: Plan) -> list[str]:
    """Return the restrictions that cost most, each with what the plan would save a month without it, and where it is."""
    return [_driver(plan, driver) for driver in plan.drivers or ()]


def _driver(plan: Plan, driver: PricedRestriction) -> str:
    named = f" of {first_of(driver.objects, _WORKLOADS_NAMED)}" if len(driver.objects) > 1 else ""
    where = f": {driver.field}{named}" if driver.field else ""
    return f"{money_of(plan, driver.price).month()} a month for {driver.what}{where}"


def month_shares(plan: Plan, costs: Sequence[Cost]) -> list[tuple[str | None, float | None]]:
    """Return what costs are a month, in parts that add up, None for an unknown one, and which part of the price each is."""
    totals, prices = plan.totals, [cost.price for cost in costs]
    months = month_parts(prices, totals.price_per_hour or 0.0, totals.price_range)
    sign = currency_sign(totals.currency or "USD")
    amounts = [None if month is None else f"{sign}{month}" for month in months]
    return list(zip(amounts, shares(prices, totals.price_per_hour), strict=True))


def _split(plan: Plan, costs: Sequence[Cost], most: int | None = None) -> str:
    rows = zip(costs, month_shares(plan, costs), strict=True)
    return ", ".join(_cost(cost, *amounts) for cost, amounts in islice(rows, most))


def _cost(cost: Cost, month: str | None, part: float | None) -> str:
    nodes = counted(cost.nodes, "node")
    if month is None:
        return f"{cost.name} of unknown price ({nodes})"
    share = "" if part is None else f"{percent(part)}, "
    return f"{cost.name} {month} ({share}{nodes})"


def _mark(plan: Plan) -> str:
    return "*" if plan.has_estimates else ""
