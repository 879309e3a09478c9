"""Nodes that may be disrupted at all, by shared checks (spec: disruption 1.2 to 1.6, 1.10, 2.3; D-1 to D-13)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final

from cutlist.api import NodePool, is_known_class
from cutlist.core.annotations import DO_NOT_DISRUPT
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import NODEPOOL
from cutlist.core.values import dataclass
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.costs import NODE_COST, reschedule_cost
from cutlist.providers.instance_types import InstanceType
from cutlist.state.pods import RunningPod, tolerates_disruption
from cutlist.state.statenode import CONSOLIDATABLE, DRIFTED, StateNode
from cutlist.workloads.objects import EvictionBudgets

UNCONSOLIDATABLE: Final = "Unconsolidatable"
_NOMINATED: Final = "Node is nominated for a pending pod"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A node that may be disrupted. `price` is in USD/hour, 0 when unknown; `pods` are those that would have to move.

    `is_estimated` says that the price is an estimate, `has_pod_blockers` that some pod must not be evicted now. `bill` is the
    price with fees, such as the licence of Windows, 0 when unknown; Karpenter does not look at it.
    """

    node: StateNode
    pool: NodePool
    instance_type: InstanceType | None
    price: float
    cost: float
    pods: tuple[RunningPod, ...]
    is_estimated: bool = False
    has_pod_blockers: bool = False
    bill: float = 0.0

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
    """The candidates by name, and why other nodes are not candidates, by name (Karpenter's words, or "")."""

    by_name: Mapping[str, Candidate]
    blocked: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A node that a method skips, and the event that Karpenter emits; both texts are empty where it emits none."""

    node: str
    event: str = ""
    text: str = ""


class DisruptionClass(StrEnum):
    """How much a disruption respects what blocks a node.

    An eventual one is bounded by the grace period of the NodeClaim, whatever its pods say (D-12). Repair ignores the node's
    annotation do-not-disrupt and takes nodes that never got ready (V15-48).
    """

    GRACEFUL = "graceful"
    EVENTUAL = "eventual"
    REPAIR = "repair"


Check = Callable[[StateNode, ClusterState], str | None]
"""A check of a node: why it fails, in Karpenter's words or empty without an event; None if it passes."""
Filter = Callable[[Candidate, ClusterState], Skipped | None]
"""What a method requires of its candidates: None for one that it accepts."""


@dataclass(slots=True)
class _KnownNode:
    """What a node comes to: why it fails a check `before` and `after` the one of its nomination, why its pods `block` it, and
    the node as a candidate. `is_protected` says that an annotation protects one of its pods, at least for a while."""

    node: StateNode
    evictions: EvictionBudgets
    before: str | None
    after: str | None
    block: str
    candidate: Candidate | None
    is_protected: bool


class KnownCandidates:
    """What nodes come to as candidates, kept as long as a node and the budgets of pods are the same objects.

    It holds for one set of NodePools, types and settings, and for clusters without buffers. Nodes with pods that an annotation
    protects are judged again each time.
    """

    __slots__ = ("_by_name", "_taken")

    def __init__(self) -> None:
        self._by_name: dict[str, _KnownNode] = {}
        self._taken: dict[Filter, dict[str, tuple[Candidate, Skipped | None]]] = {}

    def of(self, node: StateNode, cluster: ClusterState) -> tuple[str | None, str, Candidate | None]:
        """Return why a node fails a check, why its pods block it, or an empty string, and the node as a candidate; there is
        none of a node that fails a check whatever its nomination."""
        name, memory = node.state.name, cluster.controller_memory
        known = self._by_name.get(name)
        if known is None or known.node is not node:
            known = self._by_name[name] = _known(node, cluster)
        elif known.evictions is not cluster.evictions or known.is_protected:
            _judge_pods(known, cluster)
        if name in memory.queued:
            return "", "", None
        if known.before is None and name in memory.nominated and cluster.nominated(node):
            return _NOMINATED, "", None
        text = known.before if known.before is not None else known.after
        return text, known.block, known.candidate

    def skipped(
        self, takes: Filter, of: Mapping[str, Candidate], cluster: ClusterState
    ) -> Iterator[tuple[Candidate, Skipped | None]]:
        """Yield candidates, each with why a method skips it, or None where it accepts it; the same object is asked about once.

        Candidates of repair are other objects each time: what their policies say depends on the time.
        """
        taken = self._taken.setdefault(takes, {})
        for name, candidate in of.items():
            known = taken.get(name)
            if known is None or known[0] is not candidate:
                known = taken[name] = candidate, takes(candidate, cluster)
            yield known

    def forget(self, name: str) -> None:
        """Forget a node that no longer exists."""
        self._by_name.pop(name, None)
        for taken in self._taken.values():
            taken.pop(name, None)


