"""The workload of a running pod, by the name that a plan has for it.

A plan names `deployment/web`; the pod's owner is the ReplicaSet `web-5d9f`. Snapshots contain neither ReplicaSets nor Jobs of
CronJobs, so the owner's name has to decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from cutlist.state.pods import RunningPod
from cutlist.workloads.groups import workload_name, workload_parts

_HASH_LABELS: Final = {"pod-template-hash": "Deployment", "rollouts-pod-template-hash": "Rollout"}
"""The labels with the end of a ReplicaSet's name, and the kind of such a ReplicaSet's owner."""


class PodWorkloads:
    """The workloads of a plan, with which those of running pods are compared."""

    __slots__ = ("_by_name", "_planned")

    def __init__(self, planned: Iterable[str]) -> None:
        """Take the names of the plan's workloads."""
        self._planned = frozenset(planned)
        by_name: dict[tuple[str, str], list[str]] = {}
        for workload in sorted(self._planned):
            namespace, _, name = workload_parts(workload)
            by_name.setdefault((namespace, name), []).append(workload)
        self._by_name: Mapping[tuple[str, str], list[str]] = by_name

    def of(self, pod: RunningPod) -> str:
        """Return the planned workload of a pod; if it was not planned, the name that a plan would give its workload."""
        names = list(_names(pod))
        planned = next((name for name in names if name in self._planned), None)
        return planned or self._made_by_operator(pod) or names[0]

    def _made_by_operator(self, pod: RunningPod) -> str:
        """Return the planned object of another kind whose operator named the pod's owner after it, or an empty string."""
        owner = pod.controller.name if pod.controller is not None else ""
        while owner:
            if workloads := self._by_name.get((pod.pod.namespace, owner)):
                return workloads[0]
            owner = owner.rpartition("-")[0]
        return ""


def _names(pod: RunningPod) -> Iterator[str]:
    """Yield the names that a plan may have for a pod's workload, the likeliest first."""
    namespace, itself = pod.pod.namespace, workload_name("Pod", pod.pod.namespace, pod.name)
    if pod.controller is None:
        yield itself
        return
    kind, name = pod.controller.kind, pod.controller.name
    stem, _, rest = name.rpartition("-")
    if kind == "ReplicaSet":
        yield from (
            workload_name(above, namespace, stem) for label, above in _HASH_LABELS.items() if pod.pod.labels.get(label) == rest
        )
    yield workload_name(kind, namespace, name)
    if kind == "ReplicaSet" and not pod.pod.labels.keys() & _HASH_LABELS.keys():
        yield from (workload_name(above, namespace, stem) for above in _HASH_LABELS.values())
    if kind == "Job" and rest.isdigit():
        yield workload_name("CronJob", namespace, stem)
    yield itself
