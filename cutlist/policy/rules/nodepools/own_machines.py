"""Machines that a program makes by itself, beside those of NodePools (spec: aws-infrastructure H8)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.core.go_sums import sum_in_turn
from cutlist.policy.rules.calls import CALLERS, calls_of
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import count
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, object_rule, stack_rule
from cutlist.policy.rules.tokens import AKS_CLUSTER
from cutlist.policy.rules.types.kinds import Fact
from cutlist.policy.rules.types.table import types_of

_VCPUS: Final = count("vcpus", 64, "The most processors of one machine outside NodePools.")
_MACHINES: Final = count("machines", 20, "The most machines of one group outside NodePools.")
_TOGETHER: Final = count("machines", 100, "The most machines of a stack outside NodePools.")
_GRAVE: Final = 10
_LESS: Final = Profile.RECOMMENDED
_BY_A_POOL: Final = "let a NodePool make them"
_TYPES: Final = frozenset(
    ("instanceType", "instanceTypes", "vmSize", "ec2InstanceType", "masterInstanceType", "coreInstanceType", "machineType")
)
_COUNTS: Final = frozenset(
    (
        *("maxSize", "minSize", "desiredCapacity", "desiredSize", "totalTargetCapacity", "targetCapacity", "nodeCount"),
        *("maxCount", "instanceCount", "initialInstanceCount", "totalInstanceCount", "targetDedicatedNodes", "maxNodeCount"),
        *("targetOnDemandCapacity", "targetSpotCapacity", "targetLowPriorityNodes", "totalInstances"),
        "maxGroupPreparedCapacity",
    )
)
_PROCESSORS: Final = frozenset(("maxVcpus", "maxvCpus"))
"""The members that bound the processors of all machines of a group."""
_AZURE_COUNTS: Final = _COUNTS | {"count", "capacity"}
_REQUIREMENTS: Final = "instanceRequirements"
_ACCELERATED: Final = re.compile(r"(p|g|trn|inf|dl|vt|f|u|hpc)[0-9-]|standard_[nh][a-z]*[0-9]")
_OF_SAGEMAKER: Final = "ml."
_SIZE: Final = re.compile(r"([0-9]*)xlarge")
_AZURE_SIZE: Final = re.compile(r"standard_[a-z]+([0-9]+)")
_PER_XLARGE: Final = 4
_CLUSTER_API: Final = ("kubernetes:cluster.x-k8s.io/*", "kubernetes:infrastructure.cluster.x-k8s.io/*")
_MACHINE_SETS: Final = (
    *_CLUSTER_API,
    *(
        f"kubernetes:{group}/*"
        for group in ("core.gardener.cloud", "kops.k8s.io", "machine.openshift.io", "provisioning.cattle.io")
    ),
)
_OF_MACHINE_SETS: Final = _COUNTS | {"replicas", "maximum", "quantity"}
_TARGETS: Final = (
    "aws:appautoscaling/target:Target",
    "aws-native:applicationautoscaling:ScalableTarget",
    "aws:appautoscaling/scheduledAction:ScheduledAction",
)
_LAUNCHES: Final = re.compile(
    r"arn:[^:]+:(scheduler|states):::aws-sdk:(ec2:(runInstances|createFleet|requestSpot\w+)|autoscaling:\w+)", re.IGNORECASE
)
_OF_LAUNCHES: Final[Mapping[str, str]] = {
    "InstanceType": "instanceType",
    "MaxCount": "maxCount",
    "MaxSize": "maxSize",
    "DesiredCapacity": "desiredCapacity",
}
"""The members of a request that a schedule makes, as a group has them."""
_HOSTS: Final[Mapping[str, tuple[str, ...]]] = {
    "aws:ec2/dedicatedHost:DedicatedHost": ("instanceFamily",),
    "aws-native:ec2:Host": ("instanceFamily",),
    "azure:compute/dedicatedHost:DedicatedHost": ("skuName",),
    "azure-native:compute:DedicatedHost": ("sku", "name"),
}
"""The member that says which servers as a whole a resource is, by type."""
_BY_FORMULA: Final = "how many machines it has: a formula says so"
_SAID_ELSEWHERE: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    "aws:ec2/capacityBlockReservation:CapacityBlockReservation": (
        ("capacityBlockOfferingId",),
        "how many machines of which type a capacity block has: its offering says so",
    ),
    "azure:batch/pool:Pool": (("autoScale", "formula"), _BY_FORMULA),
    "azure-native:batch:Pool": (("scaleSettings", "autoScale", "formula"), _BY_FORMULA),
}
"""The member that decides how many machines a resource has, and why no rule can tell, by type."""
_COMPONENTS: Final = "eks:"
_SIZED_ELSEWHERE: Final = (
    *("aws:appautoscaling/", "aws-native:applicationautoscaling:", "aws:scheduler/", "aws-native:scheduler:"),
    *("aws:sfn/", "aws-native:stepfunctions:"),
)
"""What sizes a group, or launches machines now and then, as templates do: the group itself counts."""
_OF_MACHINES: Final = (*types_of(Fact.NODE_GROUP, Fact.MACHINE), AKS_CLUSTER, "eks:index:Cluster")
_LOOKS_AT: Final = (*_OF_MACHINES, *types_of(Fact.TEMPLATE), *_MACHINE_SETS)


@object_rule(
    "NP-18",
    "Machines outside NodePools are few and small",
    Severity.MANDATORY,
    profile=Profile.START,
    graded=True,
    protects="instances, groups and fleets that count towards no limit, budget or plan",
    looks_at=_LOOKS_AT,
    source="aws-infrastructure H8",
    parameters=(_VCPUS, _MACHINES),
)
def few_and_small(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Check the types of machines and the sizes of groups, wherever a resource has them. Ten times as many machines as are
    allowed are graver than their types."""
    path, what = _SAID_ELSEWHERE.get(resource.type, ((), ""))
    if what and resource.at(*path).is_there:
        yield resource.at(*path).cannot_tell(what)
    server = resource.at(*_HOSTS.get(resource.type, ("",)))
    if server.text:
        text, allowed = f"a whole server: {server.text}", _allowed(settings[_VCPUS.name])
        yield server.violation(text, allowed, _BY_A_POOL, grade=_LESS)
    for key, part in _machine_members(resource):
        if key in _TYPES or (key == "name" and part.path == "sku.name"):
            yield from _too_large(part, settings[_VCPUS.name])
        elif key == _REQUIREMENTS:
            yield from _too_demanding(part, settings[_VCPUS.name])
        elif key in _PROCESSORS:
            yield from _too_many_processors(part, settings[_VCPUS.name] * settings[_MACHINES.name])
        elif key in _counts_of(resource):
            number, most = part.number, settings[_MACHINES.name]
            if number is not None and number > most:
                grade = None if number > most * _GRAVE else _LESS
                text, advice = f"up to {number:g} machines", f"{_BY_A_POOL}, with a limit"
                yield part.violation(text, f"at most {most}", advice, grade=grade)


