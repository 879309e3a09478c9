"""Objects of former versions among those of a plan, which `cutlist.api.convert` turns into today's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cutlist.api.versions import can_be_converted
from cutlist.documents.document import Document

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
