"""Texts as Karpenter's language has them: whole characters, quoted strings and durations."""

from __future__ import annotations

import re
from typing import Final

from cutlist.api.durations import nanoseconds

_ESCAPES: Final = {
    '"': '\\"',
    "\\": "\\\\",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
}
_HALVES: Final = re.compile(r"[\ud800-\udfff]")
_SECOND: Final = 10**9


def quoted(text: str) -> str:
    """The text in double quotes; what does not print is escaped."""
    return '"' + "".join(_escaped(c) for c in text) + '"'


def whole(text: str) -> str:
    """The text with the replacement character for halves of characters, which no encoding can say."""
    return _HALVES.sub("\ufffd", text)


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable():
        return char
    code = ord(char)
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def duration(text: str) -> str:
    """A duration in its canonical spelling: `90s` is `1m30s`, `0.5s` is `500ms`. The text must be one (see `api.durations`)."""
    nanos = nanoseconds(text)
    return ("-" if nanos < 0 else "") + _spelled(abs(nanos))


def _spelled(nanos: int) -> str:
    if nanos == 0:
        return "0s"
    if nanos < _SECOND:
        unit, size = next((u, s) for u, s in (("ms", 10**6), ("µs", 10**3), ("ns", 1)) if nanos >= s)
        return f"{_plain(nanos, size)}{unit}"
    minutes, rest = divmod(nanos, 60 * _SECOND)
    hours, minutes = divmod(minutes, 60)
    seconds = f"{_plain(rest, _SECOND)}s"
    if hours:
        return f"{hours}h{minutes}m{seconds}"
    return f"{minutes}m{seconds}" if minutes else seconds


def _plain(amount: int, unit: int) -> str:
    """A fraction without trailing zeros."""
    whole, rest = divmod(amount, unit)
    if not rest:
        return str(whole)
    return f"{whole}.{str(rest).zfill(len(str(unit)) - 1).rstrip('0')}"
