"""Texts as Go handles them: whole characters and quoted strings."""

from __future__ import annotations

import re
from typing import Final

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


def quoted(text: str) -> str:
    """Return the text in double quotes, with unprintable characters escaped."""
    return '"' + "".join(_escaped(c) for c in text) + '"'


def whole(text: str) -> str:
    """Return the text with the replacement character in place of unpaired surrogates, which no encoding can express."""
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
