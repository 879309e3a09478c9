"""Workloads read from manifests: the one call for everything that requests room on nodes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.notes import Note, Notes
from cutlist.core.quantity import amount_text, nanos
from cutlist.documents.collecting import collect_documents
from cutlist.documents.document import Document
from cutlist.documents.folders import PLAIN, Reading
from cutlist.workloads.defaults import Admission
from cutlist.workloads.gangs.gang import Gang
from cutlist.workloads.grouping import Grouping
from cutlist.workloads.groups import BoundPod, DaemonSet, NotUnderstood, PodGroup, workload_name
from cutlist.workloads.inventory import Inventory
from cutlist.workloads.objects import (
    PersistentVolume,
    PersistentVolumeClaim,
    PodDisruptionBudget,
    StorageClass,
    namespace_labels,
)
from cutlist.workloads.pods import FrozenDict

Manifest = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Workloads:
    """Everything that requests room, the objects that shape it, and the assumptions.

    `groups` have to be placed, `daemons` run on every new node that they accept, `bound` pods already have a node. `namespaces`
    has the labels of each given namespace. `not_understood` objects place pods in ways that Cutlist does not know, and
    `passed_over` are the numbers of ignored objects by kind. `gangs` are those that the pods form.
    """

    groups: tuple[PodGroup, ...] = ()
    daemons: tuple[DaemonSet, ...] = ()
    bound: tuple[BoundPod, ...] = ()
    claims: tuple[PersistentVolumeClaim, ...] = ()
    volumes: tuple[PersistentVolume, ...] = ()
    storage_classes: tuple[StorageClass, ...] = ()
    budgets: tuple[PodDisruptionBudget, ...] = ()
    quotas: tuple[ResourceQuota, ...] = ()
    namespaces: Mapping[str, Mapping[str, str]] = FrozenDict()
    not_understood: tuple[NotUnderstood, ...] = ()
    passed_over: Mapping[str, int] = FrozenDict()
    notes: tuple[Note, ...] = ()
    gangs: tuple[Gang, ...] = ()

    @staticmethod
    def read(*paths: str | os.PathLike[str], stdin: str | bytes | None = None, reading: Reading = PLAIN) -> Workloads:
        """Return the workloads in files, folders and (`-`) standard input. Raises InputError with every mistake."""
        problems, notes = Problems(), Notes()
        documents = collect_documents(paths, problems, stdin, reading, notes)
        workloads = read_workloads(documents, problems, notes)
        problems.raise_if_any()
        return workloads

    @property
    def pods(self) -> int:
        """Return how many pods have to be placed."""
        return sum(group.count for group in self.groups)


def read_workloads(
    documents: Iterable[Document], problems: Problems, notes: Notes | None = None, replicas: Sequence[str] = ()
) -> Workloads:
    """Return the workloads among documents; kinds that place no pods are skipped.

    Mistakes are added to `problems`, and objects with mistakes are left out: use the result only if no mistake was added.
    `notes` holds earlier notes, such as those of `collect_documents`. `replicas` are those that the user chooses, as
    `ChosenReplicas` reads them.
    """
    inventory = Inventory.take(documents, problems)
    notes = Notes() if notes is None else notes
    storage_classes = tuple(map(StorageClass.read, inventory.manifests("StorageClass")))
    quotas = tuple(map(ResourceQuota.read, inventory.manifests("ResourceQuota")))
    default_class = next((c.name for c in storage_classes if c.default), None)
    admission = Admission.read(
        inventory.manifests("PriorityClass"),
        inventory.manifests("RuntimeClass"),
        inventory.manifests("LimitRange"),
        default_class,
    )
    grouping = Grouping(inventory, admission, notes, problems, tuple(replicas))
    grouping.build()
    for warning in quota_warnings(quotas, grouping.groups):
        notes.add("resource-quota", warning)
    for manifest in inventory.manifests("VerticalPodAutoscaler"):
        _note_vertical(manifest, notes)
    return Workloads(
        groups=tuple(sorted(grouping.groups, key=lambda g: (g.place, g.namespace, g.name, g.first))),
        daemons=tuple(grouping.daemons),
        bound=tuple(grouping.bound),
        claims=tuple(PersistentVolumeClaim.read(m, default_class) for m in inventory.manifests("PersistentVolumeClaim")),
        volumes=tuple(map(PersistentVolume.read, inventory.manifests("PersistentVolume"))),
        storage_classes=storage_classes,
        budgets=tuple(map(PodDisruptionBudget.read, inventory.manifests("PodDisruptionBudget"))),
        quotas=quotas,
        namespaces=FrozenDict({m["metadata"]["name"]: namespace_labels(m) for m in inventory.manifests("Namespace")}),
        not_understood=inventory.not_understood,
        passed_over=FrozenDict(inventory.passed_over),
        notes=notes.all(),
        gangs=grouping.gangs,
    )


def _note_vertical(manifest: Mapping[str, Any], notes: Notes) -> None:
    metadata, spec = manifest["metadata"], manifest["spec"]
    if (spec.get("updatePolicy") or {}).get("updateMode") == "Off":
        return
    target = spec["targetRef"]
    who = workload_name(target["kind"], metadata.get("namespace") or "default", target["name"])
    text = f"VerticalPodAutoscaler {metadata['name']} may change the requests of {{who}}; they are used as written"
    notes.add("vertical-autoscaler", text, who)


_BARE: Final = ("cpu", "memory", "ephemeral-storage")  # a quota may name these without `requests.`


@dataclass(frozen=True, slots=True)
class ResourceQuota:
    """The total requests that a namespace's pods may have, in nano-units. Limits and other objects are ignored."""

    name: str
    namespace: str
    hard: Mapping[str, int]

    @staticmethod
    def read(manifest: Manifest) -> ResourceQuota:
        """Return the quota of a manifest. One with scopes, which applies to only some pods, is left empty."""
        metadata, spec = manifest["metadata"], manifest.get("spec") or {}
        hard = {} if spec.get("scopes") or spec.get("scopeSelector") else spec.get("hard") or {}
        read = {_resource(name): nanos(amount) for name, amount in hard.items()}
        return ResourceQuota(metadata["name"], metadata.get("namespace") or "default", {k: v for k, v in read.items() if k})

    def warnings(self, groups: Sequence[PodGroup]) -> Iterator[str]:
        """Yield a sentence for each resource of which the namespace's pods request more than the quota."""
        mine = [g for g in groups if g.namespace == self.namespace]
        for resource, allowed in sorted(self.hard.items()):
            requested = sum((g.count + g.bound) * g.pod.requests.get(resource, 0) for g in mine)
            if requested > allowed:
                what = "are" if resource == "pods" else "ask for"
                unit = "pods" if resource == "pods" else resource
                yield (
                    f"the pods of namespace {self.namespace} {what} {amount_text(resource, requested)} {unit}; "
                    f"ResourceQuota {self.name} allows {amount_text(resource, allowed)}, and pods beyond it are not created"
                )


def quota_warnings(quotas: Iterable[ResourceQuota], groups: Sequence[PodGroup]) -> Iterator[str]:
    """Yield the warnings of all quotas: plans ignore quotas, although pods beyond one are not created."""
    for quota in quotas:
        yield from quota.warnings(groups)


def _resource(name: str) -> str:
    if name in _BARE:
        return name
    if name in ("pods", "count/pods"):
        return "pods"
    return name.removeprefix("requests.") if name.startswith("requests.") and name != "requests.storage" else ""
