"""What a user asks about: a pod, a workload, a gang, a node or a NodePool of the inputs, or the text of an event."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from cutlist.planning.inputs import PlanInputs
from cutlist.state.pods import RunningPod
from cutlist.state.statenode import state_nodes
from cutlist.verification.pod_workloads import PodWorkloads
from cutlist.workloads.groups import workload_parts


class SubjectKind(StrEnum):
    """The kinds of things that may be asked about."""

    POD = "pod"
    WORKLOAD = "workload"
    NODE = "node"
    NODE_POOL = "nodepool"
    GANG = "gang"
    EVENT = "event"


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing that a name may mean.

    `kind` and `name` are as the user would write them, such as `deployment` and `api`; `workload` is its name in plans, of a
    gang that of the object that declares it. A node has the name of its NodeClaim too. `pod` is the pod of the cluster, where
    the input has it.
    """

    of: SubjectKind
    kind: str
    name: str
    namespace: str = ""
    workload: str = ""
    claim: str = ""
    pod: RunningPod | None = None

    @property
    def full_name(self) -> str:
        """Return the name with its kind, and with the namespace outside of `default`."""
        short = f"{self.kind}/{self.name}"
        return short if self.namespace in ("", "default") else f"{self.namespace}/{short}"


def subjects(inputs: PlanInputs) -> tuple[Subject, ...]:
    """Return all things of the inputs that may be asked about, in the order of their names."""
    found = [*_nodes(inputs), *_pools(inputs), *_pods_and_workloads(inputs)]
    found += _gangs(inputs, {subject.workload for subject in found})
    return tuple(sorted(dict.fromkeys(found), key=lambda s: (s.full_name, s.of)))


def workload_names(inputs: PlanInputs) -> list[str]:
    """Return the names of workloads in plans, those that have waiting pods first."""
    workloads = inputs.workloads
    waiting = [g.workload for g in workloads.groups if g.count]
    others = [g.workload for g in workloads.groups if not g.count]
    return list(dict.fromkeys([*waiting, *others, *(d.workload for d in workloads.daemons)]))


def _nodes(inputs: PlanInputs) -> Iterator[Subject]:
    for node in state_nodes(inputs.cluster):
        yield Subject(SubjectKind.NODE, "node", node.name, claim=node.claim.name if node.claim is not None else "")


def _pools(inputs: PlanInputs) -> Iterator[Subject]:
    yield from (Subject(SubjectKind.NODE_POOL, "nodepool", pool.name) for pool in inputs.node_pools)


def _gangs(inputs: PlanInputs, workloads: Collection[str]) -> Iterator[Subject]:
    """Yield what declares gangs, apart from workloads that are one."""
    for declared in dict.fromkeys(gang.id.of for gang in inputs.workloads.gangs):
        if declared not in workloads:
            namespace, kind, name = workload_parts(declared)
            yield Subject(SubjectKind.GANG, kind, name, namespace, declared)


def _pods_and_workloads(inputs: PlanInputs) -> Iterator[Subject]:
    names = workload_names(inputs)
    of = PodWorkloads(names)
    running = [(pod, of.of(pod)) for pod in inputs.cluster.pods]
    for pod, workload in running:
        yield Subject(SubjectKind.POD, "pod", pod.name, pod.pod.namespace, workload, pod=pod)
    yield from _workloads([*names, *(workload for _, workload in running)], {pod.name for pod, _ in running})


def _workloads(names: Iterable[str], pods: set[str]) -> Iterator[Subject]:
    for workload in dict.fromkeys(names):
        namespace, kind, name = workload_parts(workload)
        if kind == "pod":
            if name not in pods:
                yield Subject(SubjectKind.POD, kind, name, namespace, workload)
        else:
            yield Subject(SubjectKind.WORKLOAD, kind, name, namespace, workload)
