"""The API server's first check of an object: types, required fields, patterns, closed sets, sizes; and the defaults that it
fills in. Everything here works on a schema (`cutlist.api.schema`) and is independent of kinds. The messages are in
`cutlist.api.messages`.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from cutlist.api import durations
from cutlist.api.findings import Location, SchemaViolation
from cutlist.api.model import GO_DURATION
from cutlist.api.patterns import DATE_TIME, matches
from cutlist.api.schema import INT_OR_STRING, LIST_TYPE, MAP_KEYS, NAMES_FORMAT, Schema


class _Absent:
    """Marks that there is no old value; None would be ambiguous, since null is a value."""


ABSENT: Final = _Absent()

_INT64: Final = range(-(2**63), 2**63)
_INT32: Final = range(-(2**31), 2**31)
_UNUSED: Final = frozenset({"status"})  # the API server drops it from objects that users apply


def violations(schema: Schema, value: Any, old: Any = ABSENT, loc: Location = ()) -> Iterator[SchemaViolation]:
    """Yield all breaches in a value. Parts that an update of `old` leaves unchanged are not checked again (ratcheting)."""
    if old is not ABSENT and value == old:
        return
    if not _has_type(schema, value):
        # The API server still checks a text against the pattern and a number against the bounds.
        yield SchemaViolation(
            _WRONG_TYPE[str(schema.get("type", INT_OR_STRING))], loc, value, _enum(schema) or _format(schema, value)
        )
    elif isinstance(value, dict):
        yield from _of_object(schema, value, old, loc)
    elif isinstance(value, list):
        yield from _of_list(schema, value, old, loc)
    elif "enum" in schema and value not in schema["enum"]:
        yield SchemaViolation("literal_error", loc, value, _enum(schema))
    if isinstance(value, str):
        yield from _of_text(schema, value, loc)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from _of_number(schema, value, loc)


def type_name(value: Any) -> str:
    """Return the type of a value in the API server's terms."""
    match value:
        case bool():
            return "boolean"
        case int():
            return "integer" if value in _INT64 else "number"
        case float():
            return "number"
        case str():
            return "string"
        case dict():
            return "object"
        case list() | tuple():
            return "array"
    return "null"


def with_defaults(schema: Schema, value: Any) -> Any:
    """Return a copy with the defaults that the API server fills in, in every object that is present."""
    if isinstance(value, dict) and schema.get("type") == "object":
        members = schema.get("properties", {})
        filled = {name: copy.deepcopy(member["default"]) for name, member in members.items() if "default" in member}
        filled |= {name: member for name, member in value.items() if member is not None or _is_unknown(schema, name)}
        return {name: with_defaults(_member(schema, name), member) for name, member in filled.items()}
    if isinstance(value, list):
        return [with_defaults(schema.get("items", {}), member) for member in value]
    return value


def unreadable(schema: Schema, value: Any, loc: Location = ()) -> Iterator[SchemaViolation]:
    """Yield breaches that the API server accepts but a controller cannot read: numbers and durations out of its range (spec
    0.2)."""
    match value:
        case dict():
            for name, member in value.items():
                yield from unreadable(_member(schema, name), member, (*loc, name))
        case list():
            for index, member in enumerate(value):
                yield from unreadable(schema.get("items", {}), member, (*loc, index))
        case int() if schema.get("format") == "int32" and value not in _INT32:
            yield SchemaViolation("beyond_32_bits", loc, value)
        case str() if schema.get("format") == GO_DURATION and not _is_readable(schema, value):
            yield SchemaViolation("no_duration", loc, value)


def _is_readable(schema: Schema, value: str) -> bool:
    return durations.is_readable(value) or (value == durations.NEVER and value in str(schema.get("pattern", "")))


def _of_object(schema: Schema, value: dict[Any, Any], old: Any, loc: Location) -> Iterator[SchemaViolation]:
    for name in schema.get("required", ()):
        if value.get(name) is None:
            yield SchemaViolation("missing", (*loc, name), None)
    before = old if isinstance(old, dict) else {}
    for name, member in value.items():
        if name in _UNUSED and not loc:
            continue
        if _is_unknown(schema, name):
            yield SchemaViolation("extra_forbidden", (*loc, name), member)
        elif member is not None:
            yield from violations(_member(schema, name), member, before.get(name, ABSENT), (*loc, name))
    if len(value) > schema.get("maxProperties", len(value)):
        yield SchemaViolation("too_long", loc, value, {"max_length": schema["maxProperties"]})


