"""Objects whose pods form a gang although no pod says so: jobs of Kueue, Volcano, Kubernetes 1.37 and of training operators
(spec: gangs 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from cutlist.core.shapes import Report, anything, fields, integer, list_of, quoted
from cutlist.documents.document import Document
from cutlist.workloads.gangs.gang import KUBE_SCHEDULER, KUEUE, OF_OPERATOR, VOLCANO, GangId, GangNeed, GangScheduler
from cutlist.workloads.gangs.membership import number_of_pods
from cutlist.workloads.groups import workload_name
from cutlist.workloads.kinds import Kind, kind_of
from cutlist.workloads.owners import key_of
from cutlist.workloads.pod_sets import value_at

Manifest = Mapping[str, Any]

_QUEUE: Final = "kueue.x-k8s.io/queue-name"
_MIN_PARALLELISM: Final = "kueue.x-k8s.io/job-min-parallelism"
_POD_BY_POD: Final = frozenset(
    [
        ("", "Pod"),
        ("apps", "Deployment"),
        ("apps", "ReplicaSet"),
        ("apps", "DaemonSet"),
        ("", "ReplicationController"),
        ("batch", "CronJob"),
        ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"),
    ]
)
"""Kinds that Kueue does not admit as a whole: it admits each pod of a Deployment by itself, and each group of a LeaderWorkerSet
(GA-18)."""
_RAY_SCHEDULER: Final = "ray.io/scheduler-name"
_RAY_GANG: Final = "ray.io/gang-scheduling-enabled"
_RAY_SPECS: Final = {"RayCluster": "spec", "RayJob": "spec.rayClusterSpec", "RayService": "spec.rayClusterConfig"}
_COUNT: Final = integer(1)
_ANY_COUNT: Final = integer(0)
_TASKS: Final = list_of(fields({}, {"replicas": anything, "minAvailable": _ANY_COUNT}))


def is_admitted_by_kueue(manifest: Manifest) -> bool:
    """Tell whether an object is in a queue of Kueue, which starts its pods: what it says of being suspended counts for nothing
    (GA-17)."""
    return bool(_labels(manifest).get(_QUEUE))


def gang_of_object(document: Document, runtime: Manifest | None, report: Report) -> GangNeed | None:
    """Return the gang of all pods of an object, None if they form none. `runtime` is that of a TrainJob. Mistakes in the number
    of pods are reported."""
    kind = kind_of(document.data)
    for read in (_of_kubernetes, _of_volcano, _of_training_operator, _of_ray):
        if (need := read(document, kind, report)) is not None:
            return need
    for member in ("coscheduling", "volcano"):
        if runtime is not None and value_at(runtime, f"spec.podGroupPolicy.{member}") is not None:
            return _need(document, OF_OPERATOR, None, "spec.runtimeRef")
    return _of_kueue(document, kind, report)


def _need(document: Document, scheduler: GangScheduler, minimum: int | None, path: str) -> GangNeed:
    namespace, kind, name = key_of(document.data)
    return GangNeed(GangId(scheduler, workload_name(kind, namespace, name)), minimum, document.at(path))


def _checked(value: Any, shape: Callable[[Any, str, Report], Any], path: str, report: Report) -> int | None:
    """Return a number of pods, None if it is reported or not written."""
    before = len(report.problems.found)
    read = None if value is None else shape(value, path, report)
    return read if len(report.problems.found) == before else None


def _of_kubernetes(document: Document, kind: Kind, report: Report) -> GangNeed | None:
    """Return the gang of a Job of Kubernetes 1.37 with a gang policy; all its pods, unless it says how many (GA-10)."""
    path = "spec.scheduling.schedulingPolicy.gang"
    gang = value_at(document.data, path) if kind == ("batch", "Job") else None
    if gang is None:
        return None
    count = f"{path}.minCount"
    return _need(document, KUBE_SCHEDULER, _checked(value_at(gang, "minCount"), _COUNT, count, report), path)


def _of_volcano(document: Document, kind: Kind, report: Report) -> GangNeed | None:
    """Return the gang of a Volcano Job: its `minAvailable`, else the sum of those of its tasks (GA-14)."""
    if kind != ("batch.volcano.sh", "Job"):
        return None
    path = "spec.minAvailable"
    minimum = _checked(value_at(document.data, path), _ANY_COUNT, path, report)
    tasks = value_at(document.data, "spec.tasks") or ()
    before = len(report.problems.found)
    _TASKS(tasks, "spec.tasks", report)
    if len(report.problems.found) > before:
        return None
    least = sum(_least_of(task) for task in tasks)
    return _need(document, VOLCANO, minimum or least, path)


def _least_of(task: Manifest) -> int:
    written = task.get("minAvailable")
    count = task.get("replicas") or 0 if written is None else written
    return count if type(count) is int else 0


def _of_training_operator(document: Document, kind: Kind, report: Report) -> GangNeed | None:
    """Return the gang of a job of the training operator with a scheduling policy; all its pods, unless it says how many."""
    path = "spec.runPolicy.schedulingPolicy"
    policy = value_at(document.data, path) if kind[0] == "kubeflow.org" else None
    if policy is None:
        return None
    minimum = _checked(value_at(policy, "minAvailable"), _COUNT, f"{path}.minAvailable", report)
    return _need(document, OF_OPERATOR, minimum, path)


def _of_ray(document: Document, kind: Kind, report: Report) -> GangNeed | None:
    """Return the gang of a Ray cluster whose label asks for one: the head, and of each worker group its replicas, or their
    minimum if Ray scales them (GA-16)."""
    labels = _labels(document.data)
    asked = labels.get(_RAY_GANG) == "true" or labels.get(_RAY_SCHEDULER) == "volcano"
    if kind[0] != "ray.io" or not asked:
        return None
    spec = _RAY_SPECS.get(kind[1], "spec")
    where = quoted("metadata.labels", _RAY_GANG if _RAY_GANG in labels else _RAY_SCHEDULER)
    if value_at(document.data, f"{spec}.enableInTreeAutoscaling") is not True:
        return _need(document, OF_OPERATOR, None, where)
    least = [_checked(count, _ANY_COUNT, path, report) or 0 for count, path in _ray_workers(document.data, spec)]
    return _need(document, OF_OPERATOR, 1 + sum(least), where)


def _ray_workers(manifest: Manifest, spec: str) -> Iterator[tuple[Any, str]]:
    groups = value_at(manifest, f"{spec}.workerGroupSpecs")
    for index, group in enumerate(groups if isinstance(groups, list) else ()):
        hosts, least = value_at(group, "numOfHosts"), value_at(group, "minReplicas")
        together = least * hosts if type(least) is int and type(hosts) is int else least
        yield together, f"{spec}.workerGroupSpecs[{index}].minReplicas"


def _of_kueue(document: Document, kind: Kind, report: Report) -> GangNeed | None:
    """Return the gang of an object that Kueue admits as a whole: all its pods, or the least that a Job may begin with
    (GA-17)."""
    if kind in _POD_BY_POD or not is_admitted_by_kueue(document.data):
        return None
    where, minimum = quoted("metadata.labels", _QUEUE), None
    written = ((document.data["metadata"].get("annotations")) or {}).get(_MIN_PARALLELISM) if kind == ("batch", "Job") else None
    if written is not None:
        where = quoted("metadata.annotations", _MIN_PARALLELISM)
        minimum = number_of_pods(written, where, report)
    return _need(document, KUEUE, minimum, where)


def _labels(manifest: Manifest) -> Mapping[str, str]:
    return manifest["metadata"].get("labels") or {}
