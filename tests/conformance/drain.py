"""What happens to the pods of a node that is being drained (spec: disruption 9.2, 9.3; D-75, D-76)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import groupby
from typing import Final

from cutlist.core.karpenter.baselines import BASELINES, Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.state.pods import RunningPod, tolerates_disruption

STUCK_AFTER: Final = 60  # seconds past its own deadline, after which nobody waits for a terminating pod
_CRITICAL: Final = frozenset(("system-cluster-critical", "system-node-critical"))


class Tier(IntEnum):
    """The groups that are evicted one after the other, each when the one before it has ended."""

    WORKLOADS = 1
    DAEMONS = 2
    CRITICAL_WORKLOADS = 3
    CRITICAL_DAEMONS = 4


@dataclass(frozen=True, slots=True)
class ForcedDeletion:
    """A pod that is deleted whatever protects it, with `grace` seconds left to end."""

    pod: RunningPod
    grace: int


@dataclass(frozen=True, slots=True)
class DrainPass:
    """One look at a node that is being drained.

    `evict` are asked to go as far as their budgets allow, `delete` go in any case, and all `waiting` have to end before the
    node may go.
    """

    evict: tuple[RunningPod, ...] = ()
    delete: tuple[ForcedDeletion, ...] = ()
    waiting: tuple[RunningPod, ...] = ()

    @property
    def done(self) -> bool:
        """Tell whether no pod keeps the node any longer."""
        return not self.waiting

    @property
    def message(self) -> str:
        """Return what Karpenter says of it; empty when the drain is done."""
        return f"{len(self.waiting)} pods are waiting to be evicted" if self.waiting else ""


def drain(pods: Iterable[RunningPod], deadline: float | None, now: float, karpenter: Baseline = BASELINES[0]) -> DrainPass:
    """Return what one pass does to the pods of a node, in the order given.

    After `deadline`, in seconds since 1970, no pod is left; without one a pod that cannot be evicted always keeps the node.
    """
    waiting = tuple(p for p in pods if not p.ended and is_drainable(p, now))
    at_once = karpenter.does(Behaviour.OVERDUE_PODS_ARE_DELETED_AT_ONCE)
    overdue = [p for p in waiting if _is_overdue(p, deadline, now, at_once=at_once)]
    forced = tuple(ForcedDeletion(p, _grace_left(deadline, now)) for p in overdue)
    # Overdue pods no longer hold back the groups after theirs (V15-68).
    graceful = [p for p in waiting if p not in overdue] if at_once else waiting
    return DrainPass(_to_evict(graceful, now), forced, waiting)


def is_drainable(pod: RunningPod, now: float) -> bool:
    """Tell whether a drain has to do with the pod: not one that tolerates it, of the node itself, or hopelessly stuck."""
    return not tolerates_disruption(pod) and "Node" not in pod.owners and not is_stuck(pod, now)


def is_stuck(pod: RunningPod, now: float) -> bool:
    """Tell whether a terminating pod should have been gone for more than a minute."""
    return pod.terminating and pod.deletion_timestamp is not None and now - pod.deletion_timestamp > STUCK_AFTER


def tier(pod: RunningPod) -> Tier:
    """Return when it is the pod's turn; what is critical is known by the name of the priority class alone."""
    daemon = "DaemonSet" in pod.owners
    if pod.priority_class in _CRITICAL:
        return Tier.CRITICAL_DAEMONS if daemon else Tier.CRITICAL_WORKLOADS
    return Tier.DAEMONS if daemon else Tier.WORKLOADS


def forced_at(pod: RunningPod, deadline: float) -> float:
    """Return the instant after which a pod is deleted forcibly: early enough for its own grace period to end by the
    deadline."""
    return deadline - pod.grace


def _to_evict(waiting: Sequence[RunningPod], now: float) -> tuple[RunningPod, ...]:
    """Return the pods of the first tier that is not empty, but for those that are on their way or may not be disturbed."""
    return tuple(p for p in first_tier(waiting) if p.active and not p.held(now))


def first_tier(waiting: Sequence[RunningPod]) -> tuple[RunningPod, ...]:
    """Return the pods of the first tier that is not empty."""
    _, first = next(groupby(sorted(waiting, key=tier), key=tier), (None, ()))
    return tuple(first)


def _is_overdue(pod: RunningPod, deadline: float | None, now: float, *, at_once: bool) -> bool:
    """Tell whether the pod is to be forced now; one that terminates and will end by the deadline needs no force.

    One that terminates too late is forced `at_once` since V15-69, before only when its time came.
    """
    if deadline is None:
        return False
    ends_late = pod.terminating and pod.deletion_timestamp is not None and pod.deletion_timestamp > deadline
    if at_once and pod.terminating:
        return ends_late
    return now > forced_at(pod, deadline) and (ends_late or not pod.terminating)


def _grace_left(deadline: float | None, now: float) -> int:
    return max(1, int((deadline or now) - now))
