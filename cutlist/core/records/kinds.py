"""The form of each kind of type: texts, numbers, enumerations, lists, maps, optional values, and records."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from cutlist.core.records.form import Form, More, Parts, Write
from cutlist.core.records.members import Member, is_record, members_of
from cutlist.core.shapes import (
    Report,
    Rule,
    Schema,
    Shape,
    anything,
    boolean,
    kind_of,
    nullable,
    number,
    object_schema,
    text,
    values,
    whole,
)
from cutlist.core.shapes.parts import List, Map


def form_of(hint: Any) -> Form:
    """Return the form of a type. Raises TypeError for a type that has none."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    if is_record(hint):
        return _record(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _enum(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated(arguments[0], arguments[1:])
    if origin is Literal:
        return Form.of(values(arguments))
    if origin in (Union, types.UnionType):
        return _or_null(arguments)
    if origin in (tuple, Sequence):
        return _list(form_of(arguments[0]))
    if origin is Mapping:
        return _map(*arguments)
    raise TypeError(f"{hint!r} has no form in JSON")


def _annotated(base: Any, marks: Sequence[Any]) -> Form:
    shape = next((mark for mark in marks if isinstance(mark, Shape)), None)
    form = form_of(base) if shape is None else shape if isinstance(shape, Form) else Form.of(shape)
    for mark in marks:
        form = form.with_more(mark) if isinstance(mark, More) else form
    return form


def _enum(kind: type[Enum]) -> Form:
    members = {member.value: member for member in kind}
    shape = values(list(members))

    def read(raw: Any, path: str, report: Report) -> Any:
        shape(raw, path, report)
        return members.get(raw) if isinstance(raw, str) else None

    return Form(read, shape.schema, shape.words, attrgetter("value"))


def _or_null(alternatives: Sequence[Any]) -> Form:
    (hint,) = (alternative for alternative in alternatives if alternative is not type(None))
    form = form_of(hint)
    write = form.write
    return Form.of(nullable(form), None if write is None else lambda value: None if value is None else write(value))


def _list(item: Form) -> Form:
    write = item.write
    return Form.of(List(item), list if write is None else lambda values: [write(value) for value in values])


def _map(key: Any, value: Any) -> Form:
    form = form_of(value)
    write = form.write or _itself
    shape = Map(form)
    schema = shape.schema
    if isinstance(key, type) and issubclass(key, Enum):
        schema = {"type": "object", "properties": {str(name): form.schema for name in key}, "additionalProperties": False}
    return Form(shape, schema, shape.words, lambda values: {str(name): write(of) for name, of in values.items()})


def _itself(value: Any) -> Any:
    return value


@cache
def _record(record: type) -> Form:
    members = members_of(record, form_of)
    return Form(_record_reader(record, members), _record_schema(record, members), "a mapping", _record_writer(record, members))


def _record_schema(record: type, members: Sequence[Member]) -> Schema:
    summary = (record.__doc__ or "").partition("\n\n")[0]
    is_written_by_hand = summary and not summary.startswith(f"{record.__name__}(")
    about = " ".join(summary.split()) if is_written_by_hand else ""
    required = [member.key for member in members if not member.is_sparse]
    return object_schema({member.key: member.form.schema for member in members}, required, about=about)


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


def _record_reader(record: type, members: Sequence[Member]) -> Rule:
    fields = [(m.key, m.attribute, m.form.rule, m.default) for m in members if not m.is_computed]
    parts = _parts(members)

    def read(raw: Any, path: str, report: Report) -> Any:
        if not isinstance(raw, Mapping):
            return report.add(path, f"expected a mapping, found {kind_of(raw)}")
        values: dict[str, Any] = {}
        before, owner = len(report.problems.found), f"{path}." if path else ""
        for key, attribute, rule, default in fields:
            member = raw.get(key, _MISSING)
            if default is not None and (member is None or member is _MISSING):
                values[attribute] = default()
            elif member is not _MISSING:
                values[attribute] = rule(member, f"{owner}{key}", report)
            else:
                report.add(f"{owner}{key}", "is missing")
        if len(report.problems.found) > before:
            return None
        for name, part in parts.items():
            inner = [attribute for attribute in values if attribute.startswith(f"{name}.")]
            values[name] = part.join(**{attribute.partition(".")[2]: values.pop(attribute) for attribute in inner})
        return record(**values)

    return read


_MISSING: Final = object()
_PLAIN: Final[dict[Any, Form]] = {
    str: Form.of(text),
    bool: Form.of(boolean),
    int: Form.of(whole()),
    float: Form.of(number()),
    Any: Form.of(anything),
}
