"""Every field that changes between the objects of two sides, and its effect on nodes, without any cluster.

What Karpenter compares is judged by the edit of the whole object (spec: api-objects 9; disruption 7.2 to 7.4): a field counts
as the member of the spec that contains it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

from cutlist.api.nodeoverlay import NodeOverlay
from cutlist.api.nodepool import NodePool
from cutlist.core.errors import Place
from cutlist.core.records import HIDDEN, Key, TextOrNull, about, computed, form_of
from cutlist.core.secrecy import is_secret_name, masked
from cutlist.disruption.edits import REQUIREMENTS, Edited, MemberEdit, ObjectEdit, Reach, edits
from cutlist.documents.document import Document
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model.changes import Change
from cutlist.verbs.diff.trees import Path, TreeDifference, differences, path_text

Identity = tuple[str, str, str, str]
_KindAndName = tuple[str, str]

TYPED: Final = frozenset({"NodePool", "EC2NodeClass", "NodeClass", "AKSNodeClass"})
"""Kinds that are compared as an API server stores them."""
_RUNNING: Final = frozenset({"Node", "NodeClaim", "CSINode", "Event", "Lease"})
"""Kinds that a cluster writes itself: what runs, which is compared as nodes."""
_HIDDEN: Final = "(not shown)"
_PRIVATE: Final = frozenset({"env", "stringData", "userData"})
"""Members that may hold secrets under any name."""
_SEGMENTS: Final = re.compile(r"[^.\[\]']+")
_OF_CLUSTERS: Final = ("kubectl.kubernetes.io/", "deployment.kubernetes.io/", "autoscaling.alpha.kubernetes.io/")
_HASHES: Final = ("-hash", "-hash-version")
_POD_MAKERS: Final = frozenset({"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"})
_EFFECTS: Final = {
    ("NodePool", "spec.disruption"): "decides from now on when nodes may be disrupted",
    ("NodePool", "spec.limits"): "bounds what is launched from now on",
    ("NodePool", "spec.weight"): "decides which NodePool is tried first from now on",
    ("NodePool", "spec.replicas"): "nodes are launched or removed until there are so many",
}
"""The effects of fields that cause no node to be replaced."""
_AT_ONCE: Final = "as many at once as the budget for Drifted and limits.nodes leave room for"


def field_value(value: Any) -> str:
    """Return the value of a field on one line: texts unchanged, all else as JSON; `(none)` for a missing one."""
    if value is None:
        return "(none)"
    return value if isinstance(value, str) and value.strip() else json.dumps(value, ensure_ascii=False, sort_keys=True)


_Value = Annotated[Any, form_of(str | None).through(lambda value: None if value is None else field_value(value))]


@dataclass(frozen=True, slots=True)
class ChangedField:
    """A field with its values before and after, and its effect on nodes.

    `rule` is the reason for which Karpenter replaces nodes because of it, empty if it replaces none; `which` says which nodes
    these are, or what else the change does. `steps` lead to it in the object.
    """

    path: str
    before: Annotated[_Value, about("A text as it is, all else as JSON; null where it is not there.")]
    after: Annotated[_Value, about("As `before`.")]
    reach: Annotated[Reach, Key("nodes")] = Reach.NONE
    rule: Annotated[TextOrNull, about("The reason with which Karpenter replaces nodes.")] = ""
    which: TextOrNull = ""
    steps: Annotated[Path, HIDDEN] = ()


@dataclass(frozen=True, slots=True)
class ObjectChange:
    """An object that only one side has, or that both have with other fields."""

    kind: str
    namespace: TextOrNull
    name: str
    change: Change
    place: Annotated[Place, HIDDEN]
    fields: tuple[ChangedField, ...] = ()
    group: Annotated[str, HIDDEN] = ""

    @property
    @computed(after="change")
    def reach(self) -> Annotated[Reach, Key("nodes"), about("Which of its nodes are replaced.")]:
        """Return the widest reach of its fields; for a removed NodePool, all its nodes."""
        if self.change is Change.REMOVED and self.kind == "NodePool":
            return Reach.ALL
        return min((field.reach for field in self.fields), key=list(Reach).index, default=Reach.NONE)


def object_changes(before: PlanInputs, after: PlanInputs, *, karpenter_alone: bool = False) -> tuple[ObjectChange, ...]:
    """Return the changes from the objects of one side to those of another, by kind, namespace and name.

    Objects of Karpenter are compared as an API server stores them, so writing out a default is not a change. Other objects are
    compared as written, unless only Karpenter's are requested. Status and whatever a cluster itself writes are left out.
    """
    changes = list(karpenter_changes(_typed(before), _typed(after)))
    if not karpenter_alone:
        changes += _written_changes(_written(before.documents), _written(after.documents))
    return tuple(sorted(changes, key=lambda c: (c.kind not in TYPED, c.kind, c.namespace, c.name)))


def karpenter_changes(before: Iterable[Edited], after: Iterable[Edited]) -> Iterator[ObjectChange]:
    """Yield the changes between NodePools and node classes, as an API server stores them."""
    old, new = ({(o.KIND, o.name): o for o in objects} for objects in (before, after))
    return _typed_changes(old, new, {(edit.kind, edit.name): edit for edit in edits(old.values(), new.values())})


def overlay_changes(before: Iterable[NodeOverlay], after: Iterable[NodeOverlay]) -> Iterator[ObjectChange]:
    """Yield the changes between NodeOverlays, as an API server stores them. They cause no node to be replaced."""
    old, new = ({(o.KIND, o.name): o for o in objects} for objects in (before, after))
    return _typed_changes(old, new, {})


def _typed(inputs: PlanInputs) -> tuple[Edited, ...]:
    return (*inputs.node_pools, *inputs.node_classes)


def _typed_changes(
    old: Mapping[_KindAndName, Edited | NodeOverlay],
    new: Mapping[_KindAndName, Edited | NodeOverlay],
    edited: Mapping[_KindAndName, ObjectEdit],
) -> Iterator[ObjectChange]:
    for key in sorted(old.keys() | new.keys()):
        was, now = old.get(key), new.get(key)
        place = (now or old[key]).at("")
        if was is None or now is None:
            yield ObjectChange(key[0], "", key[1], Change.ADDED if was is None else Change.REMOVED, place)
        elif fields := tuple(_typed_fields(was, now, edited.get(key))):
            yield ObjectChange(key[0], "", key[1], Change.CHANGED, place, fields)


def _typed_fields(was: Edited | NodeOverlay, now: Edited | NodeOverlay, edit: ObjectEdit | None) -> Iterator[ChangedField]:
    members = edit.members if edit is not None else ()
    for steps, old, new in _shown(differences(compared(was.stored()), compared(now.stored()))):
        path = path_text(steps)
        member = next((m for m in members if _is_within(path, m.path)), None)
        field = replace(_judged(now.KIND, path, old, new, member), steps=steps)
        yield replace(field, which=f"{field.which}{', ' if field.which else ''}{_AT_ONCE}") if _is_static(now, field) else field


def _is_static(edited: Edited | NodeOverlay, field: ChangedField) -> bool:
    return isinstance(edited, NodePool) and edited.is_static and field.reach is not Reach.NONE


def _judged(kind: str, path: str, old: Any, new: Any, member: MemberEdit | None) -> ChangedField:
    if member is None or member.reach is Reach.NONE:
        which = next((text for (of, part), text in _EFFECTS.items() if of == kind and _is_within(path, part)), "")
        return ChangedField(path, old, new, which=which or ("" if member is None else member.which))
    key = path.removeprefix(f"{REQUIREMENTS}[").partition("]")[0].strip("'") if path.startswith(f"{REQUIREMENTS}[") else ""
    if key and key not in member.keys:
        return ChangedField(path, old, new, which="nothing that was allowed is forbidden now")
    which = f"nodes whose labels no longer meet {key}" if key else member.which.removesuffix(f" ({member.rule})")
    return ChangedField(path, old, new, member.reach, member.rule, which)


def _written(documents: Iterable[Document]) -> dict[Identity, Document]:
    """Return the objects that a user writes, by their identity."""
    return {identity(d): d for d in documents if d.name and d.kind not in TYPED and not is_running(d)}


def is_running(document: Document) -> bool:
    """Tell whether an object is written by a cluster itself: made by a controller, or a pod on a node."""
    if document.kind in _RUNNING:
        return True
    metadata, spec = document.data.get("metadata"), document.data.get("spec")
    has_owner = isinstance(metadata, dict) and bool(metadata.get("ownerReferences"))
    return has_owner or (document.kind == "Pod" and isinstance(spec, dict) and bool(spec.get("nodeName")))


def identity(document: Document) -> Identity:
    """Return the kind, group, namespace and name of an object."""
    metadata = document.data.get("metadata")
    namespace = metadata.get("namespace") if isinstance(metadata, dict) else ""
    return document.kind, document.api_version.rpartition("/")[0], str(namespace or ""), document.name


def _written_changes(old: Mapping[Identity, Document], new: Mapping[Identity, Document]) -> Iterator[ObjectChange]:
    for key in sorted(old.keys() | new.keys()):
        was, now = old.get(key), new.get(key)
        kind, group, namespace, name = key
        place = (now or old[key]).place
        if was is None or now is None:
            yield ObjectChange(kind, namespace, name, Change.ADDED if was is None else Change.REMOVED, place, group=group)
        elif fields := tuple(_written_fields(was, now)):
            yield ObjectChange(kind, namespace, name, Change.CHANGED, place, fields, group)


def _written_fields(was: Document, now: Document) -> Iterator[ChangedField]:
    for steps, old, new in _shown(differences(compared(was.data), compared(now.data))):
        path = path_text(steps)
        which = "its pods are recreated" if now.kind in _POD_MAKERS and _is_within(path, "spec.template") else ""
        before, after = (old, new) if now.kind != "Secret" else (_hidden(old), _hidden(new))
        yield ChangedField(path, before, after, which=which, steps=steps)


def _shown(found: Iterable[TreeDifference]) -> Iterator[TreeDifference]:
    """Yield differences without values that are private or whose name says that they are secret."""
    for steps, old, new in found:
        is_private = any(segment in _PRIVATE or is_secret_name(segment) for segment in _SEGMENTS.findall(path_text(steps)))
        shown = _hidden if is_private else _masked
        yield TreeDifference(steps, shown(old), shown(new))


def _masked(value: Any) -> Any:
    return masked(value, _PRIVATE, _HIDDEN)


def _hidden(value: Any) -> str | None:
    return None if value is None else _HIDDEN


def compared(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of an object that its user writes: no status, and of the metadata only labels and annotations."""
    metadata = data.get("metadata")
    metadata = metadata if isinstance(metadata, Mapping) else {}
    kept = {name: metadata[name] for name in ("labels", "annotations") if metadata.get(name)}
    if isinstance(annotations := kept.get("annotations"), Mapping):
        kept["annotations"] = {k: v for k, v in annotations.items() if not _is_of_clusters(str(k))}
    rest = {name: value for name, value in data.items() if name not in ("metadata", "status", "kind")}
    return {**rest, "metadata": {name: value for name, value in kept.items() if value}}


def _is_of_clusters(annotation: str) -> bool:
    return annotation.startswith(_OF_CLUSTERS) or annotation.endswith(_HASHES)


def _is_within(path: str, member: str) -> bool:
    return path == member or path.startswith((f"{member}.", f"{member}["))
