"""What a cluster of EKS and its VPC keep for as long as they exist (spec: aws-infrastructure 1.11).

The tables are of inputs, so that a preview refuses an edit of them before a provider plans to replace anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network
from typing import Any, Final

from cutlist.core.errors import Place, Problem
from cutlist.core.wording import camel_case
from cutlist.infrastructure.inputs import HERE, Places
from cutlist.infrastructure.network import NetworkPlan

_ANOTHER: Final = "another cluster: all of this one would be replaced, with its nodes"
_FIXED: Final = "and EKS sets it once, when it makes a cluster"
_IN_ITS_VPC: Final = "and a cluster stays in the VPC that it was made in"


@dataclass(frozen=True, slots=True)
class Unchangeable:
    """An input that keeps its value: by its name, with what a change of it means, and its value where it is left out.

    Without such a value, an input that was left out and one that is left out now are not compared.
    """

    name: str
    why: str = _FIXED
    otherwise: str = ""


OF_EKS: Final = tuple(Unchangeable(name, _ANOTHER) for name in ("cluster_name", "region", "account_id"))
"""The inputs that say which cluster a component is about."""
OF_CONTROL_PLANE: Final = (
    *OF_EKS,
    Unchangeable("ip_family", otherwise="ipv4"),
    Unchangeable("service_ipv4_cidr"),
    Unchangeable("outpost_config"),
    Unchangeable("name_style", "which renames the cluster's role, and a cluster keeps its role", "karpenter"),
)
"""The inputs of a control plane that it keeps."""
OF_AKS: Final = tuple(Unchangeable(name, _ANOTHER) for name in ("name", "resource_group", "location", "subscription"))
"""The inputs that say which cluster of AKS a component is about."""

_SERVICES: Final = "service_ipv4_cidr"
_PREFIXES: Final = {"private": "nodes", "control_plane": "the control plane's interfaces", "public": "load balancers"}


def changes(rows: tuple[Unchangeable, ...], olds: Mapping[str, Any], news: Mapping[str, Any], at: Places) -> Iterator[Problem]:
    """Yield a problem for each input of a table whose value differs from the recorded one, where `at` has it."""
    for row in rows:
        before, after = olds.get(row.name) or row.otherwise, news.get(row.name) or row.otherwise
        if before and after and before != after:
            yield _change(at.member(camel_case(row.name)), before, after, row.why)


def changes_of_eks(olds: Mapping[str, Any], news: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield a problem for each input of a whole cluster that makes it another one."""
    yield from changes(OF_EKS, olds, news, HERE)


def changes_of_aks(olds: Mapping[str, Any], news: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield a problem for each input that makes a cluster of AKS another one."""
    before, after = (inputs.get("cluster") or {} for inputs in (olds, news))
    yield from changes(OF_AKS, before, after, Place(path="cluster"))


def control_plane_changes(olds: Mapping[str, Any], news: Mapping[str, Any], at: Places) -> Iterator[Problem]:
    """Yield a problem for each input of a control plane that EKS would not change."""
    yield from changes(OF_CONTROL_PLANE, olds, news, at)
    if not olds.get(_SERVICES) and news.get(_SERVICES):
        message = "EKS chose the range when it made the cluster, and keeps it"
        yield Problem(at.member(camel_case(_SERVICES)), message, "leave it out")
    if _has_key(olds) and not _has_key(news):
        message = "secrets stay under the key that they have: EKS does not take it from a cluster"
        name = "encryptSecrets" if olds.get("encrypt_secrets") else "secretsKeyArn"
        yield Problem(at.member(name), message, "true" if olds.get("encrypt_secrets") else str(olds.get("secrets_key_arn")))


def network_changes(before: NetworkPlan, after: NetworkPlan, at: Place) -> Iterator[Problem]:
    """Yield a problem if another VPC would take the place of one that was made, or other subnets that of a zone's.

    A zone that is added or left out moves no other, and is not a problem. `at` is where the new VPC is described.
    """
    if before.block != after.block:
        yield _change(at.member("cidr"), str(before.block), str(after.block), _IN_ITS_VPC)
        return
    olds, news = _ranges(before), _ranges(after)
    for kind, what in _PREFIXES.items():
        zone = next((zone for zone, ranges in olds.items() if zone in news and ranges[kind] != news[zone][kind]), None)
        if zone is not None:
            old, new = olds[zone][kind], news[zone][kind]
            prefix = at.member(f"{camel_case(kind)}Prefix")
            message = f"the subnet of {what} in {zone} is {old} and would be {new}: a subnet in use keeps its range"
            yield Problem(prefix, message, f"{old.prefixlen}, and the other prefixes as they were")
            return


def vpc_changes(olds: Mapping[str, Any], news: Mapping[str, Any], at: Places) -> Iterator[Problem]:
    """Yield a problem if a network that was made would be adopted or the other way round, or another one adopted."""
    before, after = ("adopted" if "adopted" in inputs else "own" for inputs in (olds, news))
    if before != after:
        yield _change(at.member(after), before, after, _IN_ITS_VPC)
    elif after == "adopted":
        vpcs = [{"vpc_id": (inputs.get("adopted") or {}).get("vpc_id")} for inputs in (olds, news)]
        yield from changes((Unchangeable("vpc_id", _IN_ITS_VPC),), vpcs[0], vpcs[1], at.member("adopted"))


def _change(place: Place, before: object, after: object, why: str) -> Problem:
    way = f"{before!r}; or another stack for the other cluster; or first a destroy of this one"
    return Problem(place, f"{before!r} becomes {after!r}, {why}", way)


def _has_key(inputs: Mapping[str, Any]) -> bool:
    return bool(inputs.get("encrypt_secrets") or inputs.get("secrets_key_arn"))


def _ranges(plan: NetworkPlan) -> dict[str, dict[str, IPv4Network]]:
    return {
        zone.zone: {"private": zone.private, "control_plane": zone.control_plane, "public": zone.public} for zone in plan.zones
    }
