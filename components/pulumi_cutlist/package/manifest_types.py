"""The manifests in inputs as types of the package's schema, from the fields that Cutlist knows of each kind.

The component host reads a manifest as a map of anything. Editors of other languages complete the fields of these types instead.
What is sent is the same: the fields have Kubernetes' names in every language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.api.editor_schema import schema_for

_POOLS: Final = {"nodePools": "NodePool"}
_INPUTS: Final[Mapping[str, Mapping[str, str]]] = {
    "KarpenterCluster": {**_POOLS, "nodeClasses": "EC2NodeClass"},
    "AutoModeCluster": {**_POOLS, "nodeClasses": "NodeClass"},
    "AksNodeProvisioning": {**_POOLS, "nodeClasses": "AKSNodeClass"},
    "NodeConfiguration": _POOLS,
}
"""The inputs that are lists of manifests of one kind, by component. `nodeClasses` of NodeConfiguration are of several kinds."""
_OURS: Final = "cutlist:index:"
_OF_THE_SERVER: Final[Mapping[str, frozenset[str]]] = {
    "": frozenset(("status",)),
    "Metadata": frozenset(
        (
            *("generateName", "namespace", "uid", "resourceVersion", "generation", "selfLink", "creationTimestamp"),
            *("finalizers", "deletionTimestamp", "deletionGracePeriodSeconds", "ownerReferences", "managedFields"),
        )
    ),
}
"""Members of objects that nobody writes in a program, by the part of a manifest."""
_ANYTHING: Final = {"$ref": "pulumi.json#/Any"}
_SCALARS: Final = ("string", "number", "integer", "boolean")


def with_typed_manifests(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the package's schema in which manifests of one kind have its fields."""
    types = dict(schema.get("types", {}))
    for component, inputs in _INPUTS.items():
        declared = schema["resources"].get(_OURS + component, {}).get("inputProperties", {})
        for name, kind in inputs.items():
            if name in declared:
                found = _Types(types)
                reference = found.of(schema_for(kind), f"{kind}Manifest")
                declared[name] = {**declared[name], "items": reference}
    return {**schema, "types": dict(sorted(types.items()))}


@dataclass(frozen=True, slots=True)
class _Types:
    """The types of the package, to which those of manifests are added."""

    types: dict[str, Any] = field(default_factory=dict)

    def of(self, schema: Mapping[str, Any], name: str) -> dict[str, Any]:
        """Return the type of a value that a JSON Schema describes. An object with fields becomes a type of this name."""
        if fields := schema.get("properties"):
            self.types[_OURS + name] = {
                "type": "object",
                "properties": {
                    key: self._property(inner, f"{name}{key[:1].upper()}{key[1:]}")
                    for key, inner in fields.items()
                    if key not in _OF_THE_SERVER.get(name.partition("Manifest")[2], ())
                },
                **_described(schema),
                **({"required": sorted(schema["required"])} if schema.get("required") else {}),
            }
            return {"$ref": f"#/types/{_OURS}{name}"}
        if schema.get("type") == "array":
            return {"type": "array", "items": self.of(schema.get("items", {}), f"{name}Item")}
        if schema.get("type") == "object":
            values = schema.get("additionalProperties")
            return {
                "type": "object",
                "additionalProperties": self.of(values, name) if isinstance(values, Mapping) else _ANYTHING,
            }
        return _scalar(schema)

    def _property(self, schema: Mapping[str, Any], name: str) -> dict[str, Any]:
        return {**_described(schema), **self.of(schema, name)}


def _described(schema: Mapping[str, Any]) -> dict[str, str]:
    return {"description": schema["description"]} if "description" in schema else {}


def _scalar(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the type of a value without members. A constant is text, since languages infer no constant of an object that is
    written on its own."""
    types = sorted(set(_scalar_types(schema)))
    if not types or not set(types) <= {*_SCALARS}:
        return dict(_ANYTHING)
    return {"type": types[0]} if len(types) == 1 else {"oneOf": [{"type": type_} for type_ in types]}


def _scalar_types(schema: Mapping[str, Any]) -> Iterator[str]:
    for alternative in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from _scalar_types(alternative)
    named = schema.get("type", ())
    yield from (named,) if isinstance(named, str) else named
    if not named and ("const" in schema or "enum" in schema):
        values = schema.get("enum", [schema.get("const")])
        yield from (
            "string" if isinstance(value, str) else "boolean" if isinstance(value, bool) else "number" for value in values
        )
