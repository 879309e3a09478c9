"""The changes of a kustomization that need no more than tables: namespace, names, labels, annotations, replicas.

Each transformer follows kustomize's own tables of the fields that it changes in each kind. Fields that are not in those tables
stay as they are: kustomize does not know the fields of custom resources either.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from cutlist.documents.document import Document

_POD_TEMPLATES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("Deployment", "ReplicaSet", "DaemonSet", "StatefulSet", "ReplicationController", "Job"), "spec/template"),
    "CronJob": "spec/jobTemplate/spec/template",
    "Pod": "",
}
_TERMS: Final = (
    *(
        f"spec/template/spec/affinity/{kind}/{how}/labelSelector/matchLabels"
        for kind in ("podAffinity", "podAntiAffinity")
        for how in (
            "preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm",
            "requiredDuringSchedulingIgnoredDuringExecution",
        )
    ),
    "spec/template/spec/topologySpreadConstraints/labelSelector/matchLabels",
)
_SELECTORS: Final[Mapping[str, tuple[str, ...]]] = {
    "Service": ("spec/selector",),
    "ReplicationController": ("spec/selector",),
    **dict.fromkeys(("Deployment", "ReplicaSet", "DaemonSet", "StatefulSet"), ("spec/selector/matchLabels",)),
}
_EXISTING_SELECTORS: Final[Mapping[str, tuple[str, ...]]] = {
    "Deployment": _TERMS,
    "StatefulSet": _TERMS,
    "Job": ("spec/selector/matchLabels",),
    "CronJob": ("spec/jobTemplate/spec/selector/matchLabels",),
    "PodDisruptionBudget": ("spec/selector/matchLabels",),
}
"""Selectors that get a label only if they exist; a missing one is not created."""
REPLICATED: Final = ("Deployment", "ReplicationController", "ReplicaSet", "StatefulSet")
_NEVER_RENAMED: Final = ("CustomResourceDefinition", "Namespace", "APIService")
_LOCAL: Final = "config.kubernetes.io/local-config"
_CLUSTER_WIDE: Final[Mapping[str, tuple[str, ...]]] = {
    "": ("ComponentStatus", "Namespace", "Node", "PersistentVolume"),
    "admissionregistration.k8s.io": (
        *("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration", "ValidatingAdmissionPolicy"),
        "ValidatingAdmissionPolicyBinding",
    ),
    "apiextensions.k8s.io": ("CustomResourceDefinition",),
    "apiregistration.k8s.io": ("APIService",),
    "authentication.k8s.io": ("TokenReview",),
    "authorization.k8s.io": ("SelfSubjectAccessReview", "SelfSubjectRulesReview", "SubjectAccessReview"),
    "certificates.k8s.io": ("CertificateSigningRequest",),
    "flowcontrol.apiserver.k8s.io": ("FlowSchema", "PriorityLevelConfiguration"),
    "networking.k8s.io": ("IngressClass",),
    "node.k8s.io": ("RuntimeClass",),
    "policy": ("PodSecurityPolicy",),
    "rbac.authorization.k8s.io": ("ClusterRole", "ClusterRoleBinding"),
    "scheduling.k8s.io": ("PriorityClass",),
    "storage.k8s.io": ("CSIDriver", "CSINode", "StorageClass", "VolumeAttachment"),
}
"""The kinds that kustomize knows to have no namespace; custom resources always get one."""


@dataclass(slots=True)
class RenderedObject:
    """An object during its rendering: its present content, and all names that it has had."""

    document: Document
    data: dict[str, Any]
    names: list[str] = field(default_factory=list)
    affixes: list[str] = field(default_factory=list)

    @staticmethod
    def of(document: Document) -> RenderedObject:
        """Return a resource with a copy of a document's content."""
        return RenderedObject(document, copy.deepcopy(document.data), [document.name])

    @property
    def kind(self) -> str:
        """Return its kind as it was rendered, such as `Deployment`."""
        return self.document.kind

    @property
    def group(self) -> str:
        """Return its API group, empty for the core."""
        return self.document.api_version.rpartition("/")[0]

    @property
    def metadata(self) -> dict[str, Any]:
        """Return its metadata, which may be changed."""
        metadata = self.data.get("metadata")
        if not isinstance(metadata, dict):
            metadata = self.data["metadata"] = {}
        return metadata

    @property
    def name(self) -> str:
        """Return its present name."""
        return str(self.metadata.get("name") or "")

    @property
    def namespace(self) -> str:
        """Return its namespace, empty where none is written."""
        return str(self.metadata.get("namespace") or "")

    @property
    def is_cluster_wide(self) -> bool:
        """Tell whether kustomize knows that its kind has no namespace."""
        return self.kind in _CLUSTER_WIDE.get(self.group, ())

    @property
    def is_local(self) -> bool:
        """Tell whether an annotation keeps it from being made, as kustomize reads it: anything but `false` does."""
        annotations = self.metadata.get("annotations")
        return isinstance(annotations, dict) and annotations.get(_LOCAL, "false") != "false"

    def rename(self, name: str) -> None:
        """Give it another name; references to its earlier names still mean it."""
        self.metadata["name"] = name
        self.names.append(name)

    def finished(self) -> Document:
        """Return the document as the kustomizations made it."""
        return replace(self.document, data=self.data) if self.data != self.document.data else self.document


def set_namespace(resources: Iterable[RenderedObject], namespace: str) -> None:
    """Put every namespaced resource into one namespace; a Namespace takes its name."""
    for resource in resources:
        if resource.kind == "Namespace" and not resource.group:
            resource.rename(namespace)
        elif not resource.is_cluster_wide:
            resource.metadata["namespace"] = namespace


