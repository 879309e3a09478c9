"""The predicted plan as a whole: price, size, pods without a node, and its dependencies (users-ask: limits and money)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.catalog.prices import a_month
from cutlist.core.wording import hourly_apart, monthly
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import count, number, texts
from cutlist.policy.rules.parts import Resource
from cutlist.policy.rules.plan.currency import sign_of
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Settings, object_rule
from cutlist.policy.rules.tokens import NODE_PLAN

_PER_HOUR: Final = number("perHour", None, "The highest price of the planned nodes with their disks, in USD per hour.")
_NODES: Final = count("nodes", None, "The most nodes after the change, existing ones included.")
_VCPUS: Final = count("vcpus", None, "The most processors after the change, existing ones included.")
_PENDING: Final = count("pods", 0, "How many workloads may have pods without a node.")
_ZONE_SHARE: Final = number("most", 60, "The largest part of new nodes in one zone, in percent.")
_FROM: Final = count("from", 3, "The fewest new nodes for which the rule checks the share.")
_SPOT_SHARE: Final = number("most", 80, "The largest part of new nodes on spot, in percent.")
_GROWTH: Final = number("percent", 40, "By how much the price, disks included, may grow over the last plan, in percent.")
_HELD: Final = texts(
    "workloads", (), "Workloads that may block the disruption of their nodes forever, such as shop/job/import."
)
_KNOWN: Final = texts("known", (), "Objects whose pods need not be counted, as kind and name such as VirtualMachine legacy.")
_ALL: Final = 100


@object_rule(
    "PL-00",
    "The plan has its measures",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="a plan without measures, which would pass every rule about money and size",
    looks_at=(NODE_PLAN,),
)
def has_measures(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that a plan carries its figures, including those of its NodePools."""
    if not plan.at("measures", "pools").is_there:
        advice = "make the plan with NodePlan of this version"
        yield plan.at("measures").violation("a plan without measures", "what NodePlan records", advice)


