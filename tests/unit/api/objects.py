"""Arbitrary objects, made from the schema of their kind: right by the schema, whatever the rules say of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st

from cutlist.api.kinds import KINDS
from cutlist.api.patterns import QUANTITY
from cutlist.api.schema import INT_OR_STRING, LIST_TYPE

_AMOUNTS = st.sampled_from(["0", "1", "500m", "1.5", "2Gi", "100M", "1e3"])
_KEYS = st.sampled_from(["a", "team", "example.com/x", "karpenter.sh/capacity-type", "cpu", "memory.available"])
_PLAIN = st.sampled_from(["", "a", "x-1", "1h", "spot", "al2023@v20260625", "vol-1"])
_TIMES = st.sampled_from(["2025-02-28T12:00:00Z", "2024-01-01T00:00:00.5+05:00"])
_UNLIKE: dict[str, Callable[[Any], Any]] = {"set": lambda one: one, "map": lambda one: one["zone"]}


def values(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a schema takes."""
    if INT_OR_STRING in schema:
        return _AMOUNTS | st.integers(0, 100)
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type"):
        case "object":
            return _objects(schema)
        case "array":
            most = min(schema.get("maxItems", 3), 3)
            members = values(schema.get("items", {}))
            unlike = _UNLIKE.get(schema.get(LIST_TYPE, "")) or (lambda _: None)
            made = st.lists(members, min_size=schema.get("minItems", 0), max_size=most)
            return made.filter(lambda found: LIST_TYPE not in schema or len({unlike(one) for one in found}) == len(found))
        case "integer":
            return st.integers(schema.get("minimum", 0), schema.get("maximum", 1000))
        case "boolean":
            return st.booleans()
    return _texts(schema)


def _texts(schema: Mapping[str, Any]) -> st.SearchStrategy[str]:
    if schema.get("pattern") == QUANTITY:
        return _AMOUNTS
    if schema.get("format") == "date-time":
        return _TIMES
    if "pattern" in schema:
        texts = st.from_regex(schema["pattern"].replace(r"\d", "[0-9]").replace("$", r"\Z"), fullmatch=True)
        return texts.filter(lambda text: len(text) <= schema.get("maxLength", 100) and text.isascii() and "\n" not in text)
    return _PLAIN.filter(lambda text: len(text) >= schema.get("minLength", 0))


def _objects(schema: Mapping[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    if "properties" not in schema:
        members = schema.get("additionalProperties")
        return st.dictionaries(_KEYS, values(members if isinstance(members, Mapping) else {}), max_size=3)
    members = {name: values(member) for name, member in schema["properties"].items()}
    required = schema.get("required", ())
    return st.fixed_dictionaries(
        {name: members[name] for name in required},
        optional={name: member for name, member in members.items() if name not in required},
    )


@st.composite
def manifests(draw: st.DrawFn, version_and_kind: tuple[str, str]) -> dict[str, Any]:
    """Whole objects of a kind."""
    version, kind = version_and_kind
    spec = draw(values(KINDS[version_and_kind].schema["properties"]["spec"]))
    return {"apiVersion": version, "kind": kind, "metadata": {"name": "a"}, "spec": spec}
