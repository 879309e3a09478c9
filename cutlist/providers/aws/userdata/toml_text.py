"""TOML as Karpenter's library writes it: literal strings where possible, a header for every table, maps by key.

Existing libraries quote with double quotes and leave out the headers of tables that hold only tables. A node accepts both, but
the text would differ from the one that Karpenter sends.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Final

_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_NOT_LITERAL: Final = re.compile(r"['\x00-\x1f\x7f]")
_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class Fields(dict[str, Any]):
    """A table whose entries keep their order; those of a plain mapping are sorted by key."""


def write_toml(document: Mapping[str, Any]) -> str:
    """Return the document. Every table is written with its header, tables last within their parent."""
    lines: list[str] = []
    for line in _table((), document):
        if line.startswith("[") and lines and not lines[-1].startswith("["):
            lines.append("")
        lines.append(line)
    return "".join(f"{line}\n" for line in lines)


def _table(path: tuple[str, ...], entries: Mapping[str, Any]) -> Iterator[str]:
    listed = list(entries.items()) if isinstance(entries, Fields) else sorted(entries.items())
    for key, value in listed:
        if not _is_table(value) and not _is_table_array(value):
            yield f"{_key(key)} = {_value(value)}"
    for key, value in listed:
        here = (*path, key)
        name = ".".join(map(_key, here))
        if _is_table(value):
            yield f"[{name}]"
            yield from _table(here, value)
        elif _is_table_array(value):
            for item in value:
                yield f"[[{name}]]"
                yield from _table(here, item)


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_table_array(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and bool(value) and all(map(_is_table, value))


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _string(key)


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in sorted(value.items())) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, datetime | date | time):
        return _moment(value)
    return str(value)


def _string(text: str) -> str:
    if not _NOT_LITERAL.search(text):
        return f"'{text}'"
    escaped = (_ESCAPES.get(c) or (f"\\u{ord(c):04X}" if c < " " or c == "\x7f" else c) for c in text)
    return f'"{"".join(escaped)}"'


def _float(number: float) -> str:
    if not math.isfinite(number):
        return "nan" if math.isnan(number) else ("inf" if number > 0 else "-inf")
    text = f"{Decimal(repr(number)):f}"
    return text if "." in text else f"{text}.0"


def _moment(moment: datetime | date | time) -> str:
    text = moment.isoformat()
    if not isinstance(moment, date) or isinstance(moment, datetime):
        whole, point, fraction = text.partition(".")
        digits = re.match(r"[0-9]*", fraction)
        kept = (digits[0] if digits else "").rstrip("0")
        zone = fraction[len(digits[0]) :] if digits else ""
        text = whole + (f".{kept}" if point and kept else "") + zone
    return text.replace("+00:00", "Z")
