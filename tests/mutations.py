"""Data with something wrong at one place, for tests of what is read back."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

REMOVED = object()
"""Stands for a member that is not there."""


def member_paths(value: Any, path: tuple[Any, ...] = (), *, most: int | None = None) -> Iterator[tuple[Any, ...]]:
    """The path of a value and of each member below it, of a list the first ones at most."""
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value[:most]) if isinstance(value, list) else ()
    for key, member in members:
        yield from member_paths(member, (*path, key), most=most)


def mutated(data: Any, path: tuple[Any, ...], junk: Any) -> Any:
    """A copy with junk at a path, or without what is there if the junk is REMOVED."""
    data = copy.deepcopy(data)
    parent = data
    for key in path[:-1]:
        parent = parent[key]
    if junk is REMOVED:
        del parent[path[-1]]
    else:
        parent[path[-1]] = junk
    return data
