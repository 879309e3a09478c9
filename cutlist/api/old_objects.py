"""Objects of former versions among those of a plan, which `cutlist.api.convert` turns into today's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from cutlist.api.versions import can_be_converted
from cutlist.core.errors import InputError, Problems
from cutlist.core.notes import Notes
from cutlist.documents import Document

OLD_VERSION: Final = "old-version"
"""The code of the note that objects of an old version are planned as v1."""
OLD_KUBELET: Final = "old-kubelet"
"""The code of the note that the settings of a kubelet belong to a class that is elsewhere."""
_MADE_BY_KARPENTER: Final = ("NodeClaim", "Machine")


def is_old(document: Document) -> bool:
    """Tell whether an object is of a version that can be converted, and all of it is known."""
    is_former = can_be_converted(document.api_version, document.kind)
    return is_former and not is_of_a_cluster(document) and not (document.origin is not None and document.origin.unknown)


def is_of_a_cluster(document: Document) -> bool:
    """Tell whether an API server has accepted an object: users write no uid."""
    metadata = document.data.get("metadata")
    return document.kind in _MADE_BY_KARPENTER and isinstance(metadata, Mapping) and "uid" in metadata


def converted_only(documents: Iterable[Document]) -> tuple[Document, ...]:
    """Return the v1 form of each object of an old version, for those who judge it besides the object itself; none where one
    cannot be converted, which reading for a plan reports."""
    listed = tuple(documents)
    if not any(map(is_old, listed)):
        return ()
    from cutlist.api.convert.in_memory import with_current_versions  # takes 20 ms, and few inputs have old objects

    try:
        current = with_current_versions(listed, Problems(), Notes())
    except InputError:
        return ()
    written = set(map(id, listed))
    return tuple(document for document in current if id(document) not in written)