def _known(node: StateNode, cluster: ClusterState) -> _KnownNode:
    checks = _checks(cluster)
    at = checks.index(_not_nominated)
    before = next((text for _, text in _failures(checks[:at], node, cluster)), None)
    after = next((text for _, text in _failures((*checks[at + 1 :], _of_a_known_pool), node, cluster)), None)
    is_protected = any(pod.do_not_disrupt for pod in node.pods)
    known = _KnownNode(node, cluster.evictions, before, after, "", None, is_protected)
    if before is None and after is None:
        known.candidate = _candidate(node, cluster, has_pod_blockers=False)
        _judge_pods(known, cluster)
    return known


def _judge_pods(known: _KnownNode, cluster: ClusterState) -> None:
    known.evictions = cluster.evictions
    if known.candidate is not None:
        known.block = blocking_pod(known.node.pods, cluster.evictions, cluster.now)
        if known.candidate.has_pod_blockers is not bool(known.block):
            known.candidate = replace(known.candidate, has_pod_blockers=bool(known.block))


def candidates(
    cluster: ClusterState,
    disruption_class: DisruptionClass = DisruptionClass.GRACEFUL,
    known: KnownCandidates | None = None,
) -> Candidates:
    """Return the nodes that pass all checks of a class of disruption; `known` is what was found out about them before."""
    by_name: dict[str, Candidate] = {}
    blocked: dict[str, str] = {}
    known = KnownCandidates() if known is None else known
    for node in cluster.nodes:
        if disruption_class is DisruptionClass.REPAIR:
            text, block, candidate = _for_repair(node, cluster)
        else:
            text, block, candidate = known.of(node, cluster)
        if text is None and candidate is not None and (not block or _passes_over_pods(node, disruption_class)):
            by_name[node.state.name] = candidate
        else:
            blocked[node.state.name] = block if text is None else text
    return Candidates(by_name, blocked)


def _passes_over_pods(node: StateNode, disruption_class: DisruptionClass) -> bool:
    """Tell whether pods that must not be evicted keep no node; repair learns the bound of their drain only later."""
    is_bounded = node.claim is not None and node.claim.termination_grace_period is not None
    return disruption_class is DisruptionClass.REPAIR or (disruption_class is DisruptionClass.EVENTUAL and is_bounded)


def by_savings_ratio(unordered: Iterable[Candidate]) -> list[Candidate]:
    """Return candidates in the order of emptiness and consolidation: the most savings per disruption first (D-22)."""
    return sorted(unordered, key=lambda c: (-c.savings_ratio, c.name))


def consolidation_disabled(candidate: Candidate) -> Skipped:
    """Skip a candidate of a pool whose `consolidateAfter` is Never (D-18)."""
    return Skipped(candidate.name, UNCONSOLIDATABLE, f'NodePool "{candidate.pool.name}" has consolidation disabled')


def _candidate(node: StateNode, cluster: ClusterState, *, has_pod_blockers: bool) -> Candidate:
    return Candidate(
        node=node,
        pool=cluster.pools[node.pool],
        instance_type=cluster.type_of(node),
        price=cluster.price_of(node),
        bill=cluster.bill_of(node),
        is_estimated=cluster.is_estimated(node),
        cost=reschedule_cost(node.pods, cluster.cost_annotations),
        pods=tuple(p for p in node.pods if p.reschedulable),
        has_pod_blockers=has_pod_blockers,
    )


# --- the checks of spec 1.2


def _for_repair(node: StateNode, cluster: ClusterState) -> tuple[str | None, str, Candidate | None]:
    """Return what `KnownCandidates.of` returns, for a class of disruption that ignores some checks."""
    if node.name in cluster.controller_memory.queued:
        return "", "", None
    if node.claim is not None and not node.pool:
        return "repair requires a NodePool to construct and budget a safe replacement", "", None
    failed, text = failed_check(node, cluster)
    unknown = text if failed is not None and failed not in _IGNORED_BY_REPAIR else _of_a_known_pool(node, cluster)
    if unknown is not None:
        return unknown, "", None
    block = blocking_pod(node.pods, cluster.evictions, cluster.now)
    return None, block, _candidate(node, cluster, has_pod_blockers=bool(block))


