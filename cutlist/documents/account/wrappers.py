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
        member = _WRAPPERS.get(kind_of(document))
        if member is None:
            continue
        inside = _at(document.data, member)
        for wrapped in inside if isinstance(inside, list) else [inside]:
            kind = wrapped.get("kind") if isinstance(wrapped, Mapping) else None
            if kind in BEARING:
                name = (wrapped.get("metadata") or {}).get("name", "")
                what = f"{kind} {name} in {document.kind} {document.name} ({document.place})"
                why = f"inside that {document.kind}, which applies it to a cluster that it chooses; pass it as its own file"
                notes.ledger.leave_open(OpenInput(what, "wrapped object", why))


def _at(data: Any, path: str) -> Any:
    for part in path.split("."):
        data = data.get(part) if isinstance(data, Mapping) else None
    return data
