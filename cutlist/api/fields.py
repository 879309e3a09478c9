"""The declaration of a model's fields, and the reading of their annotations: types, limits, defaults and marks.

Annotations are read when a model is first used: most commands need a few of the models, and none needs them at import.
"""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Annotated, Any, ClassVar, Final, Literal

from cutlist.core.quantity import Quantity


class _Missing(Enum):
    """Marks a field without a default; None would be ambiguous."""

    MISSING = "missing"


MISSING: Final = _Missing.MISSING
Form = Literal["anything", "text", "integer", "truth", "words", "mapping", "list", "model"]
"""The form of a value. Words are a closed set of texts."""


class FieldRefusal(ValueError):
    """Raised by the reader of a field for a value that it refuses: the kind of the breach, and the values for its message."""

    def __init__(self, kind: str, context: Mapping[str, Any] | None = None) -> None:
        super().__init__(kind)
        self.kind, self.context = kind, context or {}


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a value: bounds of a number, bounds of a length, the pattern of a text."""

    ge: int | None = None
    le: int | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None

    def with_more(self, other: Limits) -> Limits:
        """Return these limits with those of another, which take precedence."""
        more = {name: getattr(other, name) for name in Limits.__slots__ if getattr(other, name) is not None}
        return replace(self, **more)


@dataclass(frozen=True, slots=True)
class FieldType:
    """The content of an annotation: the form of a value with its parts and limits, and further members of its schema.

    `schema` replaces the schema that follows from the form, `read` the reading.
    """

    form: Form
    is_nullable: bool = False
    item: FieldType | None = None
    model: Any = None
    words: tuple[str, ...] = ()
    limits: Limits = Limits()
    schema: Mapping[str, Any] | None = None
    marks: Mapping[str, Any] = field(default_factory=dict)
    read: Callable[[Any], Any] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Declaration:
    """A field's default, its name in manifests, its limits and marks of its schema; for a type only the last two."""

    default: Any = MISSING
    default_factory: Callable[[], Any] | None = None
    alias: str = ""
    init: bool = True
    ge: int | None = None
    le: int | None = None
    min_length: int | None = None
    max_length: int | None = None
    json_schema_extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def limits(self) -> Limits:
        """Return the limits of the value."""
        return Limits(self.ge, self.le, self.min_length, self.max_length)


def Field(**members: Any) -> Any:  # noqa: N802 - type checkers see a value of the field's type
    """Return the declaration of a field, or of a type's limits; see `Declaration`."""
    return Declaration(**members)


@dataclass(frozen=True, slots=True)
class StringConstraints:
    """Limits of a text."""

    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None

    @property
    def limits(self) -> Limits:
        """Return the limits of the value."""
        return Limits(min_length=self.min_length, max_length=self.max_length, pattern=self.pattern)


@dataclass(frozen=True, slots=True, eq=False)
class WithJsonSchema:
    """The schema of a type, in place of the derived one."""

    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PlainValidator:
    """The function that reads a value, in place of the default one of its type. It may raise FieldRefusal."""

    read: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class ModelField:
    """A field of a model as its class declares it."""

    name: str
    alias: str
    type: FieldType
    default: Any
    default_factory: Callable[[], Any] | None

    @property
    def is_required(self) -> bool:
        """Tell whether the field has no default."""
        return self.default is MISSING and self.default_factory is None

    @property
    def model(self) -> Any:
        """Return the model of the value, or of the entries of a list or mapping; None for plain values."""
        inner = self.type
        while inner.item is not None:
            inner = inner.item
        return inner.model

    def default_value(self) -> Any:
        """Return the value of a field that is left out."""
        return self.default if self.default_factory is None else self.default_factory()


def declared_fields(model: type[Any], base: type[Any], alias_of: Callable[[str], str]) -> dict[str, ModelField]:
    """Return the fields of a model by name: those of its bases below `base` first, each at its first place."""
    fields: dict[str, ModelField] = {}
    for owner in reversed(model.__mro__):
        if issubclass(owner, base):
            for name, written in inspect.get_annotations(owner).items():
                if not name.startswith("_"):
                    _declare(fields, owner, name, written, alias_of)
    return fields


def _declare(fields: dict[str, ModelField], owner: type[Any], name: str, written: Any, alias_of: Callable[[str], str]) -> None:
    annotation = _evaluated(owner, written)
    if typing.get_origin(annotation) is ClassVar or annotation is ClassVar:
        return
    default = owner.__dict__.get(name, MISSING)
    declared = default if isinstance(default, Declaration) else Declaration(default=default)
    fields[name] = ModelField(
        name,
        declared.alias or alias_of(name),
        _with(field_type(annotation), declared),
        declared.default,
        declared.default_factory,
    )


def _evaluated(owner: type[Any], written: Any) -> Any:
    """Return an annotation as an object: modules postpone its evaluation."""
    if not isinstance(written, str):
        return written
    return eval(written, vars(sys.modules[owner.__module__]), dict(vars(owner)))  # noqa: S307 - the text of a module of Cutlist


def field_type(annotation: Any) -> FieldType:
    """Return the type that an annotation declares."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        declared = field_type(arguments[0])
        for mark in annotation.__metadata__:
            declared = _with(declared, mark)
        return declared
    if origin in (typing.Union, types.UnionType):
        (only,) = (member for member in arguments if member is not types.NoneType)
        return replace(field_type(only), is_nullable=True)
    if origin is Literal:
        return FieldType("words", words=arguments)
    if origin in (dict, Mapping):
        return FieldType("mapping", item=field_type(arguments[1]))
    if origin is Sequence:
        return FieldType("list", item=field_type(arguments[0]))
    return _PLAIN.get(annotation) or FieldType("model", model=annotation)


_PLAIN: Final[Mapping[Any, FieldType]] = {
    Any: FieldType("anything"),
    str: FieldType("text"),
    int: FieldType("integer"),
    bool: FieldType("truth"),
    Quantity: FieldType("anything"),  # read and described by the marks of the annotation
}


def _with(declared: FieldType, mark: Any) -> FieldType:
    """Return a type with one more mark of its annotation."""
    if isinstance(mark, Declaration):
        marks = {**declared.marks, **mark.json_schema_extra}
        return replace(declared, limits=declared.limits.with_more(mark.limits), marks=marks)
    if isinstance(mark, StringConstraints):
        return replace(declared, limits=declared.limits.with_more(mark.limits))
    if isinstance(mark, WithJsonSchema):
        return replace(declared, schema=mark.schema)
    if isinstance(mark, PlainValidator):
        return replace(declared, read=mark.read)
    return declared
