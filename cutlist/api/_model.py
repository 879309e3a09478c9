"""What all API objects are made of: frozen pydantic models that speak Kubernetes' camelCase, and the value types they share.

The models are the structure layer: which fields there are, their types, patterns, closed sets and sizes, as the CRDs have them
(spec: api-objects 0.3). Rules between fields are in the `*_rules` modules.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from types import GenericAlias
from typing import Annotated, Any, Final, Self, TypeVar, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetPydanticSchema,
    PlainSerializer,
    PlainValidator,
    StringConstraints,
    WithJsonSchema,
)
from pydantic_core import CoreSchema, PydanticCustomError

from cutlist.core.errors import QuantityError
from cutlist.core.quantity import Quantity

DURATION_OR_NEVER: Final = r"^(([0-9]+(s|m|h))+|Never)$"
DURATION: Final = r"^([0-9]+(s|m|h))+$"
BUDGET_DURATION: Final = r"^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$"
BUDGET_NODES: Final = r"^((100|[0-9]{1,2})%|[0-9]+)$"
BUDGET_SCHEDULE: Final = r"^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))|((.+)\s(.+)\s(.+)\s(.+)\s(.+))$"
LABEL_VALUE: Final = r"^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$"
QUALIFIED_NAME: Final = (
    r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$"
)
NO_SLASH: Final = r"^[^/]*$"
QUANTITY: Final = (
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
)
DATE_TIME: Final = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$"

PATTERNS_IN_WORDS: Final = {
    DURATION_OR_NEVER: "whole numbers with s, m or h, such as 30s, 10m or 1h30m; or Never",
    DURATION: "whole numbers with s, m or h, such as 30s, 10m or 1h30m",
    BUDGET_DURATION: "hours and minutes, such as 8h, 90m or 1h30m",
    BUDGET_NODES: "a whole number such as 5, or 0% to 100% without a fraction",
    BUDGET_SCHEDULE: "five cron fields such as 0 9 * * mon-fri, or @daily, @hourly, @weekly, @monthly, @yearly",
    LABEL_VALUE: "letters, digits and - _ . inside, starting and ending with a letter or digit; or empty",
    QUALIFIED_NAME: "a name such as team or example.com/team, the part before the slash in lower case",
    DATE_TIME: "a time such as 2025-02-28T12:00:00Z",
    NO_SLASH: "an API group without a slash, such as karpenter.k8s.aws",
}
"""What a pattern demands, in words. A pattern that is not here is shown as it is."""

STORED_DEFAULT: Final = "x-stored-default"
REQUIRED_IN_MANIFESTS: Final = "x-required"
OPTIONAL_IN_MANIFESTS: Final = "x-optional"
HELP: Final = "x-help"
"""Marks in a model's JSON Schema for what pydantic cannot express (see `cutlist.api.schema`)."""

T = TypeVar("T")


def _as_tuple(source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    return handler(GenericAlias(tuple, (*get_args(source), ...)))


def _as_dict(source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    return handler(GenericAlias(dict, get_args(source)))


Items = Annotated[Sequence[T], GetPydanticSchema(_as_tuple), Field(strict=False)]
"""A list of a manifest. Any sequence is accepted and kept as a tuple."""

Texts = Annotated[Mapping[str, str], GetPydanticSchema(_as_dict)]
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
        raise PydanticCustomError("string_type", "text is needed")
    return _parsed(value)


def _amount(value: Any) -> Quantity:
    if isinstance(value, Quantity):
        return value
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise PydanticCustomError("quantity_type", "a quantity is needed")
    return _parsed(value)


def _parsed(value: str | int) -> Quantity:
    try:
        if value == "" or (isinstance(value, str) and value != value.strip()):
            raise QuantityError(f"{value!r} is not a quantity; write one such as 500m, 2 or 1.5Gi, without spaces")
        return Quantity.parse(value)
    except QuantityError as error:
        raise PydanticCustomError("quantity", "{reason}", {"reason": str(error)}) from None


_QUANTITY_SCHEMA: Final = {"pattern": QUANTITY, "description": "A quantity such as 500m, 2 or 1.5Gi"}
_ANY_AMOUNT: Final = {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": True}

TextQuantity = Annotated[
    Quantity, PlainValidator(_quantity), PlainSerializer(str), WithJsonSchema({**_QUANTITY_SCHEMA, "type": "string"})
]
"""A quantity where the CRD accepts text only."""

Amount = Annotated[Quantity, PlainValidator(_amount), PlainSerializer(str), WithJsonSchema({**_QUANTITY_SCHEMA, **_ANY_AMOUNT})]
"""A quantity where the CRD accepts text or a whole number."""


def stored(value: Any, python: Any = None) -> Any:
    """Return a field that the API server fills in with a plain value when it is absent; `python` turns that value into
    Python's."""
    extra = {STORED_DEFAULT: value}
    if python is not None:
        return Field(default_factory=python, json_schema_extra=extra)
    return Field(default=value, json_schema_extra=extra)


def required_in_manifests(value: Any, **more: Any) -> Any:
    """Return a field that a manifest must have, with the value that it takes when it is left out in Python."""
    return Field(default=value, json_schema_extra={REQUIRED_IN_MANIFESTS: True, **more})


def help_text(text: str) -> Any:
    """Return a one-line description of a field, for people who write manifests in an editor."""
    return Field(json_schema_extra={HELP: text})


def required_unless_shorthand() -> Any:
    """Return a field that a manifest must have, and that Python may leave out where a shorthand replaces it."""
    return Field()


REQUIRED_HERE: Final = Field(json_schema_extra={OPTIONAL_IN_MANIFESTS: True})
"""Marks a required field that the API server does not require: without it the controller fails later."""


class Model(BaseModel):
    """A part of an API object. Python spells its fields with underscores, manifests in camelCase."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        alias_generator=camel,
        validate_by_name=True,
        validate_by_alias=True,
        defer_build=True,  # importing stays cheap: models that are never used are never built
    )

    @classmethod
    def of(cls, manifest: Mapping[str, Any]) -> Self:
        """Read a manifest's mapping: camelCase only. Raises pydantic.ValidationError."""
        return cls.model_validate(manifest, by_alias=True, by_name=False)

    def manifest(self) -> dict[str, Any]:
        """Return the part as a manifest has it: what was set, and nothing else."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)


class Observed(Model):
    """A part of a status. Controllers write it, and newer ones write more into it: unknown fields are ignored."""

    model_config = ConfigDict(extra="ignore")


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
    """Return a whole object as an API server receives it: without nulls, except those that stand for empty texts."""
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
    """Return Python arguments as a manifest has them: models, sequences and mappings become plain data."""
    if isinstance(value, Model):
        return value.manifest()
    if isinstance(value, Quantity):
        return str(value)
    if isinstance(value, Mapping):
        return {key: as_manifest(member) for key, member in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [as_manifest(member) for member in value]
    return value


def present(**members: Any) -> dict[str, Any]:
    """Return a manifest's mapping of the given members, keys in camelCase."""
    return {camel(name): as_manifest(value) for name, value in members.items() if value is not None}


def plain_copy(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a manifest that its receiver may change."""
    return copy.deepcopy(dict(manifest))
