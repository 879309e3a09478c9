"""The structural schema of a kind, as its CRD has it, derived from the models: the one description that everything else reads.

What the API server checks, what it fills in, what editors complete, and what is compared with the CRD files come from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from cutlist.api._model import OPTIONAL_IN_MANIFESTS, REQUIRED_IN_MANIFESTS, STORED_DEFAULT, Model

Schema = Mapping[str, Any]

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
