"""Pods that a rule finds in an object: the model, and how they become controllers. An object is counted completely or not at
all: if it leaves some of its pods open, it is only named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.shapes import Report
from cutlist.documents.document import Document
from cutlist.workloads import check
from cutlist.workloads.controllers import Controller
from cutlist.workloads.pod_sets import Within, value_at

Manifest = Mapping[str, Any]
PLACING: Final = ("nodeSelector", "affinity", "tolerations", "topologySpreadConstraints", "priorityClassName", "hostNetwork")


@dataclass(frozen=True, slots=True)
class PodsOf:
    """Some pods of an object: the end of their set's name, their number, their spec, and its path."""

    role: str
    count: int
    spec: Manifest
    path: str
    suspended: bool = False


@dataclass(frozen=True, slots=True)
class RuledKind:
    """A kind with the rule for its pods, and a remark on their number. The rule yields None for unknown pods."""

    pods: Callable[[Manifest, Report], Iterator[PodsOf | None]]
    remark: str = ""
    ended: str = ""
    """The path of a time: where it is written the object no longer has pods."""


def ruled_controllers(document: Document, kind: RuledKind, report: Report) -> list[Controller]:
    """Return the sets of pods of an object, none if some are unknown; mistakes go to the report."""
    spec, before = document.data.get("spec"), len(report.problems.found)
    sets = list(kind.pods(spec, report)) if isinstance(spec, Mapping) else [None]
    known = [pods for pods in sets if pods is not None]
    if len(known) < len(sets) or len(report.problems.found) > before:
        return []
    metadata = document.data["metadata"]
    namespace = metadata.get("namespace") or "default"
    name = metadata.get("name") or str(metadata.get("generateName") or "").removesuffix("-")
    has_ended = bool(kind.ended) and value_at(document.data, kind.ended) is not None
    controllers = []
    for pods in known:
        template = {"metadata": {"namespace": namespace}, "spec": pods.spec}
        check.template(template, pods.path, Report(Within(document, pods.path), report.problems))
        controllers.append(
            Controller(
                document.kind, namespace, f"{name}-{pods.role}", template, 0 if has_ended else pods.count, pods.suspended
            )
        )
    return controllers if len(report.problems.found) == before else []
