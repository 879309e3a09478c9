"""The nodes on which the system's pods run, and the launch templates of node groups (spec: aws-infrastructure 1.5, H10)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cutlist.api.account_limits import DEFAULT_TYPE, VOLUMES, Figures, volume_findings, whole
from cutlist.core.wording import counted
from cutlist.infrastructure.system_capacity import SYSTEM_LABEL, SYSTEM_TAINT
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.infrastructure.cluster import CLUSTERS
from cutlist.policy.rules.parameters import count
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, stack_rule
from cutlist.policy.rules.tokens import (
    FARGATE_PROFILE,
    LAUNCH_TEMPLATE,
    NATIVE_FARGATE_PROFILE,
    NATIVE_LAUNCH_TEMPLATE,
    NATIVE_NODE_GROUP,
    NODE_GROUP,
)

_GROUPS: Final = (NODE_GROUP, NATIVE_NODE_GROUP)
_PROFILES: Final = (FARGATE_PROFILE, NATIVE_FARGATE_PROFILE)
_TEMPLATES: Final = (LAUNCH_TEMPLATE, NATIVE_LAUNCH_TEMPLATE)
_SHELL_GROUPS: Final = ("sourceSecurityGroupIds", "sourceSecurityGroups")
"""The members without which port 22 is open to the internet: EKS API reference, RemoteAccessConfig, November 2026."""
_NODES: Final = count("nodes", 2, "The fewest nodes of the node groups for the system's pods.")
_ZONES: Final = count("subnets", 2, "The fewest subnets of the node groups for the system's pods, each in its own zone.")
_CONTROLLER: Final = "karpenter"
_NAMESPACES: Final = ("kube-system", _CONTROLLER)
_NAME_LABEL: Final = "app.kubernetes.io/name"
_SOFT: Final = "PREFER_NO_SCHEDULE"


@stack_rule(
    "IF-09",
    "System node groups are redundant, tainted and hardened",
    Severity.MANDATORY,
    profile=Profile.STRICT,
    protects="a controller that cannot start, goes down with a node that it removed itself, or shares a node with pods "
    "that read its credentials",
    looks_at=(*_GROUPS, *_PROFILES, *_TEMPLATES, *CLUSTERS),
    source="aws-infrastructure IF-09, 1.5, H10",
    parameters=(_NODES, _ZONES),
)
def system_nodes(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that the groups for the system's pods have nodes, zones and a taint, that no group has a shell for everybody, and
    that launch templates have the safe metadata service and encrypted volumes with figures that EC2 accepts."""
    for group in resources.of_type(*_GROUPS):
        yield from _as_far_as_known(_shells(group))
    for homes in _homes_by_cluster(resources):
        yield from _as_far_as_known(_nodes(homes, settings[_NODES.name]))
        yield from _as_far_as_known(_zones(homes, settings[_ZONES.name]))
        for group in homes:
            yield from _as_far_as_known(_taints(group))
    for template in resources.of_type(*_TEMPLATES):
        is_native = template.type == NATIVE_LAUNCH_TEMPLATE
        yield from _as_far_as_known(_launch_template(template.at("launchTemplateData") if is_native else template.root))


def _as_far_as_known(findings: Iterator[Finding]) -> Iterator[Finding]:
    """Yield findings up to the first unknown value, which is a finding itself."""
    try:
        yield from findings
    except NotKnownError as unknown:
        yield unknown.finding


def _homes_by_cluster(resources: Resources) -> Iterator[Sequence[Resource]]:
    """Yield for each cluster the node groups on which the system's pods may run; none where Fargate runs them."""
    groups: defaultdict[object, list[Resource]] = defaultdict(list)
    is_only = len(resources.of_type(*CLUSTERS)) <= 1
    for group in resources.of_type(*_GROUPS):
        groups[_cluster_of(group, is_only=is_only)].append(group)
    on_fargate = {_cluster_of(it, is_only=is_only) for it in resources.of_type(*_PROFILES) if _runs_controller(it)}
    yield from (_homes(of_cluster) for cluster, of_cluster in groups.items() if cluster not in on_fargate)


def _cluster_of(resource: Resource, *, is_only: bool) -> object:
    """Return what tells the cluster of a resource from others: its name, or the resources that an unknown name comes from.

    Beside several clusters, one without either is of a cluster of its own, so that no other group speaks for it.
    """
    name = resource.data.get("clusterName")
    if isinstance(name, str):
        return name
    return resource.references.get("clusterName") or ("" if is_only else (resource.type, resource.name, resource.urn))


def _runs_controller(profile: Resource) -> bool:
    """Tell whether a Fargate profile surely selects the pods of Karpenter's controller."""
    try:
        for selector in profile.at("selectors").items():
            labels = _texts(selector.at("labels"))
            if selector.at("namespace").text in _NAMESPACES and labels in ({}, {_NAME_LABEL: _CONTROLLER}):
                return True
    except NotKnownError:
        return False
    return False


