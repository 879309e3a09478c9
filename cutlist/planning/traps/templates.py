"""The pod templates of the input as they were written, with what a workload's group of pods no longer has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.documents.document import Document
from cutlist.workloads.controllers import KINDS, Controller
from cutlist.workloads.groups import workload_name
from cutlist.workloads.kinds import READ, kind_of

_POD: Final = ("", "Pod")


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
        """Yield the templates of documents that satisfy the rules of their kinds, of other kinds those that are written as a
        Deployment's; objects that a controller owns are left out."""
        for document in documents:
            manifest, (group, kind) = document.data, kind_of(document.data)
            metadata = manifest.get("metadata")
            if not isinstance(metadata, Mapping) or metadata.get("ownerReferences"):
                continue
            namespace = metadata.get("namespace") or "default"
            if (group, kind) == _POD:
                yield PodTemplate("Pod", namespace, document.name, metadata, manifest.get("spec") or {})
            elif (group, kind) in READ and kind in KINDS:
                controller = Controller.read(manifest)
                template = controller.template
                yield PodTemplate(controller.kind, namespace, controller.name, template["metadata"], template["spec"])
            elif (written := _written_template(manifest)) is not None:
                yield PodTemplate(kind, namespace, document.name, written.get("metadata") or {}, written["spec"])

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


def _written_template(manifest: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the template of an object of any kind that has one where a Deployment has it, such as an Argo Rollout."""
    spec = manifest.get("spec")
    template = spec.get("template") if isinstance(spec, Mapping) else None
    pod = template.get("spec") if isinstance(template, Mapping) else None
    containers = pod.get("containers") if isinstance(pod, Mapping) else None
    return template if isinstance(containers, list) and all(isinstance(c, Mapping) for c in containers) else None
