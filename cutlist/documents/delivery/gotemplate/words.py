"""Cut a template into text and actions, and an action into words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cutlist.documents.delivery.gotemplate.values import TemplateError

_ACTION: Final = re.compile(
    r"\{\{(?P<left>- )?(?P<inside>/\*.*?\*/|(?:\"(?:\\.|[^\"\\])*\"|`[^`]*`|'(?:\\.|[^'\\])*'|(?!\}\})[^\"`'])*?)"
    r"(?P<right> -)?\}\}",
    re.DOTALL,
)
_WORD: Final = re.compile(
    r"""(?P<space>\s+)|(?P<string>"(?:\\.|[^"\\])*")|(?P<raw>`[^`]*`)|(?P<character>'(?:\\.|[^'\\])*')
    |(?P<number>[+-]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*)?\.?\d+(?:[eE][+-]?\d+)?))(?![\w.])
    |(?P<field>(?:\.\w+)+)|(?P<variable>\$\w*(?:\.\w+)*)|(?P<dot>\.)|(?P<declare>:=)|(?P<sign>[=|(),])|(?P<name>\w+)""",
    re.VERBOSE,
)


def pieces(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the texts and actions of a template; the first value tells which. Raises TemplateError."""
    at, trims = 0, False
    for match in _ACTION.finditer(text):
        before = text[at : match.start()]
        # `-}}` of the action before trims here, `{{-` of this one below: each only Go's four kinds of space.
        before = before.lstrip(" \t\r\n") if trims else before
        yield False, _checked(before.rstrip(" \t\r\n") if match["left"] else before)
        yield True, match["inside"]
        at, trims = match.end(), bool(match["right"])
    rest = text[at:]
    yield False, _checked(rest.lstrip(" \t\r\n") if trims else rest)


def words(action: str) -> list[tuple[str, str]]:
    """Return the words of an action, each with its kind; spaces are among them. Raises TemplateError."""
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(action):
        match = _WORD.match(action, at)
        if match is None:
            raise TemplateError(f"unexpected {action[at : at + 10]!r} in an action")
        found.append((str(match.lastgroup), match[0]))
        at = match.end()
    return found


def _checked(text: str) -> str:
    if "{{" in text:
        raise TemplateError("unclosed action")
    return text
