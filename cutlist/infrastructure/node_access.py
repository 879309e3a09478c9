"""How nodes get access to a cluster: an access entry of the right type, or a line of aws-auth (spec: aws-infrastructure
2.5)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import yaml

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure.inputs import Places, one_of

_NODE_NAME: Final = "system:node:{{EC2PrivateDNSName}}"
_NODE_GROUPS: Final = ("system:bootstrappers", "system:nodes")
_WINDOWS_GROUP: Final = "eks:kube-proxy-windows"


class EntryType(StrEnum):
    """The type of the access entry of nodes' role. A role has one entry, and an entry one type."""

    LINUX = "EC2_LINUX"
    WINDOWS = "EC2_WINDOWS"


_TYPES: Final = {
    "AL2": EntryType.LINUX,
    "AL2023": EntryType.LINUX,
    "Bottlerocket": EntryType.LINUX,
    "Custom": EntryType.LINUX,
    "Ubuntu": EntryType.LINUX,
    "Windows2019": EntryType.WINDOWS,
    "Windows2022": EntryType.WINDOWS,
    "Windows2025": EntryType.WINDOWS,
}


@dataclass(frozen=True, slots=True)
class LegacyMap:
    """The facts about aws-auth in a cluster without access entries. `other_roles` are all other lines of `mapRoles`, None if
    unknown: it is one text, so writing a line replaces the whole list. `owner` names the component that writes the map, empty
    if none does.
    """

    other_roles: Sequence[Mapping[str, Any]] | None = None
    owner: str = ""


def entry_type(ami_families: Collection[str], place: Place, problems: Problems) -> EntryType:
    """Return the entry type for the image families of the role's nodes; mistakes are reported."""
    for family in ami_families:
        problems.extend(one_of(family, _TYPES, place))
    types = {_TYPES[family] for family in ami_families if family in _TYPES}
    if len(types) > 1:
        message = f"{', '.join(sorted(ami_families))} would share one role, whose access entry has one type"
        problems.add(place, message, "a NodeIdentity for Linux and one for Windows")
    return min(types, default=EntryType.LINUX)


def check_map(legacy: LegacyMap, at: Places, problems: Problems) -> None:
    """Report why a line of aws-auth must not be written."""
    if legacy.owner:
        message = f"{legacy.owner} owns the whole of aws-auth and would remove the line"
        problems.add(at.member("mapOwner"), message, f"the role mappings of {legacy.owner}, or authentication mode API")
    if legacy.other_roles is None:
        allowed = "every other line of the map, or [] if it has no other; or authentication mode API_AND_CONFIG_MAP"
        problems.add(at.member("otherMapRoles"), "writing to aws-auth replaces its whole list of roles", allowed)


def map_roles(role_arn: str, kind: EntryType, others: Sequence[Mapping[str, Any]]) -> str:
    """Return the text of `mapRoles` with the line of the nodes' role after all others; the map contains roles without their
    paths."""
    groups = [*_NODE_GROUPS, *([_WINDOWS_GROUP] if kind is EntryType.WINDOWS else [])]
    bare = without_path(role_arn)
    line = {"rolearn": bare, "username": _NODE_NAME, "groups": groups}
    kept = [dict(other) for other in others if other.get("rolearn") != bare]
    text: str = yaml.safe_dump([*kept, line], sort_keys=False)
    return text


def without_path(role_arn: str) -> str:
    """Return a role's ARN without the path of the role."""
    prefix, _, name = role_arn.partition(":role/")
    return f"{prefix}:role/{name.rpartition('/')[2]}"
