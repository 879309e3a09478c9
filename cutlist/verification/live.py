"""The nodes of a cluster as they are compared with a plan, from its Kubernetes objects or from Karpenter's log."""

from __future__ import annotations

import contextlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Final

from cutlist.api.nodepool_hash import HASH
from cutlist.core.errors import QuantityError
from cutlist.core.instants import instant_text
from cutlist.core.labels import CAPACITY_TYPE, INSTANCE_TYPE, NODEPOOL, REGION, ZONE
from cutlist.core.quantity import amounts, nanos
from cutlist.core.records import HIDDEN, InstantText, Key, TextOrNull, about, form_of
from cutlist.logs import LaunchedNode
from cutlist.planning.model import PodShare
from cutlist.state.cluster import Cluster
from cutlist.state.pods import RunningPod
from cutlist.state.statenode import CLAIM_INITIALIZED, NodeClaimState, StateNode, all_state_nodes, newest_time
from cutlist.verification.pod_workloads import PodWorkloads

Manifest = Mapping[str, Any]
PodCounts = Annotated[
    Mapping[str, int],
    form_of(tuple[PodShare, ...]).through(lambda pods: [PodShare(*of) for of in sorted(pods.items())]),
    about("DaemonSets aside."),
]
"""Pods by workload; in JSON a list by the workload's name."""
_Instant = Annotated[float, form_of(InstantText | None).through(lambda at: instant_text(at) if at else None)]
_AWS: Final = "aws"


class LiveState(StrEnum):
    """How far a node has come."""

    NOT_LAUNCHED = "not launched"
    NOT_REGISTERED = "not registered"
    NOT_INITIALIZED = "not initialized"
    READY = "ready"
    ENDING = "being removed"


@dataclass(frozen=True, slots=True)
class LiveNode:
    """A node of a cluster, or a NodeClaim that has none yet.

    Amounts are nano-units, times seconds since 1970. `pods` counts its pods by workload, DaemonSets aside; `daemons` are the
    workloads of those. `allocatable` and `capacity` are what the kubelet reports, `expected` what Karpenter wrote into the
    claim's status, `types` the instance types that the claim allows; each is empty if unknown. `reason` is why it is not ready,
    or why it is being removed, in Karpenter's words. `pods_since` are the creation times of its pods by workload, the oldest
    first, as far as they are known. A log does not say which pods a node has: then `has_known_pods` is False.
    """

    name: str
    claim: Annotated[TextOrNull, Key("nodeClaim")] = ""
    node_pool: TextOrNull = ""
    instance_type: TextOrNull = ""
    capacity_type: TextOrNull = ""
    zone: TextOrNull = ""
    provider: Annotated[str, HIDDEN] = ""
    created: _Instant = 0
    state: LiveState = LiveState.READY
    reason: Annotated[str, HIDDEN] = ""
    pods: PodCounts = field(default_factory=dict)
    pods_since: Annotated[Mapping[str, tuple[float, ...]], HIDDEN] = field(default_factory=dict)
    daemons: Annotated[frozenset[str], HIDDEN] = frozenset()
    daemon_requests: Annotated[Mapping[str, int], HIDDEN] = field(default_factory=dict)
    allocatable: Annotated[Mapping[str, int], HIDDEN] = field(default_factory=dict)
    capacity: Annotated[Mapping[str, int], HIDDEN] = field(default_factory=dict)
    expected: Annotated[Mapping[str, int], HIDDEN] = field(default_factory=dict)
    types: Annotated[frozenset[str], HIDDEN] = frozenset()
    pool_hash: Annotated[str, HIDDEN] = ""
    has_known_pods: Annotated[bool, HIDDEN] = True

    @property
    def is_of_karpenter(self) -> bool:
        """Tell whether Karpenter launched it for a NodePool."""
        return bool(self.claim and self.node_pool)

    @property
    def is_of_aws(self) -> bool:
        """Tell whether EC2 chose the machine among those that Karpenter requested."""
        return self.provider == _AWS


@dataclass(frozen=True, slots=True)
class LivePool:
    """A NodePool of the cluster: its number of static nodes (None if it is not static), and its hash."""

    replicas: int | None = None
    hash: str = ""


@dataclass(frozen=True, slots=True)
class LiveCluster:
    """A cluster that is compared with a plan: its nodes by name, its waiting pods by workload, its NodePools by name.

    `now` is the newest instant in it; `regions` are those of its nodes.
    """

    nodes: tuple[LiveNode, ...]
    waiting: Mapping[str, int]
    pools: Mapping[str, LivePool]
    regions: frozenset[str] = frozenset()
    now: float = 0

    @staticmethod
    def read(manifests: Sequence[Manifest], cluster: Cluster, planned: Iterable[str]) -> LiveCluster:
        """Return the cluster that the objects describe; `planned` are the workloads of the plan."""
        workloads = PodWorkloads(planned)
        origins = {state.name: origin for state, origin in zip(cluster.nodes, cluster.origins, strict=True)}
        machines = all_state_nodes(cluster)
        nodes = [_live_node(machine, *origins[machine.name], workloads) for machine in machines]
        nodes += _launching(manifests)
        waiting = Counter(workloads.of(pod) for pod in cluster.pods if not pod.node and _is_placed(pod))
        regions = {machine.state.labels.get(REGION, "") for machine in machines} - {""}
        return LiveCluster(
            nodes=tuple(sorted(nodes, key=lambda node: node.name)),
            waiting=dict(sorted(waiting.items())),
            pools={m["metadata"]["name"]: _pool(m) for m in manifests if m.get("kind") == "NodePool" and _name(m)},
            regions=frozenset(regions),
            now=newest_time(machines),
        )

    @staticmethod
    def of_log(launched: Iterable[LaunchedNode]) -> LiveCluster:
        """Return the nodes whose launches a log reports; which pods they have, and what happened to them later, is unknown."""
        nodes = [
            LiveNode(
                name=node.claim,
                claim=node.claim,
                node_pool=node.node_pool,
                instance_type=node.instance_type,
                capacity_type=node.capacity_type,
                zone=node.zone,
                created=node.at,
                allocatable=dict(_readable(node.allocatable)),
                has_known_pods=False,
            )
            for node in launched
        ]
        return LiveCluster(
            tuple(sorted(nodes, key=lambda node: node.name)), {}, {}, now=max((n.created for n in nodes), default=0)
        )


