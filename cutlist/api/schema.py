"""The structural schema of a kind, as its CRD has it, derived from the models: the only description, which everything else
reads. The API server's checks and defaults, completion in editors, and the comparison with the CRD files all use it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from cutlist.api.fields import FieldType, Form, ModelField
from cutlist.api.model import OPTIONAL_IN_MANIFESTS, REQUIRED_IN_MANIFESTS, STORED_DEFAULT, Model

Schema = Mapping[str, Any]
SchemaEdit = Callable[[Schema], Schema]

LIST_TYPE: Final = "x-kubernetes-list-type"
MAP_KEYS: Final = "x-kubernetes-list-map-keys"
INT_OR_STRING: Final = "x-kubernetes-int-or-string"

_MARKS: Final = frozenset({STORED_DEFAULT, REQUIRED_IN_MANIFESTS, OPTIONAL_IN_MANIFESTS})


@lru_cache
def schema_of(model: type[Model]) -> Schema:
    """Return the schema of a model in the form of a CRD; treat it as read-only."""
    fields = model.model_fields.values()
    return {
        **({"additionalProperties": False} if model.UNKNOWN == "refused" else {}),
        **({"description": inspect.cleandoc(model.__doc__)} if model.__doc__ else {}),
        **model.SCHEMA,
        "properties": {field.alias: _of_type(field.type) for field in fields},
        "required": [field.alias for field in fields if _is_required(field)],
        "type": "object",
    }


def _is_required(field: ModelField) -> bool:
    marks = field.type.marks
    return (field.is_required or REQUIRED_IN_MANIFESTS in marks) and OPTIONAL_IN_MANIFESTS not in marks


def _of_type(declared: FieldType) -> dict[str, Any]:
    """Return the schema of a field, an entry or a value."""
    schema = {**_of_form(declared), **declared.marks}
    default = {"default": schema[STORED_DEFAULT]} if STORED_DEFAULT in schema else {}
    return {key: schema[key] for key in sorted(schema.keys() - _MARKS)} | default


def _of_form(declared: FieldType) -> Schema:
    if declared.schema is not None:
        return declared.schema
    form = declared.form
    if form == "model":
        return schema_of(declared.model)
    parts: dict[str, Any] = {} if form == "anything" else {"type": _TYPES[form]}
    if form == "words":
        parts["enum"] = list(declared.words)
    if declared.item is not None:
        item = _of_type(declared.item)
        parts["items" if form == "list" else "additionalProperties"] = item or True
    for limit, keyword in _KEYWORDS[form].items():
        if getattr(declared.limits, limit) is not None:
            parts[keyword] = getattr(declared.limits, limit)
    return parts


_TYPES: Final[Mapping[Form, str]] = {
    "text": "string",
    "words": "string",
    "integer": "integer",
    "truth": "boolean",
    "mapping": "object",
    "list": "array",
}
_KEYWORDS: Final[Mapping[Form, Mapping[str, str]]] = {
    "anything": {},
    "text": {"min_length": "minLength", "max_length": "maxLength", "pattern": "pattern"},
    "words": {},
    "integer": {"ge": "minimum", "le": "maximum"},
    "truth": {},
    "mapping": {"min_length": "minProperties", "max_length": "maxProperties"},
    "list": {"min_length": "minItems", "max_length": "maxItems"},
}


@lru_cache
def edited_schema(model: type[Model], edits: tuple[SchemaEdit, ...]) -> Schema:
    """Return the schema of a model with the edits of a release of Karpenter; treat it as read-only."""
    schema = schema_of(model)
    for edit in edits:
        schema = edit(schema)
    return schema


def member_edit(path: str, change: SchemaEdit) -> SchemaEdit:
    """Return the edit that changes one member, such as `spec.requirements[].operator`, and leaves all others as they are."""
    steps = tuple(step for name in path.split(".") for step in (name.removesuffix("[]"), *("[]",) * name.endswith("[]")))

    def edit(schema: Schema) -> Schema:
        return _changed_at(schema, steps, change)

    return edit


def _changed_at(schema: Schema, steps: tuple[str, ...], change: SchemaEdit) -> Schema:
    if not steps:
        return change(schema)
    first, *rest = steps
    if first == "[]":
        return {**schema, "items": _changed_at(schema["items"], tuple(rest), change)}
    members = schema["properties"]
    return {**schema, "properties": {**members, first: _changed_at(members[first], tuple(rest), change)}}


def allowed_words(*words: str) -> SchemaEdit:
    """Return the edit that restricts a text to these words, in the order in which refusals list them."""
    return lambda schema: {**schema, "enum": list(words)}


NAMES_FORMAT: Final = "x-names-format"
"""Marks a number whose refusals name its format and Go's type, as those of the API server 1.37 do (VA15-117)."""


def naming_formats(schema: Schema) -> Schema:
    """Return a schema whose 32-bit numbers are refused by the name of their format."""
    marked = {**schema, NAMES_FORMAT: True} if schema.get("format") == "int32" else dict(schema)
    for key in ("items", "additionalProperties"):
        if isinstance(marked.get(key), Mapping):
            marked[key] = naming_formats(marked[key])
    if "properties" in marked:
        marked["properties"] = {name: naming_formats(member) for name, member in marked["properties"].items()}
    return marked