@object_rule(
    "PL-01",
    "The planned nodes cost no more than the ceiling",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="a bill that nobody saw in the review",
    hurt=("core#1215", "kubecost/kubecost#1696"),
    looks_at=(NODE_PLAN,),
    parameters=(_PER_HOUR,),
)
def price(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check the sum of the known prices of nodes and their disks. With unpriced nodes, or if the ceiling is within the range of
    estimates, an acceptable sum is undetermined."""
    written, most = plan.at("measures", "pricePerHour"), settings[_PER_HOUR.name]
    cost, unpriced = written.number, int(plan.at("measures", "unpricedNodes").number or 0)
    if most is None:
        yield written.cannot_tell(f"what the nodes may cost: no {_PER_HOUR.name} is set")
        return
    within, sign = _within(plan, most), sign_of(plan)
    if cost is not None and cost > most:
        is_now, allowed = hourly_apart(cost, most)
        text = f"{sign}{is_now} an hour, {sign}{monthly(a_month(cost))} a month{within}"
        yield written.violation(text, f"at most {sign}{allowed} an hour", "lower requests or replicas, or allow cheaper types")
    if unpriced or cost is None:
        yield written.cannot_tell(f"the price of {unpriced} nodes")
    elif within and cost <= most:
        yield written.cannot_tell(f"whether the price is at most {sign}{most:,g} an hour{within}")


def _within(plan: Resource, most: float) -> str:
    """Return the range of an estimated price where the ceiling is within it, as the end of a sentence; else nothing."""
    low, high = (plan.at("measures", "priceRange", f"{end}PerHour").number for end in ("low", "high"))
    if low is None or high is None or not low <= most < high:
        return ""
    lowest, highest = hourly_apart(low, high)
    sign = sign_of(plan)
    return f": estimated at {sign}{lowest} to {sign}{highest} an hour, and the ceiling is within that"


@object_rule(
    "PL-02",
    "The cluster stays within its size",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="more nodes than licences, addresses and operators can take",
    hurt=("core#732", "core#2385", "core#2657", "aws#7458"),
    looks_at=(NODE_PLAN,),
    parameters=(_NODES, _VCPUS),
)
def size(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check nodes and processors after the change, including existing ones."""
    if settings[_NODES.name] is None and settings[_VCPUS.name] is None:
        yield plan.at("measures").cannot_tell(f"how large it may get: neither {_NODES.name} nor {_VCPUS.name} is set")
    for parameter, word in ((_NODES, "nodes"), (_VCPUS, "processors")):
        written, most = plan.at("measures", parameter.name), settings[parameter.name]
        if most is None:
            continue
        total = written.number
        if total is None:
            yield written.cannot_tell(f"how many {word} the planned nodes have")
        elif total > most:
            yield written.violation(
                f"{total:g} {word} after the change", f"at most {most}", "lower replicas, or raise the ceiling"
            )


@object_rule(
    "PL-03",
    "Every pod gets a node",
    Severity.MANDATORY,
    profile=Profile.START,
    protects="pods that stay pending after the change, which the plan shows in advance",
    hurt=("aws#2476", "aws#4017"),
    looks_at=(NODE_PLAN,),
    parameters=(_PENDING,),
)
def none_pending(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that no workload, or no more than allowed, has pods that no NodePool accepts."""
    pending = plan.at("measures", "pending").members()
    for workload, reason in pending.items() if len(pending) > settings[_PENDING.name] else ():
        advice = f"`cutlist explain {workload}` says what each NodePool lacks, and what would help if one change does"
        yield reason.violation(f"{workload} has no node: {reason.text}", "a NodePool that takes it", advice)
    for workload, reason in plan.at("measures", "unsettled").members().items():
        yield reason.cannot_tell(f"whether {workload} gets a node: only the account knows the reservations of its NodePool")


@object_rule(
    "PL-04",
    "New nodes are spread over zones",
    Severity.ADVISORY,
    protects="the loss of one zone, which would take most of the cluster",
    looks_at=(NODE_PLAN,),
    parameters=(_ZONE_SHARE, _FROM),
)
def zones(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that among the nodes whose zone is certain, not too many are in one zone."""
    total = int(plan.at("measures", "newNodes").number or 0)
    if total < settings[_FROM.name]:
        return
    certain = plan.at("measures", "zones").members()
    placed = sum(int(part.number or 0) for part in certain.values())
    for zone, part in certain.items():
        share = _ALL * (part.number or 0) / total
        if share > settings[_ZONE_SHARE.name]:
            text = f"{share:.0f}% of {total} new nodes in {zone}"
            yield part.violation(text, f"at most {settings[_ZONE_SHARE.name]:g}%", "allow more zones, or spread by zone")
            return
    if placed < total:
        text = f"the zone of {total - placed} of {total} new nodes, which is chosen at launch"
        yield plan.at("measures", "zones").cannot_tell(text)


@object_rule(
    "PL-05",
    "Not everything is on spot",
    Severity.ADVISORY,
    protects="a shortage of spot capacity, which would take most of the cluster at once",
    looks_at=(NODE_PLAN,),
    parameters=(_SPOT_SHARE, _FROM),
)
def spot_share(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check the share of new nodes that are planned as spot."""
    total, spot = plan.at("measures", "newNodes"), plan.at("measures", "spotNodes")
    if (total.number or 0) < settings[_FROM.name] or not total.number:
        return
    share = _ALL * (spot.number or 0) / total.number
    if share > settings[_SPOT_SHARE.name]:
        advice = "let some workloads ask for on-demand"
        yield spot.violation(f"{share:.0f}% of new nodes on spot", f"at most {settings[_SPOT_SHARE.name]:g}%", advice)


@object_rule(
    "PL-06",
    "The price does not jump",
    Severity.ADVISORY,
    protects="a change of one line that raises the cost of the cluster by half",
    hurt=("kubecost/kubecost#1696", "aws#5908"),
    looks_at=(NODE_PLAN,),
    parameters=(_GROWTH,),
)
def growth(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check the price per hour against that of the last plan."""
    now, before = plan.at("measures", "pricePerHour"), plan.at("measures", "before").number
    if before is None:
        yield now.cannot_tell("the last plan: no baseline is given")
    elif now.number is None or plan.at("measures", "unpricedNodes").number:
        yield now.cannot_tell("the price of all planned nodes")
    elif now.number > before * (1 + settings[_GROWTH.name] / _ALL):
        percent = f"{_ALL * (now.number / before - 1):+.0f}%" if before else "from nothing"
        was, is_now = hourly_apart(before, now.number)
        sign = sign_of(plan)
        text, allowed = f"{sign}{was} to {sign}{is_now} an hour, {percent}", f"at most {settings[_GROWTH.name]:g}% more"
        yield now.violation(text, allowed, "split the change, or raise the limit for it")


@object_rule(
    "PL-09",
    "No workload blocks disruption forever",
    Severity.ADVISORY,
    protects="karpenter.sh/do-not-disrupt without an end: Karpenter neither consolidates such nodes nor replaces them when "
    "they drift",
    hurt=("core#1702",),
    looks_at=(NODE_PLAN,),
    source="disruption 1.5",
    parameters=(_HELD,),
)
def held(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that no workload has the annotation as `true`, except those that may."""
    for part in plan.at("measures", "held").items():
        if part.text not in settings[_HELD.name]:
            advice = "give it an end, such as karpenter.sh/do-not-disrupt: 4h"
            yield part.violation(f"{part.text} blocks disruption forever", "a duration", advice)


@object_rule(
    "PL-10",
    "Every pod is counted",
    Severity.ADVISORY,
    protects="pods of operators that the plan does not know: its price and size are then too low",
    looks_at=(NODE_PLAN,),
    parameters=(_KNOWN,),
)
def all_counted(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that no object keeps pods of which the plan has none, except those that may."""
    for part in plan.at("measures", "uncounted").items():
        name, _, why = part.text.partition(": ")
        if name not in settings[_KNOWN.name]:
            advice = f"write a document of kind PodKinds, or {name} in {_KNOWN.name}"
            yield part.violation(f"the pods of {name} are not counted: {why}", "pods that the plan counts", advice)


RULES = (has_measures, price, size, none_pending, zones, spot_share, growth, held, all_counted)
