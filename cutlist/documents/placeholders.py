"""Objects with places for values that another tool fills in, such as `${REPLICAS}` or `{{ .Values.cpu }}` in quotes, and
objects that carry other objects to a cluster: what is inside is open, since nobody says here to which cluster it goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from cutlist.core.ledger import OpenInput
from cutlist.core.notes import Notes
from cutlist.core.unknown import UNKNOWN
from cutlist.documents.document import Document
from cutlist.documents.forms import TEMPLATE
from cutlist.documents.opentofu import planned
from cutlist.documents.releases import kind_of

_WRAPPERS: Final[Mapping[tuple[str, str], str]] = {
    ("kubernetes.crossplane.io", "Object"): "spec.forProvider.manifest",
    ("kubernetes.m.crossplane.io", "Object"): "spec.forProvider.manifest",
    ("work.open-cluster-management.io", "ManifestWork"): "spec.workload.manifests",
    ("hive.openshift.io", "SyncSet"): "spec.resources",
    ("hive.openshift.io", "SelectorSyncSet"): "spec.resources",
}
"""The member with the objects, by group and kind."""
_PLACE: Final = re.compile(r"\$\{[A-Za-z_][\w.:=?/+-]*\}|\{\{.*?\}\}|<%.*?%>")
BEARING: Final = frozenset(
    (
        *("NodePool", "EC2NodeClass", "NodeClass", "AKSNodeClass", "NodeOverlay", "CapacityBuffer"),
        *("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob", "Pod", "Rollout"),
        *("HorizontalPodAutoscaler", "ScaledObject", "PodDisruptionBudget", "PriorityClass", "ResourceQuota", "LimitRange"),
    )
)
"""The kinds that plans depend on."""
_OWN: Final = frozenset(
    (
        *("command", "args", "env", "lifecycle", "livenessProbe", "readinessProbe", "startupProbe", "image"),
        *("annotations", "userData", "data", "stringData", "query", "triggers"),
    )
)
"""Members whose texts may hold such places of their own, as scripts do."""


def needed_and_unknown(document: Document) -> tuple[str, ...]:
    """Return the paths of an object's unknown values, if it is of a kind that plans depend on."""
    return document.origin.unknown if document.origin is not None and document.kind in BEARING else ()


def with_known(document: Document) -> Document:
    """Return an object of which no plan needs what is unknown."""
    return document if document.origin is None else replace(document, origin=replace(document.origin, unknown=()))


def without_placeholders(documents: tuple[Document, ...], notes: Notes) -> tuple[Document, ...]:
    """Return the objects without those that are templates: what a plan needs of them stands for a value that is not known.

    Those are open in the account of the notes. Where no plan depends on the value, such as the role of a node class, the object
    is read.
    """
    return tuple(kept for document in documents if (kept := _filled(document, notes)) is not None)


def _filled(document: Document, notes: Notes) -> Document | None:
    if document.kind not in BEARING or document.origin is not None:
        return document
    masked = _masked(document.data)
    if masked is document.data:
        return document
    unknown: list[str] = []
    data = planned(masked, "", unknown)
    if not unknown:
        return replace(document, data=data)
    written = _at(document.data, unknown[0])
    why = f"a template, since {unknown[0]} is {written!r}; render it first, or give the variables"
    what = f"{document.kind} {document.name or '(without a name)'} ({document.place})"
    notes.ledger.leave_open(OpenInput(what, f"{TEMPLATE}d object", why))
    return None


def _masked(value: Any) -> Any:
    """Return a value with UNKNOWN for texts with places for values; the value itself if there are none."""
    if isinstance(value, Mapping):
        pairs = {key: below if key in _OWN else _masked(below) for key, below in value.items()}
        pairs = {key: UNKNOWN if isinstance(key, str) and _PLACE.search(key) else below for key, below in pairs.items()}
        return pairs if any(below is not value[key] for key, below in pairs.items()) else value
    if isinstance(value, list):
        items = [_masked(item) for item in value]
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    return UNKNOWN if isinstance(value, str) and "\n" not in value and _PLACE.search(value) else value


def _at(data: Any, path: str) -> Any:
    """Return the value at a path, such as `spec.replicas` or `spec.terms[0].id`; the path itself if it cannot be followed."""
    for part in re.findall(r"[^.\[\]]+", path):
        try:
            data = data[int(part)] if isinstance(data, list) else data[part]
        except (KeyError, IndexError, TypeError, ValueError):
            return path
    return data


def leave_wrapped_open(documents: Iterable[Document], notes: Notes) -> None:
    """Add to the account the objects inside others on which a plan would depend."""
    for document in documents:
        member = _WRAPPERS.get(kind_of(document))
        if member is None:
            continue
        inside = _inside(document.data, member)
        for wrapped in inside if isinstance(inside, list) else [inside]:
            kind = wrapped.get("kind") if isinstance(wrapped, Mapping) else None
            if kind in BEARING:
                name = (wrapped.get("metadata") or {}).get("name", "")
                what = f"{kind} {name} in {document.kind} {document.name} ({document.place})"
                why = f"inside a {document.kind}, which applies it to a cluster of its own choice; pass it as a file of its own"
                notes.ledger.leave_open(OpenInput(what, "wrapped object", why))


def _inside(data: Any, path: str) -> Any:
    for part in path.split("."):
        data = data.get(part) if isinstance(data, Mapping) else None
    return data
