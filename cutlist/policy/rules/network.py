"""Security groups that let the world in (spec: aws-infrastructure H11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from cutlist.policy.rules.addresses import is_open
from cutlist.policy.rules.findings import Finding
from cutlist.policy.rules.parameters import texts
from cutlist.policy.rules.parts import Part, Resource
from cutlist.policy.rules.rule import Settings, Severity, object_rule

_SINGLE: Final = (
    "aws:ec2/securityGroupRule:SecurityGroupRule",
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
    "aws-native:ec2:SecurityGroupIngress",
)
_GROUPS: Final[Mapping[str, str]] = {
    "aws:ec2/securityGroup:SecurityGroup": "ingress",
    "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup": "ingress",
    "aws-native:ec2:SecurityGroup": "securityGroupIngress",
}
"""The member that lists what may come in, by type."""
_RANGES: Final = ("cidrBlocks", "ipv6CidrBlocks", "cidrIpv4", "cidrIpv6", "cidrIp")
_NOT_PORTS: Final = ("icmp", "icmpv6", "1", "58")
_PORTS: Final = texts("publicPorts", ("80", "443"), "Ports that everybody may reach, such as those of load balancers.")


@object_rule(
    "IF-22",
    "Security groups do not let the world in",
    Severity.MANDATORY,
    protects="nodes whose kubelet, shell or services the whole internet may try",
    looks_at=(*_GROUPS, *_SINGLE),
    source="aws-infrastructure H11",
    parameters=(_PORTS,),
)
def security_group(resource: Resource, settings: Settings) -> Iterator[Finding]:
    """Check that what every address may reach is at most the ports of web servers."""
    public = frozenset(settings[_PORTS.name])
    if resource.type in _GROUPS:
        for rule in resource.at(_GROUPS[resource.type]).items():
            yield from _of_rule(rule, public)
    elif resource.at("type").text != "egress":
        yield from _of_rule(resource.root, public)


def _of_rule(rule: Part, public: frozenset[str]) -> Iterator[Finding]:
    protocol = str(rule.at("protocol").value or rule.at("ipProtocol").value or "-1").casefold()
    first, last = (str(rule.at(end).value) for end in ("fromPort", "toPort"))
    if protocol in _NOT_PORTS or (protocol in ("tcp", "udp", "6", "17") and first == last and first in public):
        return
    for member in _RANGES:
        part = rule.at(member)
        if part.is_there and part.texts() and is_open(part.texts()):
            what = (
                "every port"
                if protocol in ("-1", "all") or first == "None"
                else (f"port {first}" if first == last else f"ports {first} to {last}")
            )
            text = f"{what} for {', '.join(part.texts())}"
            advice = "name security groups or address lists of your own"
            yield part.violation(
                text, f"your own addresses, or ports {', '.join(sorted(public, key=lambda port: (len(port), port)))}", advice
            )


RULES = (security_group,)