def _readable(written: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Yield the texts that are amounts, in nano-units; a log may contain anything."""
    for name, text in written.items():
        with contextlib.suppress(QuantityError):
            yield name, nanos(text)


def _is_placed(pod: RunningPod) -> bool:
    """Tell whether a pod counts among those that were placed: it has not ended and is not a DaemonSet's or a node's own."""
    return pod.active and not pod.owners & {"DaemonSet", "Node"}


def _live_node(machine: StateNode, node: Manifest | None, claim: Manifest | None, workloads: PodWorkloads) -> LiveNode:
    by_workload: defaultdict[str, list[RunningPod]] = defaultdict(list)
    for pod in machine.pods:
        if _is_placed(pod):
            by_workload[workloads.of(pod)].append(pod)
    state, reason = _state(machine)
    status, claim_status = ((manifest or {}).get("status") or {} for manifest in (node, claim))
    labels = machine.state.labels
    return LiveNode(
        name=machine.name,
        claim=_name(claim or {}),
        node_pool=labels.get(NODEPOOL, ""),
        instance_type=machine.instance_type,
        capacity_type=machine.capacity_type,
        zone=machine.zone,
        provider=_provider_of(node, claim_status),
        created=machine.claim.created if machine.claim is not None else machine.created,
        state=state,
        reason=reason,
        pods={workload: len(pods) for workload, pods in sorted(by_workload.items())},
        pods_since={w: tuple(sorted(pod.created for pod in pods if pod.created)) for w, pods in sorted(by_workload.items())},
        daemons=frozenset(workloads.of(pod) for pod in machine.pods if pod.active and "DaemonSet" in pod.owners),
        daemon_requests=machine.state.daemon_requests,
        allocatable=amounts(status.get("allocatable") or {}),
        capacity=amounts(status.get("capacity") or {}),
        expected=amounts(claim_status.get("allocatable") or {}),
        types=_types(claim or {}),
        pool_hash=_annotations(claim or {}).get(HASH, ""),
    )


def _launching(manifests: Iterable[Manifest]) -> Iterator[LiveNode]:
    """Yield the NodeClaims that have no machine."""
    for manifest in manifests:
        if manifest.get("kind") != "NodeClaim" or not _name(manifest) or (manifest.get("status") or {}).get("providerID"):
            continue
        claim = NodeClaimState.read(manifest)
        launched = claim.conditions.get("Launched")
        yield LiveNode(
            name=claim.name,
            claim=claim.name,
            node_pool=claim.labels.get(NODEPOOL, ""),
            instance_type=claim.labels.get(INSTANCE_TYPE, ""),
            capacity_type=claim.labels.get(CAPACITY_TYPE, ""),
            zone=claim.labels.get(ZONE, ""),
            created=claim.created,
            state=LiveState.NOT_LAUNCHED,
            reason=launched.reason if launched is not None else "",
            types=_types(manifest),
            pool_hash=claim.annotations.get(HASH, ""),
        )


def _state(machine: StateNode) -> tuple[LiveState, str]:
    claim = machine.claim
    conditions = claim.conditions if claim is not None else {}
    if machine.state.removed or (claim is not None and claim.deleted is not None):
        disruption = conditions.get("DisruptionReason")
        return LiveState.ENDING, disruption.reason if disruption is not None and disruption.status == "True" else ""
    if claim is not None and not machine.has_node:
        registered = conditions.get("Registered")
        return LiveState.NOT_REGISTERED, registered.reason if registered is not None else ""
    if claim is not None and not machine.initialized and not claim.has(CLAIM_INITIALIZED):
        initialized = conditions.get(CLAIM_INITIALIZED)
        return LiveState.NOT_INITIALIZED, initialized.reason if initialized is not None else ""
    return LiveState.READY, ""


def _provider_of(node: Manifest | None, claim_status: Manifest) -> str:
    """Return the beginning of the provider id: `aws`, `azure`, `kwok`."""
    provider_id = ((node or {}).get("spec") or {}).get("providerID") or claim_status.get("providerID") or ""
    return str(provider_id).partition(":")[0]


def _types(claim: Manifest) -> frozenset[str]:
    """Return the instance types that a claim lists in its requirements."""
    rows = (claim.get("spec") or {}).get("requirements")
    rows = [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []
    values = (row.get("values") for row in rows if row.get("key") == INSTANCE_TYPE and row.get("operator") == "In")
    return frozenset(str(value) for of_row in values if isinstance(of_row, list) for value in of_row)


def _pool(manifest: Manifest) -> LivePool:
    replicas = (manifest.get("spec") or {}).get("replicas")
    is_count = isinstance(replicas, int) and not isinstance(replicas, bool)
    return LivePool(replicas if is_count else None, _annotations(manifest).get(HASH, ""))


def _name(manifest: Manifest) -> str:
    return str((manifest.get("metadata") or {}).get("name") or "")


def _annotations(manifest: Manifest) -> Mapping[str, str]:
    return (manifest.get("metadata") or {}).get("annotations") or {}
