"""How the values of a type are written in JSON, and the marks that add to the type of a record's field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from cutlist.core.shapes import Report, Ruled, Schema, Shape

Write = Callable[[Any], Any]
_F = TypeVar("_F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, eq=False)
class Form(Ruled):
    """The JSON of a type: a shape, which reads plain data into a value, and `write`, which turns a value into plain data.

    Without `write`, a value is plain data already.
    """

    write: Write | None = None

    @staticmethod
    def of(shape: Shape, write: Write | None = None) -> Form:
        """Return the form of values that a shape reads."""
        return Form(shape.rule if isinstance(shape, Ruled) else shape, shape.schema, shape.words, write)

    def with_more(self, more: More) -> Form:
        """Return the form with further members of its schema."""
        return replace(self, schema={**self.schema, **more.members})

    def through(self, change: Write) -> Form:
        """Return the form of values that `change` turns into values of this form; such a form is only written."""
        write = self.write
        return replace(self, rule=unread, write=change if write is None else lambda value: write(change(value)))


class More:
    """Further members of a field's schema, such as `minimum` or `description`."""

    __slots__ = ("members",)

    def __init__(self, **members: Any) -> None:
        self.members: Final[Schema] = members


def about(text: str) -> More:
    """Return the mark that describes a field."""
    return More(description=text)


class Key:
    """The name of a field in JSON, if that is not the field's own name in camel case."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name: Final = name


class After:
    """The attribute after which a member is written, if JSON has another order than the fields; "" for the first place."""

    __slots__ = ("attribute",)

    def __init__(self, attribute: str) -> None:
        self.attribute: Final = attribute


class _Mark:
    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name: Final = name

    def __repr__(self) -> str:
        return self.name


SPARSE: Final = _Mark("SPARSE")
"""Marks a field that is left out when it is None."""
NEWER: Final = _Mark("NEWER")
"""Marks a field that is always written, but that older releases did not write; its default is read then."""
FLAT: Final = _Mark("FLAT")
"""Marks a record as a field whose members are written among those of its owner; later ones of the same name replace them."""


def _itself(value: Any) -> Any:
    return value


def _unjoined(**_: Any) -> Any:
    raise NotImplementedError("parts that are written and never read")


class Parts:
    """Marks a field that is written as several members of its owner: those of a record.

    `split` turns the value into something with the record's attributes; `join` takes these by name and returns the value.
    Without them the value has these attributes itself, and is never read.
    """

    __slots__ = ("join", "record", "split")

    def __init__(self, record: type, split: Write = _itself, join: Callable[..., Any] = _unjoined) -> None:
        self.record: Final = record
        self.split: Final = split
        self.join: Final = join


HIDDEN: Final = _Mark("HIDDEN")
"""Marks a field that is not in JSON, since it follows from the written ones."""


def computed(after: str) -> Callable[[_F], _F]:
    """Return the decorator, below `@property`, of a getter whose value is computed from the fields and written like one of
    them."""

    def mark(getter: _F) -> _F:
        getter.__dict__["computed"] = After(after)
        return getter

    return mark


def converted(schema: Schema, write: Write | None, back: Write) -> Form:
    """Return the form of values that `back` makes from plain data; an error that it raises is reported as a mistake in the
    data."""

    def read(raw: Any, path: str, report: Report) -> Any:
        try:
            return back(raw)
        except KeyError as missing:
            report.add(path, f"{missing} is missing")
        except (TypeError, ValueError, AttributeError, OverflowError) as wrong:
            report.add(path, str(wrong))
        return None

    return Form(read, schema, write=write)


def unread(raw: Any, path: str, report: Report) -> Any:
    """Refuse to read a value that is only written."""
    raise NotImplementedError(f"{path} is written and never read")
