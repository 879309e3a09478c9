"""What the restrictions of workloads and NodePools cost: for each one a plan of the inputs without it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from cutlist.core.quantity import amount_text
from cutlist.optimization.allowances import Allowances
from cutlist.optimization.evaluation import CandidateInputs, CostAndRisk
from cutlist.optimization.restrictions import Restriction, restrictions, restrictions_of_pools, shared_restrictions
from cutlist.optimization.search import keeps
from cutlist.planning.controllers import split_by_controller
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.model.cost import by_workload
from cutlist.planning.model.explanation import Explanation
from cutlist.planning.model.restrictions import PricedRestriction, RestrictionPrices
from cutlist.verbs.plan.answer import joint_plan
from cutlist.verbs.rightsizing import Rightsized, with_requests_of_one

MOST_RESTRICTIONS: Final = 60
"""How many restrictions are priced: each costs a plan."""
MOST_UNASKED: Final = 8
"""How many restrictions are priced for a small plan without being asked."""
MOST_DRIVERS: Final = 3
"""How many restrictions are named that cost most."""


def with_restriction_prices(plan: Plan, inputs: PlanInputs) -> Plan:
    """Return the plan of these inputs with what the restrictions of workloads and NodePools cost, and which cost most."""
    shared = [of for of in shared_restrictions(inputs) if len(of.objects) > 1]
    prices = _prices([*restrictions(inputs), *shared], plan, CandidateInputs(inputs))
    return replace(plan, restrictions=prices, drivers=drivers_among(prices.priced))


def with_drivers_of_few(plan: Plan, inputs: PlanInputs) -> Plan:
    """Return the plan with the restrictions that cost most of a few: those of NodePools and those that several workloads have
    in common, then those of the workloads that cause most of the price. What has no node in the plan is left out.
    """
    of_pools = restrictions_of_pools(inputs, {node.node_pool for node in plan.nodes})
    used = {pods.workload for node in plan.nodes for pods in node.pods}
    shared = (of for of in shared_restrictions(inputs) if not used.isdisjoint(of.objects))
    # Those of NodePools come first, so no more of them are made than may be priced.
    known = [*islice(of_pools, MOST_UNASKED), *shared]
    first = [known[number] for number in by_importance(known, plan)[:MOST_UNASKED]]
    return replace(plan, drivers=drivers_among(_prices(first, plan, CandidateInputs(inputs)).priced))


def drivers_among(priced: Sequence[PricedRestriction]) -> tuple[PricedRestriction, ...]:
    """Return the restrictions that cost most, each of another field or of other objects: a part of one that is named, or a
    whole of which a part is named, would be the same advice again."""
    drivers: list[PricedRestriction] = []
    for restriction in priced:
        if not any(_overlap(restriction, named) for named in drivers):
            drivers.append(restriction)
    return tuple(drivers[:MOST_DRIVERS])


def _overlap(one: PricedRestriction, other: PricedRestriction) -> bool:
    return one.field == other.field and not set(one.objects).isdisjoint(other.objects)


def with_prices_of_restrictions(
    explanations: Sequence[Explanation], inputs: PlanInputs, sized: Rightsized | None = None
) -> tuple[Explanation, ...]:
    """Return explanations of a workload with what its restrictions cost under each controller.

    Requests above measured use count as a restriction; `sized` are the inputs with requests by use, where there is any.
    """
    pools = split_by_controller(inputs.node_pools)
    return tuple(_explained(e, replace(inputs, node_pools=pools[e.controller]), sized) for e in explanations)


def _explained(explanation: Explanation, inputs: PlanInputs, sized: Rightsized | None) -> Explanation:
    own = [r for r in restrictions(inputs) if r.workload == explanation.workload]
    own += [] if sized is None else _of_requests(inputs, sized, explanation.workload)
    candidates = CandidateInputs(inputs)
    return replace(explanation, restrictions=_prices(own, joint_plan(candidates.parts(inputs)), candidates))


def _of_requests(inputs: PlanInputs, sized: Rightsized, workload: str) -> Iterator[Restriction]:
    """Yield the requests of a workload that measured use does not call for, as one restriction."""
    above = [(c, c.before) for c in sized.changes if c.workload == workload and c.before and c.before > c.after]
    if above:
        amounts = ((c.resource, amount_text(c.resource, before), amount_text(c.resource, c.after)) for c, before in above)
        parts = "; ".join(f"{written} {resource}, {used} by use" for resource, written, used in amounts)
        yield Restriction(f"requests of {workload} ({parts})", workload, with_requests_of_one(inputs, sized.inputs, workload))


def _prices(known: Sequence[Restriction], plan: Plan, candidates: CandidateInputs) -> RestrictionPrices:
    order = by_importance(known, plan)
    figures = (CostAndRisk.of(joint_plan(candidates.parts(known[n].without))) for n in order[:MOST_RESTRICTIONS])
    return restriction_prices([known[n] for n in order], figures, CostAndRisk.of(plan))


def by_importance(known: Sequence[Restriction], plan: Plan) -> list[int]:
    """Return the indexes of the restrictions that are worth a plan: those of NodePools first, then those of the workloads that
    cause most of the price."""
    causes: Mapping[str, int] = {cost.name: number for number, cost in enumerate(by_workload(plan))}
    rank = {n: causes.get(r.workload, len(causes)) if r.workload else -1 for n, r in enumerate(known)}
    return sorted(rank, key=rank.__getitem__)


def restriction_prices(known: Sequence[Restriction], without: Iterable[CostAndRisk], now: CostAndRisk) -> RestrictionPrices:
    """Return what restrictions cost, by the price of the plan without each of the first ones; none is priced if a node has no
    known price."""
    planned = [] if now.price is None else list(without)
    savings = zip(known, (_saved(figures, now) for figures in planned), strict=False)
    priced = [PricedRestriction(of.what, saved, of.objects, of.field) for of, saved in savings if saved > 0]
    return RestrictionPrices(tuple(sorted(priced, key=lambda p: (-p.price, p.what))), len(known) - len(planned))


def _saved(without: CostAndRisk, now: CostAndRisk) -> float:
    """Return what is saved, USD/hour; 0 where other pods stay pending or a price is unknown."""
    if without.price is None or now.price is None or not keeps(without, Allowances(), now):
        return 0.0
    return round(now.price - without.price, 10)
