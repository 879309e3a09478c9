"""Nodes that may be disrupted at all, and what a method requires (spec: disruption 1.2 to 1.6, 1.9, 1.10; D-5 to D-12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.api import NodePool
from cutlist.api.durations import NEVER
from cutlist.core.annotations import DO_NOT_DISRUPT
from cutlist.core.labels import CAPACITY_TYPE, NODEPOOL, ZONE
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.costs import NODE_COST, reschedule_cost
from cutlist.providers.instance_types import InstanceType
from cutlist.state.pods import RunningPod, tolerates_disruption
from cutlist.state.statenode import CONSOLIDATABLE, DRIFTED, StateNode
from cutlist.workloads.objects import EvictionBudgets


@dataclass(frozen=True, slots=True)
class Candidate:
    """A machine that may be disrupted. `price` is in USD/hour, 0 when unknown; `pods` are those that would have to move."""

    node: StateNode
    pool: NodePool
    instance_type: InstanceType | None
    price: float
    cost: float
    pods: tuple[RunningPod, ...]

    @property
    def name(self) -> str:
        """The name of the Node."""
        return self.node.name

    @property
    def empty(self) -> bool:
        """Whether moving its pods costs nothing (spec 2.2); such pods are simply evicted."""
        return self.cost <= NODE_COST

    @property
    def savings_ratio(self) -> float:
        """What its end saves for each unit of cost, the order of all graceful methods (spec 2.3)."""
        return self.price / self.cost


@dataclass(frozen=True, slots=True)
class Candidates:
    """What came of the generic checks: candidates by name, and by name why others are none (Karpenter's words, or "")."""

    found: Mapping[str, Candidate]
    blocked: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A machine that a method leaves alone, and the event by which Karpenter tells; both are empty where it says nothing."""

    node: str
    event: str = ""
    text: str = ""


UNCONSOLIDATABLE: Final = "Unconsolidatable"
Filter = Callable[[Candidate, ClusterState], Skipped | None]


def candidates(cluster: ClusterState, *, eventual: bool) -> Candidates:
    """The machines that pass all generic checks. Eventual disruption (drift) does not wait for pods beyond a grace period."""
    found: dict[str, Candidate] = {}
    blocked: dict[str, str] = {}
    for node in cluster.nodes:
        text = _blocked_because(node, cluster, eventual=eventual)
        if text is None:
            found[node.name] = _candidate(node, cluster)
        else:
            blocked[node.name] = text
    return Candidates(found, blocked)


def _blocked_because(node: StateNode, cluster: ClusterState, *, eventual: bool) -> str | None:
    """The first check that a machine fails, in Karpenter's words; empty where it says nothing, None for a candidate."""
    for check in _CHECKS:
        text = check(node, cluster)
        if text is not None:
            return text
    claim = node.claim
    if eventual and claim is not None and claim.termination_grace_period is not None:
        return None  # the grace period ends every wait for pods (D-12)
    return blocking_pod(node.pods, cluster.evictions, cluster.now) or None


def _known(node: StateNode, cluster: ClusterState) -> str | None:
    return "" if node.name in cluster.controller_memory.queued or node.claim is None else None


def _started(node: StateNode, _: ClusterState) -> str | None:
    if not node.has_node:
        return "Nodeclaim does not have an associated node"
    return None if node.initialized else "Node isn't initialized"


def _staying(node: StateNode, _: ClusterState) -> str | None:
    return "Node is deleting or marked for deletion" if node.state.removed else None


def _not_nominated(node: StateNode, cluster: ClusterState) -> str | None:
    return "Node is nominated for a pending pod" if cluster.nominated(node) else None


def _not_held(node: StateNode, _: ClusterState) -> str | None:
    if node.annotations.get(DO_NOT_DISRUPT) != "true":
        return None
    return f'Disruption is blocked through the "{DO_NOT_DISRUPT}" annotation'


def _pooled(node: StateNode, cluster: ClusterState) -> str | None:
    if NODEPOOL not in node.state.labels:
        return f"Node doesn't have required label (label={NODEPOOL})"
    pool = node.pool
    return None if pool in cluster.pools and cluster.types.get(pool) else f"NodePool not found (NodePool={pool})"


_CHECKS: Final = (_known, _started, _staying, _not_nominated, _not_held, _pooled)
"""The checks of spec 1.2 in Karpenter's order."""


def _candidate(node: StateNode, cluster: ClusterState) -> Candidate:
    return Candidate(
        node=node,
        pool=cluster.pools[node.pool],
        instance_type=cluster.type_of(node),
        price=cluster.price_of(node),
        cost=reschedule_cost(node.pods),
        pods=tuple(p for p in node.pods if p.reschedulable),
    )


# --- what each method asks for (spec 1.9)


def is_empty(candidate: Candidate, cluster: ClusterState) -> Skipped | None:
    """Emptiness: a dynamic pool, nothing to move, and quiet for long enough."""
    if candidate.pool.is_static:
        return Skipped(candidate.name)
    if candidate.pool.disruption.consolidate_after == NEVER:
        return _disabled(candidate)
    if cluster.controller_memory.buffered.get(candidate.name):
        return Skipped(candidate.name, UNCONSOLIDATABLE, f'Node "{candidate.name}" has buffer pods')
    return None if candidate.empty and _quiet(candidate) else Skipped(candidate.name)


def is_drifted(candidate: Candidate, _: ClusterState) -> Skipped | None:
    """Drift: a dynamic pool and the condition Drifted."""
    return None if not candidate.pool.is_static and _drifted(candidate) else Skipped(candidate.name)


def is_static_and_drifted(candidate: Candidate, _: ClusterState) -> Skipped | None:
    """Drift of static pools."""
    return None if candidate.pool.is_static and _drifted(candidate) else Skipped(candidate.name)


def is_consolidatable(candidate: Candidate, _: ClusterState) -> Skipped | None:
    """Multi-node and single-node consolidation."""
    if candidate.pool.is_static:
        return Skipped(candidate.name)
    text = _not_priced(candidate)
    if text:
        return Skipped(candidate.name, UNCONSOLIDATABLE, text)
    if candidate.pool.disruption.consolidate_after == NEVER:
        return _disabled(candidate)
    if candidate.empty:
        return Skipped(candidate.name)
    if candidate.pool.disruption.consolidation_policy == "WhenEmpty":
        text = f'NodePool "{candidate.pool.name}" has consolidation policy WhenEmpty, but node is not empty'
        return Skipped(candidate.name, UNCONSOLIDATABLE, text)
    return None if _quiet(candidate) else Skipped(candidate.name)


def _disabled(candidate: Candidate) -> Skipped:
    return Skipped(candidate.name, UNCONSOLIDATABLE, f'NodePool "{candidate.pool.name}" has consolidation disabled')


def _not_priced(candidate: Candidate) -> str:
    node = candidate.node
    if candidate.instance_type is None:
        return f'Instance Type "{node.instance_type}" not found'
    missing = next((label for label in (CAPACITY_TYPE, ZONE) if label not in node.state.labels), None)
    return f'Node does not have label "{missing}"' if missing else ""


def _quiet(candidate: Candidate) -> bool:
    return candidate.node.claim is not None and candidate.node.claim.has(CONSOLIDATABLE)


def _drifted(candidate: Candidate) -> bool:
    return candidate.node.claim is not None and candidate.node.claim.has(DRIFTED)


def evictable(pod: RunningPod, now: float) -> bool:
    """Whether a drain would evict the pod at this instant."""
    return pod.active and not tolerates_disruption(pod) and "Node" not in pod.owners and not pod.held(now)


def blocking_pod(pods: Sequence[RunningPod], budgets: EvictionBudgets, now: float) -> str:
    """What forbids to disrupt the node with these pods, in Karpenter's words; empty when nothing does."""
    for pod in pods:
        if pod.active and pod.held(now):
            return f'Pod has "{DO_NOT_DISRUPT}" annotation (Pod={pod.pod.namespace}/{pod.name})'
    if not budgets.by_namespace:
        return ""
    return next((text for pod in pods if evictable(pod, now) and (text := _kept_by_budget(pod, budgets))), "")


def _kept_by_budget(pod: RunningPod, budgets: EvictionBudgets) -> str:
    covering = budgets.covering(pod.pod)
    if len(covering) > 1:
        names = " ".join(f"{b.namespace}/{b.name}" for b in covering)
        return f"Eviction does not support multiple PDBs (PodDisruptionBudget(s)=[{names}])"
    for budget in covering:
        if not (pod.unready and budget.spares_only_ready) and budget.disruptions_allowed == 0:
            return f"Pdb prevents pod evictions (PodDisruptionBudget=[{budget.namespace}/{budget.name}])"
    return ""
