"""What a cluster cannot change, and what a change means, found in its recorded inputs and the new ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cutlist.core.errors import Place, Problem
from cutlist.infrastructure.inputs import Places
from cutlist.infrastructure.unchangeable import control_plane_changes
from cutlist.infrastructure.version_changes import Versions, group_problems, version_problems, way_back
from cutlist.infrastructure.versions import BASELINE
from pulumi_cutlist.inputs.shapes import inside


def changes_of_cluster(at: Places, olds: Mapping[str, Any], news: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield a problem for each change of a Cluster that EKS would not make; `at` has its inputs."""
    nodes = at.member("systemNodes").member("version")
    yield from _changes(at, olds, news, (_versions(olds, _nodes(olds)), _versions(news, _nodes(news))), nodes)
    groups = at.member("nodeGroups")
    for name, version in _group_versions(olds).items():
        yield from group_problems(name, version, _versions(olds), _versions(news), groups.member(name).member("version"))


def changes_of_auto_mode(at: Places, olds: Mapping[str, Any], news: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield a problem for each change of an AutoMode that EKS would not make, which sees to its nodes itself."""
    yield from _changes(at, olds, news, (_versions(olds), _versions(news)), Place())


def notes_on_changes(olds: Mapping[str, Any], news: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is to be known of a change of a cluster that EKS makes."""
    if note := way_back(_versions(olds), _versions(news)):
        yield note


def _changes(
    at: Places, olds: Mapping[str, Any], news: Mapping[str, Any], versions: tuple[Versions, Versions], nodes: Place
) -> Iterator[Problem]:
    of_plane = inside(at, "controlPlane")
    yield from control_plane_changes(_plane(olds), _plane(news), of_plane)
    yield from version_problems(*versions, of_plane.member("version"), nodes)


def _plane(inputs: Mapping[str, Any]) -> Mapping[str, Any]:
    plane = inputs.get("control_plane")
    return plane if isinstance(plane, Mapping) else {}


def _nodes(inputs: Mapping[str, Any]) -> str:
    """Return the version of system nodes; empty on Fargate."""
    if "fargate" in inputs:
        return ""
    return str((inputs.get("system_nodes") or {}).get("version") or _plane(inputs).get("version") or "")


def _group_versions(inputs: Mapping[str, Any]) -> dict[str, str]:
    """Return the versions of the node groups that name one; the others have that of system nodes."""
    groups = inputs.get("node_groups") or {}
    return {name: str(group["version"]) for name, group in groups.items() if group.get("version")}


def _versions(inputs: Mapping[str, Any], nodes: str = "") -> Versions:
    plane = _plane(inputs)
    return Versions(str(plane.get("version") or ""), nodes, str(plane.get("karpenter_version") or BASELINE))
