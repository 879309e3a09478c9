"""Compositions of Crossplane: what patches write into the objects of a composition is unknown until a claim is made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from cutlist.core.unknown import UNKNOWN
from cutlist.policy.rules.parts import Resource

_COMPOSITION: Final = re.compile(r"kubernetes:apiextensions\.crossplane\.io/\w+:Composition")
_KEY: Final = re.compile(r"\[(?P<index>\d+)\]|\[[\"']?(?P<quoted>[^\]\"']+)[\"']?\]|(?P<plain>[^.\[\]]+)")
_WRITTEN_ELSEWHERE: Final = "To"
"""How types of patches begin that write to the composite or its environment, and not to the object."""
_PATCH_SET: Final = "PatchSet"
_SPEC: Final = "spec"
_Keys = tuple[str | int, ...]


def patched(outer: Resource) -> Resource:
    """Return a composition whose objects have an unknown value wherever a patch writes and no value is given; any other
    resource unchanged. A given value stays, since a patch without a source is skipped.
    """
    spec = outer.data.get(_SPEC)
    if not isinstance(spec, Mapping) or not _COMPOSITION.fullmatch(outer.type):
        return outer
    steps = [
        {**step, "input": _with_patches(step["input"])} if isinstance(step, Mapping) and "input" in step else step
        for step in _listed(spec.get("pipeline"))
    ]
    pipeline = {"pipeline": steps} if steps else {}
    return replace(outer, data={**outer.data, _SPEC: {**_with_patches(spec), **pipeline}})


def _with_patches(templates: Any) -> Any:
    """Return resources and sets of patches with the patches applied to the resources."""
    if not isinstance(templates, Mapping) or "resources" not in templates:
        return templates
    sets = {str(named.get("name")): named for named in _listed(templates.get("patchSets")) if isinstance(named, Mapping)}
    resources = [_template(template, sets) for template in _listed(templates["resources"])]
    return {**templates, "resources": resources}


def _template(template: Any, sets: Mapping[str, Mapping[str, Any]]) -> Any:
    if not isinstance(template, Mapping) or not isinstance(template.get("base"), Mapping):
        return template
    base: Any = template["base"]
    for keys in _targets(template, sets):
        base = _unknown_at(base, keys)
    return {**template, "base": base}


def _targets(template: Mapping[str, Any], sets: Mapping[str, Mapping[str, Any]]) -> Iterator[_Keys]:
    """Yield what the patches of a template, or of a set, write below `spec`."""
    for patch in _listed(template.get("patches")):
        if not isinstance(patch, Mapping) or str(patch.get("type", "")).startswith(_WRITTEN_ELSEWHERE):
            continue
        if patch.get("type") == _PATCH_SET:
            yield from _targets(sets.get(str(patch.get("patchSetName")), {}), {})
            continue
        path = str(patch.get("toFieldPath") or patch.get("fromFieldPath") or "")
        keys = tuple(int(m["index"]) if m["index"] else m["quoted"] or m["plain"] for m in _KEY.finditer(path))
        if keys[:1] == (_SPEC,):
            yield keys


def _unknown_at(data: Any, keys: Sequence[str | int]) -> Any:
    """Return data with an unknown value at some keys, if nothing is there."""
    if data is None and (not keys or isinstance(keys[0], int)):
        return UNKNOWN
    if not keys:
        return data
    key, below = keys[0], keys[1:]
    if isinstance(key, str) and (data is None or isinstance(data, Mapping)):
        members = data or {}
        return {**members, key: _unknown_at(members.get(key), below)}
    if isinstance(key, int) and isinstance(data, list) and key < len(data):
        return [*data[:key], _unknown_at(data[key], below), *data[key + 1 :]]
    return data


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()
