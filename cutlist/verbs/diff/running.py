"""What runs in two clusters, as edits: the pods of a workload are those of the one cluster or of the other.

A cluster is compared without its nodes, since these follow from the pods, the NodePools, and what happened before. Nodes that
Karpenter does not manage are there whatever it does, and those of the two clusters are one edit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Place
from cutlist.core.quantity import amount_text
from cutlist.documents.document import Document
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model.changes import Change
from cutlist.state.statenode import state_nodes
from cutlist.verbs.diff.objects import ChangedField, Identity, ObjectChange, identity, is_running
from cutlist.verbs.diff.setting_edits import SETTING
from cutlist.verbs.diff.trees import differences, path_text
from cutlist.workloads.owners import above_replica_set, owner_of, owner_reference
from cutlist.workloads.pods import Pod
from cutlist.workloads.read_pod import read_pod

OTHER_NODES: Final = "nodes that Karpenter does not manage"
POD: Final = "Pod"
_OF_NODES: Final = frozenset({"DaemonSet", "Node"})
"""Kinds whose pods stay with a node, and go with it."""
_ENDED: Final = frozenset({"Succeeded", "Failed"})
_OF_ONE_POD: Final = (
    "pod-template-hash",
    "rollouts-pod-template-hash",
    "controller-revision-hash",
    "pod-template-generation",
    "statefulset.kubernetes.io/pod-name",
    "apps.kubernetes.io/pod-index",
    "batch.kubernetes.io/controller-uid",
    "controller-uid",
    "batch.kubernetes.io/job-completion-index",
)
"""Labels that controllers write, by which equal pods differ."""
_OF_CONTAINERS: Final = ("nodeName", "containers", "initContainers", "volumes")
"""Members of a pod that are not compared word by word: what they request is compared, and names in them differ by pod."""
_PODS: Final = ("pods",)
"""Steps to what only running pods have: no object that a user writes has a member of this name."""


@dataclass(frozen=True, slots=True)
class RunningOfBoth:
    """The objects that two clusters write themselves, and which of them are there with some edits."""

    pods: tuple[Mapping[Identity, Sequence[Document]], Mapping[Identity, Sequence[Document]]]
    other_nodes: tuple[frozenset[str], frozenset[str]]
    rest: tuple[tuple[Document, ...], tuple[Document, ...]]

    @staticmethod
    def of(before: PlanInputs, after: PlanInputs) -> RunningOfBoth:
        """Return what runs in two clusters."""
        sides = (before, after)
        groups = {_without_version(identity(d)): identity(d) for side in sides for d in side.documents if not is_running(d)}
        first, second = (_pods_by_workload(side, groups) for side in sides)
        others = [frozenset(node.name for node in state_nodes(side.cluster) if node.claim is None) for side in sides]
        rest = [tuple(d for d in side.documents if d.kind != POD and is_running(d)) for side in sides]
        return RunningOfBoth((first, second), (others[0], others[1]), (rest[0], rest[1]))

    def edits(self) -> Iterator[ObjectChange]:
        """Yield an edit for each workload whose pods differ by more than their names, then one for other nodes."""
        for key in sorted({*self.pods[0], *self.pods[1]}):
            fields = tuple(_fields(self.pods[0].get(key, ()), self.pods[1].get(key, ())))
            if fields:
                kind, group, namespace, name = key
                yield ObjectChange(kind, namespace, name, Change.CHANGED, Place(), fields, group)
        if self.other_nodes[0] != self.other_nodes[1]:
            counts = ChangedField("", len(self.other_nodes[0]), len(self.other_nodes[1]))
            yield ObjectChange(SETTING, "", OTHER_NODES, Change.CHANGED, Place(), (counts,))

    def documents(self, edited: Collection[Identity], chosen: Collection[Identity], *, later_nodes: bool) -> Iterator[Document]:
        """Yield what runs: the pods of edited workloads are those of the later cluster only if they are chosen."""
        for key in sorted({*self.pods[0], *self.pods[1]}):
            yield from self.pods[key not in edited or key in chosen].get(key, ())
        own, left = self.other_nodes[later_nodes], self.other_nodes[0] | self.other_nodes[1]
        written = set[Identity]()
        for document in (*self.rest[1], *self.rest[0]):
            if identity(document) not in written and (document.name in own or document.name not in left):
                written.add(identity(document))
                yield document


def is_of_pods(edit: ObjectChange) -> bool:
    """Tell whether an edit is one of pods that run."""
    return any(field.steps == _PODS for field in edit.fields)


def _pods_by_workload(side: PlanInputs, groups: Mapping[Identity, Identity]) -> Mapping[Identity, Sequence[Document]]:
    pods: dict[Identity, list[Document]] = {}
    for document in side.documents:
        if document.kind == POD and document.name and (key := _workload_of(document, groups)) is not None:
            pods.setdefault(key, []).append(document)
    return pods


def _workload_of(pod: Document, groups: Mapping[Identity, Identity]) -> Identity | None:
    """Return the identity of the workload whose pod an object is; None for one that has ended or stays with its node."""
    status, metadata = pod.data.get("status"), pod.data["metadata"]
    owner = owner_of(pod.data)
    if (isinstance(status, Mapping) and status.get("phase") in _ENDED) or (owner is not None and owner[1] in _OF_NODES):
        return None
    if owner is None:
        return identity(pod)
    reference = owner_reference(pod.data) or {}
    _, kind, name = above_replica_set(owner, metadata.get("labels") or {}) or owner
    group = str(reference.get("apiVersion") or "").rpartition("/")[0] if kind != "Rollout" else "argoproj.io"
    key = (kind, group, str(metadata.get("namespace") or ""), name)
    return groups.get(_without_version(key), key)


def _without_version(key: Identity) -> Identity:
    """Return an identity without its group, which owner references of pods need not have."""
    return key[0], "", key[2], key[3]


def _fields(old: Sequence[Document], new: Sequence[Document]) -> Iterator[ChangedField]:
    """Yield in which respects the pods of a workload differ: their number, what each requests, else anything that places
    them."""
    before, after = ([_alike(document) for document in side] for side in (old, new))
    if Counter(before) == Counter(after):
        return
    found = []
    if len(before) != len(after):
        found.append(ChangedField("pods", len(before), len(after), steps=_PODS))
    if before and after:
        found += _requests(before, after)
        found = found or _first_differences(old[0], new[0])
    yield from found or [ChangedField("pods", "as they were", "others", steps=_PODS)]


def _alike(document: Document) -> Pod:
    """Return what places a pod, without what distinguishes it from the others of its workload."""
    metadata = document.data["metadata"]
    return read_pod({**document.data, "metadata": {**metadata, "labels": _common_labels(metadata)}})


def _common_labels(metadata: Mapping[str, Any]) -> dict[str, str]:
    return {key: value for key, value in (metadata.get("labels") or {}).items() if key not in _OF_ONE_POD}


def _requests(before: Sequence[Pod], after: Sequence[Pod]) -> list[ChangedField]:
    """Return the resources of which each pod requests another amount than before, where all pods of a side request the same."""
    names = sorted({name for pod in (*before, *after) for name in pod.requests})
    amounts = {name: [{pod.requests.get(name) for pod in side} for side in (before, after)] for name in names}
    return [
        ChangedField(f"requests.{name}", _amount(name, old), _amount(name, new), steps=_PODS)
        for name, (old, new) in amounts.items()
        if len(old) == len(new) == 1 and old != new
    ]


def _amount(name: str, amounts: Iterable[int | None]) -> str | None:
    """Return the one amount of a resource that all pods request; None where they request none."""
    return next((None if amount is None else amount_text(name, amount) for amount in amounts), None)


def _first_differences(old: Document, new: Document) -> list[ChangedField]:
    before, after = (_decisive(document.data) for document in (old, new))
    return [ChangedField(path_text(path), was, now, steps=_PODS) for path, was, now in differences(before, after)]


def _decisive(data: Mapping[str, Any]) -> Mapping[str, Any]:
    spec = {key: value for key, value in (data.get("spec") or {}).items() if key not in _OF_CONTAINERS}
    return {"labels": _common_labels(data["metadata"]), "spec": spec}
