"""Which leftovers may be removed, decided by the cluster's state, not by the caller (spec: aws-infrastructure 8.5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from cutlist.infrastructure.teardown.leftovers import Leftover, LeftoverKind

GRACE: Final = timedelta(minutes=10)  # a younger instance may be about to join the cluster
_AGED: Final = frozenset({LeftoverKind.INSTANCE, LeftoverKind.INTERFACE})
_OF_CLASSES: Final = frozenset({LeftoverKind.LAUNCH_TEMPLATE, LeftoverKind.INSTANCE_PROFILE})


class ClusterState(StrEnum):
    """The state that EKS and the cluster's own API report."""

    GONE = "gone"
    DELETING = "being deleted"
    ALIVE = "alive"
    UNREACHABLE = "there, but its API does not answer"


@dataclass(frozen=True, slots=True)
class LiveObjects:
    """The objects in a running cluster: ids of instances in NodeClaims and Nodes, and its EC2NodeClasses."""

    instances: frozenset[str] = frozenset()
    node_classes: tuple[str, ...] = ()

    @staticmethod
    def of(
        claims: Iterable[Mapping[str, Any]], nodes: Iterable[Mapping[str, Any]], classes: Iterable[Mapping[str, Any]]
    ) -> LiveObjects:
        """Return the objects in manifests of NodeClaims, Nodes and EC2NodeClasses."""
        claimed = ((claim.get("status") or {}).get("providerID") for claim in claims)
        joined = ((node.get("spec") or {}).get("providerID") for node in nodes)
        ids = frozenset(instance_id(text) for text in (*claimed, *joined) if text)
        return LiveObjects(ids, tuple(sorted(manifest["metadata"]["name"] for manifest in classes)))


def instance_id(provider_id: str) -> str:
    """Return the instance of a provider id such as `aws:///us-west-2a/i-0123`."""
    return provider_id.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class ObservedCluster:
    """A cluster's state at one time; `live` are the objects that its API listed, if it is alive."""

    state: ClusterState
    now: datetime
    live: LiveObjects = LiveObjects()

    def reason_to_keep(self, leftover: Leftover) -> str:
        """Return in words why a leftover has to stay, or an empty string if it may be removed."""
        if leftover.managed_by:
            return f"{leftover.managed_by} manages it"
        match self.state:
            case ClusterState.GONE | ClusterState.DELETING:
                return ""
            case ClusterState.UNREACHABLE:
                return "the cluster cannot be asked whether it uses it"
            case ClusterState.ALIVE:
                return self._of_living(leftover)

    def _of_living(self, leftover: Leftover) -> str:
        if leftover.kind in _OF_CLASSES:
            names = ", ".join(self.live.node_classes)
            return f"the cluster has EC2NodeClasses: {names}" if names else ""
        if leftover.kind not in _AGED:
            return "the cluster is alive"
        if leftover.id in self.live.instances:
            return "a NodeClaim or Node of the cluster names it"
        if leftover.created is None:
            return "its age is not known"
        return "it is younger than 10 minutes" if self.now - leftover.created <= GRACE else ""
