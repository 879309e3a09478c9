"""The pod templates of the input as they were written, with what a workload's group of pods no longer has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cutlist.documents import Document
from cutlist.workloads.controllers import KINDS, Controller
from cutlist.workloads.groups import workload_name


@dataclass(frozen=True, slots=True)
class PodTemplate:
    """The template of a controller, or a pod without one."""

    kind: str
    namespace: str
    name: str
    metadata: Mapping[str, Any]
    spec: Mapping[str, Any]

    @staticmethod
    def of_documents(documents: Iterable[Document]) -> Iterator[PodTemplate]:
        """Yield the templates of documents that satisfy the rules of their kinds; pods that a controller owns are left out."""
        for document in documents:
            manifest = document.data
            if document.kind == "Pod" and not manifest["metadata"].get("ownerReferences"):
                namespace = manifest["metadata"].get("namespace") or "default"
                yield PodTemplate("Pod", namespace, document.name, manifest["metadata"], manifest.get("spec") or {})
            elif document.kind in KINDS and not manifest["metadata"].get("ownerReferences"):
                controller = Controller.read(manifest)
                metadata, spec = controller.template["metadata"], controller.template["spec"]
                yield PodTemplate(controller.kind, controller.namespace, controller.name, metadata, spec)

    @property
    def workload(self) -> str:
        """Return its name in plans, such as `deployment/web`."""
        return workload_name(self.kind, self.namespace, self.name)

    @property
    def annotations(self) -> Mapping[str, str]:
        """Return the annotations of its pods."""
        return self.metadata.get("annotations") or {}

    @property
    def labels(self) -> Mapping[str, str]:
        """Return the labels of its pods."""
        return self.metadata.get("labels") or {}

    @property
    def containers(self) -> list[Mapping[str, Any]]:
        """Return its containers, with those that run first."""
        return [*(self.spec.get("containers") or ()), *(self.spec.get("initContainers") or ())]