def add_affixes(resources: Iterable[RenderedObject], prefix: str, suffix: str) -> None:
    """Put a prefix before the names and a suffix after them."""
    for resource in resources:
        if resource.kind not in _NEVER_RENAMED:
            resource.affixes.append(f"{prefix} {suffix}")
            resource.rename(f"{prefix}{resource.name}{suffix}")


def add_labels(resources: Iterable[RenderedObject], labels: Mapping[str, str], *, selectors: bool, templates: bool) -> None:
    """Add labels to objects; to their pods where `templates` or `selectors` says so, and to what selects pods.

    Those of claim templates, which no plan depends on and which kustomize's versions treat in their own ways, do not change.
    """
    for resource in resources:
        _put(resource.data, "metadata/labels", labels, create=True)
        if selectors or templates:
            for path in _template_metadata(resource, "labels"):
                _put(resource.data, path, labels, create=True)
        if selectors:
            for path in _SELECTORS.get(resource.kind, ()):
                _put(resource.data, path, labels, create=True)
            for path in _EXISTING_SELECTORS.get(resource.kind, ()):
                _put(resource.data, path, labels, create=False)


def add_annotations(resources: Iterable[RenderedObject], annotations: Mapping[str, str]) -> None:
    """Add annotations to objects and their pods."""
    for resource in resources:
        for path in ("metadata/annotations", *_template_metadata(resource, "annotations")):
            _put(resource.data, path, annotations, create=True)


def set_replicas(resources: Iterable[RenderedObject], name: str, count: Any) -> bool:
    """Set the replicas of every resource that has or had a name, and tell whether there was any: kustomize refuses an unknown
    name."""
    matches = [r for r in resources if r.kind in REPLICATED and name in r.names]
    for resource in matches:
        spec = resource.data.get("spec")
        resource.data["spec"] = {**(spec if isinstance(spec, dict) else {}), "replicas": count}
    return bool(matches)


def _template_metadata(resource: RenderedObject, member: str) -> Iterator[str]:
    template = _POD_TEMPLATES.get(resource.kind)
    if template:
        yield f"{template}/metadata/{member}"
    if resource.kind == "CronJob":
        yield f"spec/jobTemplate/metadata/{member}"


@dataclass(frozen=True, slots=True)
class _Reference:
    """A field that names objects of some kinds; `path` is below the pod spec where `of_pods` says so."""

    kinds: tuple[str, ...]
    path: str
    holders: tuple[str, ...] = ()
    of_pods: bool = False


_REFERENCES: Final = (
    _Reference(REPLICATED, "spec/scaleTargetRef/name", ("HorizontalPodAutoscaler",)),
    _Reference(("PersistentVolumeClaim",), "volumes/persistentVolumeClaim/claimName", of_pods=True),
    _Reference(("PriorityClass",), "priorityClassName", of_pods=True),
    _Reference(("PersistentVolume",), "spec/volumeName", ("PersistentVolumeClaim",)),
    _Reference(("StorageClass",), "spec/storageClassName", ("PersistentVolume", "PersistentVolumeClaim")),
    _Reference(("StorageClass",), "spec/volumeClaimTemplates/spec/storageClassName", ("StatefulSet",)),
)
"""The references of kustomize's table that a plan depends on; no plan depends on those to ConfigMaps, Secrets and services."""


def mend_references(resources: Sequence[RenderedObject]) -> None:
    """Make references follow renamed objects, as kustomize does in the end."""
    if not any(r.affixes for r in resources):
        return
    by_kind: dict[str, list[RenderedObject]] = {}
    for resource in resources:
        by_kind.setdefault(resource.kind, []).append(resource)
    for reference in _REFERENCES:
        targets = [r for kind in reference.kinds for r in by_kind.get(kind, ())]
        for holder in resources if targets else ():
            for parent, key in _ends(holder.data, _reference_path(reference, holder)):
                parent[key] = _current_name(parent[key], holder, targets)


def _reference_path(reference: _Reference, holder: RenderedObject) -> str | None:
    if not reference.of_pods:
        return reference.path if holder.kind in reference.holders else None
    template = _POD_TEMPLATES.get(holder.kind)
    return None if template is None else f"{template}/spec/{reference.path}".removeprefix("/")


def _current_name(name: Any, holder: RenderedObject, targets: Iterable[RenderedObject]) -> Any:
    """Return the present name of an object; if several had the old name, that of the one that was renamed along with the
    holder."""
    matches = [t for t in targets if name in t.names and (t.is_cluster_wide or t.namespace == holder.namespace)]
    alike = [t for t in matches if t.affixes == holder.affixes] if len(matches) > 1 else matches
    return (alike or matches)[0].name if matches else name


def _ends(value: Any, path: str | None) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the mappings that contain the last member of a path, with its name; lists on the way are traversed."""
    if path is None:
        return
    first, _, rest = path.partition("/")
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, dict) or first not in item:
            continue
        if rest:
            yield from _ends(item[first], rest)
        else:
            yield item, first


def _put(value: Any, path: str, members: Mapping[str, str], *, create: bool) -> None:
    """Add members to the mapping at a path, which is created if `create` is set; lists on the way are traversed."""
    first, _, rest = path.partition("/")
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, dict) or not members:
            continue
        if item.get(first) is None:
            if not create:
                continue
            item[first] = {}
        if rest:
            _put(item[first], rest, members, create=create)
        elif isinstance(item[first], dict):
            item[first].update(members)