def _of_list(schema: Schema, value: list[Any], old: Any, loc: Location) -> Iterator[SchemaViolation]:
    keys = schema.get(MAP_KEYS, ())
    before = {_key(member, keys): member for member in old} if keys and isinstance(old, list) else {}
    for index, member in enumerate(value):
        was = before.get(_key(member, keys), ABSENT) if before else ABSENT
        yield from violations(schema.get("items", {}), member, was, (*loc, index))
        if keys and not isinstance(member, dict):
            yield SchemaViolation("no_map_entry", (*loc, index), member)
    if len(value) > schema.get("maxItems", len(value)):
        yield SchemaViolation("too_long", loc, value, {"max_length": schema["maxItems"]})
    if len(value) < schema.get("minItems", 0):
        yield SchemaViolation("too_short", loc, value, {"min_length": schema["minItems"]})
    if schema.get(LIST_TYPE) in ("set", "map"):
        yield from _duplicates(value, keys, loc)


def _duplicates(value: list[Any], keys: Sequence[str], loc: Location) -> Iterator[SchemaViolation]:
    """Yield a breach for each element that occurs more than once, at its first repetition."""
    count: dict[str, int] = {}
    for index, member in enumerate(value):
        key = _key(member, keys)
        count[key] = count.get(key, 0) + 1
        if count[key] == 2:
            yield SchemaViolation("duplicate", (*loc, index), member)


def _key(member: Any, keys: Sequence[str]) -> str:
    return repr([member.get(key) for key in keys] if keys and isinstance(member, dict) else member)


def _of_text(schema: Schema, value: str, loc: Location) -> Iterator[SchemaViolation]:
    if len(value) > schema.get("maxLength", len(value)):
        yield SchemaViolation("string_too_long", loc, value, {"max_length": schema["maxLength"]})
    elif len(value) < schema.get("minLength", 0):
        yield SchemaViolation("string_too_short", loc, value, {"min_length": schema["minLength"]})
    elif "pattern" in schema and not matches(schema["pattern"], value):
        yield SchemaViolation("string_pattern_mismatch", loc, value, {"pattern": schema["pattern"]})
    if schema.get("format") == "date-time" and not _is_time(value):
        yield SchemaViolation("date_time", loc, value)


def _of_number(schema: Schema, value: float, loc: Location) -> Iterator[SchemaViolation]:
    if value < schema.get("minimum", value):
        yield SchemaViolation("greater_than_equal", loc, value, {"ge": schema["minimum"]})
    if value > schema.get("maximum", value):
        yield SchemaViolation("less_than_equal", loc, value, {"le": schema["maximum"]})


def _is_time(value: str) -> bool:
    try:
        return matches(DATE_TIME, value) and datetime.fromisoformat(value.upper()) is not None
    except ValueError:
        return False


def _member(schema: Schema, name: str) -> Schema:
    member: Schema = schema.get("properties", {}).get(name) or schema.get("additionalProperties") or {}
    return member if isinstance(member, Mapping) else {}


def _is_unknown(schema: Schema, name: str) -> bool:
    """Tell whether an object has a fixed set of fields, and this is not one of them."""
    members = schema.get("properties", {})
    return bool(members) and name not in members and not isinstance(schema.get("additionalProperties"), Mapping)


def _enum(schema: Schema) -> Mapping[str, Any]:
    return {"expected": ", ".join(f"'{word}'" for word in schema["enum"]), "enum": schema["enum"]} if "enum" in schema else {}


def _format(schema: Schema, value: Any) -> Mapping[str, Any]:
    return {"format": schema["format"]} if NAMES_FORMAT in schema and isinstance(value, float) else {}


def _has_type(schema: Schema, value: Any) -> bool:
    own = type_name(value)
    if INT_OR_STRING in schema:
        return own in ("integer", "string") or _is_whole(value)
    wanted = schema.get("type")
    return wanted is None or own == wanted or (wanted == "integer" and _is_whole(value))


def _is_whole(value: Any) -> bool:
    return isinstance(value, float) and value.is_integer() and int(value) in _INT64


_WRONG_TYPE: Final = {
    "string": "string_type",
    "integer": "int_type",
    "boolean": "bool_type",
    "object": "dict_type",
    "array": "tuple_type",
    INT_OR_STRING: "quantity_type",
}
