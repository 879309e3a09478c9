"""The cheapest NodePools for some workloads that still keep their rules, and how far from the best possible they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Final

from cutlist.answers.edited_texts import EditedText, edit_text
from cutlist.answers.plan import joint_plan
from cutlist.answers.rightsizing import UsageSavings
from cutlist.api import NodePool
from cutlist.core.errors import InputError, Place
from cutlist.documents import Document, SourceText
from cutlist.optimization.allowances import Allowances
from cutlist.optimization.bound import bounds_of, market_of
from cutlist.optimization.candidates import PoolChoices, pool_choices
from cutlist.optimization.demand import placed_demands
from cutlist.optimization.efficiency import efficiencies
from cutlist.optimization.evaluation import CandidateInputs, CostAndRisk, Parts
from cutlist.optimization.front import pareto_front, recommended, spread_out
from cutlist.optimization.pool_terms import widened
from cutlist.optimization.restrictions import restrictions
from cutlist.optimization.search import Budget, Candidate, Choice, keeps, search
from cutlist.optimization.what_if import circumstances
from cutlist.planning.allowed import allowed_types
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.model.cost import by_workload

MOST_RESTRICTIONS: Final = 60
"""How many restrictions are priced: each costs a plan."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one label's requirements in a NodePool: what they are and what they become, each in words; empty for none."""

    node_pool: str
    key: str
    before: str
    after: str

    @property
    def words(self) -> str:
        """Return the change in one line."""
        change = (
            f"{self.before} becomes {self.after}" if self.before and self.after else self.after or f"no longer {self.before}"
        )
        return f"NodePool {self.node_pool}: {self.key} {change}"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """NodePools to have instead of the given ones: what their plan comes to, what changes, and the changed objects."""

    figures: CostAndRisk
    edits: tuple[Edit, ...]
    pools: tuple[NodePool, ...]

    @property
    def manifests(self) -> tuple[dict[str, Any], ...]:
        """Return the changed NodePools as objects."""
        return tuple(pool.manifest() for pool in self.pools)


