"""The NodePools and node classes of one cluster, among objects that were read: what makes the cluster says which it has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from cutlist.api.nodepool import NodePool
from cutlist.api.read import NODE_OBJECTS
from cutlist.api.versions import is_karpenters
from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents.document import Document, laid_over
from cutlist.documents.parsing import given_documents

_KINDS: Final = frozenset(kind.KIND for kind in NODE_OBJECTS)
_OTHER_POOL: Final = "other-node-pool"


def of_cluster(
    own: Sequence[Mapping[str, Any]], read: Iterable[Document], built_in: Iterable[str], problems: Problems, notes: Notes
) -> tuple[Document, ...]:
    """Return the objects that were read, with the NodePools and node classes of a cluster in place of those there.

    `own` are the cluster's, which messages name by kind and name, and `built_in` the names of those that its cloud makes. A
    snapshot has them as they are before an update: only their status is taken over. Its other NodePools are left out, with a
    note, since the cluster does not have them; other node classes stay, because a NodePool may refer to one that is
    made elsewhere.
    """
    objects = tuple(document for manifest in own for document in given_documents([manifest], _name(manifest), problems))
    listed = tuple(read)
    stored = [document for document in listed if _is_karpenters(document)]
    kept = _without_other_pools(laid_over(objects, stored), {*map(_key, objects)}, frozenset(built_in), notes)
    return (*kept, *(document for document in listed if not _is_karpenters(document)))


def replaced_by(own: Sequence[Mapping[str, Any]], read: Iterable[Document]) -> tuple[Document, ...]:
    """Return the NodePools and node classes that were read, such as a snapshot's, in whose place those of a cluster count."""
    names = {_name(manifest) for manifest in own}
    return tuple(document for document in read if _is_karpenters(document) and f"{document.kind}/{document.name}" in names)


def _without_other_pools(
    documents: Iterable[Document], own: set[tuple[str, str]], built_in: frozenset[str], notes: Notes
) -> Iterator[Document]:
    for document in documents:
        if document.kind != NodePool.KIND or _key(document) in own:
            yield document
        elif document.name not in built_in:
            text = f"NodePool {document.name} of {document.place.source} is not one of the cluster's, and is left out"
            notes.add(_OTHER_POOL, text)


def _is_karpenters(document: Document) -> bool:
    return document.kind in _KINDS and is_karpenters(document.api_version, document.kind)


def _key(document: Document) -> tuple[str, str]:
    return document.kind, document.name


def _name(manifest: Mapping[str, Any]) -> str:
    metadata = manifest.get("metadata")
    name = metadata.get("name") if isinstance(metadata, Mapping) else ""
    return f"{manifest.get('kind', '')}/{name}"
