"""Objects in today's versions. Few inputs have old ones, and converting takes 20 ms to import: it is imported here."""

from __future__ import annotations

from collections.abc import Iterable

from cutlist.api.old_objects import is_old
from cutlist.core.errors import InputError, Problems
from cutlist.core.notes import Notes
from cutlist.documents.document import Document


def with_current_versions(
    documents: tuple[Document, ...], problems: Problems, notes: Notes, *, on_azure: bool = False
) -> tuple[Document, ...]:
    """Return the documents with every object of an old version in v1, for a region of Azure if that is said. Raises InputError
    as `api.convert.in_memory` does."""
    if not any(map(is_old, documents)):
        return documents
    from cutlist.api.convert import in_memory

    return in_memory.with_current_versions(documents, problems, notes, on_azure=on_azure)


def converted_only(documents: Iterable[Document]) -> tuple[Document, ...]:
    """Return the v1 form of each object of an old version; none if one of them cannot be converted, which reading for a plan
    reports."""
    listed = tuple(documents)
    try:
        current = with_current_versions(listed, Problems(), Notes())
    except InputError:
        return ()
    written = set(map(id, listed))
    return tuple(document for document in current if id(document) not in written)
