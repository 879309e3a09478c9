"""What a change of a running cluster's Kubernetes version needs first, and what it means (spec: aws-infrastructure 1.12)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import Place, Problem, Problems
from cutlist.core.karpenter.versions import noted_version
from cutlist.infrastructure.versions import least_karpenter

_MINOR: Final = re.compile(r"1\.(\d+)", re.ASCII)
NODE_SKEW: Final = 3
"""How many minor versions nodes, and kube-proxy on them, may be older than the control plane
(kubernetes.io/releases/version-skew-policy, 2026-11-23)."""
ROLLBACK_DAYS: Final = 7
"""Days after an upgrade within which EKS takes a control plane back (EKS user guide, rollback-cluster, 2026-07)."""


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions of a cluster: of its control plane, of its system nodes, empty where EKS sees to the nodes, and of its
    Karpenter, empty in a cluster without one."""

    kubernetes: str
    nodes: str = ""
    karpenter: str = ""

    @property
    def minor(self) -> int | None:
        """Return the number of the control plane's minor version; None for a text that is not one."""
        return minor_of(self.kubernetes)


def minor_of(version: str) -> int | None:
    """Return the number of a minor version of Kubernetes, such as 35; None for a text that is not one."""
    found = _MINOR.fullmatch(version)
    return int(found[1]) if found else None


def version_problems(before: Versions, after: Versions, at: Place, nodes_at: Place) -> Iterator[Problem]:
    """Yield why EKS would not take a control plane from one version to another in one update. `at` has the control plane's
    version, `nodes_at` that of system nodes."""
    was, becomes = before.minor, after.minor
    if was is None or becomes is None or was == becomes:
        return
    if abs(becomes - was) > 1:
        way = "upgrades" if becomes > was else "goes back"
        step = f"1.{was + (1 if becomes > was else -1)}"
        message = f"Kubernetes {before.kubernetes} runs, and EKS {way} by one minor version at a time"
        yield Problem(at, message, f"{step}, in an update of its own", step)
    elif becomes > was:
        least = least_karpenter(after.kubernetes)
        runs = noted_version(before.karpenter, at, Problems())
        if least is not None and runs is not None and least > runs:
            message = f"Karpenter {before.karpenter}, which runs until the control plane is upgraded, does not fit Kubernetes "
            way = f"first karpenterVersion {least} or later in an update of its own, then this"
            yield Problem(at, message + after.kubernetes, way)
    else:
        yield from _newer_nodes("system nodes run", before.nodes, after, at, nodes_at)


def group_problems(group: str, version: str, before: Versions, after: Versions, at: Place) -> Iterator[Problem]:
    """Yield why EKS would not take a control plane back beside a node group of a version, which is written `at` a place."""
    was, becomes = before.minor, after.minor
    if was is not None and becomes is not None and becomes < was:
        yield from _newer_nodes(f"node group {group} runs", version, after, at, at)


def _newer_nodes(what: str, version: str, after: Versions, at: Place, nodes_at: Place) -> Iterator[Problem]:
    nodes, becomes = minor_of(version), after.minor
    if nodes is not None and becomes is not None and nodes > becomes:
        message = f"{what} {version}, and nodes cannot be newer than the control plane"
        yield Problem(at, message, f"first {nodes_at.path} {after.kubernetes!r} in an update of its own, then this")


def way_back(before: Versions, after: Versions) -> str:
    """Return what EKS demands for the way back that a change is; empty for another change."""
    was, becomes = before.minor, after.minor
    if was is None or becomes is None or becomes >= was:
        return ""
    return (
        f"Kubernetes goes back from {before.kubernetes} to {after.kubernetes}: EKS does this within {ROLLBACK_DAYS} days of "
        f"the upgrade, for a cluster that was upgraded to {before.kubernetes} and not made with it, once no node is newer than "
        f"{after.kubernetes}, those that Karpenter started since then among them"
    )


def node_version_problems(nodes: str, kubernetes: str, at: Place) -> Iterator[Problem]:
    """Yield why nodes cannot have a version of Kubernetes beside a control plane of another."""
    of_nodes, of_plane = minor_of(nodes), minor_of(kubernetes)
    if of_plane is None or (of_nodes is not None and of_plane - NODE_SKEW <= of_nodes <= of_plane):
        return
    allowed = f"1.{of_plane - NODE_SKEW} to {kubernetes}, or leave it out: it is that of the control plane"
    yield Problem(at, f"nodes of {nodes} with a control plane of {kubernetes}", allowed)
