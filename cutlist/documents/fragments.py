"""Objects of which only a part is written, as in a file of a patch that another tool lays over a whole object."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from cutlist.core.ledger import OpenInput
from cutlist.core.notes import Notes
from cutlist.documents.document import Document
from cutlist.documents.members import entries, mapping

PATCH: Final = "patch"
PATCHES: Final = "patches"
_LACKING: Final[Mapping[str, tuple[str, ...]]] = {
    "Deployment": ("spec.selector", "spec.template.metadata.labels"),
    "StatefulSet": ("spec.selector", "spec.template.metadata.labels"),
    "DaemonSet": ("spec.selector", "spec.template.metadata.labels"),
    "ReplicaSet": ("spec.selector", "spec.template.metadata.labels"),
    "Job": ("spec.template.spec.containers",),
    "CronJob": ("spec.jobTemplate.spec.template.spec.containers",),
    "Pod": ("spec.containers",),
    "NodePool": ("spec.template.spec.nodeClassRef", "spec.template.spec.requirements"),
    "EC2NodeClass": ("spec.amiSelectorTerms", "spec.subnetSelectorTerms", "spec.securityGroupSelectorTerms"),
    "HorizontalPodAutoscaler": ("spec.scaleTargetRef",),
    "ScaledObject": ("spec.scaleTargetRef",),
}
"""What an object of a kind has at least one of, and a patch of it may lack: without all of these, no API server takes it."""
_DIRECTIVE: Final = "$patch"
_DEEPEST: Final = 12


_NAMED: Final = re.compile(r"(?<![a-z])patch(?:es)?(?![a-z])", re.IGNORECASE)


def lacking(document: Document) -> str:
    """Return what shows that only a part of an object is written: a directive of a patch, or that it has nothing of what every
    whole one has; where a file or folder is called a patch, that it lacks some of that. Empty for a whole object, and for one
    that is a mistake rather than a part."""
    spec = mapping(document.data.get("spec"))
    if not document.name or not spec:
        return ""
    if _has_directive(document.data):
        return f"it has {_DIRECTIVE}"
    paths = _LACKING.get(document.kind, ())
    missing = [path for path in paths if not _has(document.data, path)]
    is_part = missing and (len(missing) == len(paths) or _NAMED.search(document.place.source) is not None)
    return f"it has no {' and no '.join(missing)}" if is_part else ""


def without_fragments(documents: Sequence[Document], notes: Notes, real: str) -> tuple[Document, ...]:
    """Return the objects of a file without those of which only a part is written; these are open, and so is a file that has no
    others. `real` is its path without links."""
    whole: list[Document] = []
    for document in documents:
        why = lacking(document)
        if why:
            what = f"{document.kind} {document.name} ({document.place})"
            notes.ledger.leave_open(OpenInput(what, PATCH, f"a patch, not a whole object: {why}; pass what it is applied to"))
        else:
            whole.append(document)
    if documents and not whole:
        notes.ledger.is_open(real, PATCHES)
    return tuple(whole)


def _has(data: Mapping[str, Any], path: str) -> bool:
    value: Any = data
    for name in path.split("."):
        value = mapping(value).get(name)
    return value is not None


def _has_directive(value: Any, depth: int = 0) -> bool:
    if depth > _DEEPEST:
        return False
    if isinstance(value, Mapping):
        return _DIRECTIVE in value or any(_has_directive(below, depth + 1) for below in value.values())
    return any(_has_directive(item, depth + 1) for item in entries(value))
