"""The cheapest NodePools for some workloads that still keep their rules, and how far from the best possible they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Final

from cutlist.answers.edited_texts import EditedText, edit_text
from cutlist.answers.plan import joint_plan, plan
from cutlist.answers.rightsizing import UsageSavings
from cutlist.api import NodePool
from cutlist.core.errors import InputError, Place
from cutlist.documents import Document, SourceText
from cutlist.optimization.allowances import Allowances
from cutlist.optimization.bound import bounds_of, market_of
from cutlist.optimization.candidates import PoolChoices, pool_choices
from cutlist.optimization.demand import placed_demands
from cutlist.optimization.efficiency import efficiencies
from cutlist.optimization.evaluation import CandidateInputs, Figures, Parts
from cutlist.optimization.front import pareto_front, recommended, spread_out
from cutlist.optimization.pool_terms import widened
from cutlist.optimization.restrictions import restrictions
from cutlist.optimization.search import Budget, Candidate, Choice, keeps, search
from cutlist.optimization.what_if import circumstances
from cutlist.planning.allowed import allowed_types
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan

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

    figures: Figures
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
    figures: Figures


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The cheapest NodePools that were found, and how far they are from the best possible.

    `bound` is USD/hour: no packing of the pods on nodes that are allowed costs less. `options` are cheapest first,
    `recommended` is the place of one among them and `why` the reason. `plans` is how many were made; `is_complete` says that
    the search ended because nothing was left to try. `usage` is what requests by measured use save, where these count.
    """

    region: str
    current: Figures
    bound: float
    options: tuple[Suggestion, ...]
    recommended: int
    why: str
    restrictions: tuple[PricedRestriction, ...]
    what_if: tuple[WhatIf, ...]
    plans: int
    is_complete: bool
    usage: UsageSavings | None = None

    def above_bound(self, figures: Figures) -> float | None:
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
    before = plan(inputs)
    current = Figures.of(before)
    _check(current)
    space = _Space(inputs, allowances, dict(current.pending))
    found = search(space.choices, space.evaluate, allowances, current.pending, Budget(plans, may_go_on), seed)
    front = spread_out(pareto_front(_worth_having(found, allowances, current)))
    if not front:
        text = "no plan of those that were made keeps the bounds on nodes"
        raise InputError.one(Place(path="--min-nodes and --max-nodes"), text, f"such as the {current.nodes:,} nodes of now")
    best, why = recommended(front)
    return Suggestions(
        region=before.region,
        current=current,
        bound=space.bound,
        options=tuple(space.suggestion(candidate) for candidate in front),
        recommended=best,
        why=why,
        restrictions=_priced(inputs, current, may_go_on),
        what_if=_what_if(inputs, before, may_go_on),
        plans=len(found),
        is_complete=len(found) < plans and may_go_on(),
    )


class _Space:
    """The NodePools with everything that is allowed, and the plans of choices within them."""

    def __init__(self, inputs: PlanInputs, allowances: Allowances, pending: Mapping[str, int]) -> None:
        self._given = {pool.name: pool for pool in inputs.node_pools}
        self._pools = tuple(widened(pool, allowances) for pool in inputs.node_pools)
        self._candidates = CandidateInputs(replace(inputs, node_pools=self._pools))
        parts = self._candidates.parts(self._pools)
        self.bound, self.choices = _bound_and_choices(parts, pending)

    def evaluate(self, choice: Choice) -> Figures:
        """Return what the exact plan of a choice comes to."""
        return Figures.of(joint_plan(self._candidates.parts(self._chosen(choice))))

    def suggestion(self, candidate: Candidate) -> Suggestion:
        """Return a candidate as what changes in the given NodePools."""
        changed = [pool for pool in self._chosen(candidate.choice) if pool != self._given[pool.name]]
        edits = tuple(edit for pool in changed for edit in _edits(self._given[pool.name], pool))
        return Suggestion(candidate.figures, edits, tuple(changed))

    def _chosen(self, choice: Choice) -> list[NodePool]:
        terms = dict(choice)
        return [terms[pool.name].on(pool) if pool.name in terms else pool for pool in self._pools]


def _bound_and_choices(parts: Parts, pending: Mapping[str, int]) -> tuple[float, list[PoolChoices]]:
    """Return the bound for the pods that get a node now, and what may be varied on each NodePool that may serve some."""
    ready = [of_controller for _, of_controller in parts.values()]
    market = market_of(ready, placed_demands(ready[0].passes, pending))
    bound, worth = bounds_of(market)
    values = efficiencies(market, market.options, worth)
    allowed = [a for part, of_controller in parts.values() for a in allowed_types(part.node_pools, of_controller.tables, {})]
    used = {option.node_pool for option in market.options}
    return bound, [pool_choices(a.pool, a.types, market.options, values) for a in allowed if a.pool.name in used]


def _worth_having(found: Sequence[Candidate], allowances: Allowances, current: Figures) -> list[Candidate]:
    """Return the candidates that keep what has to be kept and cost no more than now, if what is there now keeps it as well.

    What comes to the same as now is left out, unless there is nothing else.
    """
    kept = [c for c in found if keeps(c.figures, allowances, current.pending)]
    if not keeps(current, allowances, current.pending):
        return kept
    better = [c for c in kept if c.figures.price is not None and c.figures.price <= (current.price or 0.0)]
    return [c for c in better if c.figures != current] or better[:1]


def _priced(inputs: PlanInputs, current: Figures, may_go_on: Callable[[], bool]) -> tuple[PricedRestriction, ...]:
    """Return what each restriction costs, the most expensive first; those that cost nothing are left out."""
    priced = []
    for number, restriction in enumerate(restrictions(inputs)):
        if number == MOST_RESTRICTIONS or not may_go_on():
            break
        without = Figures.of(plan(restriction.without))
        if without.price is not None and current.price is not None and not set(without.pending) - set(current.pending):
            saved = round(current.price - without.price, 10)
            if saved > 0:
                priced.append(PricedRestriction(restriction.what, saved))
    return tuple(sorted(priced, key=lambda p: (-p.price, p.what)))


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


def _what_if(inputs: PlanInputs, now: Plan, may_go_on: Callable[[], bool]) -> tuple[WhatIf, ...]:
    """Return what the given NodePools come to under other circumstances, as long as there is time."""
    zones = {zone for node in now.nodes for zone in node.zones if zone}
    others = takewhile(lambda _: may_go_on(), circumstances(inputs, zones))
    return tuple(WhatIf(other.what, Figures.of(plan(other.inputs))) for other in others)


def _edits(before: NodePool, after: NodePool) -> list[Edit]:
    keys = list(dict.fromkeys(e.key for pool in (before, after) for e in pool.requirements))
    edits = [Edit(after.name, key, _in_words(before, key), _in_words(after, key)) for key in keys]
    return [edit for edit in edits if edit.before != edit.after]


def _in_words(pool: NodePool, key: str) -> str:
    return " and ".join(f"{e.operator} {', '.join(e.values)}".strip() for e in pool.requirements if e.key == key)


def _check(current: Figures) -> None:
    if not current.nodes:
        raise InputError.one(Place(path="-f"), "the plan launches no node, so there is nothing to make cheaper")
    if current.price is None:
        raise InputError.one(Place(path="--region"), "some node of the plan has no known price, so prices cannot be compared")
