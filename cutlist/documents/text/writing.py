"""Write plain values as YAML text that Cutlist's reader and kubectl read back as the same values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.json_text import without_commands
from cutlist.documents.text.scalars import plain

_PLAIN: Final = re.compile(r"[A-Za-z0-9_./](?:[A-Za-z0-9_./@*%+=~-]|://)*", re.ASCII)
_OTHER_WORDS: Final = frozenset(("y", "n", "yes", "no", "on", "off", ".inf", ".nan"))
"""Words that are text to Cutlist and something else to kubectl."""

_LITERAL: Final = re.compile(r"[^\s\x00-\x1f\x7f-\x9f\ufeff\u2028\u2029](?:[^\x00-\x09\x0b-\x1f\x7f-\x9f\ufeff\u2028\u2029])*")
_COMMAND: Final = re.compile(r"##(?:\[|vso\[)|^\s*::[A-Za-z]", re.MULTILINE)
"""What a build server would obey where a text is printed in its own lines."""


@dataclass(frozen=True, slots=True)
class Style:
    """The layout of a file: spaces per level, and spaces before the dash of a list inside a mapping."""

    step: int = 2
    dash: int = 2


def block_lines(value: Any, style: Style) -> Iterator[str]:
    """Yield a mapping or a list as lines of block style, or one line of anything else."""
    if isinstance(value, Mapping) and value:
        for key, member in value.items():
            yield from entry_lines(key, member, style)
    elif isinstance(value, Sequence) and not isinstance(value, str) and value:
        for item in value:
            first, *rest = block_lines(item, style)
            yield f"- {first}"
            yield from (f"  {line}" if line else "" for line in rest)
    else:
        yield flow_text(value)


def entry_lines(key: str, value: Any, style: Style) -> Iterator[str]:
    """Yield a member of a mapping as lines of block style."""
    name = scalar_text(key)
    if isinstance(value, str) and "\n" in value and (literal := _literal(value)):
        yield f"{name}: {literal}"
        yield from (" " * style.step + line if line else "" for line in value.rstrip("\n").split("\n"))
    elif not value or not isinstance(value, Mapping | list | tuple):
        yield f"{name}: {flow_text(value)}"
    else:
        indent = " " * (style.step if isinstance(value, Mapping) else style.dash)
        yield f"{name}:"
        yield from (indent + line if line else "" for line in block_lines(value, style))


def flow_text(value: Any) -> str:
    """Return a value on one line: `{a: 1, b: [x, y]}`."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar_text(k)}: {flow_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow_text, value)) + "]"
    return scalar_text(value)


def scalar_text(value: Any, quote: str = "") -> str:
    """Return a word on one line, quoted if it would be read as something else, or in the style of `quote`."""
    if not isinstance(value, str):
        return json.dumps(value)
    if quote == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    if quote or not _PLAIN.fullmatch(value) or plain(value) != value or value.lower().lstrip("+-") in _OTHER_WORDS:
        return without_commands(json.dumps(value, ensure_ascii=not value.isprintable()))
    return value


def _literal(text: str) -> str:
    """Return the mark of a literal block for a text; empty when the text has to be quoted."""
    lines = text.removesuffix("\n")
    if not lines or lines.endswith("\n") or not _LITERAL.fullmatch(lines) or _COMMAND.search(lines):
        return ""
    return "|" if text.endswith("\n") else "|-"
