"""Objects of Kubernetes in the data and texts of other resources: values of charts, ConfigMaps, commands, files.

They are judged as if they were registered, whatever applies them later.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.policy.rules.expansion.manifest_texts import VERSION, manifests_in, manifests_of_file
from cutlist.policy.rules.expansion.packed_texts import why_sealed
from cutlist.policy.rules.parts import Resource

_KUBERNETES: Final = "kubernetes:"
_KARPENTERS: Final = ("kubernetes:karpenter.", "kubernetes:eks.amazonaws.com/", "kubernetes:autoscaling.x-k8s.io/")
_CLOSED: Final = (*_KARPENTERS, "cutlist:", "pulumi:", "pulumi-python:dynamic/cutlist:")
_LISTS: Final = ("items", "objs", "yaml")  # what `expansion` opens
_KIND: Final = "kind"
_CONTENT: Final = frozenset(("metadata", "spec", "items", "data", "rules", "subjects"))
_PROSE: Final = (".md", ".markdown", ".rst", ".adoc")
_DEEPEST: Final = 40
_SHORTEST: Final = len("apiVersion: a\nkind: b\ndata:")
"""How long a text is at least that holds an object; packed, it is no shorter. Most texts are no longer than this."""


def is_opened(token: str) -> bool:
    """Tell whether resources of a type are searched for objects."""
    return not token.startswith(_CLOSED)


def wrapped(outer: Resource) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the objects inside a resource, each with its path. Objects in annotations do not reach a cluster."""
    if not is_opened(outer.type):
        return
    for key, value in outer.data.items():
        if key in _LISTS and outer.type.startswith(_KUBERNETES):
            continue
        yield from objects_in(_without_annotations(value) if key == "metadata" else value, str(key))


def objects_in(value: Any, path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the objects inside data at a path, each with its own path."""
    yield from _objects(value, path, 0)


def sealed_texts(outer: Resource) -> Iterator[tuple[str, str]]:
    """Yield the path of each text in a resource that cannot be read as a whole, and why."""
    for key, value in outer.data.items():
        yield from _sealed(_without_annotations(value) if key == "metadata" else value, str(key), 0)


def _sealed(value: Any, path: str, depth: int) -> Iterator[tuple[str, str]]:
    if depth > _DEEPEST:
        yield path, f"it is nested more than {_DEEPEST} deep"
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            below = _without_annotations(inner) if key == "metadata" else inner
            yield from _sealed(below, f"{path}.{key}", depth + 1)
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from _sealed(inner, f"{path}[{index}]", depth + 1)
    elif isinstance(value, str) and len(value) > len(VERSION) and (why := why_sealed(value)):
        yield path, why


def _without_annotations(metadata: Any) -> Any:
    return {k: v for k, v in metadata.items() if k != "annotations"} if isinstance(metadata, Mapping) else metadata


def _objects(value: Any, path: str, depth: int) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if depth > _DEEPEST:
        return
    if isinstance(value, Mapping):
        manifest = _as_object(value)
        if manifest is not None:
            yield path, manifest
            return
        for key, inner in value.items():
            yield from _objects(key, path, depth + 1)
            below = _without_annotations(inner) if key == "metadata" else _of_prose(key, inner)
            yield from _objects(below, f"{path}.{key}", depth + 1)
    elif isinstance(value, list | tuple):
        is_empty = True
        for index, inner in enumerate(value):
            for at, manifest in _objects(inner, f"{path}[{index}]", depth + 1):
                is_empty = False
                yield at, manifest
        if is_empty and len(value) > 1 and all(isinstance(line, str) for line in value):
            yield from _objects("\n".join(value), path, depth + 1)  # the lines of a script
    elif isinstance(value, str) and len(value) >= _SHORTEST:
        for written in manifests_in(value):
            yield from _objects(written, path, depth + 1)


def _of_prose(name: Any, text: Any) -> Any:
    """Return what a file whose name says that it is prose holds: only manifests that are the whole of it can be applied."""
    if isinstance(name, str) and name.lower().endswith(_PROSE) and isinstance(text, str):
        return manifests_of_file(text) or ()
    return text


def _as_object(value: Mapping[Any, Any]) -> Mapping[str, Any] | None:
    """Return a mapping that is an object; a generator names what it generates beside the object's own members, in `data`."""
    if not isinstance(value.get(VERSION), str) or not isinstance(value.get(_KIND), str) or not _CONTENT & value.keys():
        return None
    data = value.get("data")
    if "name" in value and "metadata" not in value and isinstance(data, Mapping):
        return {"metadata": {"name": value["name"]}, **data, VERSION: value[VERSION], _KIND: value[_KIND]}
    return value
