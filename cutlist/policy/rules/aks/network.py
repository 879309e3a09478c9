"""Networks around an AKS cluster that let the world in (spec: azure 1.2, aws-infrastructure H11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.policy.rules.access.addresses import is_open
from cutlist.policy.rules.access.openings import LAST_PORT, PUBLIC_PORTS, Opening, open_to_all, public_ports
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parts import NotKnownError, Part, Resource
from cutlist.policy.rules.profile import Profile, Severity
from cutlist.policy.rules.rule import Resources, Settings, object_rule, stack_rule

_GROUPS: Final = ("azure-native:network:NetworkSecurityGroup", "azure:network/networkSecurityGroup:NetworkSecurityGroup")
_RULES: Final = ("azure-native:network:SecurityRule", "azure:network/networkSecurityRule:NetworkSecurityRule")
_OF_GROUP: Final = "networkSecurityGroupName"
_NAME: Final = dict(zip(_GROUPS, (_OF_GROUP, "name"), strict=True))
"""The member that names a group, by type."""
_RESOURCE_GROUP: Final = "resourceGroupName"
_VAULT: Final = "azure-native:keyvault:Vault"
_POLICIES: Final = ("azure-native:keyvault:AccessPolicy",)
_ALL: Final = frozenset(("all", "*"))
_EVERYWHERE: Final = frozenset(("*", "internet", "any", "0.0.0.0/0", "::/0"))
_CLOUD: Final = "azurecloud"
"""The tag of all machines of Azure, of every customer."""
_WITHOUT_PORTS: Final = "icmp"


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
    def ranges(self) -> tuple[str, ...]:
        """Return the sources that are ranges of addresses; words that mean everybody are all of them."""
        if any(source.casefold() in _EVERYWHERE or source.casefold().startswith(_CLOUD) for source in self.sources):
            return ("0.0.0.0/0",)
        return tuple(source for source in self.sources if "/" in source or source[:1].isdigit())

    def takes(self, other: _Rule, first: int, last: int) -> bool:
        """Tell whether a rule that denies comes before another, and takes all of some of its ports."""
        return (
            not self.allows
            and self.priority < other.priority
            and is_open(self.ranges)
            and self.protocol in ("", other.protocol)
            and any(start <= first and last <= end for start, end in self.ports)
        )


@stack_rule(
    "AK-09",
    "Network security groups are not open to the internet",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    protects="nodes whose kubelet, SSH or services anybody on the internet can attack",
    looks_at=(*_GROUPS, *_RULES),
    source="azure 1.2, aws-infrastructure H11",
    parameters=(PUBLIC_PORTS,),
)
def network_group(resources: Resources, settings: Settings) -> Iterator[Finding]:
    """Check that what every address may reach is at most the ports of web servers, by all rules of a group together, including
    rules that are resources of their own. A Deny that comes first counts."""
    public = public_ports(settings)
    groups: dict[str, list[_Rule]] = {}
    for resource in resources.of_type(*_GROUPS, *_RULES):
        try:
            parts = resource.at("securityRules").items() if resource.type in _GROUPS else (resource.root,)
            groups.setdefault(_group_of(resource, resources), []).extend(_rules(parts))
        except NotKnownError as unknown:
            yield unknown.finding
    for rules in groups.values():
        yield from open_to_all(list(_openings(rules)), public, "name your own networks as sources")


def _group_of(resource: Resource, resources: Resources) -> str:
    """Return a key for the group of a rule: the URN of the resource that makes it, or its name."""
    if resource.type in _GROUPS:
        return resource.urn or resource.label
    named, urns = resource.data.get(_OF_GROUP), resource.references.get(_OF_GROUP, ())
    resource_group = resource.data.get(_RESOURCE_GROUP)
    for group in resources.of_type(*_GROUPS):
        is_named = isinstance(named, str) and named == (group.data.get(_NAME[group.type]) or group.name)
        if (group.urn and group.urn in urns) or (is_named and _may_equal(resource_group, group.data.get(_RESOURCE_GROUP))):
            return group.urn or group.label
    return f"{resource_group}/{named}" if isinstance(named, str) else next(iter(urns), resource.label)


def _may_equal(one: Any, other: Any) -> bool:
    """Tell whether two names of resource groups may be equal; an unknown name may equal any."""
    return not (isinstance(one, str) and isinstance(other, str)) or one.casefold() == other.casefold()


def _openings(rules: Sequence[_Rule]) -> Iterator[Opening]:
    """Yield what the rules of a group let in, without what a rule that comes first denies to everybody."""
    for rule in rules:
        for first, last in rule.ports if rule.allows and rule.ranges else ():
            if not any(other.takes(rule, first, last) for other in rules):
                yield Opening(rule.part, rule.ranges, rule.protocol, first, last, ", ".join(rule.sources))


@object_rule(
    "AK-11",
    "Key vaults are not open to every network, nor to one identity as a whole",
    Severity.MANDATORY,
    profile=Profile.RECOMMENDED,
    graded=True,
    protects="secrets that anybody with a stolen token can read from anywhere, or that one identity reads all of",
    looks_at=(_VAULT, *_POLICIES),
    source="azure 1.2, aws-infrastructure H11",
)
def vault(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that a vault is reached over private endpoints, or denies networks that it does not name, which is advice; and
    that no policy of access allows everything."""
    if resource.type in _POLICIES:
        yield from _of_policy(resource.at("policy") if resource.at("policy").is_there else resource.root)
        return
    properties = resource.at("properties")
    for policy in properties.at("accessPolicies").items():
        yield from _of_policy(policy)
    if properties.at("publicNetworkAccess").text.casefold() == "disabled":
        return
    rules = properties.at("networkAcls")
    named = [rule.at("value").text for rule in rules.at("ipRules").items()]
    if rules.at("defaultAction").text.casefold() != "deny" or (named and is_open(named)):
        advice = "write publicNetworkAccess: Disabled, or networkAcls with defaultAction: Deny"
        yield rules.violation("every network", "private, or networks that are named", advice, grade=Severity.ADVISORY)


def _of_policy(policy: Part) -> Iterator[Finding]:
    for what in ("secrets", "keys"):
        written = policy.at("permissions", what)
        if _ALL & {text.casefold() for text in written.texts()}:
            text, advice = f"everything with all {what}", "name the operations that it needs, such as get and list"
            yield written.violation(text, "the operations that are needed", advice)


def _rules(rules: Iterable[Part]) -> Iterator[_Rule]:
    for rule in rules:
        if rule.at("direction").text.casefold() == "outbound":
            continue
        sources = (*rule.at("sourceAddressPrefix").texts(), *rule.at("sourceAddressPrefixes").texts())
        written = (*rule.at("destinationPortRange").texts(), *rule.at("destinationPortRanges").texts())
        allows = rule.at("access").text.casefold() != "deny"
        protocol = rule.at("protocol").text.casefold().replace("*", "")
        priority = rule.at("priority").number or 0
        if protocol != _WITHOUT_PORTS:
            yield _Rule(rule, allows, priority, sources, tuple(map(_ports, written)) or ((0, LAST_PORT),), protocol)


def _ports(written: str) -> tuple[int, int]:
    """Return the first and the last port of a range; every port for any other text."""
    first, _, last = written.partition("-")
    return (int(first), int(last or first)) if first.isdigit() and (last or first).isdigit() else (0, LAST_PORT)


RULES = (network_group, vault)
