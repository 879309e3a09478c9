"""Nodes that get a public address from their subnet or their group (spec: aws-infrastructure NC-06, 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

from cutlist.core.unknown import UNKNOWN
from cutlist.policy.rules import tokens
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, stack_rule

_SUBNETS: Final = ("aws:ec2/subnet:Subnet", "aws-native:ec2:Subnet", "aws:ec2/defaultSubnet:DefaultSubnet")
_TAG: Final = "aws:ec2/tag:Tag"
_MAPS: Final = "mapPublicIpOnLaunch"
_CLASSES: Final = (tokens.EC2_NODE_CLASS, tokens.AUTO_NODE_CLASS)
_GROUPS: Final[Mapping[str, str]] = {
    tokens.NODE_GROUP: "subnetIds",
    tokens.NATIVE_NODE_GROUP: "subnets",
    "aws:autoscaling/group:Group": "vpcZoneIdentifiers",
    "aws-native:autoscaling:AutoScalingGroup": "vpcZoneIdentifier",
    tokens.EKS_COMPONENT: "nodeSubnetIds",
    "eks:index:ManagedNodeGroup": "subnetIds",
    "eks:index:NodeGroup": "nodeSubnetIds",
    "eks:index:NodeGroupV2": "nodeSubnetIds",
}
"""The member that names the subnets of a group's nodes, by type."""
_SWITCH: Final = "nodeAssociatePublicIpAddress"
"""The member by which components give nodes public addresses; IF-09 is about launch templates."""
_CLUSTER_TAG: Final = "kubernetes.io/cluster/"
_OPTIONS: Final = "nodeGroupOptions"
_PRIVATE: Final = ("privateSubnetIds", "nodeSubnetIds", "subnetIds")
_OF_MACHINES: Final = ("aws:autoscaling/group:Group", "aws-native:autoscaling:AutoScalingGroup")


@stack_rule(
    "NC-11",
    "Nodes get no public address from subnets or node groups",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="nodes that can be reached from the internet, because their subnet gives each machine a public address",
    looks_at=(*_CLASSES, *_GROUPS, *_SUBNETS, _TAG),
    source="aws-infrastructure NC-06",
)
def no_public_subnets(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that no node class selects, and no group of nodes is in, a subnet of the stack that maps public addresses.

    A node class that writes `associatePublicIPAddress: false` overrules its subnets. NC-06 is about subnets that the stack does
    not make. Groups of machines outside the cluster may be public.
    """
    public = [subnet for subnet in resources.of_type(*_SUBNETS) if _maps(subnet)]
    tags = {subnet: _tags(subnet, resources) for subnet in public}
    for resource in resources.of_type(*_CLASSES, *_GROUPS):
        try:
            if resource.type in _CLASSES:
                yield from _of_class(resource, public, tags)
            else:
                yield from _of_group(resource, public)
        except NotKnownError as unknown:
            yield unknown.finding


def _maps(subnet: Resource) -> bool:
    """Tell whether a subnet gives public addresses; one of the default VPC does unless it says otherwise."""
    written = subnet.data.get(_MAPS)
    return written in (True, "true") or (written is None and "default" in subnet.type)


def _tags(subnet: Resource, resources: Resources) -> dict[str, str]:
    """Return the tags of a subnet, those of resources of their own among them."""
    written = subnet.data.get("tags")
    tags: dict[str, str] = {}
    if isinstance(written, Mapping):
        tags = {str(key): value for key, value in written.items() if isinstance(value, str)}
    elif isinstance(written, list | tuple):
        pairs = [item for item in written if isinstance(item, Mapping)]
        tags = {str(item.get("key")): item["value"] for item in pairs if isinstance(item.get("value"), str)}
    for tag in resources.of_type(_TAG):
        key, value = tag.data.get("key"), tag.data.get("value")
        is_of_subnet = subnet.urn and subnet.urn in tag.references.get("resourceId", ())
        if is_of_subnet and isinstance(key, str) and isinstance(value, str):
            tags[key] = value
    return tags


def _of_class(
    node_class: Resource, public: Sequence[Resource], tags: Mapping[Resource, Mapping[str, str]]
) -> Iterator[Finding]:
    spec = node_class.at("spec")
    written = spec.at("associatePublicIPAddress"), spec.at("advancedNetworking", "associatePublicIPAddress")
    if any(part.is_there for part in written):
        return  # the class decides; NC-06 is about it
    for term in spec.at("subnetSelectorTerms").items():
        for subnet in public:
            if _selects(term, subnet, tags[subnet]):
                yield _in_public(term, subnet)


def _selects(term: Part, subnet: Resource, tags: Mapping[str, str]) -> bool:
    """Tell whether a term selects a subnet: by its id, or by all its tags."""
    wanted = term.at("tags").members()
    if wanted:
        return all(_matches(tags.get(key), part.data) for key, part in wanted.items())
    written = term.data.get("id") if isinstance(term.data, Mapping) else None
    if written is UNKNOWN:
        return bool(subnet.urn) and subnet.urn in term.resource.references.get("spec", ())
    return isinstance(written, str) and written == subnet.data.get("id")


def _matches(value: str | None, wanted: Any) -> bool:
    """Tell whether EC2 finds a tag by a value, which may have wildcards."""
    if value is None or wanted is UNKNOWN:
        return value is not None
    return fnmatchcase(value, str(wanted).replace("[", "[[]"))


def _of_group(group: Resource, public: Sequence[Resource]) -> Iterator[Finding]:
    if group.type in _OF_MACHINES and not any(key.startswith(_CLUSTER_TAG) for key in _keys(group.data.get("tags"))):
        return
    for part in (group.root, group.at(_OPTIONS)):
        if part.is_there and part.at(_SWITCH).is_on:
            yield part.at(_SWITCH).violation("public addresses", "none", f"leave {_SWITCH} out")
        yield from _of_subnets(part, public)
    if group.type == tokens.EKS_COMPONENT and not group.data.get("skipDefaultNodeGroup") and not group.data.get("fargate"):
        yield from _of_component(group)


def _keys(tags: Any) -> list[str]:
    """Return the keys of the tags of a group of machines."""
    listed = tags if isinstance(tags, list | tuple) else ()
    return [str(tag.get("key")) for tag in listed if isinstance(tag, Mapping)]


def _of_subnets(group: Part, public: Sequence[Resource]) -> Iterator[Finding]:
    """Yield the public subnets that a group names, or its options do."""
    written = group.at(_GROUPS[group.resource.type])
    urns = group.resource.references.get(group.path or written.path, ())
    for subnet in public:
        if written.is_there and subnet.urn and subnet.urn in urns:
            yield _in_public(written, subnet)


def _in_public(written: Part, subnet: Resource) -> Finding:
    text = f"{subnet.label}, which gives each machine a public address"
    return written.violation(text, "private subnets", "name private subnets, or write associatePublicIPAddress: false")


def _of_component(component: Resource) -> Iterator[Finding]:
    """Yield a finding if a cluster's own group is in public subnets, since its inputs name no others."""
    public = component.at("publicSubnetIds")
    is_private = component.data.get(_SWITCH) is False or any(component.at(member).is_there for member in _PRIVATE)
    if public.data and not is_private:
        yield public.violation("nodes in public subnets alone", "private subnets", "write privateSubnetIds, or nodeSubnetIds")


RULES = (no_public_subnets,)
