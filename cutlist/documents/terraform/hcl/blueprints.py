"""Calls of the EKS Blueprints modules, which install charts: those that a call describes itself, and those of their add-ons."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from cutlist.core.unknown import UNKNOWN
from cutlist.documents.terraform.hcl.modules import Resource
from cutlist.documents.terraform.hcl.releases import RELEASE

_ONE: Final = "aws-ia/eks-blueprints-addon/aws"
_SEVERAL: Final = "aws-ia/eks-blueprints-addons/aws"
CALLS: Final = re.compile(rf'^\s*source\s*=\s*"({re.escape(_ONE)}|{re.escape(_SEVERAL)})"', re.MULTILINE)
_RELEASES: Final = "helm_releases"
_SWITCH: Final = "enable_"
_WITHOUT_PODS: Final = frozenset(("karpenter", "fargate_fluentbit"))
"""Add-ons that are Karpenter itself, or install no chart."""


def releases_of(call: Resource) -> Iterator[Resource]:
    """Yield the releases that a call describes itself, each as the resource that makes it."""
    values = call.values
    if call.type == _ONE and values.get("create_release") is not False:
        yield _release(call, "", values)
    described = values.get(_RELEASES) if call.type == _SEVERAL else None
    for name, release in described.items() if isinstance(described, Mapping) else ():
        if isinstance(release, Mapping):
            yield _release(call, f'.{_RELEASES}["{name}"]', {"name": name, **release})


def unknown_charts(call: Resource) -> str:
    """Return the add-ons of a call whose charts are unknown, separated by commas; empty if it has no such add-on."""
    if call.type != _SEVERAL:
        return ""
    switches = {name.removeprefix(_SWITCH): value for name, value in call.values.items() if name.startswith(_SWITCH)}
    addons = [name for name, value in switches.items() if value in (True, UNKNOWN) and name not in _WITHOUT_PODS]
    addons += [_RELEASES] if call.values.get(_RELEASES) is UNKNOWN else []
    return ", ".join(addons)


def _release(call: Resource, suffix: str, values: Mapping[str, Any]) -> Resource:
    members = {**values, "version": values.get("chart_version")}
    unset = {name: value for name, value in members.items() if value not in ("", None)}
    return replace(call, address=f"{call.address}{suffix}", type=RELEASE, values=unset)
