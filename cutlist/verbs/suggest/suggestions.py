"""Suggested NodePools as values: the options, what each costs and risks, and how near they come to the best possible."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from cutlist.api.capacitybuffer import CapacityBuffer
from cutlist.api.nodepool import NodePool
from cutlist.catalog.ages import PriceAge
from cutlist.core.services import RunningService
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.optimization.judging import Outlook
from cutlist.optimization.tolerations import TolerantWorkload
from cutlist.planning.model import BoundKind
from cutlist.planning.model.restrictions import PricedRestriction
from cutlist.report.estimates import Money
from cutlist.settings.suggest import BOUND
from cutlist.verbs.rightsizing import UsageSavings
from cutlist.verbs.suggest.edit_parts import EditUnit
from cutlist.verbs.suggest.edits import PoolEdit, Written
from cutlist.verbs.suggest.running import Running
from cutlist.verbs.suggest.yaml_diff import FileDiff
from cutlist.workloads.usage import ResizedWorkload


@dataclass(frozen=True, slots=True)
class EditPart:
    """What a part of an option saves now, USD/hour: the requirements of a NodePool on one label, or a new NodePool."""

    unit: EditUnit
    saves: float


@dataclass(frozen=True, slots=True)
class TypeChoice:
    """How many instance types a NodePool may launch, today and with an option; a new one may launch none today."""

    node_pool: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class PoolCost:
    """What the new nodes of a NodePool cost, today and with an option, USD/hour."""

    node_pool: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Suggestion:
    """NodePools to use instead of the given ones: the price of their plan, what changes, and the changed objects.

    `expected` is the mean of its price over all scenarios, `worst` the highest, USD/hour, and `elsewhere` are its figures in
    each of them besides the present. `buffers` keep the spare room that was demanded; every option has the same ones.
    `workloads` are made to tolerate the taint of a copy that is kept for them, `requests` are those with requests by measured
    use. `parts` are those of what it saves now, `types` how many types its NodePools may launch, and `pools_cost` what the
    nodes of each cost; only the recommended option has these. `bounds` are those of the pods that it places, by
    scenario, USD/hour: higher than today's where it places more pods; empty if it nowhere does.
    """

    figures: CostAndRisk
    edits: tuple[PoolEdit, ...]
    pools: tuple[NodePool, ...]
    buffers: tuple[CapacityBuffer, ...] = ()
    workloads: tuple[TolerantWorkload, ...] = ()
    expected: float = 0.0
    worst: float = 0.0
    elsewhere: tuple[CostAndRisk, ...] = ()
    parts: tuple[EditPart, ...] = ()
    types: tuple[TypeChoice, ...] = ()
    pools_cost: tuple[PoolCost, ...] = ()
    requests: tuple[ResizedWorkload, ...] = ()
    bounds: tuple[float, ...] = ()

    @property
    def edit_count(self) -> int:
        """Return how many terms of NodePools and how many workloads change."""
        return len(self.edits) + len(self.workloads)

    @property
    def written(self) -> tuple[Written, ...]:
        """Return what is changed or new: NodePools, buffers, workloads."""
        return (*self.pools, *self.buffers, *self.workloads, *self.requests)

    @property
    def manifests(self) -> tuple[dict[str, Any], ...]:
        """Return the same as objects, each once."""
        # Workloads with tolerations are made from those with new requests.
        tolerant = {(of.kind, of.namespace, of.name) for of in self.workloads}
        resized = (of for of in self.requests if (of.kind, of.namespace, of.name) not in tolerant)
        objects: tuple[Written, ...] = (*self.pools, *self.buffers, *self.workloads, *resized)
        return tuple(of.manifest() for of in objects)


@dataclass(frozen=True, slots=True)
class Refusal:
    """NodePools that cost less and are not offered, with the mandatory rules that they newly break."""

    figures: CostAndRisk
    expected: float
    edits: tuple[PoolEdit, ...]
    breaks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LeftPending:
    """How many choices cost less now than the recommended option and were dropped, because they leave more pods of a workload
    pending in a scenario than today's NodePools; in which scenario most of them do and of which workload, and the lowest of
    their prices now, USD/hour."""

    choices: int
    scenario: str
    price: float
    workload: str


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The price of the given NodePools' plan under another circumstance."""

    what: str
    figures: CostAndRisk


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The cheapest NodePools that were found, and how far they are from the best possible.

    `bound` is USD/hour: no option of NodePools costs less; `bound_kind` is how that is proven. `outlook` has
    the scenarios that options are judged in, with today's figures and the bound of each.
    `options` are cheapest first by their mean price, `recommended` is the place of one among them and `why` the reason.
    `plans` is how many were made of at most `most_plans`; `is_complete` says that the search ended because nothing was left to
    try. Of restrictions only so many are priced, or as many as time allows: the `unpriced` ones are not. `usage` is what
    requests by measured use save, where these count. `refused` are those that rules stop, cheapest first. `diffs` are what the
    recommended option changes in the files that were read, where these are known. Prices are in `currency`; `price_age` is how
    old they are, if that matters. `services` run Karpenter for the NodePools. `running` are the pods of a cluster that were
    placed again. `left_pending` are the cheaper choices that a scenario stops, None without any.
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
    outlook: Outlook
    most_plans: int = 0
    currency: str = "USD"
    usage: UsageSavings | None = None
    bound_kind: BoundKind = BOUND.default
    refused: tuple[Refusal, ...] = ()
    diffs: tuple[FileDiff, ...] = ()
    price_age: PriceAge | None = None
    services: tuple[RunningService, ...] | None = None
    running: Running | None = None
    left_pending: LeftPending | None = None

    @property
    def before(self) -> CostAndRisk:
        """Return the plan that is replaced: with requests as written, where measured ones are part of the answer."""
        usage = self.usage
        return self.current if usage is None or usage.before.price is None or self.current.settled is not None else usage.before

    def with_usage(self, usage: UsageSavings, resized: tuple[ResizedWorkload, ...]) -> Suggestions:
        """Return the suggestions with what measured requests save, and with workloads that have these in every option."""
        return replace(self, usage=usage, options=tuple(replace(option, requests=resized) for option in self.options))

    @property
    def money(self) -> Money:
        """Return what today's plan costs: no other price is known more exactly."""
        return Money(self.current.price or 0.0, self.current.price_range, self.currency)

    @property
    def best(self) -> Suggestion:
        """Return the recommended option."""
        return self.options[self.recommended]

    def above_bound(self, figures: CostAndRisk, option: Suggestion | None = None) -> float | None:
        """Return by which fraction of the bound a price exceeds it, or None without one: the bound of the pods that an option
        places, or else of those that have a node today."""
        bound = option.bounds[0] if option is not None and option.bounds else self.bound
        return None if figures.price is None or not bound else figures.price / bound - 1

    def above_expected_bound(self, expected: float, option: Suggestion | None = None) -> float | None:
        """Return by which fraction of the mean bound a mean price exceeds it, or None without one."""
        bound = self.outlook.mean(option.bounds) if option is not None and option.bounds else self.outlook.bound
        return expected / bound - 1 if bound else None
