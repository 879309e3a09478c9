"""The form of each kind of type: texts, numbers, enumerations, lists, maps, optional values, and records."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from cutlist.core.errors import Problems
from cutlist.core.records.form import Form, More, Parts, Path, Read, Schema, Write, anything, place_of, refuse
from cutlist.core.records.members import Member, is_record, members_of


def form_of(hint: Any) -> Form:
    """Return the form of a type. Raises TypeError for a type that has none."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    if is_record(hint):
        return _record(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _one_of([member.value for member in hint], _value, hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated(arguments[0], arguments[1:])
    if origin is Literal:
        return _one_of(list(arguments), None, lambda raw: raw)
    if origin in (Union, types.UnionType):
        return _or_null(arguments)
    if origin in (tuple, Sequence):
        return _list(form_of(arguments[0]))
    if origin is Mapping:
        return _map(*arguments)
    raise TypeError(f"{hint!r} has no form in JSON")


def _annotated(base: Any, marks: Sequence[Any]) -> Form:
    form = next((mark for mark in marks if isinstance(mark, Form)), None) or form_of(base)
    for mark in marks:
        form = form.with_more(mark) if isinstance(mark, More) else form
    return form


_LARGEST: Final = 2**63 - 1  # sums of larger numbers overflow, and the API server accepts no larger ones


def _number(raw: Any, path: Path, problems: Problems) -> Any:
    if isinstance(raw, bool) or not isinstance(raw, (int, float)) or not abs(raw) <= _LARGEST:
        refuse(raw, "a number", path, problems)
        return None
    return float(raw)


def _whole_number(raw: Any, path: Path, problems: Problems) -> Any:
    # Formats with only one kind of number turn 2 into 2.0.
    if isinstance(raw, bool) or not isinstance(raw, (int, float)) or not abs(raw) <= _LARGEST or raw % 1:
        refuse(raw, "a whole number", path, problems)
        return None
    return int(raw)


def _of_type(wanted: type, name: str) -> Read:
    def read(raw: Any, path: Path, problems: Problems) -> Any:
        return raw if isinstance(raw, wanted) else refuse(raw, name, path, problems)

    return read


def _value(member: Any) -> Any:
    return member.value


def _one_of(values: list[Any], write: Write | None, member: Callable[[Any], Any]) -> Form:
    def read(raw: Any, path: Path, problems: Problems) -> Any:
        if raw in values:
            return member(raw)
        return problems.add(place_of(path), f"is {raw!r}", allowed=", ".join(map(str, values)))

    return Form({"const": values[0]} if len(values) == 1 else {"enum": values}, write, read)


def _or_null(alternatives: Sequence[Any]) -> Form:
    (hint,) = (alternative for alternative in alternatives if alternative is not type(None))
    form = form_of(hint)
    write, read = form.write, form.read
    return Form(
        _nullable(form.schema),
        None if write is None else lambda value: None if value is None else write(value),
        lambda raw, path, problems: None if raw is None else read(raw, path, problems),
    )


def _nullable(schema: Schema) -> Schema:
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    if "properties" in schema or "type" not in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    return {**schema, "type": [schema["type"], "null"]}


def _list(item: Form) -> Form:
    write, read_item = item.write, item.read

    def read(raw: Any, path: Path, problems: Problems) -> Any:
        if not isinstance(raw, (list, tuple)):
            return refuse(raw, "a list", path, problems)
        return tuple([read_item(value, (path, at), problems) for at, value in enumerate(raw)])

    schema = {"type": "array", "items": item.schema}
    return Form(schema, list if write is None else lambda values: [write(value) for value in values], read)


def _map(key: Any, value: Any) -> Form:
    form = form_of(value)
    write = form.write or _itself

    def read(raw: Any, path: Path, problems: Problems) -> Any:
        if not isinstance(raw, Mapping):
            return refuse(raw, "an object", path, problems)
        return {name: form.read(member, (path, str(name)), problems) for name, member in raw.items()}

    return Form(_map_schema(key, form.schema), lambda values: {str(name): write(of) for name, of in values.items()}, read)


def _map_schema(key: Any, value: Schema) -> Schema:
    if isinstance(key, type) and issubclass(key, Enum):
        return {"type": "object", "properties": {str(name): value for name in key}, "additionalProperties": False}
    return {"type": "object", "additionalProperties": value} if value else {"type": "object"}


def _itself(value: Any) -> Any:
    return value


@cache
def _record(record: type) -> Form:
    members = members_of(record, form_of)
    return Form(_record_schema(record, members), _record_writer(record, members), _record_reader(record, members))


def _record_schema(record: type, members: Sequence[Member]) -> Schema:
    summary = (record.__doc__ or "").partition("\n\n")[0]
    is_written_by_hand = summary and not summary.startswith(f"{record.__name__}(")
    return {
        "type": "object",
        **({"description": " ".join(summary.split())} if is_written_by_hand else {}),
        "properties": {member.key: member.form.schema for member in members},
        "required": [member.key for member in members if not member.is_sparse],
        "additionalProperties": False,
    }


def _record_writer(record: type, members: Sequence[Member]) -> Write:
    keys = [member.key for member in members]
    changes = [(member.key, member.form.write) for member in members if member.form.write is not None]
    sparse = [member.key for member in members if member.is_sparse]
    values = _values(record, members)

    def write(value: Any) -> dict[str, Any]:
        data = dict(zip(keys, values(value), strict=True))
        for key in sparse:
            if data[key] is None:
                del data[key]
        for key, change in changes:
            if key in data:
                data[key] = change(data[key])
        return data

    return write


def _values(record: type, members: Sequence[Member]) -> Callable[[Any], tuple[Any, ...]]:
    """Return the function that takes the members out of a record; a named tuple may also be given as a plain one."""
    if issubclass(record, tuple):
        return tuple
    names = [member.attribute for member in members]
    if parts := _parts(members):
        return _values_with_parts(parts, names)
    if len(names) == 1:
        return lambda value: (getattr(value, names[0]),)
    return attrgetter(*names)


def _parts(members: Sequence[Member]) -> dict[str, Parts]:
    return {member.attribute.partition(".")[0]: member.parts for member in members if member.parts is not None}


def _values_with_parts(parts: Mapping[str, Parts], names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    owners = [(owner, rest) if owner in parts else ("", name) for name in names for owner, _, rest in [name.partition(".")]]
    takers = [(owner, attrgetter(name)) for owner, name in owners]
    splits = [(name, attrgetter(name), part.split) for name, part in parts.items()]

    def values(value: Any) -> tuple[Any, ...]:
        holders = {"": value, **{name: split(take(value)) for name, take, split in splits}}
        return tuple([take(holders[owner]) for owner, take in takers])

    return values


def _record_reader(record: type, members: Sequence[Member]) -> Read:
    fields = [(m.key, m.attribute, m.form.read, m.default) for m in members if not m.is_computed]
    parts = _parts(members)

    def read(raw: Any, path: Path, problems: Problems) -> Any:
        if not isinstance(raw, Mapping):
            return refuse(raw, "an object", path, problems)
        values: dict[str, Any] = {}
        before = len(problems.found)
        for key, attribute, read_member, default in fields:
            member = raw.get(key, _MISSING)
            if default is not None and (member is None or member is _MISSING):
                values[attribute] = default()
            elif member is not _MISSING:
                values[attribute] = read_member(member, (path, key), problems)
            else:
                problems.add(place_of(path), f"{key!r} is missing")
        if len(problems.found) > before:
            return None
        for name, part in parts.items():
            inner = [attribute for attribute in values if attribute.startswith(f"{name}.")]
            values[name] = part.join(**{attribute.partition(".")[2]: values.pop(attribute) for attribute in inner})
        return record(**values)

    return read


_MISSING: Final = object()
_PLAIN: Final[dict[Any, Form]] = {
    str: Form({"type": "string"}, None, _of_type(str, "a text")),
    bool: Form({"type": "boolean"}, None, _of_type(bool, "true or false")),
    int: Form({"type": "integer"}, None, _whole_number),
    float: Form({"type": "number"}, None, _number),
    Any: Form({}, None, anything),
}
