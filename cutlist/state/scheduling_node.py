"""Nodes that exist, or are being launched, as a pass sees them (spec: scheduling 5.3; S-57 to S-60)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.labels import HOSTNAME, INITIALIZED, NODEPOOL, REGISTERED
from cutlist.core.quantity import NANO, amounts, merge, subtract
from cutlist.core.taints import NO_EXECUTE, NO_SCHEDULE, HostPort, Taint
from cutlist.state.pods import RunningPod
from cutlist.state.volumes import Attachment

Manifest = Mapping[str, Any]

# Taints that every new node has for a while, by key and effect.
_EPHEMERAL: Final = frozenset(
    {
        ("node.kubernetes.io/not-ready", NO_SCHEDULE),
        ("node.kubernetes.io/not-ready", NO_EXECUTE),
        ("node.kubernetes.io/unreachable", NO_SCHEDULE),
        ("node.cloudprovider.kubernetes.io/uninitialized", NO_SCHEDULE),
        ("karpenter.sh/unregistered", NO_EXECUTE),
    }
)
_READINESS: Final = "readiness.k8s.io/"
REBOOTING_TAINT: Final = Taint("karpenter.sh/rebooting", NO_SCHEDULE)
"""The taint that keeps pods away from a node until its reboot is over."""


@dataclass(frozen=True, slots=True)
class SchedulingNode:
    """A node as a pass sees it. Amounts are in nano-units.

    `labels` and `taints` are those that decide about pods, `own_labels` and `own_taints` those of the Node object, whose name
    is `node` (empty without a Node). `available` is what bound pods leave free, `daemon_requests` what the DaemonSets'
    pods among them request. A node that is `removed` accepts no pods and counts against no limit; nor does one that Karpenter
    does not track yet (not `tracked`). `attach_limits` are those of the CSI drivers in its CSINode, None for a driver without a
    number; `uncounted_drivers` have an `allocatable` without a count. A node that is `resting` accepts no pod that runs
    elsewhere (disruption 5.1).
    """

    name: str
    node: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: tuple[Taint, ...] = ()
    own_labels: Mapping[str, str] = field(default_factory=dict)
    own_taints: tuple[Taint, ...] = ()
    initialized: bool = True
    removed: bool = False
    tracked: bool = True
    resting: bool = False
    capacity: Mapping[str, int] = field(default_factory=dict)
    available: Mapping[str, int] = field(default_factory=dict)
    daemon_requests: Mapping[str, int] = field(default_factory=dict)
    ports: frozenset[HostPort] = frozenset()
    attached: frozenset[Attachment] = frozenset()
    attach_limits: Mapping[str, int | None] = field(default_factory=dict)
    uncounted_drivers: frozenset[str] = frozenset()

    @property
    def in_pass(self) -> bool:
        """Tell whether pods may be placed on it."""
        return self.tracked and not self.removed

    @property
    def hostname(self) -> str:
        """Return the name that topology rules by hostname use for it."""
        return self.labels.get(HOSTNAME) or self.name

    @property
    def topology_node(self) -> TopologyNode:
        """Return the node as topology sees it."""
        return TopologyNode(
            self.node or self.name,
            self.hostname,
            self.own_labels,
            self.own_taints,
            self.labels,
            has_node=bool(self.node),
            in_pass=self.in_pass,
            tracked=self.tracked,
        )


def scheduling_node(
    node: Manifest | None,
    claim: Manifest | None,
    bound: Sequence[RunningPod] = (),
    *,
    attached: frozenset[Attachment] = frozenset(),
    csi_node: Manifest | None = None,
) -> SchedulingNode:
    """Return a node as a pass sees it, from a Node, a NodeClaim or both, and the pods bound to it. Raises ValueError when
    neither is given."""
    own_labels = _labels(node)
    registered = node is not None and (claim is None or own_labels.get(REGISTERED) == "true")
    initialized = node is not None and (claim is None or own_labels.get(INITIALIZED) == "true")
    shown = node if registered else claim
    if shown is None:
        raise ValueError("a state node needs a Node or a NodeClaim")
    taints = _taints(shown)
    if claim is not None and (not initialized or _has_condition(claim, "Rebooting")):
        # Its capacity is starting, or rebooting, so taints that keep pods away meanwhile do not count (V15-37).
        passing = startup_taints(claim) | {(REBOOTING_TAINT.key, REBOOTING_TAINT.effect)}
        taints = tuple(t for t in taints if not is_ephemeral(t) and (t.key, t.effect) not in passing)
    stale = None if initialized else claim
    running = [p for p in bound if not p.ended]
    return SchedulingNode(
        name=shown["metadata"]["name"],
        node=node["metadata"]["name"] if node is not None else "",
        labels=_labels(shown),
        taints=taints,
        own_labels=own_labels,
        own_taints=_taints(node),
        initialized=initialized,
        removed=_being_removed(node, claim),
        capacity=_amounts("capacity", node, stale),
        available=subtract(_amounts("allocatable", node, stale), merge(*(p.pod.requests for p in running))),
        daemon_requests=merge(*(p.pod.requests for p in running if "DaemonSet" in p.owners)),
        ports=frozenset(port for p in running for port in p.pod.host_ports),
        attached=attached,
        attach_limits=_attach_limits(csi_node),
        uncounted_drivers=_uncounted_drivers(csi_node),
    )


def _attach_limits(csi_node: Manifest | None) -> dict[str, int | None]:
    return {driver["name"]: (driver.get("allocatable") or {}).get("count") for driver in _drivers(csi_node)}


def _uncounted_drivers(csi_node: Manifest | None) -> frozenset[str]:
    drivers = (d for d in _drivers(csi_node) if d.get("allocatable") is not None)
    return frozenset(d["name"] for d in drivers if d["allocatable"].get("count") is None)


def _drivers(csi_node: Manifest | None) -> Sequence[Manifest]:
    return ((csi_node or {}).get("spec") or {}).get("drivers") or ()


def startup_taints(claim: Manifest) -> set[tuple[str, str]]:
    """Return the taints, by key and effect, that a NodeClaim's node has until an agent removes them."""
    return {(taint.key, taint.effect) for taint in _taints(claim, "startupTaints")}


