"""The gangs of an input: what its pods and objects ask for, with the number of pods that each needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.core.shapes import Report
from cutlist.documents.document import Document
from cutlist.workloads.gangs.counting import pods_of_gangs
from cutlist.workloads.gangs.declared import DeclaredGangs
from cutlist.workloads.gangs.gang import Gang, GangId, GangNeed
from cutlist.workloads.gangs.membership import admitted_with, gang_of_pod
from cutlist.workloads.gangs.whole_objects import gang_of_object
from cutlist.workloads.groups import BoundPod, PodGroup

Manifest = Mapping[str, Any]


@dataclass(slots=True)
class FoundGangs:
    """Collects the gangs of an input while its pods are counted. Mistakes are added to `problems`."""

    declared: DeclaredGangs
    problems: Problems
    _needs: dict[GangId, GangNeed] = field(default_factory=dict)

    def of_pod(self, document: Document) -> GangId | None:
        """Return the gang of a pod of the input."""
        return self._of(document.data, document, "")

    def of_template(self, template: Manifest, document: Document, runtime: Manifest | None = None) -> GangId | None:
        """Return the gang of the pods of a template: what it names itself, else that of all pods of its object."""
        named = self._of(template, document, "spec.template" if "template" in (document.data.get("spec") or {}) else "")
        if named is not None and named.scheduler.binds_together:
            return named
        need = gang_of_object(document, runtime, Report(document, self.problems))
        if need is None:
            return named
        self._needs.setdefault(need.id, need)
        return need.id

    def _of(self, manifest: Manifest, document: Document, path: str) -> GangId | None:
        namespace = (document.data.get("metadata") or {}).get("namespace") or "default"
        gang = gang_of_pod(manifest, namespace)
        if gang is None:
            return None
        need = admitted_with(manifest, namespace, Report(document, self.problems), path)
        if need is not None:
            self._needs.setdefault(need.id, need)
        return None if self.declared.is_independent(gang) else gang

    def all(self, groups: Iterable[PodGroup], bound: Iterable[BoundPod], notes: Notes) -> tuple[Gang, ...]:
        """Return the gangs of some pods with their minimum, by name; add notes on those that nothing declares, and on those of
        which no pod is there."""
        listed = list(groups)
        pods, gangs = pods_of_gangs(listed, bound), []
        workloads: dict[GangId | None, list[str]] = {}
        for group in listed:
            workloads.setdefault(group.gang, []).append(group.workload)
        for gang, there in pods.items():
            need = self._needs.get(gang) or self.declared.of(gang)
            if need is not None:
                gangs.append(Gang(gang, there if need.minimum is None else need.minimum, need.place))
                continue
            text = f"{gang.shown} is not in the input, so it is not known how many of its pods {gang.scheduler.name}"
            for workload in workloads.get(gang, ()):
                notes.add("pod-group-not-given", f"{text} binds at once; each counts as if it were alone: {{who}}", workload)
        used = {gang._replace(replica="") for gang in pods}
        for gang in self.declared.needs:
            if gang not in used:
                notes.add(
                    "gang-without-pods", f"a gang of {gang.scheduler.name} without a pod in the input: {{who}}", gang.shown
                )
        return tuple(sorted(gangs, key=lambda g: (g.id.shown, g.id.scheduler.name)))
