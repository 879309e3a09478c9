"""The structural schema of a kind, as its CRD has it, derived from the models: the one description that everything else reads.

What the API server checks, what it fills in, what editors complete, and what is compared with the CRD files come from here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from cutlist.api._model import OPTIONAL_IN_MANIFESTS, REQUIRED_IN_MANIFESTS, STORED_DEFAULT, Model

Schema = Mapping[str, Any]
SchemaEdit = Callable[[Schema], Schema]

LIST_TYPE: Final = "x-kubernetes-list-type"
MAP_KEYS: Final = "x-kubernetes-list-map-keys"
INT_OR_STRING: Final = "x-kubernetes-int-or-string"

_OF_PYDANTIC: Final = frozenset({"title", "default", "$defs", STORED_DEFAULT, REQUIRED_IN_MANIFESTS, OPTIONAL_IN_MANIFESTS})


@lru_cache
def schema_of(model: type[Model]) -> Schema:
    """Return the schema of a model in the words of a CRD, without references; treat it as read-only."""
    raw = model.model_json_schema(by_alias=True)
    schema: Schema = _plain(raw, raw.get("$defs", {}))
    return schema


@lru_cache
def edited_schema(model: type[Model], edits: tuple[SchemaEdit, ...]) -> Schema:
    """Return the schema of a model with what a release of Karpenter has otherwise; treat it as read-only."""
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
    """Return the edit that gives a text this closed set of words, in the order in which refusals list them."""
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


def _plain(node: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    node = _resolved(node, definitions)
    if INT_OR_STRING in node:
        return dict(node)
    plain = {key: value for key, value in node.items() if key not in _OF_PYDANTIC}
    if STORED_DEFAULT in node:
        plain["default"] = node[STORED_DEFAULT]
    if "const" in plain:
        plain["enum"] = [plain.pop("const")]
    if isinstance(plain.get("items"), Mapping):
        plain["items"] = _plain(plain["items"], definitions)
    if isinstance(plain.get("additionalProperties"), Mapping):
        plain["additionalProperties"] = _plain(plain["additionalProperties"], definitions)
    if "properties" in plain:
        plain["required"] = _required(node, definitions)
        plain["properties"] = {name: _plain(member, definitions) for name, member in plain["properties"].items()}
    return plain


def _resolved(node: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """Return a node with references replaced by what they refer to, and without the alternative of null, which the API server
    drops."""
    resolved = dict(node)
    while "$ref" in resolved:
        resolved = {**definitions[resolved.pop("$ref").rpartition("/")[2]], **resolved}
    options = [option for option in resolved.get("anyOf", ()) if option.get("type") != "null"]
    if len(options) == 1:
        del resolved["anyOf"]
        return _resolved({**options[0], **resolved}, definitions)
    return resolved


def _required(node: Mapping[str, Any], definitions: Mapping[str, Any]) -> list[str]:
    required = node.get("required", ())
    members = {name: _resolved(member, definitions) for name, member in node["properties"].items()}
    return [
        name
        for name, member in members.items()
        if (name in required or REQUIRED_IN_MANIFESTS in member) and OPTIONAL_IN_MANIFESTS not in member
    ]