def is_ephemeral(taint: Taint) -> bool:
    """Tell whether a taint, by key and effect, is expected to be removed while a node starts (S-57)."""
    return (taint.key, taint.effect) in _EPHEMERAL or taint.key.startswith(_READINESS)


def usage(nodes: Sequence[SchedulingNode]) -> dict[str, dict[str, int]]:
    """Return how much the nodes that stay, `nodes` included, use of the limits of their NodePools, in nano-units (spec 5.6;
    S-69)."""
    by_pool: dict[str, dict[str, int]] = {}
    for node in nodes:
        pool = node.labels.get(NODEPOOL)
        if pool and node.in_pass:
            by_pool[pool] = merge(by_pool.get(pool, {}), node.capacity, {NODES: NANO})
    return by_pool


def _being_removed(node: Manifest | None, claim: Manifest | None) -> bool:
    if claim is None:
        return node is not None and bool(node["metadata"].get("deletionTimestamp"))
    return _has_condition(claim, "InstanceTerminating") or bool(claim["metadata"].get("deletionTimestamp"))


def _has_condition(claim: Manifest, kind: str) -> bool:
    conditions = (claim.get("status") or {}).get("conditions") or ()
    return any(c.get("type") == kind and c.get("status") == "True" for c in conditions)


def _labels(of: Manifest | None) -> Mapping[str, str]:
    return (of["metadata"].get("labels") or {}) if of else {}


def _taints(of: Manifest | None, name: str = "taints") -> tuple[Taint, ...]:
    return tuple(map(Taint.read, (of.get("spec") or {}).get(name) or ())) if of else ()


def _amounts(name: str, node: Manifest | None, stale: Manifest | None) -> dict[str, int]:
    """Return the amounts that a Node reports; those that are missing, or still 0, come from its NodeClaim (S-60)."""
    reported = amounts(((node or {}).get("status") or {}).get(name) or {})
    if stale is None:
        return reported
    promised = amounts((stale.get("status") or {}).get(name) or {})
    return {**reported, **{r: a for r, a in promised.items() if not reported.get(r)}}


@dataclass(frozen=True, slots=True)
class TopologyNode:
    """A node that a bound pod may run on: its own complete labels and taints; `hostname` is its name in the pass.

    `in_pass` says whether pods may be placed on it (nodes that are being removed only count); `labels` are those the pass uses,
    which differ while a node is not registered. The pods of a node that Karpenter does not track yet (not `tracked`) count, but
    their anti-affinity does not.
    """

    name: str
    hostname: str
    own_labels: Mapping[str, str]
    own_taints: tuple[Taint, ...]
    labels: Mapping[str, str]
    has_node: bool = True
    in_pass: bool = True
    tracked: bool = True


NODES: Final = "nodes"
