"""The operations of a JSON patch that change an object and not its identity: add, replace and remove."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Final

IDENTITY: Final = ("apiVersion", "kind")
"""The members that, with its name and namespace, say which object a patch is for."""


class BeyondPatchError(Exception):
    """Only kustomize itself knows what a patch does, or says what is wrong with it."""


def operated(data: dict[str, Any], operations: list[Any]) -> dict[str, Any]:
    """Return an object after the operations of a JSON patch."""
    changed = copy.deepcopy(data)
    for operation in operations:
        if not isinstance(operation, dict) or not isinstance(operation.get("path"), str):
            raise BeyondPatchError
        _operate(changed, str(operation.get("op")), operation["path"], operation)
    if any(changed.get(name) != data.get(name) for name in IDENTITY) or _name_of(changed) != _name_of(data):
        raise BeyondPatchError
    return changed


def _name_of(data: Mapping[str, Any]) -> Any:
    metadata = data.get("metadata")
    return (metadata.get("name"), metadata.get("namespace")) if isinstance(metadata, dict) else None


def _operate(data: Any, kind: str, path: str, operation: Mapping[str, Any]) -> None:
    steps = [step.replace("~1", "/").replace("~0", "~") for step in path.split("/")[1:]]
    if not path.startswith("/") or kind not in ("add", "replace", "remove") or (kind != "remove" and "value" not in operation):
        raise BeyondPatchError
    value = data
    for step in steps[:-1]:
        value = _below(value, step)
    last, new = steps[-1], copy.deepcopy(operation.get("value"))
    if isinstance(value, dict):
        if kind != "add" and last not in value:
            raise BeyondPatchError
        if kind == "remove":
            del value[last]
        else:
            value[last] = new
    elif isinstance(value, list) and kind == "add":
        value.insert(len(value) if last == "-" else _index(last, len(value) + 1), new)
    elif isinstance(value, list):
        index = _index(last, len(value))
        value[index : index + 1] = [] if kind == "remove" else [new]
    else:
        raise BeyondPatchError


def _below(value: Any, step: str) -> Any:
    if isinstance(value, list):
        return value[_index(step, len(value))]
    if isinstance(value, dict) and step in value:
        return value[step]
    raise BeyondPatchError


def _index(step: str, size: int) -> int:
    if not step.isascii() or not step.isdecimal() or int(step) >= size:
        raise BeyondPatchError
    return int(step)
