"""What a search for NodePools moves in: today's plan, the bound, the scenarios, the rules, and plans of variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from cutlist.api.capacitybuffer import CapacityBuffer
from cutlist.api.nodepool import NodePool
from cutlist.core.errors import InputError, Place
from cutlist.optimization.bound import bound_of
from cutlist.optimization.evaluation import CostAndRisk, more_pending
from cutlist.optimization.first_pools import first_name
from cutlist.optimization.front import Complexity
from cutlist.optimization.judging import Choice, Judge, Outlook, PoolChoice
from cutlist.optimization.plain_terms import simplicity
from cutlist.optimization.savings_plans import TERMS, CommittedPlan, Rates
from cutlist.optimization.tolerations import tolerant_workloads
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import BoundKind, Plan
from cutlist.planning.model.restrictions import RestrictionPrices
from cutlist.policy.gates import Gates
from cutlist.runners import Team, in_order
from cutlist.runners.runner import J
from cutlist.settings.planning import FILES, REGION
from cutlist.verbs.plan.restriction_prices import MOST_RESTRICTIONS, by_importance, restriction_prices
from cutlist.verbs.suggest.choices import choices_in, market_for
from cutlist.verbs.suggest.criteria import Criteria, chosen_scenarios
from cutlist.verbs.suggest.edit_parts import EditUnit, edit_units, parts_of, pools_with
from cutlist.verbs.suggest.edits import PoolEdit, edits_of
from cutlist.verbs.suggest.least_by_types import LeastByTypes
from cutlist.verbs.suggest.progress import SearchWatch
from cutlist.verbs.suggest.rule_check import RuleCheck
from cutlist.verbs.suggest.suggestions import EditPart, LeftPending, PoolCost, Refusal, Suggestion, TypeChoice, WhatIf
from cutlist.verbs.suggest.variants import Variants, kept_in

_REFUSED: Final = 8
"""How many refused candidates an answer has."""
_EQUAL: Final = 1e-6
"""The part of a price by which another has to be lower to count as cheaper."""


class Space:
    """Inputs, their plan, the bound, what may be varied, and the plans of variants, which a team makes.

    Raises InputError where there is nothing to place, or no price.
    """

    def __init__(
        self,
        inputs: PlanInputs,
        buffers: tuple[CapacityBuffer, ...],
        team: Team[Variants],
        bound: BoundKind,
        may_go_on: Callable[[], bool],
        may_prove: Callable[[], bool],
        criteria: Criteria,
        gates: Gates,
        day: date,
        watch: SearchWatch,
    ) -> None:
        self._inputs = inputs
        self._watch = watch
        self._buffers = buffers
        self._variants = team.state
        self._team = team
        self.now = self._variants.plan(inputs)
        self.current = self._variants.figures_of(self.now, inputs)
        _check(self.current)
        self.bound_kind = _kind_in_time(bound, may_prove)
        market = market_for(self._variants.widest, self.now.pods_apart, self.bound_kind)
        least = bound_of(market, self.bound_kind, lambda: may_go_on() and may_prove())
        self.outlook = self._outlook(criteria, least.price, may_go_on, may_prove)
        check = self._rules = RuleCheck(inputs, gates, day, criteria, self._variants.parts(inputs))
        self.choices = choices_in(market, self._variants, least.worth, check.variety, may_copy=not check.needs_limits)
        if self.bound_kind != "quick" and not criteria.settled:
            self.outlook = self._with_every_choice(lambda: may_go_on() and may_prove())
        self.judge = Judge(self.outlook, self._in_scenarios, self._broken_by)

    def _outlook(
        self, criteria: Criteria, bound_now: float, may_go_on: Callable[[], bool], may_prove: Callable[[], bool]
    ) -> Outlook:
        """Return the scenarios with what today's NodePools cost in each. One in which a node has no known price is left out."""
        zones = {zone for node in self.now.nodes for zone in node.zones if zone}
        now, *others = chosen_scenarios(self._inputs, zones, criteria)
        # A team takes each job when it can begin, so a bound is the quick one from the moment when the time for bounds is over.
        jobs = ((scenario, _kind_in_time(self.bound_kind, may_prove)) for scenario in others)
        planned = [outcome.value for outcome in in_order(self._team.outcomes(Variants.today_in, jobs, may_go_on))]
        known = [
            (scenario, today)
            for scenario, today in zip(others, planned, strict=False)
            if (today.figures.price is not None if scenario.weight else self._has_room(today.figures))
        ]
        return Outlook(
            (now, *(scenario for scenario, _ in known)),
            (self.current, *(today.figures for _, today in known)),
            (bound_now, *(today.bound for _, today in known)),
            quick=sum(scenario.weight > 0 and today.kind != self.bound_kind for scenario, today in known),
            unplanned=len(others) - len(planned),
        )

    def _with_every_choice(self, may_go_on: Callable[[], bool]) -> Outlook:
        """Return the outlook with higher bounds of those scenarios for which all choices of types can be gone through."""
        if self._inputs.node_groups or any(choices.firsts.kept_for for choices in self.choices):
            return self.outlook
        spot_types = {choices.pool: self._rules.least_spot_types(choices.pool) for choices in self.choices}
        least = LeastByTypes(self._variants, self.choices, spot_types)
        bounds, counted = list(self.outlook.bounds), set[int]()
        for number, (scenario, today) in enumerate(zip(self.outlook.scenarios, self.outlook.today, strict=True)):
            bound = least.in_scenario(scenario, dict(today.pending), may_go_on) if scenario.weight else None
            if bound is not None and bound > bounds[number]:
                bounds[number] = bound
                counted.add(number)
        return replace(self.outlook, bounds=tuple(bounds), counted=frozenset(counted))

    def _has_room(self, today: CostAndRisk) -> bool:
        """Tell whether today's NodePools have room for that many pods. Where they have not, it says little about an option how
        many wait."""
        return not more_pending(today, self.current)

    def _in_scenarios(self, choice: Choice, numbers: Sequence[int], may_go_on: Callable[[], bool]) -> Iterator[CostAndRisk]:
        jobs = [(choice, self.outlook.scenarios[number]) for number in numbers]
        return self._figures(Variants.in_scenario, jobs, may_go_on)

    def _broken_by(self, choice: Choice) -> tuple[str, ...]:
        inputs = self._variants.inputs_of(choice)
        return self._rules.broken(self._variants.parts(inputs), inputs)

    @property
    def unchanged(self) -> PoolChoice:
        """Return today's NodePools as a candidate."""
        return PoolChoice((), self.current, self.outlook.today[1:], self.outlook.expected)

    def evaluate(self, choices: Sequence[Choice], may_go_on: Callable[[], bool]) -> Iterator[CostAndRisk]:
        """Yield the figures of the exact plans of choices."""
        return self._watch.candidates(self._figures(Variants.with_choice, choices, may_go_on))

    def complexity(self, candidate: PoolChoice) -> Complexity:
        """Return how much a candidate asks people to read and to maintain."""
        suggestion = self.suggestion(candidate)
        copies, _, numbers, length = simplicity(candidate.choice)
        return copies, suggestion.edit_count, numbers, length

    def suggestion(self, candidate: PoolChoice) -> Suggestion:
        """Return a candidate as what changes in the given NodePools."""
        changed = self._changed(candidate)
        workloads = tolerant_workloads(self._inputs.documents, kept_in(candidate.choice))
        each = (candidate.figures, *candidate.elsewhere)
        prices = candidate.mean, self.outlook.worst(each)
        return Suggestion(
            candidate.figures, self._edits(changed), changed, self._buffers, workloads, *prices, candidate.elsewhere
        )

    def with_bounds(self, option: Suggestion, may_go_on: Callable[[], bool]) -> Suggestion:
        """Return an option with the bounds of the pods that it places, where it places more than today's NodePools do."""
        each = zip(self.outlook.scenarios, self.outlook.today, (option.figures, *option.elsewhere), strict=False)
        more = {
            number: then.pending
            for number, (scenario, today, then) in enumerate(each)
            if scenario.weight and then.pending_pods < today.pending_pods
        }
        if not more:
            return option
        bounds = list(self.outlook.bounds)
        for number, pending in more.items():
            kind = _kind_in_time(self.bound_kind, may_go_on)
            of_its_pods = self._variants.bound_in(self.outlook.scenarios[number], pending, kind)
            bounds[number] = max(bounds[number], of_its_pods)
        return replace(option, bounds=tuple(bounds))

    def _changed(self, candidate: PoolChoice) -> tuple[NodePool, ...]:
        if candidate.figures is self.current:
            return ()
        pools = {pool.name: pool for pool in self._inputs.node_pools}
        return tuple(pool for pool in self._variants.chosen(candidate.choice) if pools.get(pool.name) != pool)

    def _edits(self, changed: Sequence[NodePool]) -> tuple[PoolEdit, ...]:
        pools = {pool.name: pool for pool in self._inputs.node_pools}
        copied = {first_name(pool.name): pool for pool in self._inputs.node_pools}
        return tuple(edit for pool in changed for edit in edits_of(pools.get(pool.name), pool, copied.get(pool.name)))

    def explained(self, candidate: PoolChoice) -> Suggestion:
        """Return a candidate with what each edit saves now, how many types its NodePools may launch, and what they cost."""
        option = self.suggestion(candidate)
        costs = self._pools_cost(candidate, option)
        return replace(option, parts=self._parts_of(option), types=self._types_of(option), pools_cost=costs)

    def _pools_cost(self, candidate: PoolChoice, option: Suggestion) -> tuple[PoolCost, ...]:
        then = self._variants.plan(self._variants.inputs_of(candidate.choice)) if option.pools else self.now
        before, after = (_by_pool(plan) for plan in (self.now, then))
        names = sorted(before.keys() | after.keys())
        return tuple(PoolCost(name, before.get(name, 0.0), after.get(name, 0.0)) for name in names)

    def _types_of(self, option: Suggestion) -> tuple[TypeChoice, ...]:
        before, after = (
            {types.pool.name: types.mask.bit_count() for types in self._variants.allowed(pools)}
            for pools in (self._inputs.node_pools, option.pools)
        )
        return tuple(TypeChoice(name, before.get(name, 0), count) for name, count in sorted(after.items()))

    def _parts_of(self, option: Suggestion) -> tuple[EditPart, ...]:
        before = self._inputs.node_pools
        units = edit_units(before, option.pools)
        if option.workloads:
            return ()  # the taint of a copy and the tolerations of workloads are nothing without each other

        def price(made: tuple[EditUnit, ...]) -> float:
            if len(made) == len(units):
                return option.figures.price or 0.0
            pools = pools_with(before, option.pools, made)
            figures = CostAndRisk.of(self._variants.plan(replace(self._inputs, node_pools=pools)))
            return (self.current.price if not made else figures.price) or 0.0

        return tuple(map(EditPart, units, parts_of(units, price)))

    def refused(self, candidates: Sequence[PoolChoice]) -> tuple[Refusal, ...]:
        """Return the candidates that rules stop, the cheapest first: for each set of rules that they break only that one."""
        stopped = sorted((c for c in candidates if c.breaks and c.mean < self.outlook.expected), key=lambda c: c.mean)
        cheapest: dict[tuple[str, ...], PoolChoice] = {}
        for candidate in stopped:
            cheapest.setdefault(tuple(sorted({words.partition(":")[0] for words in candidate.breaks})), candidate)
        kept = list(cheapest.values())[:_REFUSED]
        return tuple(Refusal(c.figures, c.mean, self._edits(self._changed(c)), c.breaks) for c in kept)

    def left_pending(self, candidates: Sequence[PoolChoice], best: PoolChoice) -> LeftPending | None:
        """Return the candidates that cost less now than the best and were dropped because a scenario leaves pods pending."""
        most = (best.figures.lasting or 0.0) * (1 - _EQUAL)
        stopped = [(c.figures.lasting, c.waits_in, c.waiting) for c in candidates if c.waits_in is not None]
        cheaper = [(price, number, waiting) for price, number, waiting in stopped if price and price < most]
        if not cheaper:
            return None
        number = Counter(number for _, number, _ in cheaper).most_common(1)[0][0]
        waiting = Counter(name for _, n, names in cheaper if n == number for name in names)
        scenario, lowest = self.outlook.scenarios[number].what, min(price for price, *_ in cheaper)
        return LeftPending(len(cheaper), scenario, lowest, waiting.most_common(1)[0][0])

    def priced_restrictions(self, may_go_on: Callable[[], bool]) -> RestrictionPrices:
        """Return what restrictions cost, as many as there is time for."""
        known = self._variants.restrictions
        order = by_importance(known, self.now)
        priced = order[:MOST_RESTRICTIONS]
        figures = self._watch.restrictions(self._figures(Variants.without_restriction, priced, may_go_on), len(priced))
        return restriction_prices([known[n] for n in order], figures, self.current)

    def what_if(self, may_go_on: Callable[[], bool]) -> tuple[WhatIf, ...]:
        """Return the price of the given NodePools' plan under other circumstances, as long as there is time."""
        others = self._variants.circumstances
        planned = self._figures(Variants.under_circumstance, range(len(others)), may_go_on)
        return tuple(WhatIf(other.what, figures) for other, figures in zip(others, planned, strict=False))

    def what_if_committed(self, rates: Rates, may_go_on: Callable[[], bool]) -> tuple[WhatIf, ...]:
        """Return the price of the given NodePools' plan on demand under a savings plan, for each term with a rate for some
        node."""
        if not rates.rates or not may_go_on():
            return ()
        planned = self._variants.under_rates(rates)
        return tuple(
            WhatIf(_commitment_in_words(term, commitment), CostAndRisk.of(commitment.plan))
            for term, commitment in planned
            if commitment.unrated < commitment.plan.totals.nodes
        )

    def _figures(
        self, work: Callable[[Variants, J], CostAndRisk], jobs: Sequence[J], may_go_on: Callable[[], bool]
    ) -> Iterator[CostAndRisk]:
        """Yield the figures of variants, in their order."""
        return (outcome.value for outcome in in_order(self._team.outcomes(work, jobs, may_go_on)))


