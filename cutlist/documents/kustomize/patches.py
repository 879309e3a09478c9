"""Patches of a kustomization whose outcome needs no schema: JSON patches, and merges of mappings and of well-known lists.

Whatever goes beyond that is left to kustomize itself, and so is a patch that it would refuse: half of a patch would be another
plan.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.documents.files import file_text
from cutlist.documents.kustomize.json_patches import IDENTITY, BeyondPatchError, operated
from cutlist.documents.kustomize.kustomization import Kustomization
from cutlist.documents.kustomize.transformers import RenderedObject
from cutlist.documents.parsing import parse_values

BEFORE: Final = ("patchesStrategicMerge", "patches")
"""The members with patches that come before all other changes, in their order."""
AFTER: Final = "patchesJson6902"
"""The one that comes after labels and annotations."""
_SELECTING: Final = frozenset(("group", "version", "kind", "name", "namespace"))
_BY_LABELS: Final = {"labelSelector": "labels", "annotationSelector": "annotations"}
_TERM: Final = re.compile(r"\s*([A-Za-z0-9_./-]+)\s*(!=|==|=)\s*([A-Za-z0-9_.-]*)\s*")
"""A term of a selector that compares with a value; those with sets are left to kustomize."""
_PLAIN: Final = re.compile(r"[A-Za-z0-9.*-]+")
_KEYS: Final = {
    **dict.fromkeys(("containers", "initContainers", "env", "volumes"), "name"),
    "volumeMounts": "mountPath",
}
"""Lists of Kubernetes' own kinds that are merged by a key."""
_REPLACED: Final = frozenset(
    (
        *("args", "command", "tolerations", "nodeSelectorTerms", "matchExpressions", "matchFields", "values", "envFrom"),
        *("accessModes", "volumeClaimTemplates", "metrics", "policies"),
        *("requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"),
    )
)
"""Those that a patch replaces."""
_OWN_GROUPS: Final = re.compile(r"|apps|batch|autoscaling|policy|[\w.-]+\.k8s\.io")
_DIRECTIVE: Final = "$"
_DELETES: Final = ("$patch", "delete")


def apply_patches(member: str, kustomization: Kustomization, resources: list[RenderedObject], *, restricted: bool) -> None:
    """Apply the patches of a member to the resources, from which some may be removed. Raises BeyondPatchError."""
    for entry in kustomization.entries(member):
        if isinstance(entry, str) and member == "patchesStrategicMerge":
            text = entry if "\n" in entry else _text(entry, kustomization, restricted=restricted)
            _apply(_parsed(text), None, resources)
        elif isinstance(entry, Mapping) and entry.keys() <= {"target", "patch", "path"} and _has_text(entry):
            written = entry.get("patch")
            text = written if isinstance(written, str) else _text(str(entry["path"]), kustomization, restricted=restricted)
            _apply(_parsed(text), entry.get("target"), resources)
        else:
            raise BeyondPatchError


def _has_text(entry: Mapping[str, Any]) -> bool:
    return isinstance(entry.get("patch"), str) != isinstance(entry.get("path"), str)


def _text(name: str, kustomization: Kustomization, *, restricted: bool) -> str:
    path, own = kustomization.path_of(name), Problems()
    text = None if restricted and not kustomization.holds(path) else file_text(path, own)
    if text is None:
        raise BeyondPatchError
    return text


def _parsed(text: str) -> list[Any]:
    problems = Problems()
    values = [value for value in parse_values(text, "", problems) if value is not None]
    if problems or not values:
        raise BeyondPatchError
    return values


def _apply(patches: Sequence[Any], target: Any, resources: list[RenderedObject]) -> None:
    is_json = isinstance(patches[0], list)
    if is_json and (len(patches) > 1 or not target):
        raise BeyondPatchError
    for patch in patches:
        if not is_json and not isinstance(patch, dict):
            raise BeyondPatchError
        chosen = _selected(target, resources) if target else [_named(patch, resources)]
        if not is_json and _is_deletion(patch):
            resources[:] = [resource for resource in resources if not any(resource is each for each in chosen)]
            continue
        for resource in chosen:
            if is_json:
                resource.data = operated(resource.data, patch)
            else:
                resource.data = _merged(resource.data, _without_identity(patch), is_own=_is_own(resource), member="")


def _selected(target: Any, resources: Iterable[RenderedObject]) -> list[RenderedObject]:
    """Return the resources that a target selects by its expressions; none is no mistake."""
    if not isinstance(target, Mapping) or not target or not target.keys() <= _SELECTING | _BY_LABELS.keys():
        raise BeyondPatchError
    patterns = [text for key, text in target.items() if key in _SELECTING]
    if not all(isinstance(text, str) and (not text or _PLAIN.fullmatch(text)) for text in patterns):
        raise BeyondPatchError
    terms = {member: _terms(target.get(selector)) for selector, member in _BY_LABELS.items()}

    def fits(member: str, *values: str) -> bool:
        pattern = target.get(member)
        return not pattern or any(re.fullmatch(pattern, value) for value in values)

    return [
        r
        for r in resources
        if fits("group", r.group)
        and fits("version", r.document.api_version.rpartition("/")[2])
        and fits("kind", r.kind)
        and fits("name", r.names[0], r.name)
        and fits("namespace", _original_namespace(r), r.namespace or "default")
        and all(_holds(term, r.metadata.get(member)) for member, of in terms.items() for term in of)
    ]


