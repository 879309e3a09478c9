"""The members of a record in JSON: their names, where their values come from, and the order in which they are written."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Annotated, Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from cutlist.core.records.form import FLAT, HIDDEN, NEWER, SPARSE, After, Form, Key, Parts
from cutlist.core.wording import camel_case

FormOf = Callable[[Any], Form]
_M = TypeVar("_M")


class Member(NamedTuple):
    """A member of a record: its name in JSON, its attribute, dotted for one of an inner record, and its form.

    A sparse member is left out when it is None. `default` returns the value of a missing member, and is None if the member is
    required; computed members are not read. `parts` is the mark of the field that the member is a part of.
    """

    key: str
    attribute: str
    form: Form
    is_sparse: bool = False
    is_computed: bool = False
    default: Callable[[], Any] | None = None
    parts: Parts | None = None


def members_of(record: type, form_of: FormOf) -> tuple[Member, ...]:
    """Return the members of a record in the order in which they are written."""
    hints = get_type_hints(record, include_extras=True)
    members: dict[str, Member] = {}
    moved: list[tuple[str, Member]] = []
    for name in _field_names(record):
        mark = _mark(hints[name], After)
        after = None if mark is None else mark.attribute
        for member in _members(record, name, hints[name], form_of):
            if after is None:
                members[member.key] = member
            else:
                moved.append((after, member))
                after = member.attribute
    computed = list(_computed(record, form_of))
    members |= {member.key: member for _, member in computed if member.key in members}
    placed = [(after, member) for after, member in computed if member.key not in members]
    return tuple(_placed(list(members.values()), [*placed, *moved]))


def is_record(hint: Any) -> bool:
    """Tell whether a type is a record: a dataclass or a named tuple."""
    return isinstance(hint, type) and (dataclasses.is_dataclass(hint) or (issubclass(hint, tuple) and hasattr(hint, "_fields")))


def _field_names(record: Any) -> tuple[str, ...]:
    return record._fields if issubclass(record, tuple) else tuple(field.name for field in dataclasses.fields(record))


def _mark(hint: Any, kind: type[_M]) -> _M | None:
    """Return the mark of this kind that a type carries."""
    marks = hint.__metadata__ if get_origin(hint) is Annotated else ()
    return next((mark for mark in marks if isinstance(mark, kind)), None)


def _members(record: Any, name: str, hint: Any, form_of: FormOf) -> Iterator[Member]:
    """Yield one member for a field; nothing for a hidden field, and for one that is flat or in parts those of its record."""
    base, *marks = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    if HIDDEN in marks:
        return
    parts = _mark(hint, Parts)
    if FLAT in marks or parts is not None:
        for inner in members_of(base if parts is None else parts.record, form_of):
            yield inner._replace(attribute=f"{name}.{inner.attribute}", parts=parts)
        return
    key = _mark(hint, Key)
    is_sparse = SPARSE in marks
    default = _none if is_sparse else _default(record, name) if NEWER in marks else None
    form = form_of(Annotated[(_without_none(base), *marks)] if is_sparse else hint)
    yield Member(key.name if key else camel_case(name.rstrip("_")), name, form, is_sparse, default=default)


def _default(record: Any, name: str) -> Callable[[], Any]:
    field = record.__dataclass_fields__[name]
    return _none if field.default is None else lambda: field.default


def _without_none(hint: Any) -> Any:
    return next(alternative for alternative in get_args(hint) if alternative is not type(None))


def _none() -> None:
    return None


def _computed(record: type, form_of: FormOf) -> Iterator[tuple[str, Member]]:
    """Yield the members that are properties, each with the attribute after which it is written."""
    for name, value in vars(record).items():
        after = getattr(getattr(value, "fget", None), "computed", None)
        if isinstance(value, property) and isinstance(after, After):
            hint = get_type_hints(value.fget, include_extras=True)["return"]
            for member in _members(record, name, hint, form_of):
                yield after.attribute, member._replace(is_computed=True)


def _placed(members: list[Member], others: list[tuple[str, Member]]) -> list[Member]:
    """Return the members with the others inserted, each after its attribute, which may be one of the others."""
    while others:
        places = {"": 0, **{member.attribute: at for at, member in enumerate(members, 1)}}
        after, member = next(pair for pair in others if pair[0] in places)
        members.insert(places[after], member)
        others.remove((after, member))
    return members
