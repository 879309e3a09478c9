"""The plain facts of a cluster's control plane, their defaults, and the mistakes in them (spec: aws-infrastructure 1.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, collapse_addresses, ip_network
from typing import Any, Final

from cutlist.core.errors import Place, Problem, Problems
from cutlist.infrastructure import versions
from cutlist.infrastructure.eks_support import SUPPORT_TYPES, not_offered_problems, support_problems
from cutlist.infrastructure.inputs import Places, one_of
from cutlist.infrastructure.principals import principal_problems
from cutlist.infrastructure.subnets import check_subnet_zones

LOG_TYPES: Final = ("api", "audit", "authenticator", "controllerManager", "scheduler")
TIERS: Final = ("standard", "tier-xl", "tier-2xl", "tier-4xl", "tier-8xl")
AUTOSHIFT: Final = ("ENABLED", "DISABLED")
SECURITY_GROUPS: Final = 4
"""How many security groups a control plane can have besides the one that EKS makes: EKS's quota, which is fixed."""
PUBLIC_RANGES: Final = 40
"""How many ranges can reach a public API: EKS's quota, which is fixed."""
_PRIVATE: Final = tuple(map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
"""Ranges from which EKS accepts those of services and of on-premises networks (RFC 1918)."""
_NOT_PUBLIC: Final = tuple(
    map(
        ip_network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"),
            *("224.0.0.0/4", "240.0.0.0/4", "::1/128", "fc00::/7", "fe80::/10", "ff00::/8"),
        ),
    )
)
"""Ranges from which nobody can call a public API: "The block cannot include reserved addresses", says
docs.aws.amazon.com/eks/latest/userguide/config-cluster-endpoint.html (2026-11). Addresses for documentation are not among them,
since that page has one as its example; nor are wider ranges with public addresses in them."""
IP_FAMILIES: Final = ("ipv4", "ipv6")
RETENTIONS: Final = (
    *(1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731),
    *(1096, 1827, 2192, 2557, 2922, 3288, 3653),
)


class AuthenticationMode(StrEnum):
    """How a cluster decides who may log in. A cluster can change to a later mode of these, but never back."""

    CONFIG_MAP = "CONFIG_MAP"
    API_AND_CONFIG_MAP = "API_AND_CONFIG_MAP"
    API = "API"


_WITH_ENTRIES: Final = (AuthenticationMode.API, AuthenticationMode.API_AND_CONFIG_MAP)


@dataclass(frozen=True, slots=True)
class ControlPlaneFacts:
    """The facts that define a control plane before any part of it exists.

    `zones` are those of its subnets. `admins` are ARNs of roles or users by names of your choice. With `public_access_cidrs`,
    the API can also be reached from outside, but only from these ranges. `production` protects the cluster from deletion.
    """

    zones: Sequence[str]
    admins: Mapping[str, str]
    version: str = ""
    karpenter_version: str = versions.BASELINE
    authentication_mode: str = AuthenticationMode.API
    production: bool = False
    public_access_cidrs: Sequence[str] = ()
    encrypt_secrets: bool = False
    has_secrets_key: bool = False
    log_types: Sequence[str] = ("api", "audit", "authenticator")
    log_retention_days: int = 90
    support_type: str = "STANDARD"
    ip_family: str = "ipv4"
    service_ipv4_cidr: str | None = None
    zonal_shift: bool = False
    deletion_protection: bool | None = None
    control_plane_tier: str | None = None
    zonal_autoshift: str | None = None
    security_groups: int | None = None
    subnets: int | None = field(default=None)
    """How many subnets there are, or None if unknown."""
    later_versions: Sequence[str] = ()
    """Versions of Kubernetes beyond the calendar that EKS itself names."""
    day: date | None = None
    """The day on which EKS would make the cluster; without one, no support has ended."""

    @property
    def is_protected(self) -> bool:
        """Tell whether EKS refuses to delete the cluster: as requested, or by default if it is a production cluster."""
        return self.production if self.deletion_protection is None else self.deletion_protection


