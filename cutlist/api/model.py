"""The base of all API objects: frozen models with Kubernetes' camelCase names, and the value types that they share. The models
are the structure layer: the fields with their types, patterns, closed sets and sizes, as in the CRDs (spec: api-objects 0.3).
Rules between fields are in the `*_rules` modules.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import FrozenInstanceError
from functools import cache
from typing import Annotated, Any, ClassVar, Final, Self, TypeVar, dataclass_transform

from cutlist.api.fields import (
    Field,
    FieldRefusal,
    ModelField,
    PlainValidator,
    StringConstraints,
    WithJsonSchema,
    declared_fields,
)
from cutlist.api.findings import Hints, Location, SchemaViolation
from cutlist.api.late_values import is_late
from cutlist.api.messages import finding_of
from cutlist.api.patterns import DATE_TIME, DURATION, DURATION_OR_NEVER, LABEL_VALUE, QUALIFIED_NAME, QUANTITY
from cutlist.api.reading import Unknown, fields_read
from cutlist.core.errors import InputError, Place, Problem, QuantityError
from cutlist.core.quantity import Quantity

STORED_DEFAULT: Final = "x-stored-default"
REQUIRED_IN_MANIFESTS: Final = "x-required"
OPTIONAL_IN_MANIFESTS: Final = "x-optional"
HELP: Final = "x-help"
"""Marks in a model's JSON Schema for what JSON Schema cannot express (see `cutlist.api.schema`)."""

_SET_FIELDS: Final = "_set_fields"  # the attribute that names the fields that were set
T = TypeVar("T")


Items = Annotated[Sequence[T], Field()]
"""A list of a manifest. Any sequence is accepted and kept as a tuple."""

Texts = Mapping[str, str]
"""A mapping of names to texts, such as labels or tags."""

GO_DURATION: Final = "go-duration"
"""The format of texts that controllers read as durations; the CRDs do not mention it."""

READ_AS_DURATION: Final = Field(json_schema_extra={"format": GO_DURATION})
DurationOrNever = Annotated[str, StringConstraints(pattern=DURATION_OR_NEVER), READ_AS_DURATION]
Duration = Annotated[str, StringConstraints(pattern=DURATION), READ_AS_DURATION]
GoDuration = Annotated[str, READ_AS_DURATION]
DateTime = Annotated[str, StringConstraints(pattern=DATE_TIME), WithJsonSchema({"type": "string", "format": "date-time"})]
Int32 = Annotated[int, Field(json_schema_extra={"format": "int32"})]
"""A number that the API server accepts at any size, and controllers only in 32 bits."""
Count = Annotated[Int32, Field(ge=0)]
"""A number of things in 32 bits, never negative."""
LabelValue = Annotated[str, StringConstraints(pattern=LABEL_VALUE, max_length=63)]
QualifiedName = Annotated[str, StringConstraints(pattern=QUALIFIED_NAME)]

_ACRONYMS: Final = {
    "cfs": "CFS",
    "dns": "DNS",
    "gb": "GB",
    "gc": "GC",
    "id": "ID",
    "ip": "IP",
    "ipv4": "IPv4",
    "ipv6": "IPv6",
    "os": "OS",
    "tcp": "TCP",
}


def camel(name: str) -> str:
    """Return a Python name in the API's spelling: `kms_key_id` is `kmsKeyID`."""
    first, *rest = name.split("_")
    return first + "".join(_ACRONYMS.get(word) or word.capitalize() for word in rest)


def _quantity(value: Any) -> Quantity:
    if isinstance(value, Quantity):
        return value
    if not isinstance(value, str):
        raise FieldRefusal("string_type")
    return _parsed(value)


def _amount(value: Any) -> Quantity:
    if isinstance(value, Quantity):
        return value
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise FieldRefusal("quantity_type")
    return _parsed(value)


def _parsed(value: str | int) -> Quantity:
    try:
        if value == "" or (isinstance(value, str) and value != value.strip()):
            raise QuantityError(f"{value!r} is not a quantity; write one such as 500m, 2 or 1.5Gi, without spaces")
        return Quantity.parse(value)
    except QuantityError as error:
        raise FieldRefusal("quantity", {"reason": str(error)}) from None


