"""Find the cheapest NodePools for some workloads that still keep their rules, and how far they are from the best possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cutlist.api import CapacityBuffer, NodePool
from cutlist.core.errors import InputError, Place
from cutlist.optimization.allowances import Allowances
from cutlist.optimization.bound import bound_of
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.optimization.first_pools import first_name
from cutlist.optimization.front import pareto_front, recommended, spread_out
from cutlist.optimization.savings_plans import TERMS, CommittedPlan, Rates
from cutlist.optimization.search import Choice, PoolChoice, SearchBudget, keeps, search
from cutlist.optimization.spare import with_spare
from cutlist.optimization.tolerations import TolerantWorkload, tolerant_workloads
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import BoundKind
from cutlist.planning.model.restrictions import PricedRestriction, RestrictionPrices
from cutlist.runners import InProcess, Runner, Team, in_order
from cutlist.runners.runner import J
from cutlist.settings.planning import FILES, REGION
from cutlist.settings.suggest import BOUND, KEEP, MAX_NODES, MIN_NODES, PLANS, SEED, SPARE
from cutlist.verbs.plan.restriction_prices import MOST_RESTRICTIONS, by_importance, restriction_prices
from cutlist.verbs.rightsizing import UsageSavings
from cutlist.verbs.suggest.choices import choices_in, market_for
from cutlist.verbs.suggest.edits import PoolEdit, Written, edits_of
from cutlist.verbs.suggest.variants import Variants, kept_in, variants_of


@dataclass(frozen=True, slots=True)
class Suggestion:
    """NodePools to use instead of the given ones: the price of their plan, what changes, and the changed objects.

    `buffers` keep the spare room that was demanded; every option has the same ones. `workloads` are made to tolerate the taint
    of a copy that is kept for them.
    """

    figures: CostAndRisk
    edits: tuple[PoolEdit, ...]
    pools: tuple[NodePool, ...]
    buffers: tuple[CapacityBuffer, ...] = ()
    workloads: tuple[TolerantWorkload, ...] = ()

    @property
    def edit_count(self) -> int:
        """Return how many terms of NodePools and how many workloads change."""
        return len(self.edits) + len(self.workloads)

    @property
    def sets_limits(self) -> bool:
        """Tell whether a NodePool gets a limit; it fits only the current replicas."""
        return any(edit.is_limit for edit in self.edits)

    @property
    def written(self) -> tuple[Written, ...]:
        """Return what is changed or new: NodePools, buffers, workloads."""
        return (*self.pools, *self.buffers, *self.workloads)

    @property
    def manifests(self) -> tuple[dict[str, Any], ...]:
        """Return the same as objects."""
        return tuple(of.manifest() for of in self.written)


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The price of the given NodePools' plan under another circumstance."""

    what: str
    figures: CostAndRisk


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The cheapest NodePools that were found, and how far they are from the best possible.

    `bound` is USD/hour: no packing of the pods on allowed nodes costs less; `bound_kind` is how that is proven.
    `options` are cheapest first, `recommended` is the place of one among them and `why` the reason. `plans` is how many were
    made; `is_complete` says that the search ended because nothing was left to try. Of restrictions only so many are priced,
    or as many as time allows: the `unpriced` ones are not. `usage` is what requests by measured use save, where these count.
    """

    region: str
    current: CostAndRisk
    bound: float
    options: tuple[Suggestion, ...]
    recommended: int
    why: str
    restrictions: tuple[PricedRestriction, ...]
    unpriced: int
    what_if: tuple[WhatIf, ...]
    plans: int
    is_complete: bool
    usage: UsageSavings | None = None
    bound_kind: BoundKind = BOUND.default

    def above_bound(self, figures: CostAndRisk) -> float | None:
        """Return by which fraction of the bound a price exceeds it, or None without one."""
        return None if figures.price is None or not self.bound else figures.price / self.bound - 1


def suggest(
    inputs: PlanInputs,
    allowances: Allowances,
    *,
    plans: int = PLANS.default,
    seed: int = SEED.default,
    may_go_on: Callable[[], bool] = lambda: True,
    runner: Runner = InProcess(),  # noqa: B008 - it holds nothing
    bound: BoundKind = BOUND.default,
    rates: Rates = Rates(),  # noqa: B008 - it is frozen
) -> Suggestions:
    """Return NodePools whose plan costs less, each with the price that `plan` gives for them.

    `plans` is how many candidates are planned at most; the search ends early when `may_go_on` says so. `runner` is where
    candidates are planned, and `bound` is how the least possible price is proven; `rates` are those of savings plans, for
    what all nodes would cost on demand under them. The same inputs, seed and number of plans give the same answer with every
    runner. Raises InputError where there is nothing to place, or no price.

    >>> from cutlist import Allowances, read_inputs, suggest
    >>> inputs = read_inputs(["examples/shop/pools.yaml", "examples/shop/workloads.yaml"], region="us-west-2")
    >>> cheaper = suggest(inputs, Allowances(arm64=True), plans=1)
    >>> cheaper.current.price > cheaper.options[0].figures.price >= cheaper.bound
    True
    >>> cheaper.options[0].edits[0].words
    'NodePool general: kubernetes.io/arch In amd64 becomes In amd64, arm64'
    """
    if allowances.spare and allowances.workloads:
        text = "the pods that keep spare room are copies of the workloads, which then may not change"
        raise InputError.one(Place.of(SPARE), text, "one of the two: spare room, or changed workloads")
    inputs, buffers = with_spare(inputs, allowances.spare)
    with runner.team(variants_of, (inputs, allowances)) as team:
        space = _Space(inputs, buffers, team, bound, may_go_on)
        suggestions = _suggestions(space, allowances, SearchBudget(plans, may_go_on), seed)
        return replace(suggestions, what_if=(*suggestions.what_if, *space.what_if_committed(rates, may_go_on)))


def _suggestions(space: _Space, allowances: Allowances, budget: SearchBudget, seed: int) -> Suggestions:
    current = space.current
    candidates = search(space.choices, space.evaluate, allowances, current, budget, seed)
    worth_having = _worth_having(candidates, allowances, current)
    front = pareto_front(worth_having)
    if not front:
        raise _nothing_keeps(allowances, current)
    best, why = recommended(front, worth_having, current, lambda candidate: space.suggestion(candidate).edit_count)
    shown = spread_out(front, best)
    restrictions = space.priced_restrictions(budget.may_go_on)
    return Suggestions(
        region=space.now.region,
        current=current,
        bound=space.bound,
        bound_kind=space.bound_kind,
        options=tuple(space.suggestion(candidate) for candidate in shown),
        recommended=shown.index(best),
        why=why,
        restrictions=restrictions.priced,
        unpriced=restrictions.unpriced,
        what_if=space.what_if(budget.may_go_on),
        plans=len(candidates),
        is_complete=len(candidates) < budget.plans and budget.may_go_on(),
    )


class _Space:
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
    ) -> None:
        self._inputs = inputs
        self._buffers = buffers
        self._variants = team.state
        self._team = team
        self.now = self._variants.plan(inputs)
        self.current = CostAndRisk.of(self.now)
        _check(self.current)
        self.bound_kind: BoundKind = bound
        market = market_for(self._variants.widest, self.now.pods_apart)
        least = bound_of(market, bound, may_go_on)
        self.bound, self.choices = least.price, choices_in(market, self._variants, least.worth)

    def evaluate(self, choices: Sequence[Choice], may_go_on: Callable[[], bool]) -> Iterator[CostAndRisk]:
        """Yield the figures of the exact plans of choices."""
        return self._figures(Variants.with_choice, choices, may_go_on)

    def suggestion(self, candidate: PoolChoice) -> Suggestion:
        """Return a candidate as what changes in the given NodePools."""
        pools = {pool.name: pool for pool in self._inputs.node_pools}
        copied = {first_name(pool.name): pool for pool in self._inputs.node_pools}
        changed = [pool for pool in self._variants.chosen(candidate.choice) if pools.get(pool.name) != pool]
        edits = tuple(edit for pool in changed for edit in edits_of(pools.get(pool.name), pool, copied.get(pool.name)))
        workloads = tolerant_workloads(self._inputs.documents, kept_in(candidate.choice))
        return Suggestion(candidate.figures, edits, tuple(changed), self._buffers, workloads)

    def priced_restrictions(self, may_go_on: Callable[[], bool]) -> RestrictionPrices:
        """Return what restrictions cost, as many as there is time for."""
        known = self._variants.restrictions
        order = by_importance(known, self.now)
        figures = self._figures(Variants.without_restriction, order[:MOST_RESTRICTIONS], may_go_on)
        return restriction_prices([known[n] for n in order], figures, self.current)

    def what_if(self, may_go_on: Callable[[], bool]) -> tuple[WhatIf, ...]:
        """Return the price of the given NodePools' plan under other circumstances, as long as there is time."""
        zones = frozenset(zone for node in self.now.nodes for zone in node.zones if zone)
        others = self._variants.circumstances(zones)
        planned = self._figures(Variants.under_circumstance, [(zones, n) for n in range(len(others))], may_go_on)
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