def problems(facts: ControlPlaneFacts, at: Places) -> list[Problem]:
    """Return a problem for every setting that EKS would refuse or that would be unsafe."""
    mistakes = Problems()
    mistakes.extend(versions.problems(facts.version, facts.karpenter_version, at))
    check_subnet_zones(facts.zones, facts.subnets, at.member("zones"), mistakes)
    _access(facts, at, mistakes)
    mistakes.extend(_endpoint(facts, at.member("publicAccessCidrs")))
    _logs(facts, at, mistakes)
    _network(facts, at, mistakes)
    mistakes.extend(one_of(facts.support_type, SUPPORT_TYPES, at.member("supportType")))
    mistakes.extend(support_problems(facts.version, facts.support_type, at.member("version"), facts.day))
    mistakes.extend(not_offered_problems(facts.version, at.member("version"), facts.later_versions))
    if facts.control_plane_tier:
        mistakes.extend(one_of(facts.control_plane_tier, TIERS, at.member("controlPlaneTier")))
    if facts.zonal_autoshift:
        mistakes.extend(one_of(facts.zonal_autoshift, AUTOSHIFT, at.member("zonalAutoshift")))
    if (facts.security_groups or 0) > SECURITY_GROUPS:
        mistakes.add(at.member("securityGroupIds"), f"{facts.security_groups} security groups", f"at most {SECURITY_GROUPS}")
    if facts.encrypt_secrets and facts.has_secrets_key:
        mistakes.add(at.member("encryptSecrets"), "encryptSecrets makes a key and secretsKeyArn names one", "one of them")
    return mistakes.found


def problem_of_transition(before: str, after: str) -> str:
    """Return why a cluster cannot change from one authentication mode to another, or an empty string if it can."""
    order = list(AuthenticationMode)
    if (
        before not in order
        or after not in order
        or order.index(AuthenticationMode(before)) <= order.index(AuthenticationMode(after))
    ):
        return ""
    return (
        f"a cluster with authentication mode {before} cannot go back to {after}: "
        "the way is CONFIG_MAP, API_AND_CONFIG_MAP, API and one-way"
    )


def problem_of_keys(before: str, after: str) -> str:
    """Return why the key for a cluster's secrets cannot change from one to another, or an empty text if it can."""
    if not before or not after or before == after:
        return ""
    return f"secrets of a cluster stay under the key {before}: EKS takes no other one, so {after} needs another cluster"


def _access(facts: ControlPlaneFacts, at: Places, mistakes: Problems) -> None:
    place = at.member("authenticationMode")
    if facts.authentication_mode == AuthenticationMode.CONFIG_MAP:
        message = "with CONFIG_MAP there are no access entries, neither for administrators nor for nodes"
        mistakes.add(place, message, ", ".join(_WITH_ENTRIES))
    else:
        mistakes.extend(one_of(facts.authentication_mode, _WITH_ENTRIES, place))
    admins = at.member("admins")
    if not facts.admins:
        mistakes.add(admins, "no administrator: nobody, Pulumi included, could use the cluster", "at least who runs Pulumi")
    for name, principal in facts.admins.items():
        mistakes.extend(principal_problems(principal, admins.member(name)))
    for principal in sorted({p for p in facts.admins.values() if list(facts.admins.values()).count(p) > 1}):
        names = ", ".join(name for name, other in facts.admins.items() if other == principal)
        mistakes.add(admins, f"{names} are all {principal}", "one name for each principal, which can have one access entry")


def _with_length(cidr: str) -> str:
    """Return a range in EKS's form. Raises ValueError for an address without a prefix length."""
    if "/" not in cidr:
        raise ValueError(cidr)
    return cidr


def _range_of(cidr: str) -> str:
    """Return the range that contains an address with a prefix length, or an empty string for any other text."""
    try:
        return str(ip_network(cidr, strict=False))
    except ValueError:
        return ""


