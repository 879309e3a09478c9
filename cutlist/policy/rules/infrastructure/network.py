"""Security groups that let the world in (spec: aws-infrastructure IF-22, H11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.core.unknown import UNKNOWN
from cutlist.policy.rules.access.openings import LAST_PORT, PUBLIC_PORTS, Opening, open_to_all, public_ports
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, stack_rule

_SINGLE: Final[Mapping[str, str]] = {
    "aws:ec2/securityGroupRule:SecurityGroupRule": "securityGroupId",
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": "securityGroupId",
    "aws-native:ec2:SecurityGroupIngress": "groupId",
}
"""The member that names the group of a single rule, by type."""
_GROUPS: Final[Mapping[str, str]] = {
    "aws:ec2/securityGroup:SecurityGroup": "ingress",
    "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup": "ingress",
    "aws-native:ec2:SecurityGroup": "securityGroupIngress",
}
"""The member that lists what may come in, by type."""
_PREFIX_LISTS: Final[Mapping[str, tuple[str, str]]] = {
    "aws:ec2/managedPrefixList:ManagedPrefixList": ("", "entries"),
    "aws:ec2/managedPrefixListEntry:ManagedPrefixListEntry": ("prefixListId", ""),
    "aws-native:ec2:PrefixList": ("", "entries"),
}
"""The member that names a list of prefixes, where the type is an entry of one, and the member that has entries, by type."""
_RANGES: Final = ("cidrBlocks", "ipv6CidrBlocks", "cidrIpv4", "cidrIpv6", "cidrIp")
_LISTED: Final = ("prefixListIds", "prefixListId", "sourcePrefixListId")
_WITHOUT_PORTS: Final = ("icmp", "icmpv6", "1", "58")
_EVERY_PROTOCOL: Final = ("-1", "all")
_NUMBERS: Final[Mapping[str, str]] = {"6": "tcp", "17": "udp"}


@stack_rule(
    "IF-22",
    "Security groups are not open to the internet",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="nodes whose kubelet, SSH or services anybody on the internet can attack",
    looks_at=(*_GROUPS, *_SINGLE, *_PREFIX_LISTS),
    source="aws-infrastructure IF-22, H11",
    parameters=(PUBLIC_PORTS,),
)
def security_group(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that what every address may reach is at most the ports of web servers, by all rules of a group together.

    Single rules and lists of prefixes count. The ranges of a list of prefixes that the stack does not make are undetermined.
    """
    public = public_ports(settings)
    groups: dict[str, list[Opening]] = {}
    for resource in resources.of_type(*_GROUPS, *_SINGLE):
        try:
            for entry in _entries_of(resource, resources, public):
                if isinstance(entry, Opening):
                    groups.setdefault(_group_of(resource), []).append(entry)
                else:
                    yield entry
        except NotKnownError as unknown:
            yield unknown.finding
    for openings in groups.values():
        yield from open_to_all(openings, public, "name security groups or address lists of your own")


def _entries_of(resource: Resource, resources: Resources, public: frozenset[int]) -> Iterator[Opening | Finding]:
    """Yield what the rules of a resource let in, and what is unknown about rules for ports that are not public."""
    for rule in _rules_of(resource):
        for entry in _entries(rule, resources):
            if isinstance(entry, Opening) or any(port not in public for port in _ports(rule)[1:]):
                yield entry


def _rules_of(resource: Resource) -> Iterator[Part]:
    if resource.type in _GROUPS:
        yield from resource.at(_GROUPS[resource.type]).items()
    elif resource.at("type").text != "egress":
        yield resource.root


def _group_of(resource: Resource) -> str:
    """Return a key for the group of a rule: its URN, its id, or the URN of a single rule."""
    if resource.type in _GROUPS:
        return resource.urn or resource.label
    member = _SINGLE[resource.type]
    value = resource.data.get(member)
    return next(iter(resource.references.get(member, ())), "") or (value if isinstance(value, str) else resource.label)


def _entries(rule: Part, resources: Resources) -> Iterator[Opening | Finding]:
    protocol, first, last = _ports(rule)
    if protocol in _WITHOUT_PORTS:
        return
    for member in _RANGES:
        part = rule.at(member)
        if part.texts():
            yield Opening(part, part.texts(), protocol, first, last, ", ".join(part.texts()))
    for member in _LISTED:
        part = rule.at(member)
        for value in part.data if isinstance(part.data, list | tuple) else (() if part.data is None else (part.data,)):
            ranges = _prefixes(rule.resource, member, value, resources)
            if ranges:
                yield Opening(part, ranges, protocol, first, last, ", ".join(ranges))
            else:
                name = "a list of prefixes" if value is UNKNOWN else f"the list of prefixes {value}"
                yield part.cannot_tell(f"who is in {name}: it is not among the resources")


def _ports(rule: Part) -> tuple[str, int, int]:
    written = str(rule.at("protocol").value or rule.at("ipProtocol").value or "-1").casefold()
    protocol = _NUMBERS.get(written, written)
    first, last = rule.at("fromPort"), rule.at("toPort")
    if protocol in _EVERY_PROTOCOL:
        return "", 0, LAST_PORT
    numbers = [_number(first.value), _number(last.value)]
    if None in numbers:
        return protocol, 0, LAST_PORT
    return protocol, int(numbers[0] or 0), int(numbers[1] or 0)


def _number(value: Any) -> int | None:
    return int(float(value)) if str(value).replace(".", "", 1).isdigit() else None


def _prefixes(resource: Resource, member: str, value: Any, resources: Resources) -> tuple[str, ...]:
    """Return the ranges of a list of prefixes that the stack makes; nothing of another."""
    urns = resource.references.get(member, ())
    ranges: list[str] = []
    for other in resources.of_type(*_PREFIX_LISTS):
        names, entries = _PREFIX_LISTS[other.type]
        if names:
            is_of_list = bool(set(other.references.get(names, ())) & set(urns)) or other.data.get(names) == value
            ranges += other.at("cidr").texts() if is_of_list and value is not None else ()
        elif value is UNKNOWN and other.urn and other.urn in urns:
            ranges += [text for entry in other.at(entries).items() for text in entry.at("cidr").texts()]
    return tuple(ranges)


RULES = (security_group,)