def _commitment_in_words(term: str, commitment: CommittedPlan) -> str:
    """Return the circumstance of a commitment, with its sources and how many nodes have no rate."""
    sources = [*commitment.sources, *([f"{commitment.unrated:,} without a rate"] if commitment.unrated else [])]
    besides = f" ({'; '.join(sources)})" if sources else ""
    return f"all on-demand, {TERMS[term]} savings plan{besides}"


def _worth_having(candidates: Sequence[PoolChoice], allowances: Allowances, current: CostAndRisk) -> list[PoolChoice]:
    """Return the candidates that keep what has to be kept and cost no more than the current NodePools, if these keep it as
    well. Candidates that change nothing are left out, unless there is nothing else.
    """
    kept = [c for c in candidates if keeps(c.figures, allowances, current)]
    if not keeps(current, allowances, current):
        return kept
    better = [c for c in kept if c.figures.price is not None and c.figures.price <= (current.price or 0.0)]
    return [c for c in better if c.figures != current] or better[:1]


def _nothing_keeps(allowances: Allowances, current: CostAndRisk) -> InputError:
    """Return the error that no candidate keeps what has to be kept."""
    if allowances.keep:
        text = f"no plan of those that were made keeps {', '.join(sorted(allowances.keep))}, and the bounds on nodes"
        return InputError.one(Place.of(KEEP), text, "fewer of them, or more plans")
    text = "none of the plans has that many nodes"
    return InputError.one(Place.of(MIN_NODES, MAX_NODES), text, f"such as today's {current.nodes:,}")


def _check(current: CostAndRisk) -> None:
    if not current.nodes:
        raise InputError.one(Place.of(FILES), "the plan launches no node, so there is nothing to make cheaper")
    if current.price is None:
        text = "some node of the plan has no known price, so prices cannot be compared"
        raise InputError.one(Place.of(REGION), text, "a region, or a catalogue, with prices for all types of the NodePools")