@dataclass(frozen=True, slots=True)
class PricedRestriction:
    """What a restriction costs in USD/hour: the price of the plan with it, less that of the plan without it alone."""

    what: str
    price: float


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What the given NodePools come to under another circumstance."""

    what: str
    figures: CostAndRisk


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The cheapest NodePools that were found, and how far they are from the best possible.

    `bound` is USD/hour: no packing of the pods on nodes that are allowed costs less. `options` are cheapest first,
    `recommended` is the place of one among them and `why` the reason. `plans` is how many were made; `is_complete` says that
    the search ended because nothing was left to try. Of restrictions only so many are priced, or as many as time allows: the
    `unpriced` ones are not. `usage` is what requests by measured use save, where these count.
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

    def above_bound(self, figures: CostAndRisk) -> float | None:
        """Return by which part of the bound a price is above it, or None without one."""
        return None if figures.price is None or not self.bound else figures.price / self.bound - 1


def suggest(
    inputs: PlanInputs,
    allowances: Allowances,
    *,
    plans: int = 300,
    seed: int = 1,
    may_go_on: Callable[[], bool] = lambda: True,
) -> Suggestions:
    """Return NodePools whose plan costs less, each with the price that `plan` gives for them.

    `plans` is how many candidates are planned at most; the search ends early when `may_go_on` says so. The same inputs, seed
    and number of plans give the same answer. Raises InputError where there is nothing to place, or no price.

    >>> from cutlist import Allowances, read_inputs, suggest
    >>> inputs = read_inputs(["docs/examples/pools.yaml", "docs/examples/app.yaml"], region="us-west-2")
    >>> cheaper = suggest(inputs, Allowances(arm64=True), plans=1)
    >>> cheaper.current.price > cheaper.options[0].figures.price >= cheaper.bound
    True
    >>> cheaper.options[0].edits[0].words
    'NodePool general: kubernetes.io/arch In amd64 becomes In amd64, arm64'
    """
    space = _Space(inputs, allowances)
    current = space.current
    found = search(space.choices, space.evaluate, allowances, current.pending, Budget(plans, may_go_on), seed)
    front = spread_out(pareto_front(_worth_having(found, allowances, current)))
    if not front:
        text = "no plan of those that were made has so many nodes"
        raise InputError.one(Place(path="nodes"), text, f"such as the {current.nodes:,} of now")
    best, why = recommended(front)
    restrictions, unpriced = space.priced_restrictions(may_go_on)
    return Suggestions(
        region=space.now.region,
        current=current,
        bound=space.bound,
        options=tuple(space.suggestion(candidate) for candidate in front),
        recommended=best,
        why=why,
        restrictions=restrictions,
        unpriced=unpriced,
        what_if=space.what_if(may_go_on),
        plans=len(found),
        is_complete=len(found) < plans and may_go_on(),
    )


class _Space:
    """Inputs, their plan, the NodePools with everything that is allowed, and the plans of choices within them.

    Raises InputError where there is nothing to place, or no price.
    """

    def __init__(self, inputs: PlanInputs, allowances: Allowances) -> None:
        self._given = inputs
        self._candidates = CandidateInputs(inputs)
        self.now = self._plan(inputs)
        self.current = CostAndRisk.of(self.now)
        _check(self.current)
        self._pools = tuple(widened(pool, allowances) for pool in inputs.node_pools)
        parts = self._candidates.parts(replace(inputs, node_pools=self._pools))
        self.bound, self.choices = _bound_and_choices(parts, dict(self.current.pending))

    def evaluate(self, choice: Choice) -> CostAndRisk:
        """Return what the exact plan of a choice comes to."""
        return CostAndRisk.of(self._plan(replace(self._given, node_pools=self._chosen(choice))))

    def suggestion(self, candidate: Candidate) -> Suggestion:
        """Return a candidate as what changes in the given NodePools."""
        both = zip(self._given.node_pools, self._chosen(candidate.choice), strict=True)
        changed = [(before, after) for before, after in both if before != after]
        edits = tuple(edit for before, after in changed for edit in _edits(before, after))
        return Suggestion(candidate.figures, edits, tuple(after for _, after in changed))

    def priced_restrictions(self, may_go_on: Callable[[], bool]) -> tuple[tuple[PricedRestriction, ...], int]:
        """Return what restrictions cost, the most expensive first, and how many are not priced.

        Those of NodePools are planned first, then those of the workloads that cause most of the price. What costs nothing is
        left out.
        """
        causes = {cost.name: number for number, cost in enumerate(by_workload(self.now))}
        ordered = sorted(restrictions(self._given), key=lambda r: causes.get(r.workload, len(causes)) if r.workload else -1)
        planned = list(takewhile(lambda _: may_go_on(), ordered[:MOST_RESTRICTIONS]))
        priced = [PricedRestriction(r.what, saved) for r in planned if (saved := self._saved(r.without)) > 0]
        return tuple(sorted(priced, key=lambda p: (-p.price, p.what))), len(ordered) - len(planned)

    def what_if(self, may_go_on: Callable[[], bool]) -> tuple[WhatIf, ...]:
        """Return what the given NodePools come to under other circumstances, as long as there is time."""
        zones = {zone for node in self.now.nodes for zone in node.zones if zone}
        others = takewhile(lambda _: may_go_on(), circumstances(self._given, zones))
        return tuple(WhatIf(other.what, CostAndRisk.of(self._plan(other.inputs))) for other in others)

    def _saved(self, without: PlanInputs) -> float:
        """Return what inputs cost less than now, USD/hour; 0 where other pods stay pending or a price is unknown."""
        figures = CostAndRisk.of(self._plan(without))
        if figures.price is None or self.current.price is None or not keeps(figures, Allowances(), self.current.pending):
            return 0.0
        return round(self.current.price - figures.price, 10)

    def _plan(self, inputs: PlanInputs) -> Plan:
        return joint_plan(self._candidates.parts(inputs))

    def _chosen(self, choice: Choice) -> tuple[NodePool, ...]:
        terms = dict(choice)
        return tuple(terms[pool.name].on(pool) if pool.name in terms else pool for pool in self._pools)


def _bound_and_choices(parts: Parts, pending: Mapping[str, int]) -> tuple[float, list[PoolChoices]]:
    """Return the bound for the pods that get a node now, and what may be varied on each NodePool that may serve some."""
    ready = [of_controller for _, of_controller in parts.values()]
    market = market_of(ready, placed_demands(ready[0].passes, pending))
    bound, worth = bounds_of(market)
    values = efficiencies(market, market.options, worth)
    allowed = [a for part, of_controller in parts.values() for a in allowed_types(part.node_pools, of_controller.tables, {})]
    used = {option.node_pool for option in market.options}
    return bound, [pool_choices(a.pool, a.types, market.options, values) for a in allowed if a.pool.name in used]


def _worth_having(found: Sequence[Candidate], allowances: Allowances, current: CostAndRisk) -> list[Candidate]:
    """Return the candidates that keep what has to be kept and cost no more than now, if what is there now keeps it as well.

    What comes to the same as now is left out, unless there is nothing else.
    """
    kept = [c for c in found if keeps(c.figures, allowances, current.pending)]
    if not keeps(current, allowances, current.pending):
        return kept
    better = [c for c in kept if c.figures.price is not None and c.figures.price <= (current.price or 0.0)]
    return [c for c in better if c.figures != current] or better[:1]


def written(suggestion: Suggestion, file: SourceText) -> EditedText:
    """Return a text with the NodePools of a suggestion in place of those that it has under their names."""
    pools = {pool.name: pool.manifest()["spec"]["template"]["spec"]["requirements"] for pool in suggestion.pools}

    def changed(document: Document) -> Mapping[str, Any] | None:
        if document.kind != NodePool.KIND or document.name not in pools:
            return None
        data = document.data
        template = data["spec"]["template"]
        inner = {**template["spec"], "requirements": pools[document.name]}
        return {**data, "spec": {**data["spec"], "template": {**template, "spec": inner}}}

    return edit_text(file, changed)


def _edits(before: NodePool, after: NodePool) -> list[Edit]:
    keys = list(dict.fromkeys(e.key for pool in (before, after) for e in pool.requirements))
    edits = [Edit(after.name, key, _in_words(before, key), _in_words(after, key)) for key in keys]
    return [edit for edit in edits if edit.before != edit.after]


def _in_words(pool: NodePool, key: str) -> str:
    return " and ".join(f"{e.operator} {', '.join(e.values)}".strip() for e in pool.requirements if e.key == key)


def _check(current: CostAndRisk) -> None:
    if not current.nodes:
        raise InputError.one(Place(path="inputs"), "the plan launches no node, so there is nothing to make cheaper")
    if current.price is None:
        text = "some node of the plan has no known price, so prices cannot be compared"
        raise InputError.one(Place(path="region"), text, "a region, or a catalogue, with prices for all types of the NodePools")