def _endpoint(facts: ControlPlaneFacts, place: Place) -> Iterable[Problem]:
    if len(facts.public_access_cidrs) > PUBLIC_RANGES:
        yield Problem(place, f"{len(facts.public_access_cidrs)} ranges", f"at most {PUBLIC_RANGES}: summarise them")
    ranges: dict[int, IPv4Network | IPv6Network] = {}
    for index, cidr in enumerate(facts.public_access_cidrs):
        try:
            ranges[index] = ip_network(_with_length(cidr))
        except ValueError:
            message = f"{cidr!r} is not an address range"
            yield Problem(place.item(index), message, "a range such as 198.51.100.0/24", _range_of(cidr))
    for index, block in ranges.items():
        at = place.item(index)
        if any(block.version == reserved.version and block.subnet_of(reserved) for reserved in _NOT_PUBLIC):  # type: ignore[arg-type]
            yield Problem(at, f"{block} is not of public addresses", "the addresses by which callers leave their network")
        elif block.version == 6 and facts.ip_family != "ipv6":
            yield Problem(at, f"{block} for a cluster whose ipFamily is {facts.ip_family}", "IPv4 ranges, or ipFamily ipv6")
    for family in (4, 6):
        # Two halves that cover all addresses are as open as all addresses.
        together = collapse_addresses([r for r in ranges.values() if r.version == family])  # type: ignore[type-var]
        if any(r.prefixlen == 0 for r in together):
            kind = "production's API is" if facts.production else "the API is"
            yield Problem(
                place, f"{kind} open to every address", "the ranges that need it, or none: nodes reach the API inside the VPC"
            )


def _logs(facts: ControlPlaneFacts, at: Places, mistakes: Problems) -> None:
    for kind in facts.log_types:
        mistakes.extend(one_of(kind, LOG_TYPES, at.member("logTypes")))
    if facts.log_retention_days not in RETENTIONS:
        days = ", ".join(map(str, RETENTIONS))
        mistakes.add(at.member("logRetentionDays"), f"logs kept for {facts.log_retention_days} days", f"one of {days}")


def _network(facts: ControlPlaneFacts, at: Places, mistakes: Problems) -> None:
    mistakes.extend(one_of(facts.ip_family, IP_FAMILIES, at.member("ipFamily")))
    if facts.service_ipv4_cidr is None:
        return
    place = at.member("serviceIpv4Cidr")
    if facts.ip_family == "ipv6":
        mistakes.add(place, "an IPv6 cluster gets its service range from EKS", "leave it out")
    try:
        services = ip_network(_with_length(facts.service_ipv4_cidr))
    except ValueError:
        message = f"{facts.service_ipv4_cidr!r} is not an address range"
        mistakes.add(place, message, "a range such as 172.20.0.0/16", _range_of(facts.service_ipv4_cidr))
        return
    if not _is_private(services) or not 12 <= services.prefixlen <= 24:
        mistakes.add(place, f"services in {services}", f"an IPv4 range from /12 to /24 in {', '.join(map(str, _PRIVATE))}")


def remote_network_problems(config: Any, place: Place) -> Iterable[Problem]:
    """Yield a problem for each range of an on-premises network that EKS would refuse: all except private IPv4 ranges."""
    for key, value in config.items() if isinstance(config, Mapping) else ():
        at = place.member(key)
        if key != "cidrs":
            yield from remote_network_problems(value, at)
            continue
        for index, cidr in enumerate(value if isinstance(value, list | tuple) else ()):
            if isinstance(cidr, str) and not _is_private(_read(cidr)):
                allowed = f"an IPv4 range in {', '.join(map(str, _PRIVATE))}"
                yield Problem(at.item(index), f"{cidr!r} is not a private range", allowed, _range_of(cidr))


def _read(cidr: str) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(cidr)
    except ValueError:
        return None


def _is_private(network: IPv4Network | IPv6Network | None) -> bool:
    return isinstance(network, IPv4Network) and any(map(network.subnet_of, _PRIVATE))
