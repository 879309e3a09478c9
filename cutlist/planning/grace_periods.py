"""The termination grace periods of the pods that may run on a NodePool's nodes: a drain with a deadline has to leave time for
them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from cutlist.api import NodePool
from cutlist.api.durations import seconds
from cutlist.core.requirements import Requirements
from cutlist.core.taints import PREFER_NO_SCHEDULE_TOLERATION
from cutlist.planning.allowed import AllowedTypes
from cutlist.scheduling.nodeclaimtemplate import prefilter, tolerated
from cutlist.state.pods import DISRUPTED
from cutlist.workloads import Workloads
from cutlist.workloads.groups import BoundPod, DaemonSet, PodGroup
from cutlist.workloads.pod_requirements import strict_requirements
from cutlist.workloads.pods import Pod


class GracePeriod(NamedTuple):
    """The grace period of a workload's pods in seconds."""

    seconds: int
    workload: str
    pod: Pod


def grace_periods(workloads: Workloads) -> tuple[GracePeriod, ...]:
    """Return the grace periods that a drain waits for, longest first: of pods to place, of DaemonSets and of running pods, but
    not of pods that are never evicted."""
    running = (pod for pod in workloads.bound if not pod.is_daemon)
    every: Iterable[PodGroup | DaemonSet | BoundPod] = chain(workloads.groups, workloads.daemons, running)
    periods = (GracePeriod(period.grace, period.workload, period.pod) for period in every)
    evicted = (period for period in periods if not tolerated(period.pod, (DISRUPTED,)))
    return tuple(sorted(evicted, key=lambda period: (-period.seconds, period.workload)))


def longest_grace_period(listed: Iterable[GracePeriod], allowed: AllowedTypes) -> GracePeriod | None:
    """Return the first one whose pods may run on nodes of a NodePool, or None if none may."""
    return next((period for period in listed if may_run(period.pod, allowed)), None)


def may_run(pod: Pod, allowed: AllowedTypes) -> bool:
    """Tell whether some empty node of a NodePool could hold a pod, by taints, labels and size."""
    if not tolerated(replace(pod, tolerations=(*pod.tolerations, PREFER_NO_SCHEDULE_TOLERATION)), allowed.pool.taints):
        return False
    alternatives = [replace(pod, required=(term,)) for term in pod.required] if pod.required else [pod]
    wanted = (strict_requirements(form, allowed.registry) for form in alternatives)
    return any(_has_type(pod, form, allowed) for form in wanted)


def _has_type(pod: Pod, wanted: Requirements, allowed: AllowedTypes) -> bool:
    if not allowed.wanted.compatible(wanted, allowed.registry.well_known):
        return False
    return bool(
        allowed.mask & prefilter(allowed.instance_types, allowed.wanted & wanted) & allowed.instance_types.holding(pod.requests)
    )


def drain_seconds(pool: NodePool) -> int | None:
    """Return the number of seconds after which a drain of the pool's nodes ends in any case, or None if nothing ends it."""
    return seconds(pool.termination_grace_period) if pool.termination_grace_period else None
