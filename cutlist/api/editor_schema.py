"""JSON Schema of the objects, for editors: completion, help and red lines while a manifest is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.api._model import HELP
from cutlist.api.kinds import KINDS
from cutlist.api.schema import INT_OR_STRING, LIST_TYPE, Schema

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_OF_MANIFESTS: Final = ("apiVersion", "kind", "metadata", "spec", "status")
_ONLY_IN_CRDS: Final = frozenset({LIST_TYPE, "x-kubernetes-list-map-keys", INT_OR_STRING, "format", HELP})
_FORMATS: Final = ("date-time",)  # others mean nothing to editors


def kind_names() -> list[str]:
    """The kinds that there is a schema for."""
    return sorted({kind for _, kind in KINDS})


def schema_for(kind: str) -> dict[str, Any]:
    """The JSON Schema of a kind in all versions that are served."""
    versions = [version for version, name in KINDS if name == kind]
    schema = _for_editors(KINDS[versions[0], kind].schema)
    members = {name: member for name, member in schema["properties"].items() if name in _OF_MANIFESTS}
    members["apiVersion"] = {"enum": versions}
    members["kind"] = {"const": kind}
    members["metadata"] = {**members["metadata"], "required": ["name"]}
    members["status"] = {"type": "object", "description": "What the controller found."}
    return {**schema, "title": kind, "properties": members, "required": ["apiVersion", "kind", "metadata", "spec"]}


def schema_for_all() -> dict[str, Any]:
    """One JSON Schema for files that hold objects of any kind; objects of others pass."""
    cases = [{"if": _is_of(kind), "then": {"$ref": f"#/$defs/{kind}"}} for kind in kind_names()]
    return {"title": "Karpenter", "allOf": cases, "$defs": {kind: schema_for(kind) for kind in kind_names()}}


def _is_of(kind: str) -> dict[str, Any]:
    groups = sorted({version.partition("/")[0] for version, name in KINDS if name == kind})
    pattern = f"^({'|'.join(group.replace('.', '[.]') for group in groups)})/"
    members = {"kind": {"const": kind}, "apiVersion": {"type": "string", "pattern": pattern}}
    return {"properties": members, "required": ["kind", "apiVersion"]}


def _for_editors(schema: Schema) -> dict[str, Any]:
    """In the words of JSON Schema alone."""
    found = {key: value for key, value in schema.items() if key not in _ONLY_IN_CRDS}
    if schema.get("format") in _FORMATS:
        found["format"] = schema["format"]
    if schema.get(LIST_TYPE) == "set":
        found["uniqueItems"] = True
    if str(found.get("pattern", "")).startswith("(?i)"):
        del found["pattern"]  # editors' patterns know no such switch
    if schema.get("type") == "array":
        found = {key: value for key, value in found.items() if key not in ("pattern", "maxLength")}
    for key in ("items", "additionalProperties"):
        if isinstance(found.get(key), Mapping):
            found[key] = _for_editors(found[key])
    if "properties" in found:
        found["properties"] = {name: _for_editors(member) for name, member in found["properties"].items()}
        # What the API server fills in may be left out.
        found["required"] = [name for name in found["required"] if "default" not in found["properties"][name]]
    if HELP in schema:
        found["description"] = schema[HELP]
    return found
