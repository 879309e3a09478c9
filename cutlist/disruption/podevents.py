"""When a node last had a pod come or go: the clock of `consolidateAfter` (spec: disruption 1.7; D-17)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from cutlist.state.pods import RunningPod
from cutlist.state.statenode import NodeClaimState

SAME_EVENT: Final = 10  # seconds in which further events are taken for the same


def is_event(before: RunningPod | None, after: RunningPod) -> bool:
    """Whether a change of a pod moves the clock of its node: it was bound, ran to its end or began to terminate.

    `before` is None for a pod that was not known, as all are after a restart of the controller. Pods of DaemonSets never
    count; nor does it count that a pod is gone.
    """
    if not after.node or "DaemonSet" in after.owners:
        return False
    if before is None or not before.node:
        return True
    return (after.ended and not before.ended) or (after.terminating and not before.terminating)


def with_pod_event(claim: NodeClaimState, now: float) -> NodeClaimState:
    """A claim after a pod of its node came or went; one so soon after the last is not noted. Kept in whole seconds."""
    last = claim.last_pod_event
    if last is not None and now - last < SAME_EVENT:
        return claim
    return replace(claim, last_pod_event=float(math.floor(now)))
