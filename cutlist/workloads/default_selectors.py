"""Selectors deduced for pods, which default spread constraints need (spec: karpenter-1.15, 1.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from cutlist.core.requirement import Expression
from cutlist.workloads.pods import LabelSelector
from cutlist.workloads.read_pod import read_selector

Manifest = Mapping[str, Any]

_NOTHING: Final = LabelSelector()


class PodController(NamedTuple):
    """The object that controls a pod; its namespace is the pod's."""

    api_version: str
    kind: str
    name: str

    @staticmethod
    def of(manifest: Manifest) -> PodController | None:
        """Return the controller that a pod's owner references name; None for a pod without one."""
        references = manifest["metadata"].get("ownerReferences") or ()
        reference = next((r for r in references if r.get("controller")), None)
        if reference is None:
            return None
        return PodController(reference.get("apiVersion") or "", reference.get("kind") or "", reference.get("name") or "")


_REPLICATION_CONTROLLER: Final = ("v1", "ReplicationController")
# A Deployment stands for its ReplicaSets, which have its selector and a hash that their pods have too.
_WITH_SELECTOR: Final = frozenset({("apps/v1", "ReplicaSet"), ("apps/v1", "StatefulSet"), ("apps/v1", "Deployment")})


@dataclass(frozen=True, slots=True)
class SelectorSources:
    """The Services and controllers of a cluster, as far as selectors are deduced from them.

    `services` are selectors by namespace, in the order of the Services' names; `labels` are those that a ReplicationController
    selects, `expressions` what a ReplicaSet or StatefulSet does.
    """

    services: Mapping[str, tuple[Mapping[str, str], ...]] = field(default_factory=dict)
    labels: Mapping[tuple[str, PodController], Mapping[str, str]] = field(default_factory=dict)
    expressions: Mapping[tuple[str, PodController], tuple[Expression, ...]] = field(default_factory=dict)

    @staticmethod
    def of(manifests: Iterable[Manifest]) -> SelectorSources:
        """Return the sources among objects; other kinds are passed over."""
        services: dict[str, dict[str, Mapping[str, str]]] = {}
        labels: dict[tuple[str, PodController], Mapping[str, str]] = {}
        expressions: dict[tuple[str, PodController], tuple[Expression, ...]] = {}
        for manifest in manifests:
            metadata, selector = manifest.get("metadata") or {}, (manifest.get("spec") or {}).get("selector")
            kind = manifest.get("apiVersion") or "", manifest.get("kind") or ""
            namespace, name = metadata.get("namespace") or "default", metadata.get("name") or ""
            if kind == ("v1", "Service") and selector is not None:
                services.setdefault(namespace, {})[name] = selector
            elif kind == _REPLICATION_CONTROLLER and selector:
                labels[namespace, PodController(*kind, name)] = selector
            elif kind in _WITH_SELECTOR:
                expressions[namespace, PodController(*kind, name)] = _flat(read_selector(selector) or _NOTHING)
        by_name = {namespace: tuple(named[name] for name in sorted(named)) for namespace, named in services.items()}
        return SelectorSources(by_name, labels, expressions)

    def deduced(self, namespace: str, labels: Mapping[str, str], controller: PodController | None) -> LabelSelector | None:
        """Return the selector of a pod with these labels: those of the Services that select it, the last one winning a key,
        then its controller's (V15-20); None where nothing is deduced (V15-21)."""
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


def _flat(selector: LabelSelector) -> tuple[Expression, ...]:
    """Return a selector as expressions alone."""
    return (*(Expression(key, "In", (value,)) for key, value in selector.match_labels), *selector.expressions)
