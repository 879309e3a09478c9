"""Networks around an AKS cluster that let the world in (spec: azure 1.2, aws-infrastructure H11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.policy.rules.addresses import is_open, is_public
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import texts
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.rule import Resources, Settings, Severity, object_rule, stack_rule

_GROUP: Final = "azure-native:network:NetworkSecurityGroup"
_RULE: Final = "azure-native:network:SecurityRule"
_VAULT: Final = "azure-native:keyvault:Vault"
_EVERYWHERE: Final = frozenset(("*", "internet", "any", "0.0.0.0/0", "::/0"))
_LAST_PORT: Final = 65535
_PORTS: Final = texts("publicPorts", ("80", "443"), "Ports that everybody may reach, such as those of load balancers.")


@dataclass(frozen=True, slots=True)
class _Rule:
    """A rule about what comes in: whether it allows, its sources, its ports, and its place in the order."""

    part: Part
    allows: bool
    priority: float
    sources: tuple[str, ...]
    ports: tuple[tuple[int, int], ...]
    protocol: str

    @property
    def is_for_all(self) -> bool:
        """Tell whether the sources are every address, alone or together."""
        if any(source.casefold() in _EVERYWHERE for source in self.sources):
            return True
        ranges = [source for source in self.sources if "/" in source or source[:1].isdigit()]
        return bool(ranges) and is_public(ranges) and is_open(ranges)

    def takes(self, other: _Rule) -> bool:
        """Tell whether a rule that denies comes before another, and takes all of it."""
        return (
            not self.allows
            and self.priority < other.priority
            and self.is_for_all
            and self.protocol in ("*", other.protocol)
            and all(any(first <= start and end <= last for first, last in self.ports) for start, end in other.ports)
        )


@stack_rule(
    "AK-09",
    "Network security groups do not let the world in",
    Severity.MANDATORY,
    protects="nodes whose kubelet, shell or services the whole internet may try",
    looks_at=(_GROUP, _RULE),
    source="azure 1.2, aws-infrastructure H11",
    parameters=(_PORTS,),
)
def network_group(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that what every address may reach is at most the ports of web servers. A Deny that comes first counts."""
    public = frozenset(int(port) for port in settings[_PORTS.name] if port.isdigit())
    for group in resources.of_type(_GROUP):
        try:
            yield from _open(list(_rules(group.at("securityRules").items())), public)
        except NotKnownError as unknown:
            yield unknown.finding
    for rule in resources.of_type(_RULE):
        try:
            yield from _open(list(_rules((rule.root,))), public)
        except NotKnownError as unknown:
            yield unknown.finding


@object_rule(
    "AK-11",
    "Key vaults are not open to every network",
    Severity.ADVISORY,
    protects="secrets that a stolen token reads from anywhere",
    looks_at=(_VAULT,),
    source="azure 1.2, aws-infrastructure H11",
)
def vault(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that a vault is reached over private endpoints, or denies networks that it does not name."""
    del settings
    properties = resource.at("properties")
    if properties.at("publicNetworkAccess").text.casefold() == "disabled":
        return
    rules = properties.at("networkAcls")
    named = [rule.at("value").text for rule in rules.at("ipRules").items()]
    if rules.at("defaultAction").text.casefold() != "deny" or (named and is_open(named)):
        advice = "write publicNetworkAccess: Disabled, or networkAcls with defaultAction: Deny"
        yield rules.violation("every network", "private, or networks that are named", advice)


def _rules(rules: Sequence[Part] | Iterator[Part]) -> Iterator[_Rule]:
    for rule in rules:
        if rule.at("direction").text.casefold() == "outbound":
            continue
        sources = (*rule.at("sourceAddressPrefix").texts(), *rule.at("sourceAddressPrefixes").texts())
        written = (*rule.at("destinationPortRange").texts(), *rule.at("destinationPortRanges").texts())
        allows = rule.at("access").text.casefold() != "deny"
        protocol = (rule.at("protocol").text or "*").casefold()
        priority = rule.at("priority").number or 0
        if protocol != "icmp":
            yield _Rule(rule, allows, priority, sources, tuple(map(_ports, written)) or ((0, _LAST_PORT),), protocol)


def _ports(written: str) -> tuple[int, int]:
    """Return the first and the last port of a range; every port for a text that is none."""
    first, _, last = written.partition("-")
    return (int(first), int(last or first)) if first.isdigit() and (last or first).isdigit() else (0, _LAST_PORT)


def _open(rules: Sequence[_Rule], public: frozenset[int]) -> Iterator[Finding]:
    for rule in rules:
        ports = [(first, last) for first, last in rule.ports if first != last or first not in public]
        if rule.allows and ports and rule.is_for_all and not any(other.takes(rule) for other in rules):
            allowed = f"your own addresses, or ports {', '.join(map(str, sorted(public)))}"
            advice = "name your own networks as sources"
            yield rule.part.violation(f"{_in_words(*ports[0])} for {', '.join(rule.sources)}", allowed, advice)


def _in_words(first: int, last: int) -> str:
    if last == _LAST_PORT and first <= 1:
        return "every port"
    return f"port {first}" if first == last else f"ports {first} to {last}"


RULES = (network_group, vault)
