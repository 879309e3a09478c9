"""Find the way to each object of the inputs, by which a saved state refers to it instead of having a copy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from cutlist.core.identity import SameObject

Way = tuple[str | int, ...]
"""The names of fields and keys, and the positions, that lead from the inputs to one of their objects."""


def ways_to(inputs: object, closed: tuple[type[Any], ...]) -> dict[SameObject, Way]:
    """Return the way to each object of some inputs, the shortest first. Objects inside those of `closed` classes have none, and
    neither have elements of sets, since sets have no order.
    """
    ways: dict[SameObject, Way] = {}
    level: list[tuple[object, Way]] = [(inputs, ())]
    while level:
        following = []
        # Level by level, so that the first way found is the shortest, and the same in every run.
        for value, way in level:
            if value is None or isinstance(value, (str, int, float, Enum)) or (key := SameObject(value)) in ways:
                continue
            ways[key] = way
            if not isinstance(value, closed):
                following += [(part, (*way, step)) for step, part in _parts(value)]
        level = following
    return ways


def at(inputs: object, way: Iterable[str | int]) -> Any:
    """Return the object at the end of a way. Raises LookupError for a way that the inputs do not have."""
    value: Any = inputs
    for step in way:
        value = _part(value, step)
    return value


def _part(value: Any, step: str | int) -> Any:
    """Return what is one step inside a value. A name leads only to a field, never to another attribute."""
    if isinstance(value, Mapping):
        return list(value.values())[step] if isinstance(step, int) else value[step]
    if isinstance(step, int) and isinstance(value, tuple | list):
        return value[step]
    kind: Any = type(value)
    # Only fields: a way comes from a file, and must not reach methods or private attributes.
    if is_dataclass(kind) and step in kind.__dataclass_fields__:
        return getattr(value, str(step))
    raise LookupError(step)


def _parts(value: object) -> Iterable[tuple[str | int, object]]:
    if isinstance(value, Mapping):
        return ((key if isinstance(key, str) else n, part) for n, (key, part) in enumerate(value.items()))
    if isinstance(value, tuple | list):
        return enumerate(value)
    return ((name, getattr(value, name)) for name in fields_of(type(value)) or ())


def fields_of(kind: type[Any]) -> tuple[str, ...] | None:
    """Return the names of a class's fields, or None for a class that has none."""
    if is_dataclass(kind):
        return tuple(field.name for field in fields(kind))
    return getattr(kind, "_fields", None) if issubclass(kind, tuple) else None
