"""The `config:` section of Pulumi.yaml: which values a stack may give, of which type (spec: pulumi 1.2, 1.3)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Problems, nearest
from cutlist.documents import Document

TYPES: Final = ("string", "integer", "boolean", "array", "object")
_INTEGER: Final = re.compile(r"[+-]?[0-9]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Declaration:
    """One declared key. `key` is as written, `type` empty when none is declared, `default` the text a program would receive."""

    key: str
    type: str = ""
    items: Mapping[str, Any] | None = None
    default: str | None = None
    secret: bool = False
    namespaced: bool = False

    @property
    def is_required(self) -> bool:
        """Tell whether a stack must give the value; keys of other namespaces never."""
        return self.default is None and not self.namespaced

    @property
    def type_name(self) -> str:
        """Return the type as messages name it, such as `array<string>`."""
        return _type_name(self.type, self.items)

    def accepts(self, value: Any) -> bool:
        """Tell whether a value of a stack file has the declared type. Scalars are text by then: 5 is a fine string."""
        text = value if isinstance(value, dict | list) else _scalar_text(value)
        return not self.type or _accepts(self.type, self.items, text)


def read_declarations(project: Document, name: str, problems: Problems) -> dict[str, Declaration]:
    """Return the declared keys of a project file, by qualified key. What the engine would refuse is noted in `problems`."""
    config = project.data.get("config")
    if not isinstance(config, dict):
        return {}  # no schema; a text is the older spelling of stackConfigDir
    return {
        key if ":" in key else f"{name}:{key}": _declaration(project, key, raw, problems) for key, raw in sorted(config.items())
    }


def _declaration(project: Document, key: str, raw: Any, problems: Problems) -> Declaration:
    place = project.at(f"config.{key}")
    namespaced = ":" in key and not key.startswith(f"{project.data['name']}:")
    if not isinstance(raw, dict):  # the short form: `key: value`
        return Declaration(key, default=_default(raw), namespaced=namespaced)
    type_, items = str(raw.get("type") or ""), raw.get("items")
    if type_ and type_ not in TYPES:
        problems.add(place, f"unknown type {type_!r}", ", ".join(TYPES), nearest(type_, TYPES))
    if type_ == "array" and not isinstance(items, dict):
        problems.add(place, "an array needs 'items' with the type of its members")
    if "default" in raw and "value" in raw:
        problems.add(place, "'default' and 'value' exclude each other")
    if namespaced and ("type" in raw or "default" in raw):
        problems.add(place, "a key of another namespace may carry only 'value'")
    args = raw.get("value", raw.get("default"))
    known = type_ if type_ in TYPES and (type_ != "array" or isinstance(items, dict)) else ""
    return Declaration(key, known, items, _default(args), raw.get("secret") is True, namespaced)


def _default(value: Any) -> str | None:
    if value is None:
        return None
    return json.dumps(value, separators=(",", ":"), sort_keys=True) if isinstance(value, dict | list) else _scalar_text(value)


def _scalar_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _accepts(type_: str, items: Mapping[str, Any] | None, value: Any) -> bool:
    match type_:
        case "string":
            return isinstance(value, str)
        case "integer":
            whole = isinstance(value, int | float) and not isinstance(value, bool) and float(value).is_integer()
            return whole or (isinstance(value, str) and _INTEGER.fullmatch(value) is not None)
        case "boolean":
            return isinstance(value, bool) or value in ("true", "false")
        case "object":
            return isinstance(value, dict)
    inner = items or {}
    return isinstance(value, list) and all(_accepts(str(inner.get("type")), inner.get("items"), v) for v in value)


def _type_name(type_: str, items: Mapping[str, Any] | None) -> str:
    return f"array<{_type_name(str(items.get('type')), items.get('items'))}>" if type_ == "array" and items else type_