def failed_check(node: StateNode, cluster: ClusterState) -> tuple[Check | None, str]:
    """Return the first check of a node itself that it fails, with the text; None for a node that fails none."""
    return next(_failures(_checks(cluster), node, cluster), (None, ""))


def _failures(checks: Iterable[Check], node: StateNode, cluster: ClusterState) -> Iterator[tuple[Check, str]]:
    for check in checks:
        text = check(node, cluster)
        if text is not None:
            yield check, text


def _checks(cluster: ClusterState) -> tuple[Check, ...]:
    return _CHECKS_WITH_REBOOTS if cluster.karpenter.does(Behaviour.REBOOTING_IS_A_STATE) else _CHECKS


def _managed(node: StateNode, _: ClusterState) -> str | None:
    return "" if node.claim is None else None


def _has_node(node: StateNode, _: ClusterState) -> str | None:
    return None if node.has_node else "Nodeclaim does not have an associated node"


def _not_rebooting(node: StateNode, _: ClusterState) -> str | None:
    return "Node is rebooting" if node.rebooting else None


def _registered(node: StateNode, _: ClusterState) -> str | None:
    return None if node.initialized or node.registered else "Node isn't initialized nor registered"


def _initialized(node: StateNode, _: ClusterState) -> str | None:
    return None if node.initialized else "Node isn't initialized"


def _not_deleting(node: StateNode, _: ClusterState) -> str | None:
    return "Node is deleting or marked for deletion" if node.state.removed else None


def _not_nominated(node: StateNode, cluster: ClusterState) -> str | None:
    return _NOMINATED if cluster.nominated(node) else None


def _not_annotated(node: StateNode, _: ClusterState) -> str | None:
    if node.annotations.get(DO_NOT_DISRUPT) != "true":
        return None
    return f'Disruption is blocked through the "{DO_NOT_DISRUPT}" annotation'


def _of_a_pool(node: StateNode, _: ClusterState) -> str | None:
    return None if NODEPOOL in node.state.labels else f"Node doesn't have required label (label={NODEPOOL})"


def _of_a_known_pool(node: StateNode, cluster: ClusterState) -> str | None:
    name = node.pool
    pool = cluster.pools.get(name)
    if pool is not None and cluster.types.get(name):
        return None
    if pool is not None and not is_known_class(pool.node_class_ref.group, pool.node_class_ref.kind):
        return f"NodePool {name} is of a kind of node class that is not known here ({pool.node_class_ref.kind})"
    return f"NodePool not found (NodePool={name})"


_CHECKS: Final = (_managed, _has_node, _initialized, _not_deleting, _not_nominated, _not_annotated, _of_a_pool)
"""The checks of a node in Karpenter's order."""
_CHECKS_WITH_REBOOTS: Final = (
    _managed,
    _has_node,
    _not_rebooting,
    _not_deleting,
    _registered,
    _initialized,
    _not_nominated,
    _not_annotated,
    _of_a_pool,
)
"""The checks in the order since nodes may be rebooting (V15-32, V15-33)."""
_IGNORED_BY_REPAIR: Final = frozenset({_initialized, _not_annotated})
"""The first failed check ends the examination: repair ignores these, and with them those that come after (V15-48)."""


# --- pods that block their node (spec 1.3)


def blocking_pod(pods: Sequence[RunningPod], budgets: EvictionBudgets, now: float) -> str:
    """Return why the node of these pods may not be disrupted, in Karpenter's words, or an empty string if it may."""
    for pod in pods:
        if pod.active and pod.held(now):
            return f'Pod has "{DO_NOT_DISRUPT}" annotation (Pod={pod.pod.namespace}/{pod.name})'
    if not budgets.by_namespace:
        return ""
    return next((text for pod in pods if _is_evictable(pod, now) and (text := _blocking_budget(pod, budgets))), "")


def _is_evictable(pod: RunningPod, now: float) -> bool:
    """Tell whether a drain would evict the pod at this instant."""
    return pod.active and not tolerates_disruption(pod) and "Node" not in pod.owners and not pod.held(now)


def _blocking_budget(pod: RunningPod, budgets: EvictionBudgets) -> str:
    covering = budgets.covering(pod.pod)
    if len(covering) > 1:
        names = " ".join(f"{b.namespace}/{b.name}" for b in covering)
        return f"Eviction does not support multiple PDBs (PodDisruptionBudget(s)=[{names}])"
    for budget in covering:
        if not (pod.unready and budget.spares_only_ready) and budget.disruptions_allowed == 0:
            return f"Pdb prevents pod evictions (PodDisruptionBudget=[{budget.namespace}/{budget.name}])"
    return ""
