"""Check each NodePool of the predicted plan by itself: its share of the budget, and the variety that it demands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.catalog.prices import a_month
from cutlist.core.money import money_text
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import number
from cutlist.policy.rules.parts import Resource
from cutlist.policy.rules.plan.currency import sign_of
from cutlist.policy.rules.planned_pools import pools_of, unbounded_cost
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Settings, object_rule
from cutlist.policy.rules.tokens import NODE_PLAN

_POOL_BUDGET: Final = number("perMonth", None, "The most that one NodePool may cost in a month at its limits, in USD.")


@object_rule(
    "PL-07",
    "At its limits, no NodePool costs more than its share",
    Severity.ADVISORY,
    protects="one pool that uses up the whole budget",
    hurt=("core#1215", "aws#5908"),
    looks_at=(NODE_PLAN,),
    source="aws-infrastructure NP-02",
    parameters=(_POOL_BUDGET,),
)
def worst_case_of_one(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check each pool's limit times its highest price per unit with disks, for a month."""
    budget = settings[_POOL_BUDGET.name]
    if budget is None:
        yield plan.at("measures", "pools").cannot_tell(f"what one pool may spend: no {_POOL_BUDGET.name} is set")
        return
    for name, pool in plan.at("measures", "pools").members().items():
        most = pool.at("mostPerHour").number
        if most is None:
            yield unbounded_cost(name, pool)
        elif a_month(most) > budget:
            sign = sign_of(plan)
            cost = f"{sign}{money_text(a_month(most), 0)} a month by {pool.at('mostBy').text}"
            yield pool.violation(cost, f"at most {sign}{budget:,.0f}", "lower its limit", about=f"NodePool/{name}")


@object_rule(
    "PL-08",
    "Instance types meet minValues",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="a pool that demands more variety than there is, and launches nothing under minValuesPolicy Strict",
    looks_at=(NODE_PLAN,),
    source="aws-infrastructure NP-14, S-78",
)
def min_values(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that no label of a pool has fewer values among its instance types than it demands."""
    for name, pool in pools_of(plan):
        for key in pool.at("missedMinValues").texts():
            text, advice = f"minValues of {key} is more than its types have", "lower minValues, or widen the requirements"
            yield pool.violation(text, "at most as many as there are", advice, about=f"NodePool/{name}")


RULES = (worst_case_of_one, min_values)
