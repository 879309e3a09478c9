"""Values set by a path, as Helm reads `--set`: `a.b[0]=5`, several with commas between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_WORDS: Final[dict[str, Any]] = {"true": True, "false": False, "null": None, "0": 0}
_MOST_ITEMS: Final = 65536  # Helm's own limit for an index


class BadSetting(ValueError):
    """An expression that Helm refuses."""


def set_values(values: dict[str, Any], expression: str, *, as_text: bool = False) -> None:
    """Set what an expression says in values that may be changed. With `as_text` every value stays text.

    Raises BadSetting.
    """
    reader = _Reader(expression)
    while reader.at < len(expression):
        path, end = reader.path()
        if end != "=":
            raise BadSetting(f"key {'.'.join(map(str, path))!r} has no value")
        value = reader.value(as_text=as_text)
        _put(values, path, value)


def set_literally(values: dict[str, Any], path: str, value: str) -> None:
    """Set the value at a path to a text as it is."""
    _put(values, _Reader(path).path()[0], value)


@dataclass(slots=True)
class _Reader:
    text: str
    at: int = 0

    def path(self) -> tuple[list[str | int], str]:
        """Return the parts of a path, and the character after it."""
        parts: list[str | int] = []
        while True:
            name, end = self._until(".[=,")
            if name:
                parts.append(name)
            if end == "[":
                index, _ = self._until("]")
                if not index.isdigit() or int(index) > _MOST_ITEMS:
                    raise BadSetting(f"{index!r} is not the index of an item")
                parts.append(int(index))
                continue
            if end != ".":
                return parts, end

    def value(self, *, as_text: bool) -> Any:
        """Return a value, up to the next comma; in braces it is a list."""
        if not self.text.startswith("{", self.at):
            return _typed(self._until(",")[0], as_text=as_text)
        self.at += 1
        items = list(self._items(as_text=as_text))
        self._until(",")
        return items

    def _items(self, *, as_text: bool) -> Iterator[Any]:
        if self.text.startswith("}", self.at):
            self.at += 1
            return
        while True:
            item, end = self._until(",}")
            if not end:
                raise BadSetting("list must terminate with '}'")
            yield _typed(item, as_text=as_text)
            if end == "}":
                return

    def _until(self, ends: str) -> tuple[str, str]:
        """Return the text up to one of some characters, and that character; a backslash makes the next one plain."""
        pieces: list[str] = []
        while self.at < len(self.text):
            character = self.text[self.at]
            self.at += 1
            if character == "\\":
                pieces.append(self.text[self.at : self.at + 1])
                self.at += 1
            elif character in ends:
                return "".join(pieces), character
            else:
                pieces.append(character)
        return "".join(pieces), ""


def _typed(text: str, *, as_text: bool) -> Any:
    if as_text:
        return text
    if text.lower() in ("true", "false", "null") or text == "0":
        return _WORDS[text.lower()]
    return int(text) if _INTEGER.fullmatch(text) and not text.startswith("0") else text


def _put(container: Any, path: list[str | int], value: Any) -> None:
    """Set a value at a path; mappings and lists on the way are made where there are none."""
    for index, part in enumerate(path):
        if isinstance(part, int):
            container.extend([None] * (part + 1 - len(container)))
        if index == len(path) - 1:
            container[part] = value
            return
        below = container.get(part) if isinstance(part, str) else container[part]
        wanted: type[Any] = list if isinstance(path[index + 1], int) else dict
        if not isinstance(below, wanted):
            below = container[part] = wanted()
        container = below
