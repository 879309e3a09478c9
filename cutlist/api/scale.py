"""The count that kubectl scale reads and writes. The API server checks it a second time, with other bounds and words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from cutlist.api.findings import Location, SchemaViolation, path_of

KIND: Final = "scale"
MOST: Final = 2**31 - 1
_NAMES: Final = {str: "string", bool: "bool", float: "float64", list: "[]interface {}", dict: "map[string]interface {}"}


def of_scale(path: Location, stored: Any) -> Iterator[SchemaViolation]:
    """Yield the mistakes in the count at a path of an object; nothing without a path, which means a kind that cannot be
    scaled."""
    if not path:
        return
    here = stored
    for depth, member in enumerate(path):
        if not isinstance(here, dict):
            yield _violation(path, path[:depth], here, _accessor(path, here, "map[string]interface{}"))
            return
        if here.get(member) is None:
            return
        here = here[member]
    if not isinstance(here, int) or isinstance(here, bool):
        yield _violation(path, path, here, _accessor(path, here, "int64"))
    elif here < 0:
        yield _violation(path, path, here, "should be a non-negative integer")
    elif here > MOST:
        yield _violation(path, path, here, f"should be less than or equal to {MOST}")


def _violation(path: Location, at: Location, value: Any, message: str) -> SchemaViolation:
    return SchemaViolation(KIND, at, value, {"path": path_of(path), "said": message})


def _accessor(path: Location, value: Any, wanted: str) -> str:
    return f".{path_of(path)} accessor error: {_go(value)} is of the type {_NAMES.get(type(value), 'int64')}, expected {wanted}"


def _go(value: Any) -> str:
    """Return a value as Go prints it."""
    match value:
        case bool():
            return str(value).lower()
        case float():
            return f"{value:g}"
        case list():
            return f"[{' '.join(map(_go, value))}]"
        case dict():
            return f"map[{' '.join(f'{key}:{_go(member)}' for key, member in sorted(value.items()))}]"
    return str(value)