def _texts(labels: Part) -> Mapping[str, str]:
    """Return labels, which CloudFormation writes as a list for a Fargate profile."""
    pairs = {item.at("key").text: item.at("value").text for item in labels.items()}
    return pairs or {key: value.text for key, value in labels.members().items()}


def _homes(groups: Sequence[Resource]) -> Sequence[Resource]:
    """Return the groups of a cluster on which the system's pods may run: those with the label by which these find their nodes,
    else those whose taints they tolerate, else all."""
    if any(_is_labelled(group, when_unknown=False) for group in groups):
        return [group for group in groups if _is_labelled(group, when_unknown=True)]
    return [group for group in groups if not _is_for_others(group)] or groups


def _is_labelled(group: Resource, *, when_unknown: bool) -> bool:
    label, value = SYSTEM_LABEL
    try:
        return group.at("labels", label).text == value
    except NotKnownError:
        return when_unknown


def _is_for_others(group: Resource) -> bool:
    """Tell whether a group surely has a taint that the system's pods do not tolerate by themselves."""
    try:
        taints = [(taint.at("key").text, taint.at("effect").text) for taint in group.at("taints").items()]
    except NotKnownError:
        return False
    return any(key != SYSTEM_TAINT and effect != _SOFT for key, effect in taints)


def _nodes(homes: Sequence[Resource], wanted: int) -> Iterator[Finding]:
    """Yield what is wrong with the number of nodes that the groups have together."""
    nodes = sum(_least(group) for group in homes)
    if nodes < wanted:
        scaling = homes[0].at("scalingConfig")
        yield scaling.violation(counted(nodes, "node"), f"at least {wanted}", f"write minSize: {wanted}")


def _least(group: Resource) -> int:
    scaling = group.at("scalingConfig")
    return int(min(part.number or 0 for part in (scaling.at("minSize"), scaling.at("desiredSize"))))


def _zones(homes: Sequence[Resource], wanted: int) -> Iterator[Finding]:
    """Yield what is wrong with the subnets that the groups have together. Those known only after an update count as others."""
    listed = [subnet for group in homes for subnet in _subnets(group).items()]
    zones = len({subnet.data for subnet in listed if isinstance(subnet.data, str)})
    zones += sum(not isinstance(subnet.data, str) for subnet in listed)
    if zones < wanted:
        yield _subnets(homes[0]).violation(counted(zones, "subnet"), f"at least {wanted}", "name subnets of several zones")


def _subnets(group: Resource) -> Part:
    return group.at("subnets" if group.type == NATIVE_NODE_GROUP else "subnetIds")


def _taints(group: Resource) -> Iterator[Finding]:
    taints = group.at("taints")
    if not list(taints.items()):
        advice = f"add the taint {SYSTEM_TAINT}, NO_SCHEDULE"
        yield taints.violation("no taint", "a taint that keeps workloads away", advice)


def _shells(group: Resource) -> Iterator[Finding]:
    access = group.at("remoteAccess")
    if access.at("ec2SshKey").is_there and not any(access.at(name).is_there for name in _SHELL_GROUPS):
        advice = "write sourceSecurityGroupIds, or open shells through SSM"
        yield access.violation("a shell for every address", "shells for named security groups", advice)


def _launch_template(template: Part) -> Iterator[Finding]:
    options = template.at("metadataOptions")
    if options.at("httpTokens").text != "required":
        tokens = options.at("httpTokens").text or "no httpTokens, so tokens are optional"
        yield options.violation(tokens, "required", "write httpTokens: required")
    hops = options.at("httpPutResponseHopLimit")
    if (hops.number or 0) > 1:
        yield hops.violation(f"a hop limit of {hops.number:g}", "1", "write httpPutResponseHopLimit: 1")
    for mapping in template.at("blockDeviceMappings").items():
        yield from _volume(mapping.at("ebs"))
    for interface in template.at("networkInterfaces").items():
        address = interface.at("associatePublicIpAddress")
        if address.is_on:
            yield address.violation("public addresses", "none", "leave associatePublicIpAddress out")


def _volume(ebs: Part) -> Iterator[Finding]:
    if not ebs.at("encrypted").is_on:
        yield ebs.at("encrypted").violation("not encrypted", "encrypted: true", "write encrypted: true")
    kind = ebs.at("volumeType").text or DEFAULT_TYPE
    gib, iops, throughput = (_whole(ebs.at(member)) for member in ("volumeSize", "iops", "throughput"))
    for finding in volume_findings(Figures(kind, gib, iops, throughput), "") if kind in VOLUMES else ():
        part = ebs.at(finding.path.removeprefix("."))
        yield part.violation(finding.message, finding.allowed, f"write {finding.nearest or finding.allowed}")


def _whole(part: Part) -> int | None:
    number = part.number
    return None if number is None else whole(int(number))


RULES = (system_nodes,)
