"""What keeps a node that is being removed: pods that its drain cannot evict, or that still end (spec: disruption 9.2)."""

from __future__ import annotations

from typing import Final

from cutlist.core.instants import instant_text
from cutlist.core.wording import first_of
from cutlist.disruption.disruptable import blocking_pod
from cutlist.disruption.termination import deadline
from cutlist.state.pods import RunningPod, tolerates_disruption
from cutlist.state.statenode import StateNode
from cutlist.workloads.objects import EvictionBudgets

_NAMED: Final = 3
_STUCK_AFTER: Final = 60.0
"""Seconds past its deletion deadline after which a pod that is still there is no longer waited for (spec 1.4)."""


def drain_waits_for(node: StateNode, budgets: EvictionBudgets, now: float) -> str:
    """Return what the drain of a node waits for and until when, at an instant; empty if nothing holds it up."""
    drained = [pod for pod in node.pods if not tolerates_disruption(pod) and "Node" not in pod.owners]
    blocked = blocking_pod(drained, budgets, now)
    ending = [f"{pod.pod.namespace}/{pod.name}" for pod in drained if pod.terminating and not _is_stuck(pod, now)]
    if not blocked:
        return f", and waits for {first_of(ending, _NAMED)} to end" if ending else ""
    until = deadline(node.claim)
    if until is None:
        return f", and its drain waits without a time limit: {blocked}; terminationGracePeriod would be one"
    return f", and its drain waits until {instant_text(until)} at the latest: {blocked}"


def _is_stuck(pod: RunningPod, now: float) -> bool:
    return pod.ended or (pod.deletion_timestamp is not None and now > pod.deletion_timestamp + _STUCK_AFTER)
