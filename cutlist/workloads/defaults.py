"""Defaulting: the changes that the API server makes to a pod before it is stored (spec: scheduling 1.7).

Limits become missing requests, a namespace's LimitRange fills in further ones, a PriorityClass gives the priority, a
RuntimeClass the overhead, node selector and tolerations. Objects from a cluster have all that already and are unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.errors import nearest
from cutlist.core.notes import Notes
from cutlist.workloads.check import unknown_resources
from cutlist.workloads.limit_ranges import LimitRangeItem, refusals
from cutlist.workloads.requests import is_huge_pages, is_pod_level

Manifest = Mapping[str, Any]

BUILT_IN_PRIORITIES: Final = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}
_SELECTION: Final = (("matchLabelKeys", "In"), ("mismatchLabelKeys", "NotIn"))


@dataclass(frozen=True, slots=True)
class RuntimeClass:
    """The overhead of pods with a runtime, and where they may run."""

    overhead: Mapping[str, Any]
    node_selector: Mapping[str, str]
    tolerations: tuple[Manifest, ...]

    @staticmethod
    def read(manifest: Manifest) -> RuntimeClass:
        """Return what a RuntimeClass adds to its pods: overhead, a node selector and tolerations."""
        scheduling = manifest.get("scheduling") or {}
        return RuntimeClass(
            (manifest.get("overhead") or {}).get("podFixed") or {},
            scheduling.get("nodeSelector") or {},
            tuple(scheduling.get("tolerations") or ()),
        )


@dataclass(frozen=True, slots=True)
class Admission:
    """The objects from which pods get defaults. Limit ranges are by namespace, the others by name."""

    priorities: Mapping[str, int] = field(default_factory=dict)
    default_priority: int = 0
    runtime_classes: Mapping[str, RuntimeClass] = field(default_factory=dict)
    limit_ranges: Mapping[str, tuple[LimitRangeItem, ...]] = field(default_factory=dict)
    storage_class: str | None = None

    @staticmethod
    def read(
        priority_classes: Iterable[Manifest] = (),
        runtime_classes: Iterable[Manifest] = (),
        limit_ranges: Iterable[Manifest] = (),
        storage_class: str | None = None,
    ) -> Admission:
        """Return the objects of these manifests; `storage_class` is the name of the default class."""
        classes = list(priority_classes)
        ranges: dict[str, tuple[LimitRangeItem, ...]] = {}
        for manifest in limit_ranges:
            namespace = _namespace(manifest)
            ranges[namespace] = ranges.get(namespace, ()) + LimitRangeItem.read(manifest)
        return Admission(
            {c["metadata"]["name"]: c["value"] for c in classes},
            min((c["value"] for c in classes if c.get("globalDefault")), default=0),
            {c["metadata"]["name"]: RuntimeClass.read(c) for c in runtime_classes},
            ranges,
            storage_class,
        )

    def admit(self, pod: Manifest, who: str, notes: Notes) -> Manifest:
        """Return the pod as it is stored. `who` names its workload in notes about missing objects and refusals."""
        if is_stored(pod):
            return pod
        spec = self._with_limit_ranges(pod_defaults(pod["spec"]), _namespace(pod), who, notes)
        spec = self._with_runtime_class({**spec, "priority": self._priority(spec, who, notes)}, who, notes)
        labels = (pod.get("metadata") or {}).get("labels") or {}
        spec["affinity"] = _merged_affinity(spec.get("affinity") or {}, labels)
        spec["volumes"] = [self._with_storage_class(v) for v in spec.get("volumes") or ()]
        for name in unknown_resources(spec):
            hint = nearest(name, ("cpu", "memory", "ephemeral-storage"))
            meant = f" (did you mean {hint}?)" if hint else ""
            why = f"{name} is not a resource that Kubernetes knows and has no domain{meant}"
            notes.add("unknown-resource", f"pods will be refused, because {why}: {{who}}", who)
        return {**pod, "spec": spec}

    def _with_limit_ranges(self, spec: Manifest, namespace: str, who: str, notes: Notes) -> Manifest:
        items = self.limit_ranges.get(namespace, ())
        if not items:
            return spec
        spec = dict(spec)
        for part in ("containers", "initContainers"):
            spec[part] = [_filled(container, items) for container in spec.get(part) or ()]
        for reason in refusals(items, spec):
            notes.add("limit-range", f"pods will be refused, {reason}: {{who}}", who)
        return spec

    def _priority(self, spec: Manifest, who: str, notes: Notes) -> int:
        name = spec.get("priorityClassName")
        if not name:
            return int(spec.get("priority") or self.default_priority)
        known = {**BUILT_IN_PRIORITIES, **self.priorities}
        if name not in known:
            hint = nearest(name, known)
            meant = f" (did you mean {hint}?)" if hint else ""
            notes.add(
                "priority-class-unknown",
                f"PriorityClass {name} is not in the input{meant}; priority 0 is assumed: {{who}}",
                who,
            )
        return known.get(name, 0)

    def _with_runtime_class(self, spec: dict[str, Any], who: str, notes: Notes) -> dict[str, Any]:
        name = spec.get("runtimeClassName")
        if not name:
            return spec
        runtime = self.runtime_classes.get(name)
        if runtime is None:
            text = f"RuntimeClass {name} is not in the input; its overhead and node selector are left out: {{who}}"
            notes.add("runtime-class-unknown", text, who)
            return spec
        if not spec.get("overhead"):
            spec["overhead"] = runtime.overhead
        own = spec.get("nodeSelector") or {}
        if any(own.get(key, value) != value for key, value in runtime.node_selector.items()):
            notes.add(
                "runtime-class-conflict",
                f"pods will be refused, because their node selector contradicts RuntimeClass {name}: {{who}}",
                who,
            )
        spec["nodeSelector"] = {**own, **runtime.node_selector}
        spec["tolerations"] = [*(spec.get("tolerations") or ()), *runtime.tolerations]
        return spec

    def _with_storage_class(self, volume: Manifest) -> Manifest:
        template = (volume.get("ephemeral") or {}).get("volumeClaimTemplate")
        if not template or self.storage_class is None or "storageClassName" in template["spec"]:
            return volume
        claim = {**template["spec"], "storageClassName": self.storage_class}
        return {**volume, "ephemeral": {"volumeClaimTemplate": {**template, "spec": claim}}}


def is_stored(pod: Manifest) -> bool:
    """Tell whether a pod was read from a cluster, and so has its defaults already."""
    return bool((pod.get("metadata") or {}).get("uid") or pod.get("status"))


def pod_defaults(spec: Manifest) -> Manifest:
    """Fill in missing requests from limits, by container and for the pod as a whole, and host ports of the host network."""
    out = dict(spec)
    host_network = bool(spec.get("hostNetwork"))
    for part in ("containers", "initContainers"):
        containers = [_requests_from_limits(c) for c in spec.get(part) or ()]
        out[part] = [_host_ports(c) for c in containers] if host_network else containers
    resources = spec.get("resources") or {}
    if limits := resources.get("limits"):
        requested = {
            name
            for c in (*out["containers"], *out["initContainers"])
            for name in (c.get("resources") or {}).get("requests") or ()
        }
        # If containers have requests, the pod's default request is their sum, which is also the result without it. Of huge
        # pages, which cannot be overcommitted, it is the pod's limit.
        missing = {
            name: amount
            for name, amount in limits.items()
            if is_pod_level(name) and (name not in requested or is_huge_pages(name))
        }
        out["resources"] = {**resources, "requests": {**missing, **(resources.get("requests") or {})}}
    return out


def _requests_from_limits(container: Manifest) -> Manifest:
    resources = container.get("resources") or {}
    if not resources.get("limits"):
        return container
    return {**container, "resources": {**resources, "requests": {**resources["limits"], **(resources.get("requests") or {})}}}


def _host_ports(container: Manifest) -> Manifest:
    if not container.get("ports"):
        return container
    ports = [{**port, "hostPort": port.get("hostPort") or port.get("containerPort")} for port in container["ports"]]
    return {**container, "ports": ports}


def _filled(container: Manifest, items: Iterable[LimitRangeItem]) -> Manifest:
    for item in items:
        container = item.fill(container)
    return container


def _namespace(pod: Manifest) -> str:
    return (pod.get("metadata") or {}).get("namespace") or "default"


def _merged_affinity(affinity: Manifest, labels: Mapping[str, str]) -> Manifest:
    """Return the affinity with matchLabelKeys and mismatchLabelKeys turned into expressions of the selectors (spec 7.7)."""
    out = dict(affinity)
    for kind in ("podAffinity", "podAntiAffinity"):
        if group := affinity.get(kind):
            out[kind] = {when: [_merged_term(t, labels) for t in terms or ()] for when, terms in group.items()}
    return out


def _merged_term(term: Manifest, labels: Mapping[str, str]) -> Manifest:
    if "podAffinityTerm" in term:
        return {**term, "podAffinityTerm": _merged_term(term["podAffinityTerm"], labels)}
    extra = [
        {"key": key, "operator": operator, "values": [labels[key]]}
        for part, operator in _SELECTION
        for key in term.get(part) or ()
        if key in labels
    ]
    selector = term.get("labelSelector")
    if not extra or selector is None:
        return term
    return {**term, "labelSelector": {**selector, "matchExpressions": [*(selector.get("matchExpressions") or ()), *extra]}}
