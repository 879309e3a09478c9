"""Check what NodePools may launch, by the predicted plan and the catalogue (spec: aws-infrastructure 11.2, marked *plan*)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from cutlist.catalog.prices import a_month
from cutlist.core.money import money_sum
from cutlist.core.wording import counted, hourly_apart
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import count, number, texts
from cutlist.policy.rules.parts import Resource
from cutlist.policy.rules.plan.currency import sign_of
from cutlist.policy.rules.planned_pools import pools_of, unbounded_cost
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, object_rule, stack_rule
from cutlist.policy.rules.tokens import NODE_PLAN, NODE_POOL

_BUDGET: Final = number("perMonth", None, "The most that all NodePools together may cost in a month at their limits, in USD.")
_ALL_BUDGET: Final = number(
    "perMonth", None, "The most that the NodePools of several plans together may cost in a month at their limits, in USD."
)
_ALL_PER_HOUR: Final = number("perHour", None, "The highest price of the nodes of several plans together, in USD per hour.")
_SPOT_TYPES: Final = count("spot", 15, "The fewest instance types of a pool that may buy spot.")
_TYPES: Final = count("onDemand", 5, "The fewest instance types of a pool that does not buy spot.")
_A_CHOICE: Final = 3
"""The fewest instance types on spot with which the loss of one leaves a choice."""
_FAMILIES: Final = count("families", 3, "The fewest families of a pool that may buy spot.")
_ZONES: Final = count("zones", 2, "The fewest zones of a pool that may buy spot.")
_LOWERED: Final = number("percent", 30, "By how much overlays may lower a price, in percent; set it to your discount.")
_CATEGORIES: Final = texts(
    "without", ("t", "B"), "Categories of instance types that pools without taints leave out; B is Azure's."
)
_OPEN_TO_ALL: Final = texts("pools", (), "NodePools of accelerators that any pod may use.")
_GENERATION: Final = count("newerThan", 4, "The newest generation that pools without taints leave out.")


@object_rule(
    "NP-02",
    "At their limits, all NodePools together stay within the budget",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="limits that protect no budget: a limit in cores says little about money",
    hurt=("core#1215", "core#745"),
    looks_at=(NODE_PLAN,),
    source="aws-infrastructure NP-02",
    parameters=(_BUDGET,),
)
def worst_case(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check the sum over all pools of the limit times the highest price per unit with disks, for a month."""
    pools, known, unbounded = plan.at("measures", "pools"), 0.0, []
    for name, pool in pools.members().items():
        most = pool.at("mostPerHour").number
        if most is None:
            unbounded.append((name, pool))
        known += most or 0.0
    budget, sign = settings[_BUDGET.name], sign_of(plan)
    monthly = a_month(known)
    if budget is None:
        cost = f"{'at least ' * bool(unbounded)}{sign}{monthly:,.0f} a month"
        yield pools.cannot_tell(f"what may be spent: no {_BUDGET.name} is set; at their limits pools cost {cost}")
        return
    if monthly > budget:
        cost = f"{sign}{monthly:,.0f} a month at the limits"
        yield pools.violation(cost, f"at most {sign}{budget:,.0f}", "lower the limits, or leave out the most expensive types")
    yield from (unbounded_cost(name, pool) for name, pool in unbounded)


