"""What the members of a type may be, from the annotations of its class, so that a damaged state is refused when it is read."""

from __future__ import annotations

import types
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from functools import cache
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from cutlist.simulation.checkpoint.types import SavedType
from cutlist.workloads.pods import FrozenDict

Allowed = tuple[type[Any], ...]
"""The classes of what a member may be; none if it may be anything."""

_WORDS: Final[Mapping[type[Any], str]] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    type(None): "null",
    Mapping: "a map",
    dict: "a map",
    FrozenDict: "a map",
    Counter: "counts",
    list: "a list",
    tuple: "a tuple",
    Sequence: "a list",
    set: "a set",
    frozenset: "a set",
    Set: "a set",
}

_CLASSES: Final[Mapping[type[Any], Allowed]] = {
    float: (float, int),
    # To look for an abstract class alone takes ten times as long.
    Mapping: (dict, FrozenDict, Mapping),
    Sequence: (tuple, list, Sequence),
    Set: (set, frozenset, Set),
}


@cache
def types_of_members(saved: SavedType) -> tuple[Allowed, ...]:
    """Return what each member of a type may be, in their order."""
    hints = get_type_hints(saved.kind)
    return tuple(_allowed(hints[attribute]) for attribute in saved.attributes)


def words(allowed: Allowed) -> str:
    """Return what a member may be in words."""
    return " or ".join(dict.fromkeys(_WORDS.get(kind, kind.__name__) for kind in allowed))


def _allowed(hint: Any) -> Allowed:
    """Return the classes of the values of an annotation. What is inside them is not checked."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        alternatives = [_allowed(alternative) for alternative in get_args(hint)]
        return tuple(kind for alternative in alternatives for kind in alternative) if all(alternatives) else ()
    if origin is Annotated:
        return _allowed(get_args(hint)[0])
    if origin is Literal:
        return tuple({type(value): None for value in get_args(hint)})
    kind = origin or hint
    if not isinstance(kind, type) or kind in (object, Callable):
        return ()
    return _CLASSES.get(kind, (kind,))
