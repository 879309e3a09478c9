"""What forbids the disruption of a node: checks of the node itself, and its pods (spec: disruption 1.2, 1.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from cutlist.api.external_classes import is_known_class
from cutlist.core.annotations import DO_NOT_DISRUPT
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import NODEPOOL
from cutlist.disruption.cluster_state import ClusterState
from cutlist.state.pods import RunningPod, tolerates_disruption
from cutlist.state.statenode import StateNode
from cutlist.workloads.objects import EvictionBudgets

_NOMINATED: Final = "Node is nominated for a pending pod"
Check = Callable[[StateNode, ClusterState], str | None]
"""A check of a node: why it fails, in Karpenter's words or empty without an event; None if it passes."""


def failed_check(node: StateNode, cluster: ClusterState) -> tuple[Check | None, str]:
    """Return the first check of a node itself that it fails, with the text; None for a node that fails none."""
    for check in _checks(cluster):
        text = check(node, cluster)
        if text is not None:
            return check, text
    return None, ""


def without_pool(node: StateNode, cluster: ClusterState) -> str | None:
    """Return why a node has no NodePool that could launch a replacement; None if it has one."""
    name = node.pool
    pool = cluster.pools.get(name)
    if pool is not None and cluster.types.get(name):
        return None
    if pool is not None and not is_known_class(pool.node_class_ref.group, pool.node_class_ref.kind):
        return f"NodePool {name} is of a kind of node class that is not known here ({pool.node_class_ref.kind})"
    return f"NodePool not found (NodePool={name})"


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
IGNORED_BY_REPAIR: Final = frozenset({_initialized, _not_annotated})
"""The first failed check ends the examination: repair ignores these, and with them those that come after (V15-48)."""


def blocking_pod(pods: Sequence[RunningPod], budgets: EvictionBudgets, now: float) -> str:
    """Return why the node of these pods may not be disrupted, in Karpenter's words, or an empty string if it may."""
    for pod in pods:
        # All pods are asked for the annotation before any budget is, so it is reported first (spec 1.3).
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
    # The Eviction API refuses such a pod with an error, regardless of how many disruptions each budget allows.
    if len(covering) > 1:
        names = " ".join(f"{b.namespace}/{b.name}" for b in covering)
        return f"Eviction does not support multiple PDBs (PodDisruptionBudget(s)=[{names}])"
    for budget in covering:
        # Under AlwaysAllow the Eviction API lets pods go that are not ready anyway.
        if not (pod.unready and budget.spares_only_ready) and budget.disruptions_allowed == 0:
            return f"Pdb prevents pod evictions (PodDisruptionBudget=[{budget.namespace}/{budget.name}])"
    return ""
