"""The strict reading of plain values by the types of a model's fields: a number does not pass as a text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal

from cutlist.api._fields import FieldRefusal, FieldType, ModelField
from cutlist.api._findings import Location, Violation
from cutlist.api._patterns import matches

Unknown = Literal["refused", "ignored"]


def fields_read(
    fields: Mapping[str, ModelField], values: Mapping[Any, Any], unknown: Unknown, loc: Location, breaches: list[Violation]
) -> dict[str, Any]:
    """Return the values of the fields that a manifest has, by the names of the fields; add every breach to `breaches`."""
    members = {}
    for name, field in fields.items():
        if field.alias in values:
            members[name] = value_read(field.type, values[field.alias], (*loc, field.alias), breaches)
        elif field.is_required:
            breaches.append(Violation("missing", (*loc, field.alias), values))
    if unknown == "refused":
        known = {field.alias for field in fields.values()}
        breaches += [Violation("extra_forbidden", (*loc, key), value) for key, value in values.items() if key not in known]
    return members


def value_read(declared: FieldType, value: Any, loc: Location, breaches: list[Violation]) -> Any:
    """Return a value in the form of its type; add every breach to `breaches`."""
    if value is None and declared.is_nullable:
        return None
    if declared.read is None:
        return _READERS[declared.form](declared, value, loc, breaches)
    try:
        return declared.read(value)
    except FieldRefusal as refusal:
        breaches.append(Violation(refusal.kind, loc, value, refusal.context))


def _anything(_: FieldType, value: Any, __: Location, ___: list[Violation]) -> Any:
    return value


def _text(declared: FieldType, value: Any, loc: Location, breaches: list[Violation]) -> Any:
    limits = declared.limits
    if not isinstance(value, str):
        breaches.append(Violation("string_type", loc, value))
    elif limits.max_length is not None and len(value) > limits.max_length:
        breaches.append(Violation("string_too_long", loc, value, {"max_length": limits.max_length}))
    elif limits.min_length is not None and len(value) < limits.min_length:
        breaches.append(Violation("string_too_short", loc, value, {"min_length": limits.min_length}))
    elif limits.pattern is not None and not matches(limits.pattern, value):
        breaches.append(Violation("string_pattern_mismatch", loc, value, {"pattern": limits.pattern}))
    return value


def _integer(declared: FieldType, value: Any, loc: Location, breaches: list[Violation]) -> Any:
    limits = declared.limits
    if not isinstance(value, int) or isinstance(value, bool):
        breaches.append(Violation("int_type", loc, value))
    elif limits.le is not None and value > limits.le:
        breaches.append(Violation("less_than_equal", loc, value, {"le": limits.le}))
    elif limits.ge is not None and value < limits.ge:
        breaches.append(Violation("greater_than_equal", loc, value, {"ge": limits.ge}))
    return value


def _truth(_: FieldType, value: Any, loc: Location, breaches: list[Violation]) -> Any:
    if not isinstance(value, bool):
        breaches.append(Violation("bool_type", loc, value))
    return value


def _words(declared: FieldType, value: Any, loc: Location, breaches: list[Violation]) -> Any:
    if not isinstance(value, str) or value not in declared.words:
        expected = ", ".join(f"'{word}'" for word in declared.words)
        breaches.append(Violation("literal_error", loc, value, {"expected": expected}))
    return value


def _mapping(declared: FieldType, value: Any, loc: Location, breaches: list[Violation]) -> Any:
    if not isinstance(value, dict):
        breaches.append(Violation("dict_type", loc, value))
        return value
    breaches += [Violation("string_type", (*loc, str(key), "[key]"), key) for key in value if not isinstance(key, str)]
    _measured(declared, value, loc, breaches)
    return {key: value_read(_item(declared), member, (*loc, str(key)), breaches) for key, member in value.items()}


def _list(declared: FieldType, value: Any, loc: Location, breaches: list[Violation]) -> Any:
    if not isinstance(value, Iterable) or isinstance(value, str | bytes | Mapping):
        breaches.append(Violation("tuple_type", loc, value))
        return value
    entries = tuple(value)
    _measured(declared, entries, loc, breaches)
    return tuple(value_read(_item(declared), entry, (*loc, index), breaches) for index, entry in enumerate(entries))


def _measured(declared: FieldType, value: Any, loc: Location, breaches: list[Violation]) -> None:
    limits = declared.limits
    if limits.max_length is not None and len(value) > limits.max_length:
        breaches.append(Violation("too_long", loc, value, {"max_length": limits.max_length}))
    if limits.min_length is not None and len(value) < limits.min_length:
        breaches.append(Violation("too_short", loc, value, {"min_length": limits.min_length}))


def _item(declared: FieldType) -> FieldType:
    return declared.item or FieldType("anything")


def _model(declared: FieldType, value: Any, loc: Location, breaches: list[Violation]) -> Any:
    model: Any = declared.model
    if isinstance(value, model):
        return value
    if not isinstance(value, dict):
        breaches.append(Violation("model_type", loc, value))
        return value
    return model.read_at(value, loc, breaches)


_READERS: Final[Mapping[str, Callable[[FieldType, Any, Location, list[Violation]], Any]]] = {
    "anything": _anything,
    "text": _text,
    "integer": _integer,
    "truth": _truth,
    "words": _words,
    "mapping": _mapping,
    "list": _list,
    "model": _model,
}
