"""Taints that keep the copy of a NodePool for some workloads: those that tolerate one already, or that get a toleration.

Only pods that tolerate the taint try such a copy, and they try it first. Every DaemonSet has to tolerate it too, or the copy's
nodes would lack it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, Final

from cutlist.api.capacitybuffer import CapacityBuffer
from cutlist.core.quantity import NANO
from cutlist.core.taints import NO_SCHEDULE, Taint, Toleration
from cutlist.documents.document import Document
from cutlist.optimization.spare import scaled_by
from cutlist.planning.inputs import PlanInputs
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.read import Workloads
from cutlist.workloads.written import namespace_of, pod_spec_path, value_at, with_value, workload_of

_KEY: Final = "dedicated"
_OF_NODES: Final = ("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/", "karpenter.sh/")
"""Domains of taints that Kubernetes and Karpenter put on nodes."""
_EDITABLE: Final = ("Deployment", "StatefulSet", "ReplicaSet", "ReplicationController", "CronJob", "DaemonSet")
"""Kinds whose pod template may change: that of a Job may not."""
_PARTS: Final = (0.15, 0.3, 0.5, 0.7, 0.85)
"""The parts of all cores at which the workloads, sorted by memory per core, are split."""


@dataclass(frozen=True, slots=True)
class KeptFor:
    """The pods that a copy of a NodePool is kept for: a taint, how many cores the pods request that tolerate it, and the
    workloads that get a toleration."""

    taint: Taint
    cores: int
    workloads: tuple[str, ...] = ()


def tolerated(inputs: PlanInputs) -> Iterator[KeptFor]:
    """Yield the taints that some workloads tolerate, others do not, and every DaemonSet does."""
    groups, daemons = inputs.workloads.groups, inputs.workloads.daemons
    tolerations = {toleration for group in groups for toleration in group.pod.tolerations}
    taints = {Taint(t.key, NO_SCHEDULE, t.value) for t in tolerations if t.key and not t.key.startswith(_OF_NODES)}
    for taint in sorted(taints, key=str):
        among = [group for group in groups if _tolerates(group.pod.tolerations, taint)]
        # If all pods tolerate it, it keeps the copy for none in particular.
        if 0 < len(among) < len(groups) and all(_tolerates(daemon.pod.tolerations, taint) for daemon in daemons):
            yield KeptFor(taint, _cores(among))


def tolerable(inputs: PlanInputs, name: str) -> Iterator[KeptFor]:
    """Yield ways to split the workloads by their memory per core, with a taint for the copy of this name that one part gets a
    toleration for; nothing if a DaemonSet cannot get one."""
    taint = Taint(_KEY, NO_SCHEDULE, name)
    editable = _editable(inputs)
    lacking = [d.workload for d in inputs.workloads.daemons if not _tolerates(d.pod.tolerations, taint)]
    if not editable.issuperset(lacking):
        return
    groups = sorted((g for g in inputs.workloads.groups if g.workload in editable), key=_memory_of_a_core)
    sums = list(accumulate(_requested(group) for group in groups))
    for part in _PARTS if sums and sums[-1] else ():
        at = sum(amount <= part * sums[-1] for amount in sums)
        # Either side may be the one that a copy of its own suits.
        for among in (groups[:at], groups[at:]):
            if among and len(among) < len(inputs.workloads.groups):
                names = sorted({*lacking, *(group.workload for group in among)})
                yield KeptFor(taint, _cores(among), tuple(names))


def with_tolerations(workloads: Workloads, all_kept: Iterable[KeptFor]) -> Workloads:
    """Return workloads with the tolerations of all copies added."""
    added: dict[str, tuple[Toleration, ...]] = {}
    for kept in all_kept:
        for name in kept.workloads:
            added[name] = (*added.get(name, ()), _toleration(kept.taint))
    if not added:
        return workloads
    groups = tuple(
        replace(g, pod=replace(g.pod, tolerations=(*g.pod.tolerations, *added.get(g.workload, ())))) for g in workloads.groups
    )
    daemons = tuple(
        replace(d, pod=replace(d.pod, tolerations=(*d.pod.tolerations, *added.get(d.workload, ())))) for d in workloads.daemons
    )
    return replace(workloads, groups=groups, daemons=daemons)


@dataclass(frozen=True, slots=True)
class TolerantWorkload:
    """A workload that gets tolerations: as an object, and where it is written."""

    kind: str
    namespace: str
    name: str
    taints: tuple[Taint, ...]
    written: Mapping[str, Any]

    def manifest(self) -> dict[str, Any]:
        """Return the object with the tolerations."""
        return self.on(self.written)

    def on(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return an object of this workload with the tolerations."""
        path = (*pod_spec_path(self.kind), "tolerations")
        tolerations = map(_toleration, self.taints)
        added = [{"key": t.key, "operator": t.operator, "value": t.value, "effect": t.effect} for t in tolerations]
        return with_value(data, path, [*(value_at(data, path) or ()), *added])


def tolerant_workloads(documents: Sequence[Document], all_kept: Iterable[KeptFor]) -> tuple[TolerantWorkload, ...]:
    """Return the workloads that get tolerations, in the order of the input."""
    taints: dict[str, tuple[Taint, ...]] = {}
    for kept in all_kept:
        for name in kept.workloads:
            taints[name] = (*taints.get(name, ()), kept.taint)
    return tuple(
        TolerantWorkload(d.kind, namespace_of(d), d.name, taints[name], d.data)
        for d in documents
        if d.kind in _EDITABLE and (name := workload_of(d)) in taints
    )


def _editable(inputs: PlanInputs) -> set[str]:
    """Return the workloads whose files can be edited. A buffer has no own pods to edit: they follow its workload."""
    buffers = {scaled_by(d) for d in inputs.documents if d.kind == CapacityBuffer.KIND}
    return {workload_of(d) for d in inputs.documents if d.kind in _EDITABLE} - buffers


def _tolerates(tolerations: Iterable[Toleration], taint: Taint) -> bool:
    return any(toleration.tolerates(taint) for toleration in tolerations)


def _toleration(taint: Taint) -> Toleration:
    return Toleration(taint.key, "Equal", taint.value, taint.effect)


def _requested(group: PodGroup) -> int:
    return group.pod.requests.get("cpu", 0) * group.count


def _cores(groups: Iterable[PodGroup]) -> int:
    return -(-sum(map(_requested, groups)) // NANO)


def _memory_of_a_core(group: PodGroup) -> tuple[float, str]:
    return group.pod.requests.get("memory", 0) / max(1, group.pod.requests.get("cpu", 0)), group.workload
