"""The rules that NodePools would newly break: an option that a gate stops is of no use to anybody."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import cached_property
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.core.records import data_of
from cutlist.core.wording import counted
from cutlist.optimization.candidates import Variety
from cutlist.optimization.evaluation import Parts
from cutlist.planning.allowed import allowed_types
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.measures import measures
from cutlist.planning.model.measures import Measures
from cutlist.planning.pool_types import node_classes_by_pool
from cutlist.policy.gates import AnyRule, Gates, Verdict, outcomes_of
from cutlist.policy.rules import ObjectRule, Resource, Resources
from cutlist.policy.rules.expansion.expansion import expanded
from cutlist.policy.rules.nodepools.launches import enough_types
from cutlist.policy.rules.tokens import NODE_PLAN, NODE_POOL
from cutlist.settings.planning import with_defaults
from cutlist.verbs.gate.answer import resources_of, with_external_classes
from cutlist.verbs.plan.answer import joint_plan
from cutlist.verbs.suggest.criteria import Criteria

ANY_DAY: Final = date(2000, 1, 1)
"""The day on which rules are asked where the caller names none: before every exemption ends."""
_LIMITS: Final = "NP-01"


class RuleCheck:
    """The gates of an environment, and what today's NodePools break of their mandatory rules."""

    def __init__(self, inputs: PlanInputs, gates: Gates, day: date, criteria: Criteria, today: Parts) -> None:
        gates, _ = with_external_classes(gates, with_defaults(inputs.settings))
        self._inputs, self._gates, self._day, self._criteria = inputs, gates, day, criteria
        karpenter = inputs.options.karpenter
        resources = [inner for outer in resources_of(inputs.documents, lambda _: karpenter) for inner in expanded(outer)]
        self._others = tuple(resource for resource in resources if resource.type != NODE_POOL)
        self._stopping = [rule for rule in gates.on if gates.levels[rule.id].stops]
        measured = self._measures(today, inputs)
        self._pools_today = {pool.name: pool for pool in measured.pools}
        self._broken_today = {key for key, _ in self._found(measured, inputs)}

    def broken(self, parts: Parts, inputs: PlanInputs) -> tuple[str, ...]:
        """Return what NodePools newly break, each with its object and what was found: mandatory rules, and the variety of spot.
        `parts` are the inputs of their passes."""
        measured = self._measures(parts, inputs)
        found = [(key, words) for key, words in self._found(measured, inputs) if key not in self._broken_today]
        reported = frozenset(about for (rule, about), _ in found if rule == enough_types.id)
        return (*(words for _, words in found), *self._less_spot(measured, reported))

    @cached_property
    def needs_limits(self) -> bool:
        """Tell whether a NodePool has to have limits."""
        return any(rule.id == _LIMITS for rule in self._stopping)

    @property
    def variety(self) -> Variety:
        """Return how many types NodePools need: what is asked of those with spot, and what the rule asks if it is mandatory."""
        spot = self._criteria.spot_types
        if enough_types not in self._stopping:
            return Variety(spot=spot)
        settings = self._gates.settings[enough_types.id]
        return Variety(spot=max(spot, settings["spot"]), on_demand=settings["onDemand"])

    def least_spot_types(self, pool: str) -> int:
        """Return how many types a NodePool of this name, or a copy of it, keeps at least if it may buy spot."""
        before = self._pools_today.get(pool)
        had = before.spot_types if before is not None else 0
        return min(self._criteria.spot_types, had or self._criteria.spot_types)

    def _less_spot(self, measured: Measures, reported: frozenset[str]) -> Iterator[str]:
        """Yield the NodePools that may buy spot of fewer types or in fewer zones than they have to keep: what is asked for, or
        what they have today if that is less. Too few types are not said twice, if a rule has `reported` them."""
        for pool in measured.pools:
            before = self._pools_today.get(pool.name)
            had = before if before is not None and before.spot_types else None
            if not pool.spot_types:
                continue
            types = self.least_spot_types(pool.name)
            zones = min(self._criteria.spot_zones, len(had.zones) if had else len(self._zones))
            if pool.spot_types < types and f"NodePool/{pool.name}" not in reported:
                yield f"NodePool/{pool.name}: {counted(pool.spot_types, 'instance type')} on spot, at least {types:,}"
            if len(pool.zones) < zones:
                yield f"NodePool/{pool.name}: spot in {counted(len(pool.zones), 'zone')}, at least {zones:,}"

    @property
    def _zones(self) -> frozenset[str]:
        return frozenset(zone for pool in self._pools_today.values() for zone in pool.zones)

    def _found(self, measured: Measures, inputs: PlanInputs) -> Iterator[tuple[tuple[str, str], str]]:
        figures = {"region": inputs.catalog.region, "measures": data_of(measured)}
        own = [*map(self._resource, inputs.node_pools), Resource(NODE_PLAN, "nodes", figures)]
        together = Resources.of((*self._others, *own))
        apart = Resources.of(own)
        for rule in self._stopping:
            # Objects that do not change break the same rules as before.
            resources = apart if isinstance(rule, ObjectRule) else together
            yield from self._broken_of(rule, resources)

    def _broken_of(self, rule: AnyRule, resources: Resources) -> Iterator[tuple[tuple[str, str], str]]:
        for outcome in outcomes_of(rule, resources, self._gates, self._day):
            if outcome.verdict is Verdict.VIOLATED:
                yield (rule.id, outcome.about), f"{rule.id} {outcome.about}: {outcome.found}"

    def _resource(self, pool: NodePool) -> Resource:
        made = Resource(f"kubernetes:{NodePool.API_VERSION}:{NodePool.KIND}", pool.name, pool.manifest())
        return replace(made, karpenter=self._inputs.options.karpenter)

    @staticmethod
    def _measures(parts: Parts, inputs: PlanInputs) -> Measures:
        classes = node_classes_by_pool(inputs.node_pools, inputs.node_classes)
        allowed = [types for part, ready in parts.values() for types in allowed_types(part.node_pools, ready.tables, classes)]
        return measures(joint_plan(parts), inputs, allowed)
