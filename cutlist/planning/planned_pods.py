"""The pods of a plan, one by one, on the nodes that the plan has them on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from cutlist.core.annotations import DO_NOT_DISRUPT
from cutlist.core.labels import LabelRegistry
from cutlist.core.requirements import Requirements
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import PodShare
from cutlist.state.pods import DISRUPTION_COST, RUNNING, RunningPod, with_copied_labels
from cutlist.state.volumes import Storage
from cutlist.workloads.groups import DaemonSet, PodGroup, workload_name
from cutlist.workloads.pod_requirements import strict_requirements
from cutlist.workloads.pods import DELETION_COST


class PlannedPods:
    """The pods of some inputs, which a plan puts on nodes share by share. If pods of one workload differ, each goes where it
    fits. `moved` are pods that ran elsewhere before. Virtual pods of CapacityBuffers are on no node: they never run.
    """

    __slots__ = ("_at", "_buffers", "_by_workload", "_groups", "_left", "_moving", "_registry", "_storage", "moved")

    def __init__(self, inputs: PlanInputs, storage: Storage, registry: LabelRegistry, at: float) -> None:
        """Take the pods of the inputs, with their volumes as `storage` has them; they start at an instant."""
        self._at = at
        self._registry = registry
        self._storage = storage
        self._groups = inputs.workloads.groups
        self._left = [g.count for g in self._groups]
        self._by_workload: dict[str, list[int]] = {}
        for number, group in enumerate(self._groups):
            self._by_workload.setdefault(group.workload, []).append(number)
        self._moving = {workload_name("Pod", p.pod.namespace, p.name): p for p in inputs.cluster.moving}
        self._buffers = {workload_name("CapacityBuffer", b.namespace, b.name): b.replicas for b in inputs.buffers}
        self.moved: list[RunningPod] = []

    @property
    def counts(self) -> Mapping[str, int]:
        """Return how many pods each workload has, by its name; virtual ones included."""
        counts = Counter(self._buffers)
        counts.update(self._moving.keys())
        for group in self._groups:
            counts[group.workload] += group.count
        return counts

    def take(self, shares: Iterable[PodShare], node: str, labels: Mapping[str, str]) -> list[RunningPod]:
        """Return the pods of some shares as they run on a node from now on."""
        return [pod for share in shares for pod in self._take(share, node, labels)]

    def claimants(self) -> list[PodGroup]:
        """Return running pods that have claims of their own, each as a group of one."""
        return [
            replace(group, count=1, first=group.first + index)
            for group, left in zip(self._groups, self._left, strict=True)
            if any(volume.belongs_to_pod for volume in group.pod.volumes)
            for index in range(group.count - left)
        ]

    def waiting(self) -> tuple[PodGroup, ...]:
        """Return the groups with the pods that no node took."""
        return tuple(
            replace(group, count=left, first=group.first + group.count - left, bound=group.bound + group.count - left)
            for group, left in zip(self._groups, self._left, strict=True)
        )

    def _take(self, share: PodShare, node: str, labels: Mapping[str, str]) -> list[RunningPod]:
        moving = self._moving.get(share.workload)
        if moving is not None and share.workload not in self._by_workload:
            self.moved.append(moving)
            return [moving.restarted(node, self._at).labelled_by(labels)]
        pods: list[RunningPod] = []
        for number in self._candidates(share.workload, labels):
            group, count = self._groups[number], min(share.count - len(pods), self._left[number])
            start = group.count - self._left[number]
            pods += [self._started(group, start + index, node) for index in range(count)]
            self._left[number] -= count
        return pods

    def _candidates(self, workload: str, labels: Mapping[str, str]) -> Sequence[int]:
        """Return the groups of a workload, those that suit the node first."""
        numbers = self._by_workload.get(workload, [])
        if len(numbers) < 2:
            return numbers
        held = Requirements.of_labels(labels, self._registry)
        return sorted(numbers, key=lambda n: self._misfit(self._groups[n], held))

    def _misfit(self, group: PodGroup, held: Requirements) -> int:
        """Return 0 for pods whose volumes tie them to such a node, 1 for those that may be there, 2 for others."""
        if not held.compatible(strict_requirements(group.pod, self._registry)):
            return 2
        volumes = self._storage.of_pod(group.pod, group.pod_name(0), self._registry).alternatives
        if not volumes:
            return 1
        return 0 if any(held.compatible(alternative) for alternative in volumes) else 2

    def _started(self, group: PodGroup, index: int, node: str) -> RunningPod:
        name = group.pod_name(index)
        return RunningPod(
            name=name,
            pod=group.pod,
            node=node,
            uid=f"{group.workload}/{name}",
            created=self._at,
            phase=RUNNING,
            owners=group.owner_kinds,
            do_not_disrupt=group.annotations.get(DO_NOT_DISRUPT, ""),
            started=self._at,
            deletion_cost=group.annotations.get(DELETION_COST, ""),
            disruption_cost=group.annotations.get(DISRUPTION_COST),
            grace=group.grace,
            controller=group.controller,
        )


def daemon_on(daemon: DaemonSet, node: str, labels: Mapping[str, str], at: float) -> RunningPod:
    """Return the pod of a DaemonSet on a node with these labels, running from an instant on (seconds since 1970)."""
    name = f"{daemon.name}-{node}"
    return RunningPod(
        name=name,
        pod=with_copied_labels(daemon.pod, labels),
        node=node,
        uid=f"{daemon.workload}/{name}",
        created=at,
        phase=RUNNING,
        owners=frozenset(("DaemonSet",)),
        started=at,
        grace=daemon.grace,
    )
