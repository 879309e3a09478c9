"""Breaches of a schema in the words of the API server, derived from the bounds of the schema itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.api.findings import Reported, SchemaViolation, Stage, path_of
from cutlist.api.structure import type_name

_TYPES: Final = {
    "string_type": "string",
    "int_type": "integer",
    "bool_type": "boolean",
    "dict_type": "object",
    "tuple_type": "array",
}


def reported(violation: SchemaViolation) -> tuple[Reported, ...]:
    """Return the API server's messages about a breach, with the paths that it names."""
    kind, loc, value, context = violation
    path = path_of(loc)
    if kind == "extra_forbidden":
        return (_unknown(path),)
    if kind == "scale":
        return (Reported(context["path"], context["said"], Stage.SCHEMA),)
    if loc[0] == "metadata" and (kind in _TYPES or len(loc) == 1):
        return (Reported("", f"json: cannot unmarshal {type_name(value)} into Go struct field ObjectMeta", Stage.DECODE),)
    if kind in _TYPES or kind == "quantity_type":
        strict = tuple(map(_unknown, _members(path, value)))
        return strict or tuple(Reported(path, text, Stage.SCHEMA) for text in _wrong_type(path, kind, value, context))
    return (Reported(path, _out_of_range(path, kind, value, context), Stage.SCHEMA),)


def _unknown(path: str) -> Reported:
    return Reported(path, f'unknown field "{path}"', Stage.STRICT)


def _members(path: str, value: Any) -> Iterator[str]:
    """Yield the unknown fields that the API server sees in mappings where the schema has none."""
    match value:
        case dict():
            yield from (f"{path}.{name}" for name in value)
        case list():
            for index, member in enumerate(value):
                yield from _members(f"{path}[{index}]", member)


def _wrong_type(path: str, kind: str, value: Any, context: Mapping[str, Any]) -> Iterator[str]:
    if "format" in context:
        yield f'{path} in body must be of type {context["format"]}: "float64"'
        return
    wanted = ("integer,string", "integer") if kind == "quantity_type" else (_TYPES[kind],)
    yield from (f'{path} in body must be of type {name}: "{type_name(value)}"' for name in wanted)
    if "enum" in context:
        yield _supported(context)


def _out_of_range(path: str, kind: str, value: Any, context: Mapping[str, Any]) -> str:
    match kind:
        case "literal_error":
            return _supported(context)
        case "string_pattern_mismatch":
            return f"{path} in body should match '{context['pattern']}'"
        case "greater_than_equal":
            return f"{path} in body should be greater than or equal to {context['ge']}"
        case "less_than_equal":
            return f"{path} in body should be less than or equal to {context['le']}"
        case "too_long":
            return f"must have at most {context['max_length']} items"
        case "too_short":
            return f"{path} in body should have at least {context['min_length']} items"
        case "string_too_long":
            return f"may not be more than {context['max_length']} bytes"
        case "string_too_short":
            return f"{path} in body should be at least {context['min_length']} chars long"
        case "no_map_entry":
            return "must be an object for an array of list-type map"
        case "date_time":
            return f'{path} in body must be of type date-time: "{value}"'
    return ""  # a required field and a duplicate are named only by their path


def _supported(context: Mapping[str, Any]) -> str:
    return "supported values: " + ", ".join(f'"{word}"' for word in context["enum"])
