"""Selectors deduced for pods, which default spread constraints need (spec: karpenter-1.15, 1.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.requirement import Expression
from cutlist.core.shapes import Report, Rule
from cutlist.documents.document import Document
from cutlist.workloads import check
from cutlist.workloads.pods import LabelSelector
from cutlist.workloads.read_pod import read_selector

Manifest = Mapping[str, Any]

_NOTHING: Final = LabelSelector()


@dataclass(frozen=True, slots=True)
class PodController:
    """The object that controls a pod; its namespace is the pod's."""

    api_version: str
    kind: str
    name: str

    @staticmethod
    def of_workload(kind: str, name: str) -> PodController:
        """Return a workload as the controller of its pods. A Deployment represents its ReplicaSets."""
        return PodController(next((version for version, known in _SELECTORS if known == kind), ""), kind, name)

    @staticmethod
    def of(manifest: Manifest) -> PodController | None:
        """Return the controller that a pod's owner references name, or None for a pod without one."""
        references = manifest["metadata"].get("ownerReferences") or ()
        reference = next((r for r in references if r.get("controller")), None)
        if reference is None:
            return None
        return PodController(reference.get("apiVersion") or "", reference.get("kind") or "", reference.get("name") or "")


_SERVICE: Final = ("v1", "Service")
_REPLICATION_CONTROLLER: Final = ("v1", "ReplicationController")
# A Deployment represents its ReplicaSets: their selectors only add a hash that their pods have too.
_WITH_EXPRESSIONS: Final = (("apps/v1", "ReplicaSet"), ("apps/v1", "StatefulSet"), ("apps/v1", "Deployment"))
_SELECTORS: Final[Mapping[tuple[str, str], Rule]] = {
    _REPLICATION_CONTROLLER: check.texts,
    **dict.fromkeys(_WITH_EXPRESSIONS, check.shape_of("LabelSelector")),
}
"""The workloads from which selectors are deduced, and the rule for the selector of each."""


def check_selectors(documents: Iterable[Document], problems: Problems) -> None:
    """Add the mistakes in Services and in the selectors of workloads, which nothing else reads."""
    for document in documents:
        kind, spec = _kind_of(document.data), document.data.get("spec")
        if kind == _SERVICE:
            check.shape_of("Service")(document.data, "", Report(document, problems))
        elif kind in _SELECTORS and isinstance(spec, Mapping) and spec.get("selector") is not None:
            _SELECTORS[kind](spec["selector"], "spec.selector", Report(document, problems))


@dataclass(frozen=True, slots=True)
class SelectorSources:
    """The Services and controllers of a cluster, as far as selectors are deduced from them.

    `services` are selectors by namespace, in the order of the Services' names; `labels` are those that a ReplicationController
    selects, `expressions` those of a ReplicaSet or StatefulSet.
    """

    services: Mapping[str, tuple[Mapping[str, str], ...]] = field(default_factory=dict)
    labels: Mapping[tuple[str, PodController], Mapping[str, str]] = field(default_factory=dict)
    expressions: Mapping[tuple[str, PodController], tuple[Expression, ...]] = field(default_factory=dict)

    @staticmethod
    def of(manifests: Iterable[Manifest]) -> SelectorSources:
        """Return the sources among objects; other kinds are skipped."""
        services: dict[str, dict[str, Mapping[str, str]]] = {}
        labels: dict[tuple[str, PodController], Mapping[str, str]] = {}
        expressions: dict[tuple[str, PodController], tuple[Expression, ...]] = {}
        for manifest in manifests:
            kind = _kind_of(manifest)
            if kind != _SERVICE and kind not in _SELECTORS:
                continue
            metadata, selector = manifest.get("metadata") or {}, (manifest.get("spec") or {}).get("selector")
            namespace, name = metadata.get("namespace") or "default", metadata.get("name") or ""
            if kind == _SERVICE and selector is not None:
                services.setdefault(namespace, {})[name] = selector
            elif kind == _REPLICATION_CONTROLLER:
                labels[namespace, PodController(*kind, name)] = selector or _template_labels(manifest)
            elif kind != _SERVICE:
                expressions[namespace, PodController(*kind, name)] = _flat(read_selector(selector) or _NOTHING)
        by_name = {namespace: tuple(named[name] for name in sorted(named)) for namespace, named in services.items()}
        return SelectorSources(by_name, labels, expressions)

    def deduced(self, namespace: str, labels: Mapping[str, str], controller: PodController | None) -> LabelSelector | None:
        """Return the selector of a pod with these labels: those of the Services that select it, the last one winning a key,
        then its controller's (V15-20), or None if nothing is deduced (V15-21)."""
        selected: dict[str, str] = {}
        for selector in self.services.get(namespace, ()):
            if all(labels.get(key) == value for key, value in selector.items()):
                selected |= selector
        if controller is None:
            expressions: tuple[Expression, ...] = ()
        else:
            selected |= self.labels.get((namespace, controller), {})
            expressions = self.expressions.get((namespace, controller), ())
        return LabelSelector(tuple(sorted(selected.items())), expressions) if selected or expressions else None


NO_SOURCES: Final = SelectorSources()


def _kind_of(manifest: Manifest) -> tuple[str, str]:
    return manifest.get("apiVersion") or "", manifest.get("kind") or ""


def _template_labels(manifest: Manifest) -> Mapping[str, str]:
    """Return the labels of a workload's pods: the default selector of a ReplicationController."""
    template = (manifest.get("spec") or {}).get("template") or {}
    return (template.get("metadata") or {}).get("labels") or {}


def _flat(selector: LabelSelector) -> tuple[Expression, ...]:
    """Return a selector as expressions only."""
    return (*(Expression(key, "In", (value,)) for key, value in selector.match_labels), *selector.expressions)
