"""Nodes that may be disrupted at all, by shared checks (spec: disruption 1.4 to 1.6, 1.10, 2.3; D-1 to D-13)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.catalog.prices import Price, is_estimate, usd
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.costs import NODE_COST, reschedule_cost
from cutlist.disruption.disruptable import IGNORED_BY_REPAIR, blocking_pod, failed_check, without_pool
from cutlist.disruption.node_counts import NodeCounts
from cutlist.providers.instance_types import InstanceType
from cutlist.state.pods import RunningPod
from cutlist.state.statenode import CONSOLIDATABLE, DRIFTED, StateNode

UNCONSOLIDATABLE: Final = "Unconsolidatable"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A node that may be disrupted. `price` is in USD/hour, 0 when unknown; `pods` are those that would have to move.

    `has_pod_blockers` says that some pod must not be evicted now. `paid` is the price with fees, such as the licence of
    Windows, None when unknown; Karpenter does not look at it.
    """

    node: StateNode
    pool: NodePool
    instance_type: InstanceType | None
    price: float
    cost: float
    pods: tuple[RunningPod, ...]
    has_pod_blockers: bool = False
    paid: Price | None = None

    @property
    def bill(self) -> float:
        """Return what is paid in USD per hour, or 0 if it is unknown."""
        return usd(self.paid) or 0.0

    @property
    def is_estimated(self) -> bool:
        """Tell whether what is paid is an estimate."""
        return is_estimate(self.paid)

    @property
    def name(self) -> str:
        """Return the name of the Node."""
        return self.node.name

    @property
    def empty(self) -> bool:
        """Tell whether moving its pods costs nothing (spec 2.2); such pods are simply evicted."""
        return self.cost <= NODE_COST

    @property
    def consolidatable(self) -> bool:
        """Tell whether its NodeClaim has the condition Consolidatable."""
        return self.node.claim is not None and self.node.claim.has(CONSOLIDATABLE)

    @property
    def drifted(self) -> bool:
        """Tell whether its NodeClaim has the condition Drifted."""
        return self.node.claim is not None and self.node.claim.has(DRIFTED)

    @property
    def savings_ratio(self) -> float:
        """Return the savings of its removal per unit of cost, the order of all graceful methods (spec 2.3)."""
        return self.price / self.cost


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidates by name, and why other nodes are not candidates, by name (Karpenter's words, or "").

    `counts` has the counts of nodes that budgets depend on, by pool, if they are kept.
    """

    by_name: Mapping[str, Candidate]
    blocked: Mapping[str, str]
    counts: Mapping[str, NodeCounts] | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A node that a method skips, and the event that Karpenter emits; both texts are empty if it emits none."""

    node: str
    event: str = ""
    text: str = ""


class DisruptionClass(StrEnum):
    """How much a disruption respects what blocks a node.

    An eventual one is bounded by the grace period of the NodeClaim, regardless of its pods (D-12). Repair ignores the node's
    annotation do-not-disrupt and accepts nodes that never became ready (V15-48).
    """

    GRACEFUL = "graceful"
    EVENTUAL = "eventual"
    REPAIR = "repair"


Filter = Callable[[Candidate, ClusterState], Skipped | None]
"""What a method requires of its candidates: None for one that it accepts."""


def candidates(cluster: ClusterState, disruption_class: DisruptionClass = DisruptionClass.GRACEFUL) -> Candidates:
    """Return the nodes that pass all checks of a class of disruption."""
    by_name: dict[str, Candidate] = {}
    blocked: dict[str, str] = {}
    for node in cluster.nodes:
        result = _for_repair(node, cluster) if disruption_class is DisruptionClass.REPAIR else judged(node, cluster)
        if result.is_candidate_of(disruption_class) and result.candidate is not None:
            by_name[node.state.name] = result.candidate
        else:
            blocked[node.state.name] = result.text
    return Candidates(by_name, blocked)


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on a node: why it fails a check (None if it passes all), why its pods block it, and the node as a candidate.

    The text of a check is empty if Karpenter emits no event; that of the pods is empty if none blocks the node.
    """

    failed: str | None = None
    block: str = ""
    candidate: Candidate | None = None

    @property
    def text(self) -> str:
        """Return why it is not a candidate, in Karpenter's words or empty without an event."""
        return self.block if self.failed is None else self.failed

    def is_candidate_of(self, disruption_class: DisruptionClass) -> bool:
        """Tell whether a class of disruption may take the node; some classes pass over the pods that block it."""
        if self.failed is not None or self.candidate is None:
            return False
        return not self.block or _passes_over_pods(self.candidate.node, disruption_class)


def judged(node: StateNode, cluster: ClusterState) -> Judged:
    """Return whether a node is a candidate of graceful and eventual disruption, and why not."""
    # Karpenter passes over nodes of a running command before any other check, and without an event.
    if node.state.name in cluster.controller_memory.queued:
        return Judged("")
    check, failed = failed_check(node, cluster)
    # In Karpenter's order: the node itself, then its pool, then its pods. The first failure is the one that is reported.
    text = failed if check is not None else without_pool(node, cluster)
    if text is not None:
        return Judged(text)
    block = blocking_pod(node.pods, cluster.evictions, cluster.now)
    return Judged(None, block, _candidate(node, cluster, has_pod_blockers=bool(block)))


def _passes_over_pods(node: StateNode, disruption_class: DisruptionClass) -> bool:
    """Tell whether pods that must not be evicted are ignored; repair learns the bound of their drain only later."""
    is_bounded = node.claim is not None and node.claim.termination_grace_period is not None
    return disruption_class is DisruptionClass.REPAIR or (disruption_class is DisruptionClass.EVENTUAL and is_bounded)


def by_savings_ratio(unordered: Iterable[Candidate]) -> list[Candidate]:
    """Return candidates in the order of emptiness and consolidation: the most savings per disruption first (D-22)."""
    return sorted(unordered, key=savings_order)


def savings_order(candidate: Candidate) -> tuple[float, str]:
    """Return what candidates are sorted by, the most savings first."""
    return -candidate.savings_ratio, candidate.name


def consolidation_disabled(candidate: Candidate) -> Skipped:
    """Skip a candidate of a pool whose `consolidateAfter` is Never (D-18)."""
    return Skipped(candidate.name, UNCONSOLIDATABLE, f'NodePool "{candidate.pool.name}" has consolidation disabled')


def _candidate(node: StateNode, cluster: ClusterState, *, has_pod_blockers: bool) -> Candidate:
    return Candidate(
        node=node,
        pool=cluster.pools[node.pool],
        instance_type=cluster.type_of(node),
        price=cluster.price_of(node),
        paid=cluster.paid_for(node),
        cost=reschedule_cost(node.pods, cluster.cost_annotations),
        pods=tuple(p for p in node.pods if p.reschedulable),
        has_pod_blockers=has_pod_blockers,
    )


def _for_repair(node: StateNode, cluster: ClusterState) -> Judged:
    """Return whether a node is a candidate of repair, which ignores some checks, and why not."""
    if node.name in cluster.controller_memory.queued:
        return Judged("")
    if node.claim is not None and not node.pool:
        return Judged("repair requires a NodePool to construct and budget a safe replacement")
    failed, text = failed_check(node, cluster)
    # What comes after a check that repair ignores is not asked either, since the first failure ends the examination (V15-48).
    unknown = text if failed is not None and failed not in IGNORED_BY_REPAIR else without_pool(node, cluster)
    if unknown is not None:
        return Judged(unknown)
    block = blocking_pod(node.pods, cluster.evictions, cluster.now)
    return Judged(None, block, _candidate(node, cluster, has_pod_blockers=bool(block)))
