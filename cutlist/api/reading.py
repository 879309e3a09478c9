"""The strict reading of plain values by the types of a model's fields: a number does not pass as a text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal

from cutlist.api.fields import FieldRefusal, FieldType, ModelField
from cutlist.api.findings import Location, SchemaViolation
from cutlist.api.patterns import matches

Unknown = Literal["refused", "ignored"]


def fields_read(
    fields: Mapping[str, ModelField],
    values: Mapping[Any, Any],
    unknown: Unknown,
    loc: Location,
    breaches: list[SchemaViolation],
) -> dict[str, Any]:
    """Return the values of the fields that a manifest has, by the names of the fields; add every breach to `breaches`."""
    members = {}
    for name, field in fields.items():
        if field.alias in values:
            members[name] = value_read(field.type, values[field.alias], (*loc, field.alias), breaches)
        elif field.is_required:
            breaches.append(SchemaViolation("missing", (*loc, field.alias), values))
    if unknown == "refused":
        known = {field.alias for field in fields.values()}
        breaches += [
            SchemaViolation("extra_forbidden", (*loc, key), value) for key, value in values.items() if key not in known
        ]
    return members


def value_read(declared: FieldType, value: Any, loc: Location, breaches: list[SchemaViolation]) -> Any:
    """Return a value in the form of its type; add every breach to `breaches`."""
    if value is None and declared.is_nullable:
        return None
    if declared.read is None:
        return _READERS[declared.form](declared, value, loc, breaches)
    try:
        return declared.read(value)
    except FieldRefusal as refusal:
        breaches.append(SchemaViolation(refusal.kind, loc, value, refusal.context))


def _anything(_: FieldType, value: Any, __: Location, ___: list[SchemaViolation]) -> Any:
    return value


def _text(declared: FieldType, value: Any, loc: Location, breaches: list[SchemaViolation]) -> Any:
    limits = declared.limits
    if not isinstance(value, str):
        breaches.append(SchemaViolation("string_type", loc, value))
    elif limits.max_length is not None and len(value) > limits.max_length:
        breaches.append(SchemaViolation("string_too_long", loc, value, {"max_length": limits.max_length}))
    elif limits.min_length is not None and len(value) < limits.min_length:
        breaches.append(SchemaViolation("string_too_short", loc, value, {"min_length": limits.min_length}))
    elif limits.pattern is not None and not matches(limits.pattern, value):
        breaches.append(SchemaViolation("string_pattern_mismatch", loc, value, {"pattern": limits.pattern}))
    return value


def _integer(declared: FieldType, value: Any, loc: Location, breaches: list[SchemaViolation]) -> Any:
    limits = declared.limits
    if not isinstance(value, int) or isinstance(value, bool):
        breaches.append(SchemaViolation("int_type", loc, value))
    elif limits.le is not None and value > limits.le:
        breaches.append(SchemaViolation("less_than_equal", loc, value, {"le": limits.le}))
    elif limits.ge is not None and value < limits.ge:
        breaches.append(SchemaViolation("greater_than_equal", loc, value, {"ge": limits.ge}))
    return value


def _truth(_: FieldType, value: Any, loc: Location, breaches: list[SchemaViolation]) -> Any:
    if not isinstance(value, bool):
        breaches.append(SchemaViolation("bool_type", loc, value))
    return value


def _words(declared: FieldType, value: Any, loc: Location, breaches: list[SchemaViolation]) -> Any:
    if not isinstance(value, str) or value not in declared.words:
        expected = ", ".join(f"'{word}'" for word in declared.words)
        breaches.append(SchemaViolation("literal_error", loc, value, {"expected": expected}))
    return value


def _mapping(declared: FieldType, value: Any, loc: Location, breaches: list[SchemaViolation]) -> Any:
    if not isinstance(value, dict):
        breaches.append(SchemaViolation("dict_type", loc, value))
        return value
    breaches += [SchemaViolation("string_type", (*loc, str(key), "[key]"), key) for key in value if not isinstance(key, str)]
    _measured(declared, value, loc, breaches)
    return {key: value_read(_item(declared), member, (*loc, str(key)), breaches) for key, member in value.items()}


def _list(declared: FieldType, value: Any, loc: Location, breaches: list[SchemaViolation]) -> Any:
    if not isinstance(value, Iterable) or isinstance(value, str | bytes | Mapping):
        breaches.append(SchemaViolation("tuple_type", loc, value))
        return value
    entries = tuple(value)
    _measured(declared, entries, loc, breaches)
    return tuple(value_read(_item(declared), entry, (*loc, index), breaches) for index, entry in enumerate(entries))


def _measured(declared: FieldType, value: Any, loc: Location, breaches: list[SchemaViolation]) -> None:
    limits = declared.limits
    if limits.max_length is not None and len(value) > limits.max_length:
        breaches.append(SchemaViolation("too_long", loc, value, {"max_length": limits.max_length}))
    if limits.min_length is not None and len(value) < limits.min_length:
        breaches.append(SchemaViolation("too_short", loc, value, {"min_length": limits.min_length}))


def _item(declared: FieldType) -> FieldType:
    return declared.item or FieldType("anything")


def _model(declared: FieldType, value: Any, loc: Location, breaches: list[SchemaViolation]) -> Any:
    model: Any = declared.model
    if isinstance(value, model):
        return value
    if not isinstance(value, dict):
        breaches.append(SchemaViolation("model_type", loc, value))
        return value
    return model.read_at(value, loc, breaches)


_READERS: Final[Mapping[str, Callable[[FieldType, Any, Location, list[SchemaViolation]], Any]]] = {
    "anything": _anything,
    "text": _text,
    "integer": _integer,
    "truth": _truth,
    "words": _words,
    "mapping": _mapping,
    "list": _list,
    "model": _model,
}
