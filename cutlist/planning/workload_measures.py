"""What gates check of the workloads of a plan: budgets that never open, pods without requests, and where pods may run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cutlist.core.labels import CAPACITY_TYPE, SPOT
from cutlist.core.wording import counted
from cutlist.planning.allowed import AllowedTypes
from cutlist.planning.fitting_pods import may_run
from cutlist.planning.model.gangs import PlannedGang
from cutlist.planning.model.measures import WorkloadMeasures
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.objects import PodDisruptionBudget, part_of
from cutlist.workloads.read import Workloads

_STATEFUL: Final = "StatefulSet"
_SIZES: Final = frozenset(("cpu", "memory"))


def workload_measures(
    workloads: Workloads, allowed: Sequence[AllowedTypes], incomplete: Iterable[PlannedGang] = ()
) -> WorkloadMeasures:
    """Return what gates check of workloads, whose pods NodePools may hold on the types that they allow; `incomplete` are the
    gangs for which there is too little room."""
    return WorkloadMeasures(
        dict(_closed(workloads)),
        tuple(sorted(group.workload for group in workloads.groups if not _SIZES & group.pod.requests.keys())),
        tuple(sorted(_spot_only(workloads.groups, allowed))),
        {gang.gang: f"{gang.in_words} ({gang.scheduler})" for gang in incomplete},
    )


def _closed(workloads: Workloads) -> Iterator[tuple[str, str]]:
    for budget in workloads.budgets:
        if why := _never_opens(budget, _selected(budget, workloads)):
            yield f"{budget.namespace}/{budget.name}", why


def _selected(budget: PodDisruptionBudget, workloads: Workloads) -> int:
    """Return how many pods a budget selects, when autoscalers run as many as they may."""
    selector = budget.selector
    if selector is None:
        return 0
    groups = [g for g in workloads.groups if g.namespace == budget.namespace and selector.matches(g.pod.labels)]
    running = [b for b in workloads.bound if b.pod.namespace == budget.namespace and selector.matches(b.pod.labels)]
    most = sum(max(group.count + group.bound, group.range[1] if group.range else 0) for group in groups)
    return max(most, len(running))


def _never_opens(budget: PodDisruptionBudget, pods: int) -> str:
    """Return why a budget lets no healthy pod be evicted, or nothing if it does, or if its pods are not known."""
    most, least = budget.max_unavailable, budget.min_available
    if most is not None:
        return "" if part_of(most, max(pods, 1)) else f"maxUnavailable is {most}"
    if least is None or (not pods and least != "100%"):
        return ""
    if pods > part_of(least, pods):
        return ""
    return f"minAvailable is {least}" + (f" of {counted(pods, 'pod')}" if pods and least != "100%" else "")


def _spot_only(groups: Sequence[PodGroup], allowed: Sequence[AllowedTypes]) -> Iterator[str]:
    for group in groups:
        if group.kind == _STATEFUL and group.pod.volumes:
            pools = [types for types in allowed if may_run(group.pod, types)]
            if pools and all(_is_spot_only(types) for types in pools):
                yield group.workload


def _is_spot_only(allowed: AllowedTypes) -> bool:
    wanted = allowed.wanted.get(CAPACITY_TYPE)
    return wanted is not None and not wanted.complement and wanted.values == {SPOT}
