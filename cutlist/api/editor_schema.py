"""JSON Schema of the objects for editors: completion, help, and mistakes marked while one writes a manifest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.api.kinds import KINDS
from cutlist.api.model import HELP
from cutlist.api.schema import INT_OR_STRING, LIST_TYPE, Schema
from cutlist.core.karpenter.baselines import DEFAULT, Baseline

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_OF_MANIFESTS: Final = ("apiVersion", "kind", "metadata", "spec", "status")
_ONLY_IN_CRDS: Final = frozenset({LIST_TYPE, "x-kubernetes-list-map-keys", INT_OR_STRING, "format", HELP})
_FORMATS: Final = ("date-time",)  # others mean nothing to editors


def kind_names() -> list[str]:
    """Return the kinds that have a schema."""
    return sorted({kind for _, kind in KINDS})


def schema_for(kind: str, karpenter: Baseline = DEFAULT) -> dict[str, Any]:
    """Return the JSON Schema of a kind in a Karpenter, in all served versions."""
    versions = [version for version, name in KINDS if name == kind]
    schema = _for_editors(KINDS[versions[0], kind].under(karpenter).schema)
    members = {name: member for name, member in schema["properties"].items() if name in _OF_MANIFESTS}
    members["apiVersion"] = {"enum": versions}
    members["kind"] = {"const": kind}
    members["metadata"] = {**members["metadata"], "required": ["name"]}
    members["status"] = {"type": "object", "description": "The state that the controller observed."}
    return {**schema, "title": kind, "properties": members, "required": ["apiVersion", "kind", "metadata", "spec"]}


def schema_for_all(karpenter: Baseline = DEFAULT) -> dict[str, Any]:
    """Return one JSON Schema for files that hold objects of any kind; objects of unknown kinds pass."""
    cases = [{"if": _is_of(kind), "then": {"$ref": f"#/$defs/{kind}"}} for kind in kind_names()]
    return {"title": "Karpenter", "allOf": cases, "$defs": {kind: schema_for(kind, karpenter) for kind in kind_names()}}


def _is_of(kind: str) -> dict[str, Any]:
    groups = sorted({version.partition("/")[0] for version, name in KINDS if name == kind})
    pattern = f"^({'|'.join(group.replace('.', '[.]') for group in groups)})/"
    members = {"kind": {"const": kind}, "apiVersion": {"type": "string", "pattern": pattern}}
    return {"properties": members, "required": ["kind", "apiVersion"]}


def _for_editors(schema: Schema) -> dict[str, Any]:
    """Return a schema that uses only JSON Schema's own keywords."""
    plain = {key: value for key, value in schema.items() if key not in _ONLY_IN_CRDS}
    if schema.get("format") in _FORMATS:
        plain["format"] = schema["format"]
    if schema.get(LIST_TYPE) == "set":
        plain["uniqueItems"] = True
    if str(plain.get("pattern", "")).startswith("(?i)"):
        del plain["pattern"]  # patterns in editors do not support this flag
    if schema.get("type") == "array":
        plain = {key: value for key, value in plain.items() if key not in ("pattern", "maxLength")}
    for key in ("items", "additionalProperties"):
        if isinstance(plain.get(key), Mapping):
            plain[key] = _for_editors(plain[key])
    if "properties" in plain:
        plain["properties"] = {name: _for_editors(member) for name, member in plain["properties"].items()}
        # Fields that the API server fills in may be left out.
        plain["required"] = [name for name in plain["required"] if "default" not in plain["properties"][name]]
    if HELP in schema:
        plain["description"] = schema[HELP]
    return plain
