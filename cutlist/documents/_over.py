"""Objects as they are going to be, laid over those that a cluster has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from cutlist.documents._document import Document

Identity = tuple[str, str, str, str]


def laid_over(documents: Iterable[Document], below: Iterable[Document]) -> tuple[Document, ...]:
    """The documents, and those below that are none of them by group, kind, namespace and name.

    An object that is written without a status has that of the object it replaces, for only a cluster writes it.
    """
    above, there = tuple(documents), {_identity(d): d for d in below}
    covered = (_with_status(d, there.get(_identity(d))) for d in above)
    names = set(map(_identity, above))
    return (*covered, *(d for identity, d in there.items() if identity not in names))


def _identity(document: Document) -> Identity:
    metadata = document.data.get("metadata")
    namespace = metadata.get("namespace") if isinstance(metadata, dict) else ""
    name = document.name or str(document.place)  # what has no name is told by others as a mistake
    return document.api_version.rpartition("/")[0], document.kind, str(namespace or ""), name


def _with_status(document: Document, old: Document | None) -> Document:
    if old is None or "status" in document.data or "status" not in old.data:
        return document
    return replace(document, data={**document.data, "status": old.data["status"]})
