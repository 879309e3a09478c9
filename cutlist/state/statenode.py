"""Nodes of a cluster as disruption sees them: the Node, its NodeClaim and the pods on it (spec: disruption 0, 1.2, 1.7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.api.durations import NEVER, seconds
from cutlist.api.nodepool_fields import DEFAULT_EXPIRE_AFTER
from cutlist.core.instants import instant
from cutlist.core.labels import CAPACITY_TYPE, INITIALIZED, INSTANCE_TYPE, NODEPOOL, REGISTERED, ZONE
from cutlist.state.cluster import Cluster
from cutlist.state.pods import RunningPod
from cutlist.state.scheduling_node import SchedulingNode

Manifest = Mapping[str, Any]

CONSOLIDATABLE: Final = "Consolidatable"
DRIFTED: Final = "Drifted"
INSTANCE_TERMINATING: Final = "InstanceTerminating"
LAUNCHED: Final = "Launched"
CLAIM_INITIALIZED: Final = "Initialized"
REBOOTING: Final = "Rebooting"


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of a Node or NodeClaim. `since` is in seconds since 1970."""

    status: str
    since: float = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class NodeClaimState:
    """The contents of a NodeClaim in a cluster. Times are seconds since 1970; durations are text as written.

    It is read as leniently as a controller reads: unknown fields do not matter to disruption.
    """

    name: str
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)
    created: float = 0
    deleted: float | None = None
    provider_id: str = ""
    image_id: str = ""
    expire_after: str = NEVER
    termination_grace_period: str | None = None
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    last_pod_event: float | None = None

    @staticmethod
    def read(manifest: Manifest) -> NodeClaimState:
        """Return the state that a NodeClaim object describes."""
        metadata, spec, status = manifest["metadata"], manifest.get("spec") or {}, manifest.get("status") or {}
        return NodeClaimState(
            name=metadata["name"],
            labels=metadata.get("labels") or {},
            annotations=metadata.get("annotations") or {},
            created=instant(metadata.get("creationTimestamp")) or 0,
            deleted=instant(metadata.get("deletionTimestamp")),
            provider_id=status.get("providerID") or "",
            image_id=status.get("imageID") or "",
            expire_after=spec.get("expireAfter") or DEFAULT_EXPIRE_AFTER,
            termination_grace_period=spec.get("terminationGracePeriod"),
            conditions=_conditions(status),
            last_pod_event=instant(status.get("lastPodEventTime")),
        )

    def has(self, condition: str) -> bool:
        """Tell whether a condition is True."""
        current = self.conditions.get(condition)
        return current is not None and current.status == "True"

    @property
    def lifetime(self) -> int | None:
        """Return how long it may live, in seconds, or None for no limit."""
        return seconds(self.expire_after)


@dataclass(frozen=True, slots=True)
class StateNode:
    """A Node, a NodeClaim or both. `state` is scheduling's view of it, `pods` are all that are bound to it, in any phase.

    `created` is when the Node was made, in seconds since 1970.
    """

    state: SchedulingNode
    claim: NodeClaimState | None = None
    annotations: Mapping[str, str] = field(default_factory=dict)
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    pods: tuple[RunningPod, ...] = ()
    created: float = 0

    @property
    def name(self) -> str:
        """Return the name of the Node, or of the NodeClaim while there is no Node."""
        return self.state.name

    @property
    def has_node(self) -> bool:
        """Tell whether the Node exists."""
        return bool(self.state.node)

    @property
    def pool(self) -> str:
        """Return the NodePool by its label, or an empty string without one."""
        return self.state.labels.get(NODEPOOL, "")

    @property
    def instance_type(self) -> str:
        """Return the instance type by its label."""
        return self.state.labels.get(INSTANCE_TYPE, "")

    @property
    def zone(self) -> str:
        """Return the zone by its label."""
        return self.state.labels.get(ZONE, "")

    @property
    def capacity_type(self) -> str:
        """Return the capacity type by its label."""
        return self.state.labels.get(CAPACITY_TYPE, "")

    @property
    def initialized(self) -> bool:
        """Tell whether the Node carries the label that marks it initialized."""
        return self.state.own_labels.get(INITIALIZED) == "true"

    @property
    def registered(self) -> bool:
        """Tell whether the Node carries the label that marks it registered."""
        return self.state.own_labels.get(REGISTERED) == "true"

    @property
    def rebooting(self) -> bool:
        """Tell whether it reboots: a reboot was requested and has not ended yet (V15-34)."""
        return self.claim is not None and self.claim.has(REBOOTING)

    @property
    def rebooted(self) -> float:
        """Return when its last reboot ended, in seconds since 1970, or 0 for none."""
        ended = self.claim.conditions.get(REBOOTING) if self.claim is not None else None
        return ended.since if ended is not None and ended.status == "False" else 0

    @property
    def ready(self) -> bool:
        """Tell whether the kubelet reports that it is ready."""
        condition = self.conditions.get("Ready")
        return condition is not None and condition.status == "True"

    @property
    def terminating(self) -> bool:
        """Tell whether its instance is being terminated already."""
        return self.claim is not None and self.claim.has(INSTANCE_TERMINATING)


def state_nodes(cluster: Cluster) -> tuple[StateNode, ...]:
    """Return the nodes of a cluster that Karpenter tracks, by name."""
    return tuple(n for n in all_state_nodes(cluster) if n.state.tracked)


def all_state_nodes(cluster: Cluster) -> tuple[StateNode, ...]:
    """Return the nodes of a cluster by name, including those that Karpenter does not track yet."""
    on_node: dict[str, list[RunningPod]] = {}
    for pod in cluster.pods:
        on_node.setdefault(pod.node, []).append(pod)
    nodes = []
    for state, (node, claim) in zip(cluster.nodes, cluster.origins, strict=True):
        pods = tuple(on_node.get(state.node, ())) if state.node else ()
        nodes.append(_state_node(state, node, claim, pods))
    return tuple(sorted(nodes, key=lambda n: n.name))


def newest_time(nodes: Iterable[StateNode]) -> float:
    """Return the newest instant in the reports of nodes or their pods, in seconds since 1970, or 0 if they have none."""
    times = [0.0]
    for node in nodes:
        times += [c.since for c in node.conditions.values()]
        if node.claim is not None:
            times += [node.claim.created, node.claim.last_pod_event or 0.0]
            times += [c.since for c in node.claim.conditions.values()]
        times += [time for p in node.pods for time in (p.created, p.started or 0.0)]
    return max(times)


def _state_node(
    state: SchedulingNode, node: Manifest | None, claim: Manifest | None, pods: tuple[RunningPod, ...]
) -> StateNode:
    node_claim = NodeClaimState.read(claim) if claim is not None else None
    registered = node is not None and (node_claim is None or state.name == state.node)
    visible = node if registered else claim
    return StateNode(
        state=state,
        claim=node_claim,
        annotations=((visible or {}).get("metadata") or {}).get("annotations") or {},
        conditions=_conditions((node or {}).get("status") or {}),
        pods=pods,
        created=instant(((node or {}).get("metadata") or {}).get("creationTimestamp")) or 0,
    )


def _conditions(status: Manifest) -> dict[str, Condition]:
    return {
        c["type"]: Condition(c.get("status") or "", instant(c.get("lastTransitionTime")) or 0, c.get("reason") or "")
        for c in status.get("conditions") or ()
    }
