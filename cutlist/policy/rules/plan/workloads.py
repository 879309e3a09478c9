"""The workloads of the predicted plan: whether their pods can be moved, have a size, and run where they should."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import texts
from cutlist.policy.rules.parts import Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, object_rule, stack_rule
from cutlist.policy.rules.tokens import NODE_PLAN, PRIORITY_CLASSES, REPLICATED

_CLOSED: Final = texts("budgets", (), "PodDisruptionBudgets that may block every eviction, such as shop/import.")
_SIZELESS: Final = texts("workloads", (), "Workloads whose pods need no requests, such as shop/deployment/toolbox.")
_ON_SPOT: Final = texts("workloads", (), "Stateful workloads that may run on spot alone, such as cache/statefulset/redis.")
_GANGS: Final = texts("gangs", (), "Gangs that may be incomplete, such as ml/podgroup/train.")
_PAUSE: Final = ("pause", "pause-amd64", "pause-arm64")
"""The last part of an image that does nothing but hold room."""
_BUILT_IN_CLASSES: Final = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}


def _of_workloads(plan: Resource, member: str) -> Part:
    return plan.at("measures", "workloads", member)


@object_rule(
    "PL-11",
    "PodDisruptionBudgets allow an eviction",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="nodes that can be neither consolidated nor replaced, because a pod on them may never be evicted",
    looks_at=(NODE_PLAN,),
    source="disruption 1.4",
    parameters=(_CLOSED,),
)
def budgets_open(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that every budget lets one of its pods be evicted while all are healthy, with as many as autoscalers allow."""
    for name, why in _of_workloads(plan, "closedBudgets").members().items():
        if name not in settings[_CLOSED.name]:
            advice = "write maxUnavailable: 1, or run one pod more than minAvailable"
            yield why.violation(why.text, "a budget that allows one eviction", advice, about=f"PodDisruptionBudget/{name}")


@object_rule(
    "PL-12",
    "Pods have requests",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="nodes that are full and look empty: Karpenter and the scheduler count what pods request, not what they use",
    looks_at=(NODE_PLAN,),
    source="scheduling 1",
    parameters=(_SIZELESS,),
)
def requests_are_there(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that the pods of every workload request processors or memory."""
    for part in _of_workloads(plan, "withoutRequests").items():
        if part.text not in settings[_SIZELESS.name]:
            text = f"the pods of {part.text} request neither cpu nor memory"
            yield part.violation(
                text, "requests of cpu and memory", "give its containers requests, or its namespace a LimitRange"
            )


@object_rule(
    "PL-13",
    "Stateful workloads have other nodes than spot",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="a database of which an interruption takes every replica within minutes",
    looks_at=(NODE_PLAN,),
    source="aws-infrastructure NP-15",
    parameters=(_ON_SPOT,),
)
def state_not_on_spot(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that a StatefulSet with volumes has a NodePool that launches on demand or from reservations."""
    for part in _of_workloads(plan, "spotOnly").items():
        if part.text not in settings[_ON_SPOT.name]:
            advice = "allow on-demand in its NodePool, or send it to one that does"
            yield part.violation(f"{part.text} can run on spot alone", "a NodePool with on-demand or reserved", advice)


@stack_rule(
    "PL-14",
    "Pods that hold room give way to others",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="headroom that drives out the pods for which it is kept, since its priority is not below theirs",
    looks_at=(*REPLICATED, *PRIORITY_CLASSES),
    source="scheduling 11.1",
)
def placeholders_give_way(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that workloads of nothing but pause containers have a priority class below what pods without one have: 0, or the
    value of the global default."""
    classes = resources.of_type(*PRIORITY_CLASSES)
    values = {kind.name: kind.at("value").number for kind in classes}
    ordinary = next((kind.at("value").number or 0 for kind in classes if kind.at("globalDefault").is_on), 0)
    for workload in resources.of_type(*REPLICATED):
        pod = workload.at("spec", "template", "spec")
        images = [container.at("image").text for container in pod.at("containers").items()]
        if not images or not all(_name_of(image) in _PAUSE for image in images):
            continue
        named = pod.at("priorityClassName")
        value = {**_BUILT_IN_CLASSES, **values}.get(named.text)
        if not named.text:
            continue  # priority 0, as examples that only make nodes appear have it: an ordinary pod does not wait for them
        if value is None:
            yield named.cannot_tell(f"what priority its pods have: PriorityClass {named.text} is not in the input")
        elif value >= ordinary:
            text = f"pods that hold room have priority {value:g}, those without a class {ordinary:g}"
            advice = f"give them a PriorityClass of their own with value: {min(0, ordinary) - 10:g}"
            yield named.violation(text, "a lower priority than other pods", advice)


@object_rule(
    "PL-15",
    "Gangs have room for all the pods that they need at once",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="nodes that are paid and stay empty: Karpenter launches them for the pods that fit, and the scheduler binds none "
    "of a gang below its minimum",
    looks_at=(NODE_PLAN,),
    source="gangs 4",
    parameters=(_GANGS,),
)
def gangs_complete(plan: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that of every gang as many pods have a place as run at once or not at all."""
    for name, why in _of_workloads(plan, "incompleteGangs").members().items():
        if name not in settings[_GANGS.name]:
            advice = "raise the limits of its NodePools or allow larger types until all fit, or lower the minimum"
            yield why.violation(why.text, "room for all the pods that it needs at once", advice, about=f"gang/{name}")


def _name_of(image: str) -> str:
    """Return the name of an image, without registry, tag and digest."""
    return image.partition("@")[0].rpartition("/")[2].partition(":")[0]


RULES = (budgets_open, requests_are_there, state_not_on_spot, placeholders_give_way, gangs_complete)
