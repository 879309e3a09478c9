"""Security groups that let the world in (spec: aws-infrastructure IF-22, H11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.policy.rules.addresses import is_open, is_public
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import texts
from cutlist.policy.rules.parts import UNKNOWN, NotKnownError, Part, Resource
from cutlist.policy.rules.rule import Resources, Settings, Severity, stack_rule

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
_NOT_PORTS: Final = ("icmp", "icmpv6", "1", "58")
_EVERY_PROTOCOL: Final = ("-1", "all")
_NUMBERS: Final[Mapping[str, str]] = {"6": "tcp", "17": "udp"}
_LAST_PORT: Final = 65535
_PORTS: Final = texts("publicPorts", ("80", "443"), "Ports that everybody may reach, such as those of load balancers.")


@dataclass(frozen=True, slots=True)
class _Entry:
    """What one rule of a group lets in: ranges of addresses, where they are written, and ports."""

    part: Part
    ranges: tuple[str, ...]
    protocol: str
    first: int
    last: int

    def lets_in(self, protocol: str, port: int) -> bool:
        """Tell whether the rule lets a port in."""
        return self.protocol in (protocol, "") and self.first <= port <= self.last

    @property
    def ports(self) -> str:
        """Return the ports in words."""
        if (self.first, self.last) == (0, _LAST_PORT):
            return "every port"
        return f"port {self.first}" if self.first == self.last else f"ports {self.first} to {self.last}"


@stack_rule(
    "IF-22",
    "Security groups do not let the world in",
    Severity.MANDATORY,
    protects="nodes whose kubelet, shell or services the whole internet may try",
    looks_at=(*_GROUPS, *_SINGLE, *_PREFIX_LISTS),
    source="aws-infrastructure IF-22, H11",
    parameters=(_PORTS,),
)
def security_group(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that what every address may reach is at most the ports of web servers, by all rules of a group together.

    Single rules and lists of prefixes count. Who is in a list of prefixes that the stack does not make is undetermined.
    """
    public = frozenset(int(port) for port in settings[_PORTS.name] if str(port).isdigit())
    groups: dict[str, list[_Entry]] = {}
    for resource in resources.of_type(*_GROUPS, *_SINGLE):
        try:
            for rule in _rules_of(resource):
                for entry in _entries(rule, resources):
                    if isinstance(entry, _Entry):
                        groups.setdefault(_group_of(resource), []).append(entry)
                    elif any(port not in public for port in _ports(rule)[1:]):
                        yield entry
        except NotKnownError as unknown:
            yield unknown.finding
    for entries in groups.values():
        yield from _open(entries, public)


def _rules_of(resource: Resource) -> Iterator[Part]:
    if resource.type in _GROUPS:
        yield from resource.at(_GROUPS[resource.type]).items()
    elif resource.at("type").text != "egress":
        yield resource.root


def _group_of(resource: Resource) -> str:
    """Return what stands for the group of a rule: its URN, its id, or that of the single rule itself."""
    if resource.type in _GROUPS:
        return resource.urn or resource.label
    member = _SINGLE[resource.type]
    value = resource.data.get(member)
    return next(iter(resource.references.get(member, ())), "") or (value if isinstance(value, str) else resource.label)


def _entries(rule: Part, resources: Resources) -> Iterator[_Entry | Finding]:
    protocol, first, last = _ports(rule)
    if protocol in _NOT_PORTS:
        return
    for member in _RANGES:
        part = rule.at(member)
        if part.is_there and part.texts():
            yield _Entry(part, part.texts(), protocol, first, last)
    for member in _LISTED:
        part = rule.at(member)
        for value in part.data if isinstance(part.data, list | tuple) else (() if part.data is None else (part.data,)):
            ranges = _prefixes(rule.resource, member, value, resources)
            if ranges:
                yield _Entry(part, ranges, protocol, first, last)
            else:
                name = "a list of prefixes" if value is UNKNOWN else f"the list of prefixes {value}"
                yield part.cannot_tell(f"who is in {name}: it is not among the resources")


def _ports(rule: Part) -> tuple[str, int, int]:
    written = str(rule.at("protocol").value or rule.at("ipProtocol").value or "-1").casefold()
    protocol = _NUMBERS.get(written, written)
    first, last = rule.at("fromPort"), rule.at("toPort")
    if protocol in _EVERY_PROTOCOL:
        return "", 0, _LAST_PORT
    numbers = [_number(first.value), _number(last.value)]
    if protocol in _NOT_PORTS or None in numbers:
        return protocol, 0, _LAST_PORT
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


def _open(entries: Sequence[_Entry], public: frozenset[int]) -> Iterator[Finding]:
    """Yield the rules of a group that let the world in: each that does alone, and the first of those that do together."""
    alone = [entry for entry in entries if is_open(entry.ranges) and _ports_of(entry, entries, public)]
    together = [entry for entry in entries if entry not in alone and is_public(entry.ranges)]
    joint = [
        entry for entry in together if any(_is_open_at(port, entry, together) for port in _ports_of(entry, entries, public))
    ]
    allowed = f"your own addresses, or ports {', '.join(map(str, sorted(public)))}"
    advice = "name security groups or address lists of your own"
    for entry in (*alone, *joint[:1]):
        more = f" and what {len(joint) - 1} more rules name" if entry in joint and len(joint) > 1 else ""
        yield entry.part.violation(f"{entry.ports} for {', '.join(entry.ranges)}{more}", allowed, advice)


def _ports_of(entry: _Entry, entries: Sequence[_Entry], public: frozenset[int]) -> list[int]:
    """Return ports of a rule that are not public: enough of them to find where rules of the group come together."""
    starts = {start for other in entries for start in (other.first, other.first + 1)} | {entry.first + 1, entry.last}
    return sorted(port for port in starts if entry.first <= port <= entry.last and port not in public)


def _is_open_at(port: int, entry: _Entry, entries: Sequence[_Entry]) -> bool:
    return is_open(
        {text for other in entries if other.lets_in(entry.protocol or other.protocol, port) for text in other.ranges}
    )


RULES = (security_group,)
