"""Plain settings from outside as the fields of a frozen value: what is misspelt or of another type is told, not raised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final, get_args, get_type_hints

from cutlist.errors import Place, Problems, nearest

_WORDS: Final = {str: "text", int: "a whole number", bool: "true or false"}


def fields_of(kind: type[Any], given: Any, path: str, problems: Problems) -> dict[str, Any]:
    """Those of `given` that a dataclass can be built with; a field of another type than text, number or switch is taken as it
    is. Problems are noted at `path` and the field's name."""
    if not isinstance(given, Mapping):
        problems.add(Place(path=path), f"found {given!r} where a mapping is needed")
        return {}
    types, names = get_type_hints(kind), [one.name for one in fields(kind)]
    kept: dict[str, Any] = {}
    for name, value in given.items():
        at = Place(path=f"{path}.{name}" if path else name)
        wanted = [one for one in (get_args(types.get(name)) or (types.get(name),)) if one in _WORDS]
        if name not in names:
            problems.add(at, "there is no such setting", ", ".join(names), nearest(name, names))
        elif wanted and not any(type(value) is one for one in wanted):
            problems.add(at, f"found {value!r} where {_WORDS[wanted[0]]} is needed")
        else:
            kept[name] = value
    return kept
