"""Edits of an object: the changes of a conversion, in a form that applies both to data and to the text that it was read
from."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Path = tuple[str, ...]
"""The keys from the top of an object down to a member: `("spec", "template", "spec", "expireAfter")`."""


@dataclass(frozen=True, slots=True)
class Set:
    """Write a value at a path, in place of any earlier one; missing mappings above it are created.

    A new member is added last to its mapping, or before the sibling `before`.
    """

    path: Path
    value: Any
    before: str = ""


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove a member."""

    path: Path


@dataclass(frozen=True, slots=True)
class Rename:
    """Replace a member with another key and value."""

    path: Path
    key: str
    value: Any


@dataclass(frozen=True, slots=True)
class Move:
    """Take a member from one mapping to another, with its comments."""

    path: Path
    to: Path


Edit = Set | Remove | Rename | Move


def applied(edits: Iterable[Edit], manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of an object with the edits applied in order."""
    manifest_after = copy.deepcopy(dict(manifest))
    for edit in edits:
        match edit:
            case Set(path, value, before):
                _set(_holder(manifest_after, path), path[-1], copy.deepcopy(value), before)
            case Remove(path):
                _holder(manifest_after, path).pop(path[-1], None)
            case Rename(path, key, value):
                _rename(_holder(manifest_after, path), path[-1], key, copy.deepcopy(value))
            case Move(path, to):
                _holder(manifest_after, to)[to[-1]] = _holder(manifest_after, path).pop(path[-1])
    return manifest_after


def _holder(manifest: dict[str, Any], path: Path) -> dict[str, Any]:
    for key in path[:-1]:
        if manifest.get(key) is None:
            manifest[key] = {}
        manifest = manifest[key]
    return manifest


def _set(holder: dict[str, Any], key: str, value: Any, before: str) -> None:
    if key in holder or before not in holder:
        holder[key] = value
        return
    _reorder(holder, [pair for k, v in holder.items() for pair in (((key, value), (k, v)) if k == before else ((k, v),))])


def _rename(holder: dict[str, Any], old: str, key: str, value: Any) -> None:
    _reorder(holder, [(key, value) if k == old else (k, v) for k, v in holder.items() if k == old or k != key])


def _reorder(holder: dict[str, Any], pairs: list[tuple[str, Any]]) -> None:
    holder.clear()
    holder.update(pairs)
