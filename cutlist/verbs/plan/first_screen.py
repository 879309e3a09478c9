"""What the page of a plan says first: what it costs, why it costs that, and what to do. Each figure stands there once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final

from cutlist.core.labels import SPOT
from cutlist.core.wording import be, counted, first_of
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.planning.model import Plan
from cutlist.planning.model.cost import Cost, by_capacity_type, by_node_pool, by_workload
from cutlist.report.estimates import Money, money_of
from cutlist.report.html.deltas import Delta
from cutlist.report.html.first import MOST_CAUSES, UNPRICED, Driver, Part, Sum, known_range
from cutlist.verbs.plan.price_lines import money_headline, month_shares
from cutlist.verbs.plan.settled_words import settled_amount, settled_way
from cutlist.verbs.plan.small_plans import FAR_ABOVE

_OBJECTS_NAMED: Final = 2


@dataclass(frozen=True, slots=True)
class PlanFirst:
    """The first screen of a plan: its title, sums, the parts by capacity type, what causes the cost, risks, and what may be
    saved."""

    title: str
    sums: tuple[Sum, ...]
    parts: tuple[Part, ...]
    drivers: tuple[Driver, ...]
    risks: tuple[str, ...]
    saving: str

    @staticmethod
    def of(plan: Plan, deltas: Mapping[str, Delta]) -> PlanFirst:
        """Return the first screen of a plan, with the differences to an earlier one by their names."""
        parts = tuple(_parts(plan))
        taken = {part.amount for part in parts}
        return PlanFirst(
            title_of(plan),
            tuple(_sums(plan, deltas)),
            parts,
            tuple(islice(drivers_of(plan, taken), MOST_CAUSES)),
            tuple(_risks(plan)),
            _saving(plan),
        )


def title_of(plan: Plan) -> str:
    """Return what the plan is of: `205 nodes for 992 pods in us-east-1`, without what that costs."""
    totals = plan.totals
    if not plan.nodes:
        return "".join(money_headline(plan))
    place = plan.region or "an unknown region"
    return f"{counted(totals.nodes, 'node')} for {counted(plan.pods_on_new_nodes, 'pod')} in {place}"


def _sums(plan: Plan, deltas: Mapping[str, Delta]) -> Iterator[Sum]:
    totals = plan.totals
    if not plan.nodes:
        return
    if totals.price_per_hour is None:
        yield UNPRICED
        return
    money = Money.of_totals(totals, "*" if plan.has_estimates else "")
    word = f"{plan.lower_bound_word} " if plan.lower_bound_word else ""
    small = [known_range(money.month_span())]
    small += [f"without {counted(totals.unpriced_nodes, 'node')} of unknown price"] if totals.unpriced_nodes else []
    yield Sum("A month", f"{word}{money.month()}", tuple(filter(None, small)), deltas.get("price"))
    if plan.unsettled:
        yield Sum("A month, once settled", "not known", (plan.unsettled,))
    elif amount := settled_amount(plan):
        yield Sum("A month, once settled", amount, (settled_way(plan),))


def _parts(plan: Plan) -> Iterator[Part]:
    """Yield what nodes of each capacity type cost, where there are several."""
    costs = by_capacity_type(plan)
    if len(costs) < 2:
        return
    for cost, (month, part) in zip(costs, _amounts(plan, costs), strict=True):
        yield Part(cost.name, month, part, counted(cost.nodes, "node"), "spot" if cost.name == SPOT else "demand")


def _amounts(plan: Plan, costs: Sequence[Cost]) -> list[tuple[str, float | None]]:
    """Return what costs are a month, and which part of the price each is."""
    return [(month or "unknown", share) for month, share in month_shares(plan, costs)]


def drivers_of(plan: Plan, taken: Iterable[str] = ()) -> Iterator[Driver]:
    """Yield what makes most of the cost: the restriction, the NodePool and the workload that cost most, the most expensive
    first; then further restrictions and workloads. What is one of all, or costs an amount that is shown already, is no news."""
    kinds = [list(_restrictions(plan)), list(_node_pools(plan)), list(_workloads(plan))]
    first, others = ([of for kind in kinds for of in kind[part]] for part in (slice(1), slice(1, None)))
    shown = set(taken)
    for driver in chain(sorted(first, key=_largest_first), sorted(others, key=_largest_first)):
        if driver.amount not in shown:
            shown.add(driver.amount)
            yield driver


def _largest_first(driver: Driver) -> float:
    return -(driver.share or 0.0)


def _restrictions(plan: Plan) -> Iterator[Driver]:
    whole = plan.totals.price_per_hour
    for of in plan.drivers or ():
        named = f" of {first_of(of.objects, _OBJECTS_NAMED)}" if len(of.objects) > 1 else ""
        where = f"{of.field}{named}" if of.field else ""
        share = of.price / whole if whole else None
        amount = money_of(plan, of.price).month()
        yield Driver(amount, f"is the price of a restriction: {of.what}", share, where)


def _node_pools(plan: Plan) -> Iterator[Driver]:
    costs = [cost for cost in by_node_pool(plan) if cost.price is not None]
    if len(costs) > 1:
        for cost, (month, share) in zip(costs, _amounts(plan, costs), strict=True):
            nodes = counted(cost.nodes, "node")
            yield Driver(month, f"is NodePool {cost.name}: {nodes}", share)


def _workloads(plan: Plan) -> Iterator[Driver]:
    costs = [cost for cost in by_workload(plan) if cost.price is not None]
    if len(costs) > 1:
        for cost, (month, share) in zip(costs, _amounts(plan, costs), strict=True):
            yield Driver(month, f"is {cost.name}: {counted(cost.pods, 'pod')}", share)


def _risks(plan: Plan) -> Iterator[str]:
    """Yield what can go wrong with these nodes, in sentences."""
    figures = CostAndRisk.of(plan)
    spot = [node for node in plan.nodes if node.capacity_type == SPOT]
    if spot:
        nodes = sum(node.count for node in spot)
        pods = sum(node.count * node.pods_each for node in spot)
        which = "All nodes are" if nodes == plan.totals.nodes > 1 else f"{counted(nodes, 'node')} {be(nodes)}"
        yield f"{which} spot: the cloud may take {'it' if nodes == 1 else 'them'} back, with {counted(pods, 'pod')} there."
    if figures.lost_with_node > 1:
        zone = f", the fullest zone {figures.lost_with_zone:,}" if len(figures.zones) > 1 else ""
        yield f"The fullest node takes {counted(figures.lost_with_node, 'pod')} with it{zone}."
    if plan.unfinished:
        yield f"The plan is not finished: {plan.unfinished}."


def _saving(plan: Plan) -> str:
    """Return what looks for cheaper NodePools, and below what they cannot get; empty near that, and without a bound."""
    if (plan.above_bound or 0.0) < FAR_ABOVE:
        return ""
    least = money_of(plan, plan.bound_per_hour or 0.0).month()
    below = f"on the best nodes that are allowed, these pods cost at least {least} a month"
    return f"`cutlist suggest` looks for NodePools that cost less; {below}."