_QUANTITY_SCHEMA: Final = {"pattern": QUANTITY, "description": "A quantity such as 500m, 2 or 1.5Gi"}
_ANY_AMOUNT: Final = {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": True}

TextQuantity = Annotated[Quantity, PlainValidator(_quantity), WithJsonSchema({**_QUANTITY_SCHEMA, "type": "string"})]
"""A quantity where the CRD accepts text only."""

Amount = Annotated[Quantity, PlainValidator(_amount), WithJsonSchema({**_QUANTITY_SCHEMA, **_ANY_AMOUNT})]
"""A quantity where the CRD accepts text or a whole number."""


def stored(value: Any, python: Any = None) -> Any:
    """Return a field that the API server fills in with a plain value if it is absent; `python` converts that value to
    Python's."""
    extra = {STORED_DEFAULT: value}
    if python is not None:
        return Field(default_factory=python, json_schema_extra=extra)
    return Field(default=value, json_schema_extra=extra)


def required_in_manifests(value: Any, **more: Any) -> Any:
    """Return a field that a manifest must have, with its default in Python."""
    return Field(default=value, json_schema_extra={REQUIRED_IN_MANIFESTS: True, **more})


def help_text(text: str) -> Any:
    """Return a one-line description of a field, for people who write manifests in an editor."""
    return Field(json_schema_extra={HELP: text})


def required_unless_shorthand() -> Any:
    """Return a field that a manifest must have, and that Python may leave out if a shorthand replaces it."""
    return Field()


REQUIRED_HERE: Final = Field(json_schema_extra={OPTIONAL_IN_MANIFESTS: True})
"""Marks a required field that the API server does not require: without it the controller fails later."""


class FieldsError(InputError):
    """Raised for values that do not fit the fields of a model."""

    def __init__(self, model: type[Model], violations: Sequence[SchemaViolation]) -> None:
        self.violations = tuple(violations)
        findings = (finding_of(violation, model, Hints()) for violation in violations)
        super().__init__([Problem(Place(model.__name__, path=f.path), f.message, f.allowed, f.nearest) for f in findings])


@dataclass_transform(kw_only_default=True, field_specifiers=(Field,))
class ModelType(type):
    """The metaclass of models, which gives a model its fields."""

    @property
    def model_fields(cls) -> Mapping[str, ModelField]:
        """Return the fields by name. Annotations are read when a model is first used: most commands need few of the models."""
        return _fields_of(cls)


@cache
def _fields_of(model: ModelType) -> Mapping[str, ModelField]:
    return declared_fields(model, Model, camel)


class Model(metaclass=ModelType):
    """A part of an API object. Python spells its fields with underscores, manifests in camelCase."""

    UNKNOWN: ClassVar[Unknown] = "refused"
    """How to treat members that are not fields."""
    SCHEMA: ClassVar[Mapping[str, Any]] = {}
    """Further members of the model's JSON Schema."""

    def __init__(self, **arguments: Any) -> None:
        fields = type(self).model_fields
        values = {fields[key].alias if key in fields else key: value for key, value in arguments.items()}
        breaches: list[SchemaViolation] = []
        members = fields_read(fields, values, "refused", (), breaches)
        if breaches:
            raise FieldsError(type(self), breaches)
        self._fill_in(members)

    @classmethod
    def of(cls, manifest: Mapping[str, Any]) -> Self:
        """Return the model of a manifest's mapping, whose keys are in camelCase. Raises FieldsError."""
        breaches: list[SchemaViolation] = []
        instance = cls.read_at(manifest, (), breaches)
        if breaches:
            raise FieldsError(cls, breaches)
        return instance

    @classmethod
    def read_at(cls, manifest: Mapping[str, Any], loc: Location, breaches: list[SchemaViolation]) -> Self:
        """Return the model of a mapping at a place, and add every breach to `breaches`."""
        return cls.model_construct(**fields_read(cls.model_fields, manifest, cls.UNKNOWN, loc, breaches))

    @classmethod
    def model_construct(cls, **members: Any) -> Self:
        """Return a model of values that are known to fit, by the names of the fields."""
        instance = object.__new__(cls)
        instance._fill_in(members)
        return instance

    def _fill_in(self, members: Mapping[str, Any]) -> None:
        """Set the values, and the defaults of the others."""
        own = self.__dict__
        for name, field in type(self).model_fields.items():
            if name in members:
                own[name] = members[name]
            elif not field.is_required:
                own[name] = field.default_value()
        own[_SET_FIELDS] = frozenset(members)

    def manifest(self) -> dict[str, Any]:
        """Return the model as a manifest has it, with only the members that were set."""
        values = self.__dict__
        return {
            field.alias: as_manifest(values[name])
            for name, field in type(self).model_fields.items()
            if name in values[_SET_FIELDS]
        }

    def __setattr__(self, name: str, value: Any) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if isinstance(other, Model) and type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), *self._values()))

    def __repr__(self) -> str:
        values = zip(type(self).model_fields, self._values(), strict=True)
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in values)})"

    def _values(self) -> tuple[Any, ...]:
        return tuple(self.__dict__.get(name) for name in type(self).model_fields)


