"""Which pods keep their node from being disrupted, and by which rule (spec: disruption 1.3 to 1.6; D-5 to D-12)."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.core.annotations import DO_NOT_DISRUPT
from cutlist.state.pods import RunningPod, tolerates_disruption
from cutlist.workloads.objects import EvictionBudgets


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
