"""Plans of variants of the same inputs: other NodePools, one restriction less, another circumstance.

Each process that plans has the inputs and what follows from them; a job says only what differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from cutlist.api import NodePool
from cutlist.core.labels import CAPACITY_TYPE, ON_DEMAND, SPOT, ZONE
from cutlist.optimization.allowances import Allowances
from cutlist.optimization.evaluation import CandidateInputs, CostAndRisk, Parts
from cutlist.optimization.first_pools import copy_limit, first_name, first_pool, pools_on
from cutlist.optimization.pool_terms import FirstPool, PoolTerms, labels_of, widened, with_requirement
from cutlist.optimization.restrictions import Restriction, restrictions
from cutlist.optimization.savings_plans import CommittedPlan, Rates, committed
from cutlist.optimization.search import Choice
from cutlist.optimization.tolerations import KeptFor, tolerable, tolerated, with_tolerations
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.verbs.plan.answer import joint_plan
from cutlist.workloads.scaled import at_range_end

ON_DEMAND_ONLY: Final[Mapping[str, object]] = {"key": CAPACITY_TYPE, "operator": "In", "values": [ON_DEMAND]}


class Variants:
    """Inputs, and what all their variants share."""

    def __init__(self, inputs: PlanInputs, allowances: Allowances) -> None:
        self._inputs, self._allowances = inputs, allowances
        self._pools = tuple(widened(pool, allowances) for pool in inputs.node_pools)
        copies = [first_pool(p, FirstPool(1, 1, PoolTerms())) for p in self._pools if copy_limit(p, self._pools) != 0]
        self._candidates = CandidateInputs(replace(inputs, node_pools=(*inputs.node_pools, *copies)))
        self._circumstances: dict[frozenset[str], tuple[Circumstance, ...]] = {}

    @cached_property
    def restrictions(self) -> tuple[Restriction, ...]:
        """Return every restriction of the inputs."""
        return tuple(restrictions(self._inputs))

    @property
    def widest(self) -> Parts:
        """Return the inputs of passes for the NodePools with everything that is allowed."""
        return self._candidates.parts(replace(self._inputs, node_pools=self._pools))

    def circumstances(self, zones: frozenset[str]) -> tuple[Circumstance, ...]:
        """Return every other circumstance; `zones` are those of the nodes of today's plan."""
        if zones not in self._circumstances:
            self._circumstances[zones] = tuple(circumstances(self._inputs, zones))
        return self._circumstances[zones]

    def kept_for(self, pool: str) -> tuple[KeptFor, ...]:
        """Return the pods that a copy of a NodePool may be kept for."""
        dedicated = tolerable(self._inputs, first_name(pool)) if self._allowances.workloads else ()
        own = {(taint.key, taint.effect) for p in self._pools if p.name == pool for taint in p.taints}
        kept = (*tolerated(self._inputs), *dedicated)
        return tuple(of for of in kept if (of.taint.key, of.taint.effect) not in own)

    def plan(self, inputs: PlanInputs) -> Plan:
        """Return the plan of a variant."""
        return joint_plan(self._candidates.parts(inputs))

    def chosen(self, choice: Choice) -> tuple[NodePool, ...]:
        """Return the NodePools of a choice, by name."""
        terms = dict(choice)
        chosen = (of for pool in self._pools for of in pools_on(pool, terms.get(pool.name, PoolTerms())))
        return tuple(sorted(chosen, key=lambda pool: pool.name))

    def with_choice(self, choice: Choice) -> CostAndRisk:
        """Return the figures of a choice of NodePools."""
        workloads = with_tolerations(self._inputs.workloads, kept_in(choice))
        return CostAndRisk.of(self.plan(replace(self._inputs, node_pools=self.chosen(choice), workloads=workloads)))

    def without_restriction(self, number: int) -> CostAndRisk:
        """Return the figures of the inputs without one restriction."""
        return CostAndRisk.of(self.plan(self.restrictions[number].without))

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

    def under_circumstance(self, which: tuple[frozenset[str], int]) -> CostAndRisk:
        """Return the figures of the inputs under one circumstance."""
        zones, number = which
        return CostAndRisk.of(self.plan(self.circumstances(zones)[number].inputs))


def kept_in(choice: Choice) -> tuple[KeptFor, ...]:
    """Return the pods that copies of a choice are kept for."""
    return tuple(terms.first.kept_for for _, terms in choice if terms.first is not None and terms.first.kept_for is not None)


def variants_of(value: tuple[PlanInputs, Allowances]) -> Variants:
    """Return the variants of inputs under allowances."""
    return Variants(*value)


@dataclass(frozen=True, slots=True)
class Circumstance:
    """A circumstance in words, and the inputs under it."""

    what: str
    inputs: PlanInputs


def circumstances(inputs: PlanInputs, zones: Iterable[str]) -> Iterator[Circumstance]:
    """Yield every circumstance with its inputs; `zones` are those of the nodes of the current plan."""
    yield Circumstance("all on-demand", _with_pools(inputs, ON_DEMAND_ONLY))
    yield Circumstance("all spot", _with_pools(inputs, {**ON_DEMAND_ONLY, "values": [SPOT]}))
    wider = tuple(widened(pool, Allowances(arm64=True)) for pool in inputs.node_pools)
    if wider != inputs.node_pools:
        yield Circumstance("arm64 allowed", replace(inputs, node_pools=wider))
    for what, end in (("autoscalers at their minimum", 0), ("autoscalers at their maximum", 1)):
        groups = at_range_end(inputs.workloads.groups, end)
        if groups != inputs.workloads.groups:
            yield Circumstance(what, replace(inputs, workloads=replace(inputs.workloads, groups=groups)))
    for zone in sorted(zones):
        yield Circumstance(f"without zone {zone}", _with_pools(inputs, {"key": ZONE, "operator": "NotIn", "values": [zone]}))


def _with_pools(inputs: PlanInputs, requirement: Mapping[str, object]) -> PlanInputs:
    return replace(inputs, node_pools=tuple(with_requirement(pool, requirement) for pool in inputs.node_pools))
