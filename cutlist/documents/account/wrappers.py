"""Objects that carry other objects to a cluster: those inside are open, since nobody says here to which cluster they go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from cutlist.core.ledger import OpenInput
from cutlist.core.notes import Notes
from cutlist.documents.account.placeholders import BEARING
from cutlist.documents.delivery.releases import kind_of
from cutlist.documents.document import Document

_WRAPPERS: Final[Mapping[tuple[str, str], str]] = {
    ("kubernetes.crossplane.io", "Object"): "spec.forProvider.manifest",
    ("kubernetes.m.crossplane.io", "Object"): "spec.forProvider.manifest",
    ("work.open-cluster-management.io", "ManifestWork"): "spec.workload.manifests",
    ("hive.openshift.io", "SyncSet"): "spec.resources",
    ("hive.openshift.io", "SelectorSyncSet"): "spec.resources",
}
"""The member with the objects, by group and kind."""


def leave_wrapped_open(documents: Iterable[Document], notes: Notes) -> None:
    """Add to the account the objects inside others on which a plan would depend."""
    for document in documents:
        for wrapped in wrapped_in(document):
            name = (wrapped.get("metadata") or {}).get("name", "")
            what = f"{wrapped['kind']} {name} in {document.kind} {document.name} ({document.place})"
            why = f"inside that {document.kind}, which applies it to a cluster that it chooses; pass it as its own file"
            notes.ledger.leave_open(OpenInput(what, "wrapped object", why))


def wrapped_in(document: Document) -> tuple[Mapping[str, Any], ...]:
    """Return the objects inside another one on which a plan would depend; none for kinds that carry no objects."""
    member = _WRAPPERS.get(kind_of(document))
    inside = [] if member is None else _at(document.data, member)
    listed = inside if isinstance(inside, list) else [inside]
    return tuple(wrapped for wrapped in listed if isinstance(wrapped, Mapping) and wrapped.get("kind") in BEARING)


def _at(data: Any, path: str) -> Any:
    for part in path.split("."):
        data = data.get(part) if isinstance(data, Mapping) else None
    return data
