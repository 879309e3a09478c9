"""The `config:` section of Pulumi.yaml: which values a stack may give, of which type (spec: pulumi 1.2, 1.3)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.shapes import (
    Report,
    Rule,
    Shape,
    SoundFields,
    anything,
    boolean,
    either,
    list_of,
    map_of,
    matching,
    one_of,
    text,
    whole,
)
from cutlist.documents.document import Document

_ARRAY: Final = "array"
_PLAIN: Final[Mapping[str, Shape]] = {
    "string": text.called("string"),
    "integer": either(whole(), matching("[+-]?[0-9]+", "an integer", "")).called("integer"),
    "boolean": either(boolean, one_of("true", "false")).called("boolean"),
    "object": map_of(anything).called("object"),
}
"""The shapes of values by declared type; their words are the engine's."""
_TYPE: Final = one_of("string", "integer", "boolean", _ARRAY, "object")


@dataclass(frozen=True, slots=True)
class Declaration:
    """One declared key. `key` is as written, `shape` that of the declared type, `default` the text a program would receive."""

    key: str
    type: str = ""
    shape: Shape = anything
    default: str | None = None
    secret: bool = False
    namespaced: bool = False

    @property
    def is_required(self) -> bool:
        """Tell whether a stack must give the value; keys of other namespaces never."""
        return self.default is None and not self.namespaced

    def accepts(self, value: Any) -> bool:
        """Tell whether a value of a stack file has the declared type. Scalars are text by then: 5 is a fine string."""
        return self.shape.accepts(value if isinstance(value, dict | list) else as_text(value))


def read_declarations(project: Document, name: str, problems: Problems) -> dict[str, Declaration]:
    """Return the declared keys of a project file, by qualified key. What the engine would refuse is noted in `problems`."""
    config, report = project.data.get("config"), Report(project, problems)
    if not isinstance(config, dict):
        return {}  # no schema; a text is the older spelling of stackConfigDir
    return {key if ":" in key else f"{name}:{key}": _declaration(key, raw, name, report) for key, raw in sorted(config.items())}


def _items(value: Any, path: str, report: Report) -> Shape:
    """Return the shape of the members of an array, which may be arrays themselves."""
    written = _ITEMS(value, path, report)
    return _shape_of(written.get("type", ""), written.get("items"))


_ITEMS: Final = SoundFields({"type": _TYPE}, {"items": _items}, closed=False)
_FORMS: Final[Mapping[str, Rule]] = {"type": _TYPE, "items": _items, "secret": boolean, "default": anything, "value": anything}
_DECLARATION: Final = SoundFields({}, _FORMS, closed=False, short="value")


def _declaration(key: str, raw: Any, project: str, report: Report) -> Declaration:
    path, namespaced = f"config.{key}", ":" in key and not key.startswith(f"{project}:")
    written = _DECLARATION(raw, path, report)
    type_, items = written.get("type", ""), written.get("items")
    if type_ == _ARRAY and items is None:
        report.add(path, "an array needs 'items' with the type of its members")
    if {"default", "value"} <= written.keys():
        report.add(path, "'default' and 'value' exclude each other")
    if namespaced and not written.keys().isdisjoint(("type", "default")):
        report.add(path, "a key of another namespace may carry only 'value'")
    value = written.get("value", written.get("default"))
    default = None if value is None else as_text(value)
    return Declaration(key, type_, _shape_of(type_, items), default, written.get("secret") is True, namespaced)


def _shape_of(type_: str, items: Shape | None) -> Shape:
    if type_ == _ARRAY and items is not None:
        return list_of(items).called(f"array<{items.words}>")
    return _PLAIN.get(type_, anything)


def as_text(value: Any) -> str:
    """Return a value as programs receive it: text as it is, everything else as JSON with sorted keys."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