def _kind_in_time(kind: BoundKind, may_prove: Callable[[], bool]) -> BoundKind:
    """Return how a bound is proven: in the quick way where there is no time for another."""
    return kind if may_prove() else "quick"


def _by_pool(plan: Plan) -> dict[str, float]:
    """Return what the new nodes of each NodePool cost."""
    costs: dict[str, float] = {}
    for node in plan.nodes:
        costs[node.node_pool] = costs.get(node.node_pool, 0.0) + node.count * (node.price_with_disks or 0.0)
    return costs


def _commitment_in_words(term: str, commitment: CommittedPlan) -> str:
    """Return the circumstance of a commitment, with its sources and how many nodes have no rate."""
    sources = [*commitment.sources, *([f"{commitment.unrated:,} without a rate"] if commitment.unrated else [])]
    besides = f" ({'; '.join(sources)})" if sources else ""
    return f"all on-demand, {TERMS[term]} savings plan{besides}"


def _check(current: CostAndRisk) -> None:
    if not current.nodes:
        raise InputError.one(Place.of(FILES), "the plan launches no node, so there is nothing to make cheaper")
    if current.price is None:
        text = "some node of the plan has no known price, so prices cannot be compared"
        raise InputError.one(Place.of(REGION), text, "a region, or a catalogue, with prices for all types of the NodePools")
