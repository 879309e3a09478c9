"""The gang of a pod, by what its manifest or template says (spec: gangs 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from cutlist.core.shapes import Report, quoted
from cutlist.workloads.gangs.gang import COSCHEDULING, KUBE_SCHEDULER, KUEUE, POD_GROUP, VOLCANO, WORKLOAD, GangId, GangNeed
from cutlist.workloads.groups import workload_name

Manifest = Mapping[str, Any]

_COSCHEDULING_LABELS: Final = ("scheduling.x-k8s.io/pod-group", "pod-group.scheduling.sigs.k8s.io")
_VOLCANO_ANNOTATIONS: Final = ("scheduling.k8s.io/group-name", "scheduling.volcano.sh/group-name")
_KUEUE_GROUP: Final = "kueue.x-k8s.io/pod-group-name"
_KUEUE_TOTAL: Final = "kueue.x-k8s.io/pod-group-total-count"
ANNOTATIONS: Final = (*_VOLCANO_ANNOTATIONS, _KUEUE_GROUP, _KUEUE_TOTAL)
"""The annotations that make a pod one of a gang."""


def gang_of_pod(manifest: Manifest, namespace: str) -> GangId | None:
    """Return the gang that a pod or a template names, None if it names none. What binds its pods together counts before what
    only admits them."""
    return next(_named(manifest, namespace), None)


def admitted_with(manifest: Manifest, namespace: str, report: Report, path: str = "") -> GangNeed | None:
    """Return how many pods Kueue admits together with a pod of one of its groups, None for another pod. `path` is where the pod
    is in its document; a number that is missing or malformed is reported."""
    gang = gang_of_pod(manifest, namespace)
    if gang is None or gang.scheduler is not KUEUE:
        return None
    metadata, annotations = f"{path}.metadata" if path else "metadata", _texts(manifest, "annotations")
    written = annotations.get(_KUEUE_TOTAL)
    where = quoted(f"{metadata}.annotations", _KUEUE_TOTAL)
    if written is None:
        report.add(where, f"is missing, while {_KUEUE_GROUP} makes the pod one of a group", "the number of pods of the group")
        return None
    number = number_of_pods(written, where, report)
    return None if number is None else GangNeed(gang, number, report.document.at(where))


def number_of_pods(written: str, where: str, report: Report) -> int | None:
    """Return the number of pods in an annotation of Kueue; None, and a mistake is reported, for another text."""
    if not written.isdecimal() or int(written) < 1:
        report.add(where, f"{written!r} is not a number of pods", "a whole number in quotes, 1 or more")
        return None
    return int(written)


def _named(manifest: Manifest, namespace: str) -> Iterator[GangId]:
    labels, annotations = _texts(manifest, "labels"), _texts(manifest, "annotations")
    spec = manifest.get("spec") or {}
    group = (spec.get("schedulingGroup") or {}).get("podGroupName")
    if group:
        yield GangId(KUBE_SCHEDULER, workload_name(POD_GROUP, namespace, group))
    if reference := spec.get("workloadRef"):
        of = workload_name(WORKLOAD, namespace, reference.get("name") or "")
        yield GangId(KUBE_SCHEDULER, of, reference.get("podGroup") or "", reference.get("podGroupReplicaKey") or "")
    for name in _values(labels.get, _COSCHEDULING_LABELS):
        yield GangId(COSCHEDULING, workload_name(POD_GROUP, namespace, name))
    for name in _values(annotations.get, _VOLCANO_ANNOTATIONS):
        yield GangId(VOLCANO, workload_name(POD_GROUP, namespace, name))
    if queued := labels.get(_KUEUE_GROUP) or annotations.get(_KUEUE_GROUP):
        yield GangId(KUEUE, workload_name(POD_GROUP, namespace, queued))


def _values(get: Callable[[str], str | None], keys: tuple[str, ...]) -> Iterator[str]:
    return (value for key in keys if (value := get(key)))


def _texts(manifest: Manifest, member: str) -> Mapping[str, str]:
    return (manifest.get("metadata") or {}).get(member) or {}
