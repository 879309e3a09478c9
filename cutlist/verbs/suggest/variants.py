"""Plans of variants of the same inputs: other NodePools, one restriction less, another circumstance.

Each process that plans has the inputs and what follows from them; a job says only what differs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.core.labels import CAPACITY_TYPE, ON_DEMAND, SPOT
from cutlist.optimization.allowances import Allowances
from cutlist.optimization.bound import bound_of
from cutlist.optimization.evaluation import CandidateInputs, CostAndRisk, Parts
from cutlist.optimization.first_pools import first_name, first_pool, may_have_copy, pools_on
from cutlist.optimization.judging import Choice
from cutlist.optimization.pool_supply import placed_market
from cutlist.optimization.pool_terms import FirstPool, PoolTerms, labels_of, widened, with_requirement, without_label
from cutlist.optimization.restrictions import Restriction, restrictions
from cutlist.optimization.savings_plans import CommittedPlan, Rates, committed
from cutlist.optimization.scenarios import Scenario
from cutlist.optimization.supply import Market
from cutlist.optimization.tolerations import KeptFor, tolerable, tolerated, with_tolerations
from cutlist.planning.allowed import AllowedTypes, allowed_types
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import BoundKind, Plan
from cutlist.verbs.plan.answer import joint_plan
from cutlist.verbs.plan.nodes_alone import nodes_and_pending
from cutlist.verbs.plan.settled import with_settled

ARM64_ALLOWED: Final = "arm64 allowed"
"""The circumstance that NodePools also allow arm64."""
ON_DEMAND_ONLY: Final[Mapping[str, object]] = {"key": CAPACITY_TYPE, "operator": "In", "values": [ON_DEMAND]}


class Variants:
    """Inputs, and what all their variants share."""

    def __init__(self, inputs: PlanInputs, allowances: Allowances, *, settled: bool = False) -> None:
        self._inputs, self._allowances, self._settled = inputs, allowances, settled
        self._pools = tuple(widened(pool, allowances) for pool in inputs.node_pools)
        copies = [first_pool(p, FirstPool(1, PoolTerms())) for p in self._pools if may_have_copy(p, self._pools)]
        self._named = replace(inputs, node_pools=(*inputs.node_pools, *copies))
        self._candidates = CandidateInputs(self._named)
        self._at_other_prices: dict[float, CandidateInputs] = {}
        self._made: dict[tuple[str, PoolTerms], tuple[NodePool, ...]] = {}
        self._bounds: dict[tuple[Market, BoundKind], float] = {}

    @cached_property
    def restrictions(self) -> tuple[Restriction, ...]:
        """Return every restriction of the inputs."""
        return tuple(restrictions(self._inputs))

    @property
    def widest(self) -> Parts:
        """Return the inputs of passes for the NodePools with everything that is allowed."""
        return self._candidates.parts(replace(self._inputs, node_pools=self._pools))

    @cached_property
    def circumstances(self) -> tuple[Circumstance, ...]:
        """Return every other circumstance."""
        return tuple(circumstances(self._inputs))

    def parts(self, inputs: PlanInputs) -> Parts:
        """Return the inputs of passes for a variant."""
        return self._candidates.parts(inputs)

    def kept_for(self, pool: str) -> tuple[KeptFor, ...]:
        """Return the pods that a copy of a NodePool may be kept for."""
        dedicated = tolerable(self._inputs, first_name(pool)) if self._allowances.workloads else ()
        own = {(taint.key, taint.effect) for p in self._pools if p.name == pool for taint in p.taints}
        kept = (*tolerated(self._inputs), *dedicated)
        return tuple(of for of in kept if (of.taint.key, of.taint.effect) not in own)

    def plan(self, inputs: PlanInputs) -> Plan:
        """Return the plan of a variant."""
        return joint_plan(self._candidates.parts(inputs))

    def figures(self, inputs: PlanInputs) -> CostAndRisk:
        """Return the figures of the plan of a variant."""
        return self._figures_in(self._candidates.parts(inputs), inputs)

    def _figures_in(self, parts: Parts, inputs: PlanInputs) -> CostAndRisk:
        return self.figures_of(self._planned(parts), inputs)

    def _planned(self, parts: Parts) -> Plan:
        return joint_plan(parts) if self._settled else nodes_and_pending(parts)

    def figures_of(self, planned: Plan, inputs: PlanInputs) -> CostAndRisk:
        """Return the figures of a plan of some inputs, with how often its spot nodes are interrupted, and the price once
        settled if that is asked for."""
        figures = CostAndRisk.of(planned, self._inputs.catalog.interruptions)
        if not self._settled or figures.price is None:
            return figures
        settled = with_settled(planned, inputs).settled
        return figures if settled is None else replace(figures, settled=settled.price)

    def allowed(self, pools: tuple[NodePool, ...]) -> list[AllowedTypes]:
        """Return the types that NodePools may launch."""
        parts = self.parts(replace(self._inputs, node_pools=pools)).values() if pools else ()
        return [types for part, ready in parts for types in allowed_types(part.node_pools, ready.tables, {})]

    def chosen(self, choice: Choice) -> tuple[NodePool, ...]:
        """Return the NodePools of a choice, by name."""
        terms = dict(choice)
        chosen = (of for pool in self._pools for of in self._on(pool, terms.get(pool.name, PoolTerms())))
        return tuple(sorted(chosen, key=lambda pool: pool.name))

    def _on(self, pool: NodePool, terms: PoolTerms) -> tuple[NodePool, ...]:
        # Each is validated when it is made, and planned in every scenario.
        if (pool.name, terms) not in self._made:
            self._made[pool.name, terms] = pools_on(pool, terms)
        return self._made[pool.name, terms]

    def inputs_of(self, choice: Choice) -> PlanInputs:
        """Return the inputs with a choice of NodePools."""
        workloads = with_tolerations(self._inputs.workloads, kept_in(choice))
        return replace(self._inputs, node_pools=self.chosen(choice), workloads=workloads)

    def with_choice(self, choice: Choice) -> CostAndRisk:
        """Return the figures of a choice of NodePools."""
        return self.figures(self.inputs_of(choice))

    def in_scenario(self, what: tuple[Choice | None, Scenario]) -> CostAndRisk:
        """Return the figures of a choice of NodePools in a scenario; of the given ones for None."""
        choice, scenario = what
        inputs = self._in(choice, scenario)
        return self._figures_in(self._parts_of(inputs, scenario), inputs)

    def parts_in(self, choice: Choice | None, scenario: Scenario, *, widest: bool = False) -> Parts:
        """Return the inputs of passes for a choice of NodePools in a scenario, or for the widest ones."""
        return self._parts_of(self._in(choice, scenario, widest=widest), scenario)

    def _in(self, choice: Choice | None, scenario: Scenario, *, widest: bool = False) -> PlanInputs:
        chosen = self._inputs if choice is None else self.inputs_of(choice)
        return scenario.on(replace(chosen, node_pools=self._pools) if widest else chosen)

    def _parts_of(self, inputs: PlanInputs, scenario: Scenario) -> Parts:
        if not scenario.has_other_nodes:
            return self._candidates.parts(inputs)
        if scenario.spot not in self._at_other_prices:
            self._at_other_prices[scenario.spot] = CandidateInputs(
                replace(self._named, catalog=inputs.catalog, figures=inputs.figures)
            )
        return self._at_other_prices[scenario.spot].parts(inputs)

    def without_restriction(self, number: int) -> CostAndRisk:
        """Return the figures of the inputs without one restriction."""
        return CostAndRisk.of(nodes_and_pending(self._candidates.parts(self.restrictions[number].without)))

    def under_rates(self, rates: Rates) -> list[tuple[str, CommittedPlan]]:
        """Return the plan with all nodes on demand, once for each term of some rates."""
        on_demand = tuple(with_requirement(pool, ON_DEMAND_ONLY) for pool in self._inputs.node_pools)
        inputs = replace(self._inputs, node_pools=on_demand)
        parts = self._candidates.parts(inputs)
        families = {
            t.name: t.requirements.single_values().get(labels_of(pool).family, "")
            for part, ready in parts.values()
            for pool in part.node_pools
            for t in ready.tables.of(pool.name, ready.passes.registry.well_known).types
        }
        plan = listed = joint_plan(parts)
        if inputs.figures.paid_prices is not None:
            at_list = replace(inputs, figures=replace(inputs.figures, paid_prices=None))
            listed = joint_plan(CandidateInputs(at_list).parts(at_list))
        return [(term, committed(plan, listed, families, rates, term)) for term in rates.terms]

    def under_circumstance(self, number: int) -> CostAndRisk:
        """Return the figures of the inputs under one circumstance."""
        return CostAndRisk.of(nodes_and_pending(self._candidates.parts(self.circumstances[number].inputs)))

    def today_in(self, what: tuple[Scenario, BoundKind]) -> TodayIn:
        """Return the figures of the given NodePools in a scenario, and what no packing of the same pods costs less than, by a
        bound of some kind."""
        scenario, kind = what
        inputs = self._in(None, scenario)
        planned = self._planned(self._parts_of(inputs, scenario))
        figures = self.figures_of(planned, inputs)
        if not scenario.weight:
            return TodayIn(figures, 0.0, kind)
        widest = self.parts_in(None, scenario, widest=True)
        ready = [of_controller for _, of_controller in widest.values()]
        market = placed_market(ready, planned.pods_apart, in_zones=kind != "quick", only_best=kind == "quick")
        return TodayIn(figures, self._bound(market, kind), kind)

    def bound_in(self, scenario: Scenario, pending: Iterable[tuple[str, int]], kind: BoundKind) -> float:
        """Return what no packing of the pods costs less than in a scenario, except those that stay pending, given as numbers of
        workloads, and those that node groups take today."""
        ready = [of_controller for _, of_controller in self.parts_in(None, scenario, widest=True).values()]
        planned = nodes_and_pending(self.parts_in(None, scenario))
        apart = Counter(planned.pods_apart)
        for pods in planned.pending:
            apart[pods.workload] -= pods.count
        for workload, count in pending:
            apart[workload] += count
        return self._bound(placed_market(ready, +apart, in_zones=kind != "quick", only_best=kind == "quick"), kind)

    def _bound(self, market: Market, kind: BoundKind) -> float:
        # Where nodes cost the same in every zone, the markets without each of them are equal.
        if (market, kind) not in self._bounds:
            self._bounds[market, kind] = bound_of(market, kind).price
        return self._bounds[market, kind]


@dataclass(frozen=True, slots=True)
class TodayIn:
    """The figures of the given NodePools in a scenario, and a price in USD/hour that no packing can beat, with how that is
    proven; 0 where the price does not count."""

    figures: CostAndRisk
    bound: float
    kind: BoundKind


def kept_in(choice: Choice) -> tuple[KeptFor, ...]:
    """Return the pods that copies of a choice are kept for."""
    return tuple(terms.first.kept_for for _, terms in choice if terms.first is not None and terms.first.kept_for is not None)


def variants_of(value: tuple[PlanInputs, Allowances] | tuple[PlanInputs, Allowances, bool]) -> Variants:
    """Return the variants of inputs under allowances, if asked for with the prices once settled."""
    inputs, allowances, *settled = value
    return Variants(inputs, allowances, settled=any(settled))


@dataclass(frozen=True, slots=True)
class Circumstance:
    """A circumstance in words, and the inputs under it."""

    what: str
    inputs: PlanInputs


def circumstances(inputs: PlanInputs) -> Iterator[Circumstance]:
    """Yield every other circumstance with its inputs."""
    yield Circumstance("all on-demand", _with_pools(inputs, ON_DEMAND_ONLY))
    yield Circumstance("all spot", _with_pools(inputs, {**ON_DEMAND_ONLY, "values": [SPOT]}))
    wider = tuple(widened(pool, Allowances(arm64=True)) for pool in inputs.node_pools)
    if wider != inputs.node_pools:
        yield Circumstance(ARM64_ALLOWED, replace(inputs, node_pools=wider))


def _with_pools(inputs: PlanInputs, requirement: Mapping[str, object]) -> PlanInputs:
    pools = (without_label(pool, str(requirement["key"])) for pool in inputs.node_pools)
    return replace(inputs, node_pools=tuple(with_requirement(pool, requirement) for pool in pools))
