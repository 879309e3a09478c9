"""What only a live cluster has: it counts in a snapshot, and hides nothing in a change.

A change that says that a Deployment is being deleted, a Job has finished or a large node exists already would have its pods
cost nothing. The API server sets these members itself and drops them from what is applied, so a gate judges as if they were
absent, and names them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.core.errors import Place
from cutlist.core.wording import first_of
from cutlist.documents.document import Document
from cutlist.documents.files import STDIN, STDIN_NAME, is_stream
from cutlist.documents.rendered_sources import file_of
from cutlist.policy.gates import Judgement
from cutlist.policy.gates.own import LIVE, own_outcome
from cutlist.verbs.gate.own_documents import NEVER

_SIGNS: Final = ("uid", "creationTimestamp")
"""What the API server writes on each object: `kubectl get` and `cutlist snapshot` print both."""
_OF_METADATA: Final = ("deletionTimestamp", "deletionGracePeriodSeconds", "ownerReferences")
_MACHINES: Final = frozenset(("Node", "CSINode", "VolumeAttachment", "Lease", "Machine"))
"""Kinds that kubelets and controllers write."""
_CLAIM: Final = ("NodeClaim", "karpenter.sh")
"""The kind of which Karpenter launches a machine, whoever writes it: NP-17 judges one without what the API server wrote."""
_GROUPS: Final = ("", "karpenter.sh", "karpenter.k8s.aws", "storage.k8s.io", "coordination.k8s.io")
_POD_SPECS: Final = (
    ("spec",),
    ("spec", "template", "spec"),
    ("spec", "jobTemplate", "spec", "template", "spec"),
    ("template", "spec"),
)
_NODE_NAME: Final = "nodeName"
_STATUS: Final = "status"
_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class NotCounted:
    """What of a source is passed over: its members or kinds, each with the objects that have it.

    A source that `comes_with_change` looks like a snapshot, and does not count as one.
    """

    source: str
    members: tuple[tuple[str, tuple[str, ...]], ...]
    comes_with_change: bool = False

    @property
    def sentence(self) -> str:
        """Return in words what is passed over."""
        return "; ".join(f"{member} of {first_of(objects, _SHOWN)}" for member, objects in self.members)


@dataclass(frozen=True, slots=True)
class Changes:
    """Objects without what only a cluster has, what that was by source, and the sources that are snapshots."""

    documents: tuple[Document, ...]
    not_counted: tuple[NotCounted, ...] = ()
    snapshots: tuple[str, ...] = ()


def without_live_state(
    documents: Iterable[Document], paths: Sequence[str | os.PathLike[str]], is_edited: Callable[[str], bool] = NEVER
) -> Changes:
    """Return the objects as a change may have them; those of snapshots stay as they are.

    A snapshot is a file, or a stream, that the caller names itself, and of which each object has what the API server writes on
    all of its objects. A file that is found in a folder is part of what changes, and so is one that `is_edited` says comes
    with the change: whoever writes it can write these signs as well.
    """
    listed = tuple(documents)
    look_alike = _snapshots(listed, paths)
    forged = frozenset(source for source in look_alike if source != STDIN_NAME and is_edited(file_of(source)))
    snapshots = look_alike - forged
    kept: list[Document] = []
    passed_over: dict[str, dict[str, list[str]]] = {}
    for document in listed:
        if document.place.source in snapshots:
            kept.append(document)
            continue
        changed, members = _as_applied(document)
        kept += () if changed is None else (changed,)
        for member in members:
            label = f"{document.kind}/{document.name}"
            passed_over.setdefault(document.place.source, {}).setdefault(member, []).append(label)
    not_counted = (
        NotCounted(
            source, tuple((member, tuple(dict.fromkeys(objects))) for member, objects in members.items()), source in forged
        )
        for source, members in passed_over.items()
    )
    return Changes(
        tuple(kept), tuple(not_counted), tuple(dict.fromkeys(d.place.source for d in listed if d.place.source in snapshots))
    )


def live_outcomes(changes: Changes) -> Iterator[Judgement]:
    """Yield a finding for each source of a change that has what only a cluster has."""
    for passed_over in changes.not_counted:
        why = "the file comes with the change" if passed_over.comes_with_change else "this is a change and not a snapshot"
        text = f"{passed_over.sentence}: not counted, since {why}"
        advice = "leave it out; a snapshot is a file by itself, as cutlist snapshot writes it, that is named with -f"
        yield own_outcome(LIVE, passed_over.source, Place(passed_over.source), text, "what somebody can apply", advice)


def snapshot_sentence(snapshots: Sequence[str]) -> str:
    """Return in words which inputs are snapshots; empty if none is."""
    if not snapshots:
        return ""
    are = "is read as a snapshot of a cluster" if len(snapshots) == 1 else "are read as snapshots of a cluster"
    return f"{first_of(snapshots, _SHOWN)} {are}: what runs there counts; all else is a change"


def _snapshots(documents: Sequence[Document], paths: Sequence[str | os.PathLike[str]]) -> frozenset[str]:
    """Return the sources that are snapshots."""
    named = {os.path.realpath(path) for path in paths if not is_stream(os.fspath(path)) and os.path.isfile(path)}
    has_stream = any(os.fspath(path) == STDIN for path in paths)
    by_source: dict[str, bool] = {}
    for document in documents:
        source = document.place.source
        is_named = has_stream if source == STDIN_NAME else os.path.realpath(file_of(source)) in named
        by_source[source] = by_source.get(source, is_named) and document.origin is None and _has_signs(document.data)
    return frozenset(source for source, is_snapshot in by_source.items() if is_snapshot)


def _has_signs(data: Mapping[str, Any]) -> bool:
    metadata = data.get("metadata")
    return isinstance(metadata, Mapping) and all(metadata.get(sign) for sign in _SIGNS)


def _as_applied(document: Document) -> tuple[Document | None, tuple[str, ...]]:
    """Return an object as the API server takes it from a change, None for one that only a cluster has, and what was left
    out."""
    group = document.api_version.rpartition("/")[0]
    if document.kind in _MACHINES and group in _GROUPS:
        return None, (f"the {document.kind}" if document.kind == "Node" else "the object",)
    data: dict[str, Any] = document.data
    left_out: list[str] = []
    metadata = data.get("metadata")
    members = (*_OF_METADATA, *_SIGNS) if (document.kind, group) == _CLAIM else _OF_METADATA
    if isinstance(metadata, Mapping) and (found := [member for member in members if metadata.get(member)]):
        left_out += found
        data = {**data, "metadata": {key: value for key, value in metadata.items() if key not in found}}
    if data.get(_STATUS) not in (None, {}) and _may_have_status(data):
        left_out.append(_STATUS)
        data = {key: value for key, value in data.items() if key != _STATUS}
    for path in _POD_SPECS:
        changed = _without(data, (*path, _NODE_NAME))
        if changed is not None:
            left_out.append(_NODE_NAME)
            data = changed
    return (document if not left_out else replace(document, data=data)), tuple(dict.fromkeys(left_out))


def _may_have_status(data: Mapping[str, Any]) -> bool:
    """Tell whether the status of an object says what runs; that of a node class says what its selectors found, which makes
    no node cheaper."""
    return not str(data.get("kind", "")).endswith("NodeClass")


def _without(data: Mapping[str, Any], path: tuple[str, ...]) -> dict[str, Any] | None:
    """Return data without the member of a path, or None if it has none."""
    first, *rest = path
    inner = data.get(first)
    if not rest:
        return {key: value for key, value in data.items() if key != first} if inner else None
    below = _without(inner, tuple(rest)) if isinstance(inner, Mapping) else None
    return None if below is None else {**data, first: below}
