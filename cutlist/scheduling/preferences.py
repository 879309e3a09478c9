"""Relaxation of preferences, one at a time, when a pod cannot be placed (spec: scheduling 8; S-112 to S-114)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cutlist.core.taints import PREFER_NO_SCHEDULE_TOLERATION
from cutlist.workloads.pod_requirements import by_weight
from cutlist.workloads.pods import Pod, PodTerm


def relax(pod: Pod, *, tolerate_prefer_no_schedule: bool) -> Pod | None:
    """Return the pod with the next preference relaxed, or None if none is left.

    OR-ed required terms are dropped first, all but the last; then preferences, highest weight first; then one soft spread
    constraint; last, a toleration of PreferNoSchedule taints is added where some NodePool has such a taint.
    """
    if pod.required is not None and len(pod.required) > 1:
        # The last term is never dropped: it would turn a requirement into none.
        return replace(pod, required=pod.required[1:])
    if pod.preferred_affinity:
        return replace(pod, preferred_affinity=_without_heaviest(pod.preferred_affinity))
    if pod.preferred_anti_affinity:
        return replace(pod, preferred_anti_affinity=_without_heaviest(pod.preferred_anti_affinity))
    if pod.preferred:
        return replace(pod, preferred=by_weight(pod.preferred)[1:])
    for place, constraint in enumerate(pod.spread):
        if constraint.when_unsatisfiable == "ScheduleAnyway":
            # Karpenter overwrites the entry with the last one, which changes the order of the remaining ones (spec 8).
            kept = list(pod.spread)
            kept[place] = kept[-1]
            return replace(pod, spread=tuple(kept[:-1]))
    if tolerate_prefer_no_schedule and PREFER_NO_SCHEDULE_TOLERATION not in pod.tolerations:
        return replace(pod, tolerations=(*pod.tolerations, PREFER_NO_SCHEDULE_TOLERATION))
    return None


def _without_heaviest(terms: Sequence[PodTerm]) -> tuple[PodTerm, ...]:
    # Sorted each time as Karpenter does, since the order of the rest is the order of further attempts.
    return tuple(sorted(terms, key=lambda t: -t.weight)[1:])