def _terms(selector: Any) -> list[tuple[str, str, str]]:
    """Return the terms of a selector by labels or annotations: key, comparison, value."""
    if not selector:
        return []
    matches = [_TERM.fullmatch(term) for term in selector.split(",")] if isinstance(selector, str) else [None]
    if not all(matches):
        raise BeyondPatchError
    return [(match[1], match[2], match[3]) for match in matches if match is not None]


def _holds(term: tuple[str, str, str], labels: Any) -> bool:
    key, comparison, value = term
    found = labels.get(key) if isinstance(labels, dict) else None
    return (found == value) is (comparison != "!=")


def _named(patch: dict[str, Any], resources: Iterable[RenderedObject]) -> RenderedObject:
    """Return the only resource that a patch names."""
    metadata = patch.get("metadata")
    names = metadata if isinstance(metadata, Mapping) else {}
    namespace = str(names.get("namespace") or "")
    fitting = [
        r
        for r in resources
        if (r.document.api_version, r.kind) == (patch.get("apiVersion"), patch.get("kind")) and names.get("name") in r.names
    ]
    if len(fitting) == 1 and (namespace or "default") in (fitting[0].namespace or "default", _original_namespace(fitting[0])):
        return fitting[0]
    raise BeyondPatchError


def _original_namespace(resource: RenderedObject) -> str:
    metadata = resource.document.data.get("metadata")
    return str((metadata.get("namespace") if isinstance(metadata, dict) else "") or "default")


def _without_identity(patch: dict[str, Any]) -> dict[str, Any]:
    """Return a patch without what says which object it is for."""
    metadata = patch.get("metadata")
    if not isinstance(metadata, dict):
        return {key: value for key, value in patch.items() if key not in IDENTITY}
    own = {key: value for key, value in metadata.items() if key not in ("name", "namespace")}
    return {**{key: value for key, value in patch.items() if key not in IDENTITY}, "metadata": own}


def _is_own(resource: RenderedObject) -> bool:
    return _OWN_GROUPS.fullmatch(resource.group) is not None


def _is_deletion(patch: dict[str, Any]) -> bool:
    """Tell whether a patch removes what it is for."""
    directive, word = _DELETES
    return patch.get(directive) == word


def _merged(value: Any, patch: Any, *, is_own: bool, member: str) -> Any:
    """Return a value with a patch over it; `is_own` says that it is in a kind of Kubernetes, whose lists may have keys."""
    if isinstance(patch, dict):
        if _has_directives(patch):
            raise BeyondPatchError
        merged = dict(value) if isinstance(value, dict) else {}
        for key, below in patch.items():
            if below is None:
                merged.pop(key, None)
            else:
                merged[key] = _merged(merged.get(key), below, is_own=is_own, member=str(key))
        return merged
    if isinstance(patch, list) and isinstance(value, list) and is_own and member not in _REPLACED:
        return _merged_by_key(value, patch, member)
    if isinstance(patch, list) and any(isinstance(item, dict) and _has_directives(item) for item in patch):
        raise BeyondPatchError
    return copy.deepcopy(patch)


def _merged_by_key(items: list[Any], patches: list[Any], member: str) -> list[Any]:
    """Return the items of a list, those of a patch first, each merged with the one of the same key."""
    key = _KEYS.get(member)
    if key is None or not all(isinstance(item, dict) and isinstance(item.get(key), str) for item in (*items, *patches)):
        raise BeyondPatchError
    by_key = {item[key]: item for item in items}
    removed = {patch[key] for patch in patches if _is_deletion(patch)}
    if not removed <= by_key.keys():
        raise BeyondPatchError
    items, patches = [i for i in items if i[key] not in removed], [p for p in patches if not _is_deletion(p)]
    if len(by_key) < len(items) + len(removed) or len({patch[key] for patch in patches}) < len(patches):
        raise BeyondPatchError
    if member == "volumes" and any(patch[key] in by_key for patch in patches):
        raise BeyondPatchError  # whose source may be another one
    first = [_merged(by_key.get(patch[key]), patch, is_own=True, member="") for patch in patches]
    return [*first, *(item for item in items if item[key] not in {patch[key] for patch in patches})]


def _has_directives(value: dict[str, Any]) -> bool:
    return any(str(key).startswith(_DIRECTIVE) for key in value)
