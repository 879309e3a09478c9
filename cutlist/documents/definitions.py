"""Objects that several files of one environment define: the later definition counts, as `kubectl apply` has it."""

from __future__ import annotations

from typing import Final

from cutlist.core.notes import Notes
from cutlist.documents.document import Document, Identity, identity_of
from cutlist.documents.namespaces import OF_KARPENTER

_DEFAULT: Final = "default"
_LATER: Final = "defined several times, and the last definition counts, as kubectl apply has it: {who}"


def last_of_each(documents: tuple[Document, ...], notes: Notes) -> tuple[Document, ...]:
    """Return objects without those that a later one of the same kind, namespace and name replaces; note those that differ."""
    identities = [_identity(document) if document.name else None for document in documents]
    last = {identity: index for index, identity in enumerate(identities)}
    kept: list[Document] = []
    for index, (identity, document) in enumerate(zip(identities, documents, strict=True)):
        later = last[identity] if identity is not None else index
        if later == index:
            kept.append(document)
        elif document.data != documents[later].data:
            places = f"{document.place}, {documents[later].place}"
            notes.add("defined-twice", _LATER, f"{document.kind} {document.name} ({places})")
    return tuple(kept)


def _identity(document: Document) -> Identity:
    """Return what tells an object from others: one of Karpenter has no namespace, also if it says so."""
    group, kind, namespace, name = identity_of(document)
    return group, kind, _DEFAULT if group in OF_KARPENTER else namespace or _DEFAULT, name
