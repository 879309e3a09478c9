"""A running cluster as a workload: the pods on nodes of the NodePools are placed again, as if none of these nodes existed.

A cluster in which every pod has a node launches none, so its plan says nothing about its NodePools. What they cost is what they
launch for everything that runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from cutlist.core.labels import NODEPOOL
from cutlist.planning.inputs import PlanInputs
from cutlist.state.pods import RunningPod
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.owners import above_replica_set

_BARE: Final = "Pod"


@dataclass(frozen=True, slots=True)
class Running:
    """How many pods of a cluster are placed again, and on how many nodes of the NodePools they run."""

    pods: int
    nodes: int


def placed_again(inputs: PlanInputs) -> tuple[PlanInputs, Running | None]:
    """Return inputs in which the pods on nodes of the NodePools wait and these nodes do not exist, and how many there are of
    both; None where nothing runs on such nodes. Nodes of anything else stay, and so do pods with volumes in their zones.
    """
    names = {pool.name for pool in inputs.node_pools}
    removed = {node.name for node in inputs.cluster.nodes if node.labels.get(NODEPOOL) in names}
    if not removed:
        return inputs, None
    left = inputs.cluster.without(removed)
    free = [running for running in left.moving if not running.pod.volumes]
    groups = _groups(free)
    moved = Counter(group.workload for group in groups for _ in range(group.count))
    workloads = replace(inputs.workloads, groups=(*_less_bound(inputs.workloads.groups, moved), *groups))
    cluster = replace(left, moving=tuple(running for running in left.moving if running.pod.volumes))
    return replace(inputs, cluster=cluster, workloads=workloads), Running(len(left.moving), len(removed))


def _groups(pods: Iterable[RunningPod]) -> list[PodGroup]:
    """Return equal pods of a workload as groups, in the order of their first pods: a batch for each pod would be slow."""
    counts: Counter[PodGroup] = Counter()
    for running in pods:
        counts[_group_of(running)] += 1
    return [replace(group, count=count) for group, count in counts.items()]


def _group_of(running: RunningPod) -> PodGroup:
    namespace, controller = running.pod.namespace, running.controller
    if controller is None:
        return PodGroup(running.name, namespace, _BARE, 0, running.pod, grace=running.grace)
    owner = (namespace, controller.kind, controller.name)
    _, kind, name = above_replica_set(owner, running.pod.labels) or owner
    return PodGroup(name, namespace, kind, 0, running.pod, grace=running.grace)


def _less_bound(groups: Iterable[PodGroup], moved: Counter[str]) -> list[PodGroup]:
    """Return groups without those of their running pods that are placed again."""
    left, kept = Counter(moved), []
    for group in groups:
        fewer = min(group.bound, left[group.workload])
        left[group.workload] -= fewer
        kept.append(replace(group, bound=group.bound - fewer) if fewer else group)
    return kept
