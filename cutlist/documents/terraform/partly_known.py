"""Values of which only an apply or a deployment knows a part, and texts with such parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from cutlist.core.unknown import UNKNOWN
from cutlist.documents.terraform.effort import is_too_much

MARK: Final = "unknown-after-apply-7f3a"
"""Stands for an unknown part of a text, until the text is parsed and every value with it becomes unknown."""


def joined(parts: Iterable[Any]) -> Any:
    """Return a text from its parts, with a mark for those that are unknown; a single part keeps its type."""
    listed = list(parts)
    if len(listed) == 1:
        return listed[0]
    if is_too_much(listed):
        return UNKNOWN
    return "".join(MARK if part is UNKNOWN else as_text(part) for part in listed)


def as_text(value: Any) -> str:
    """Return a value as an interpolation writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def with_unknown_texts(value: Any) -> Any:
    """Return data with UNKNOWN for every text that has an unknown part."""
    if isinstance(value, Mapping):
        pairs = ((key, with_unknown_texts(below)) for key, below in value.items())
        return {key: below for key, below in pairs if not is_partly_unknown(key)}
    if isinstance(value, list):
        return [with_unknown_texts(item) for item in value]
    return UNKNOWN if is_partly_unknown(value) else value


def is_partly_unknown(value: Any) -> bool:
    """Tell whether a value is a text with an unknown part."""
    return isinstance(value, str) and MARK in value


def has_unknown(value: Any) -> bool:
    """Tell whether a value, or something in it, is unknown."""
    if isinstance(value, Mapping):
        return any(has_unknown(key) or has_unknown(below) for key, below in value.items())
    if isinstance(value, list):
        return any(map(has_unknown, value))
    return value is UNKNOWN or is_partly_unknown(value)


def marked(value: Any) -> Any:
    """Return data with the mark in place of unknown values, so that it can be written as text."""
    if isinstance(value, Mapping):
        return {MARK if key is UNKNOWN else str(key): marked(below) for key, below in value.items()}
    if isinstance(value, list):
        return [marked(item) for item in value]
    return MARK if value is UNKNOWN else value


def without_indentation(text: str) -> str:
    """Return the lines of a text without the indentation that all of them share, as `<<-` has it."""
    lines = text.split("\n")
    indents = [len(line) - len(line.lstrip(" ")) for line in lines if line.strip()]
    least = min(indents, default=0)
    return "\n".join(line[least:] if line.strip() else line.lstrip(" ") for line in lines)


_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}
_ESCAPE: Final = re.compile(r"\\(?:([nrt\"\\])|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))")


def unescaped(text: str) -> str:
    """Return the text of a quoted literal without its escapes."""
    return _ESCAPE.sub(lambda m: _ESCAPES[m[1]] if m[1] else chr(int(m[2] or m[3], 16)), text)