@object_rule(
    "NP-19",
    "NodeOverlays do not make expensive instance types look cheap",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="expensive machines that Karpenter takes for cheap ones, while the bill shows the list price",
    looks_at=(NODE_PLAN,),
    source="api-objects 6.1",
    parameters=(_LOWERED,),
)
def lowered_prices(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check by how much overlays lower the price of any machine that a pool may launch."""
    for name, pool in pools_of(plan):
        percent = pool.at("loweredBy").number or 0
        if percent > settings[_LOWERED.name]:
            text = f"a NodeOverlay lowers a price by {percent:g}%"
            allowed = f"at most {settings[_LOWERED.name]:g}%"
            yield pool.violation(
                text, allowed, "remove the overlay, or raise percent to your discount", about=f"NodePool/{name}"
            )


@object_rule(
    "NP-05",
    "Every NodePool has enough instance types",
    Severity.MANDATORY,
    profile=Profile.START,
    graded=True,
    protects="a pool that can launch nothing, or little: Karpenter moves spot nodes to cheaper spot only among 15 types",
    hurt=("core#1653", "core#1202", "core#611"),
    looks_at=(NODE_PLAN,),
    source="aws-infrastructure NP-05, disruption 5.4",
    parameters=(_SPOT_TYPES, _TYPES),
)
def enough_types(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that there are any types at all, and enough of them on spot where spot is allowed, else on demand."""
    for name, pool in pools_of(plan):
        types, spot = (int(pool.at(key).number or 0) for key in ("types", "spotTypes"))
        fewest = settings[_SPOT_TYPES.name if spot else _TYPES.name]
        count = spot or types
        if not count and pool.at("awaitsReservations").value is True:
            yield pool.cannot_tell(
                "how many instance types it has: only the account knows its reservations", f"NodePool/{name}"
            )
        elif count < fewest:
            which = "on spot" if spot else "to choose from"
            text = f"{counted(count, 'instance type')} {which}" if count else "no instance type"
            advice = "widen instance-category, -family or -size, or the zones"
            grade = None if count < (_A_CHOICE if spot else 1) else Profile.STRICT
            yield pool.violation(text, f"at least {fewest}", advice, about=f"NodePool/{name}", grade=grade)


@object_rule(
    "NP-06",
    "Spot pools use several families and zones",
    Severity.ADVISORY,
    protects="spot interruptions that come all at once",
    looks_at=(NODE_PLAN,),
    source="aws-infrastructure NP-06",
    parameters=(_FAMILIES, _ZONES),
)
def spread_spot(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that a pool that may buy spot has enough families and enough zones."""
    for name, pool in pools_of(plan):
        if not pool.at("spotTypes").number:
            continue
        families, zones = int(pool.at("families").number or 0), len(pool.at("zones").texts())
        if families < settings[_FAMILIES.name]:
            allowed = f"at least {settings[_FAMILIES.name]}"
            yield pool.violation(
                f"{counted(families, 'family', 'families')} on spot", allowed, "allow more families", about=f"NodePool/{name}"
            )
        if zones < settings[_ZONES.name]:
            allowed = f"at least {settings[_ZONES.name]}"
            yield pool.violation(f"{counted(zones, 'zone')} on spot", allowed, "allow more zones", about=f"NodePool/{name}")


@object_rule(
    "NP-12",
    "General NodePools leave out old and burstable instance types",
    Severity.ADVISORY,
    protects="slow nodes at a high price, and nodes that are throttled once they have used up their credit",
    looks_at=(NODE_PLAN,),
    source="aws-infrastructure NP-12",
    parameters=(_CATEGORIES, _GENERATION),
)
def no_old_machines(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check the instance types that remain in the end, however requirements are written."""
    for name, pool in pools_of(plan):
        if pool.at("general").value is not True:
            continue
        unwanted = [c for c in pool.at("categories").texts() if c in settings[_CATEGORIES.name]]
        oldest, newer_than = pool.at("oldestGeneration").number, settings[_GENERATION.name]
        if unwanted:
            advice = f"leave out the instance category, on Azure the sku-family, {', '.join(unwanted)}"
            text = f"types of category {', '.join(unwanted)}"
            yield pool.violation(text, "none of these", advice, about=f"NodePool/{name}")
        if oldest is not None and oldest <= newer_than:
            advice = f"ask for an instance-generation, on Azure a sku-version, above {newer_than}"
            text = f"types of generation {oldest:g}"
            yield pool.violation(text, f"generation {newer_than + 1} and newer", advice, about=f"NodePool/{name}")


@stack_rule(
    "NP-21",
    "All plans of a stack together stay within the budget",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="NodePools or workloads that are divided among several plans, each within the budget",
    looks_at=(NODE_PLAN, NODE_POOL),
    source="aws-infrastructure NP-02",
    parameters=(_ALL_BUDGET, _ALL_PER_HOUR),
)
def all_plans(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check the sums of NP-02 and PL-01 over several plans. A NodePool that several have counts as often as it is registered,
    at least once."""
    plans, budget, ceiling = resources.of_type(NODE_PLAN), settings[_ALL_BUDGET.name], settings[_ALL_PER_HOUR.name]
    if len(plans) < 2:
        return
    first, sign = plans[0].at("measures"), sign_of(plans[0])
    if budget is None and ceiling is None:
        yield first.cannot_tell(
            f"what {len(plans)} plans together may cost: no {_ALL_BUDGET.name} or {_ALL_PER_HOUR.name} is set"
        )
    monthly = a_month(_most_of_all(plans, resources.of_type(NODE_POOL)))
    if budget is not None and monthly > budget:
        advice = "lower the limits, or leave out the most expensive types"
        text = f"{sign}{monthly:,.0f} a month at the limits of {len(plans)} plans"
        yield first.violation(text, f"at most {sign}{budget:,.0f}", advice)
    together = money_sum(plan.at("measures", "pricePerHour").number or 0.0 for plan in plans)
    if ceiling is not None and together > ceiling:
        cost, most = hourly_apart(together, ceiling)
        text, advice = f"{sign}{cost} an hour in {len(plans)} plans", "lower requests or replicas, or allow cheaper types"
        yield first.violation(text, f"at most {sign}{most} an hour", advice)


def _most_of_all(plans: Iterable[Resource], registered: Iterable[Resource]) -> float:
    """Return the highest cost of all NodePools in USD per hour, as far as each has one."""
    times = Counter(pool.at("metadata", "name").text or pool.name for pool in registered)
    costs: dict[str, list[float]] = {}
    for plan in plans:
        for name, pool in pools_of(plan):
            costs.setdefault(name, []).append(pool.at("mostPerHour").number or 0.0)
    return money_sum(money_sum(sorted(of, reverse=True)[: max(1, times[name])]) for name, of in costs.items())


@object_rule(
    "NP-22",
    "NodePools of accelerators keep other pods out",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="ordinary pods on machines with GPUs, which cost many times as much and are then missing where they are needed",
    looks_at=(NODE_PLAN,),
    source="aws-infrastructure NP-11",
    parameters=(_OPEN_TO_ALL,),
)
def accelerators_apart(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that a pool in which every machine has an accelerator has a taint."""
    for name, pool in pools_of(plan):
        is_open = pool.at("accelerated").value is True and pool.at("general").value is True
        if is_open and name not in settings[_OPEN_TO_ALL.name]:
            advice = "taint it, such as nvidia.com/gpu with NoSchedule, and let the pods that need it tolerate that"
            text = "every machine has an accelerator, and any pod may use it"
            yield pool.violation(text, "a taint", advice, about=f"NodePool/{name}")


RULES = (accelerators_apart, all_plans, worst_case, lowered_prices, enough_types, spread_spot, no_old_machines)