@stack_rule(
    "NP-20",
    "All machines outside NodePools together are few",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="many small groups of machines, each of which passes NP-18",
    looks_at=_LOOKS_AT,
    source="aws-infrastructure H8",
    parameters=(_TOGETHER,),
)
def few_together(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check the sum of all instances and of the largest sizes of groups. A component and what it is made of count once."""
    launching = [token for token in _OF_MACHINES if not token.startswith(_SIZED_ELSEWHERE)]
    sums: dict[bool, float] = {True: 0, False: 0}
    largest: tuple[float, Resource] | None = None
    for resource in resources.of_type(*launching):
        try:
            machines = _machines(resource)
        except NotKnownError as unknown:
            yield resource.root.cannot_tell(str(unknown))
            continue
        sums[resource.type.startswith(_COMPONENTS)] += machines
        if largest is None or machines > largest[0]:
            largest = machines, resource
    together = max(sums.values())
    if largest is not None and together > settings[_TOGETHER.name]:
        text, allowed = f"up to {together:g} machines in this stack", f"at most {settings[_TOGETHER.name]}"
        yield largest[1].root.violation(text, allowed, "let NodePools make them, with limits")


def _machines(resource: Resource) -> float:
    """Return the most machines that a resource makes: the largest size of its group, or one."""
    if resource.type == AKS_CLUSTER:
        return sum_in_turn(_largest(pool, resource) for pool in resource.at("agentPoolProfiles").items())
    return _largest(resource.root, resource)


def _largest(group: Part, resource: Resource) -> float:
    sizes = [part.number for key, part in _members(group) if key in _counts_of(resource)]
    return max((size for size in sizes if size is not None), default=1)


def _machine_members(resource: Resource) -> Iterator[tuple[str, Part]]:
    """Yield the members that may be about machines; those of a cluster of AKS are in its pools, those of a schedule in what it
    asks of EC2."""
    if resource.type == AKS_CLUSTER:
        for pool in resource.at("agentPoolProfiles").items():
            yield from _members(pool)
    elif resource.type in _TARGETS:
        if any(resource.at(name).text.startswith("ec2") for name in ("serviceNamespace", "scalableDimension")):
            yield "maxSize", resource.at("maxCapacity")
            action = resource.at("scalableTargetAction")
            yield from (("maxSize", action.at(name)) for name in ("minCapacity", "maxCapacity"))
    elif resource.type in CALLERS:
        for call in calls_of(resource):
            request = call.request.data if _LAUNCHES.fullmatch(call.target.text) else None
            for name, value in request.items() if isinstance(request, Mapping) else ():
                renamed = _OF_LAUNCHES.get(str(name))
                if renamed is not None:
                    yield renamed, Part(resource, f"{call.request.path}.{name}", value)
    else:
        yield from _members(resource.root)


def _counts_of(resource: Resource) -> frozenset[str]:
    if resource.is_kubernetes:
        return _OF_MACHINE_SETS
    return _AZURE_COUNTS if resource.type.startswith("azure") else _COUNTS


def _too_large(written: Part, most: int) -> Iterator[Finding]:
    for type_ in written.texts():
        name = type_.lower().removeprefix(_OF_SAGEMAKER)
        processors = _processors(name)
        if _ACCELERATED.match(name) or processors is None or processors > most:
            text = f"a machine of type {type_}"
            yield written.violation(text, _allowed(most), "let a NodePool make it", grade=_LESS)


def _too_many_processors(written: Part, most: int) -> Iterator[Finding]:
    number = written.number
    if number is not None and number > most:
        grade = None if number > most * _GRAVE else _LESS
        text, advice = f"up to {number:g} processors", f"{_BY_A_POOL}, with a limit"
        yield written.violation(text, f"at most {most}", advice, grade=grade)


def _too_demanding(written: Part, most: int) -> Iterator[Finding]:
    """Yield each demand of a description of machines that no allowed machine meets."""
    accelerators, processors = (written.at(name, "min").number for name in ("acceleratorCount", "vcpuCount"))
    if accelerators:
        yield written.at("acceleratorCount").violation("machines with accelerators", _allowed(most), _BY_A_POOL, grade=_LESS)
    if processors is not None and processors > most:
        text = f"machines of {processors:g} processors and more"
        yield written.at("vcpuCount").violation(text, _allowed(most), _BY_A_POOL, grade=_LESS)


def _allowed(most: int) -> str:
    return f"without accelerators, at most {most} processors"


def _processors(type_: str) -> int | None:
    """Return the number of processors that a type's name implies, or None for bare metal."""
    azure = _AZURE_SIZE.match(type_)
    if azure:
        return int(azure[1])
    size = type_.partition(".")[2]
    if size.startswith("metal"):
        return None
    match = _SIZE.match(size)
    return int(match[1] or 1) * _PER_XLARGE if match else 0


def _members(part: Part) -> Iterator[tuple[str, Part]]:
    """Yield every member at any depth, with its key."""
    held: Any = part.data
    below = part.members() if isinstance(held, Mapping) else {}
    yield from below.items()
    for inner in (*below.values(), *(part.items() if isinstance(held, list | tuple) else ())):
        if isinstance(inner.data, Mapping | list | tuple):
            yield from _members(inner)


RULES = (few_and_small, few_together)