class Observed(Model):
    """A part of a status. Controllers write it, and newer ones write more into it: unknown fields are ignored."""

    UNKNOWN: ClassVar[Unknown] = "ignored"


class Condition(Observed):
    """One condition of a status, such as Ready."""

    type: str
    status: str
    reason: str = ""
    message: str = ""
    observed_generation: int | None = None
    last_transition_time: str | None = None


class Metadata(Model):
    """What every object carries about itself."""

    name: str = ""
    labels: dict[str, str] = Field(default_factory=dict)
    annotations: dict[str, str] = Field(default_factory=dict)
    generate_name: str = ""
    namespace: str = ""
    uid: str = ""
    resource_version: str = ""
    generation: int = 0
    self_link: str = ""
    creation_timestamp: str | None = None
    deletion_timestamp: str | None = None
    deletion_grace_period_seconds: int | None = None
    finalizers: Items[str] = ()
    owner_references: Items[dict[str, Any]] = ()
    managed_fields: Items[dict[str, Any]] = ()


def without_nulls(value: Any) -> Any:
    """Return a copy without the members that are null: the API server drops them, except inside lists (spec 0.2)."""
    if isinstance(value, Mapping):
        return {key: without_nulls(member) for key, member in value.items() if member is not None}
    return [without_nulls(member) for member in value] if isinstance(value, list) else value


def as_received(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return a whole object as an API server receives it: without nulls, except those that mean empty texts."""
    received: dict[str, Any] = without_nulls(with_empty_texts(manifest))
    return received


def with_empty_texts(manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the object with an empty text for each label and annotation that is null."""
    metadata = manifest.get("metadata")
    if not isinstance(metadata, Mapping):
        return manifest
    return {**manifest, "metadata": {key: _texts(key, member) for key, member in metadata.items()}}


def _texts(key: str, member: Any) -> Any:
    if key not in ("labels", "annotations") or not isinstance(member, Mapping):
        return member
    return {name: "" if value is None else value for name, value in member.items()}


def as_manifest(value: Any) -> Any:
    """Return Python arguments as in a manifest: models, sequences and mappings become plain data."""
    if isinstance(value, Model):
        return value.manifest()
    if isinstance(value, Quantity):
        return str(value)
    if is_late(value):
        return value
    if isinstance(value, Mapping):
        return {key: as_manifest(member) for key, member in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [as_manifest(member) for member in value]
    return value


def present(**members: Any) -> dict[str, Any]:
    """Return a manifest's mapping of the given members, keys in camelCase."""
    return {camel(name): as_manifest(value) for name, value in members.items() if value is not None}


def plain_copy(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a manifest that its receiver may change; values that are known later are in it as they are."""
    copied: dict[str, Any] = _copied(manifest)
    return copied


def _copied(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copied(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_copied(member) for member in value]
    return value if is_late(value) else copy.deepcopy(value)
