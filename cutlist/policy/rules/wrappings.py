"""Objects of Kubernetes in the data and texts of other resources: values of charts, ConfigMaps, commands, generators.

Whatever applies them later, they are judged as if they were registered. A text that holds objects is YAML or JSON, may be in
base64, or is a script with such a text in it.
"""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.documents import parse_yaml
from cutlist.policy.rules.parts import Resource

_KUBERNETES: Final = "kubernetes:"
_OPENED: Final = ("kubernetes:", "command:", "kubectl:", "pulumi-python:dynamic", "pulumi-nodejs:dynamic", "aws:s3/")
_OBJECTS_OF_KARPENTER: Final = ("kubernetes:karpenter.", "kubernetes:eks.amazonaws.com/", "kubernetes:autoscaling.x-k8s.io/")
_LISTS: Final = ("items", "objs", "yaml")  # what `expansion` opens
_HERE_DOCUMENT: Final = re.compile(r"<<[-~]?\s*['\"]?(\w+)['\"]?[^\n]*\n(.*?)\n[ \t]*\1\b", re.DOTALL)
_QUOTED: Final = re.compile(r"'([^']*apiVersion[^']*)'|\"((?:[^\"\\]|\\.)*apiVersion(?:[^\"\\]|\\.)*)\"")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/\s]{40,}={0,2}\s*")
_VERSION, _KIND = "apiVersion", "kind"
_CONTENT: Final = frozenset(("metadata", "spec", "items", "data", "rules", "subjects"))
_DEEPEST: Final = 40


def is_opened(token: str) -> bool:
    """Tell whether resources of a type are searched for objects."""
    return token.startswith(_OPENED) and not token.startswith(_OBJECTS_OF_KARPENTER)


def wrapped(outer: Resource) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the objects inside a resource, each with its path. Annotations hold none that reach a cluster."""
    if not is_opened(outer.type):
        return
    for key, value in outer.data.items():
        if key in _LISTS and outer.type.startswith(_KUBERNETES):
            continue
        inner = _without_annotations(value) if key == "metadata" else value
        yield from _objects(inner, str(key), 0)


def _without_annotations(metadata: Any) -> Any:
    return {k: v for k, v in metadata.items() if k != "annotations"} if isinstance(metadata, Mapping) else metadata


def _objects(value: Any, path: str, depth: int) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if depth > _DEEPEST:
        return
    if isinstance(value, Mapping):
        whole = _as_object(value)
        if whole is not None:
            yield path, whole
            return
        for key, inner in value.items():
            below = _without_annotations(inner) if key == "metadata" else inner
            yield from _objects(below, f"{path}.{key}", depth + 1)
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from _objects(inner, f"{path}[{index}]", depth + 1)
    elif isinstance(value, str):
        for written in _written(value):
            yield from _objects(written, path, depth + 1)


def _as_object(value: Mapping[Any, Any]) -> Mapping[str, Any] | None:
    """Return a mapping that is an object; a generator names what it generates beside the object's own members, in `data`."""
    if not isinstance(value.get(_VERSION), str) or not isinstance(value.get(_KIND), str) or not _CONTENT & value.keys():
        return None
    data = value.get("data")
    if "name" in value and "metadata" not in value and isinstance(data, Mapping):
        return {"metadata": {"name": value["name"]}, **data, _VERSION: value[_VERSION], _KIND: value[_KIND]}
    return value


def _written(text: str) -> Iterator[Any]:
    """Yield the documents of a text that may hold objects; none of another text."""
    if _VERSION not in text:
        text = _decoded(text)
        if _VERSION not in text:
            return
    documents = _documents(text)
    if documents:
        yield from documents
        return
    bodies = [match[2] for match in _HERE_DOCUMENT.finditer(text)]
    bodies += [match[1] or match[2].replace('\\"', '"').replace("\\n", "\n") for match in _QUOTED.finditer(text)]
    for body in bodies:
        yield from _documents(body)


def _documents(text: str) -> list[Any]:
    """Return the documents of a YAML text that are mappings or lists."""
    return [d.value for d in parse_yaml(text, "", Problems()) if isinstance(d.value, dict | list)]


def _decoded(text: str) -> str:
    """Return what a text in base64 stands for; an empty text for any other."""
    if not _BASE64.fullmatch(text):
        return ""
    try:
        return b64decode(text).decode()
    except (Base64Error, UnicodeDecodeError):
        return ""
