"""JSON text parsed to plain values. Lines are computed only when a message needs one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from sys import intern
from typing import Any, Final

from cutlist.core.errors import Place, Problems
from cutlist.documents.text import yaml

_FIRST: Final = 1  # a JSON text is one document
ESCAPE: Final = "\\u"
"""The beginning of an escape that may stand for any character."""
_NESTS: Final = {dict, list}  # the parser creates exactly these, never subclasses
_SPACE: Final = re.compile(r"[ \t\n\r]*")
_ITEM: Final = re.compile(r"items\[(\d+)\]([.\[].*|)", re.DOTALL)
_DIGITS: Final = 12
_SHALLOW: Final = yaml.MAX_DEPTH - 2  # in the list of an object


class JsonLines(Mapping[str, int]):
    """The lines of a JSON text. Those of the items of a list follow from where these are, which the parser has seen; all others
    are found by reading the item, or without one the text, a second time as YAML, which it is."""

    def __init__(self, text: str, value: Any, items: Sequence[tuple[int, int]]) -> None:
        self._text = text
        self._values = value["items"] if items else ()
        self._items = items
        self._below: dict[int, dict[str, int]] = {}

    def written(self, path: str, value: Any) -> str | None:
        """Return the text of an item of the list of objects; None for another path, and if the value is not the one that was
        parsed from it."""
        number = self._numbers.get(path)
        if number is None or self._values[number] is not value:
            return None
        begin, end = self._items[number]
        return self._text[begin:end]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {f"items[{number}]": number for number in range(len(self._items))}

    @cached_property
    def _lines(self) -> dict[str, int]:
        parsed = next(yaml.parse(self._text, "", Problems()), None)
        return parsed.lines if parsed else {}

    def __getitem__(self, path: str) -> int:
        # Each document asks for the line where it begins, and most for no other.
        if not path:
            return self._first
        if (whole := self._numbers.get(path)) is not None:
            return self._of_items[whole]
        item = _ITEM.fullmatch(path)
        number = int(item[1]) if item and len(item[1]) < _DIGITS else len(self._items)
        if item is None or number >= len(self._items):
            return self._lines[path]
        return self._within(number)[item[2].removeprefix(".")] if item[2] else self._of_items[number]

    def _within(self, number: int) -> dict[str, int]:
        """Return the lines of the paths below an item."""
        if number not in self._below:
            begin, end = self._items[number]
            parsed = next(yaml.parse(self._text[begin:end], "", Problems()), None)
            first = self._of_items[number] - 1
            self._below[number] = {path: first + line for path, line in parsed.lines.items()} if parsed else {}
        return self._below[number]

    @cached_property
    def _first(self) -> int:
        return self._text.count("\n", 0, _end_of_space(self._text, 0)) + 1

    @cached_property
    def _of_items(self) -> list[int]:
        places = pairwise((0, *(begin for begin, _ in self._items)))
        return list(accumulate((self._text.count("\n", before, at) for before, at in places), initial=1))[1:]

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


class _DuplicateKey(ValueError):
    """A key occurs twice in one object."""


def parse(text: str, source: str, problems: Problems) -> tuple[Any, Mapping[str, int]] | None:
    """Return the value of a JSON text and the lines of its paths, or None, with a problem added, if it is not JSON."""
    try:
        value, items = _loaded(text)
        _refuse_depth(_may_be_deep(text, value, items))
        _check_characters(text, value)
        return value, JsonLines(text, value, items)
    except json.JSONDecodeError as error:
        problems.add(Place(source, _FIRST, error.lineno), f"is not JSON at column {error.colno}: {error.msg}")
    except _DuplicateKey:
        _note_duplicates(text, source, problems)
    except (RecursionError, ValueError) as error:
        what = f"is nested more than {yaml.MAX_DEPTH} levels deep" if isinstance(error, RecursionError) else str(error)
        problems.add(Place(source, _FIRST), f"is not JSON that can be used: {what}")
    return None


def _loaded(text: str) -> tuple[Any, Sequence[tuple[int, int]]]:
    """Return the value of a JSON text, and where the items of a list of objects begin and end in it."""
    try:
        return _with_items(text)
    except (json.JSONDecodeError, IndexError):
        # Not an object, or not JSON: then the parser says where.
        return json.loads(text, object_pairs_hook=_object, parse_constant=_refuse), ()


def _with_items(text: str) -> tuple[Any, list[tuple[int, int]]]:
    """Return the object of a text, and where the elements of its member `items` begin and end. Raises IndexError for anything
    else."""
    at, items = _after(text, 0, "{"), list[tuple[int, int]]()
    members: list[tuple[str, Any]] = []
    while True:
        if text[at] != '"':
            raise IndexError
        key, at = _DECODER.raw_decode(text, at)
        at = _after(text, at, ":")
        value, at = _elements(text, at, items) if key == "items" and text[at] == "[" else _DECODER.raw_decode(text, at)
        members.append((key, value))
        at = _end_of_space(text, at)
        if text[at] == "}":
            break
        at = _after(text, at, ",")
    if _end_of_space(text, at + 1) != len(text):
        raise IndexError
    return _object(members), items


def _elements(text: str, at: int, places: list[tuple[int, int]]) -> tuple[list[Any], int]:
    """Return the elements of a list, and where the text goes on; where each begins and ends is added to `places`."""
    elements: list[Any] = []
    at = _after(text, at, "[")
    while text[at] != "]" or elements:
        element, end = _DECODER.raw_decode(text, at)
        places.append((at, end))
        elements.append(element)
        at = end
        at = _end_of_space(text, at)
        if text[at] == "]":
            break
        at = _after(text, at, ",")
    return elements, at + 1


def _after(text: str, at: int, sign: str) -> int:
    """Return the place behind a sign and the space around it. Raises IndexError without the sign."""
    at = _end_of_space(text, at)
    if text[at] != sign:
        raise IndexError
    return _end_of_space(text, at + 1)


def _end_of_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return at if match is None else match.end()


def _may_be_deep(text: str, value: Any, items: Sequence[tuple[int, int]]) -> Any:
    """Return a value without those of its items that are too small to be nested deeply: nearly all of a cluster's objects."""
    if not items:
        return value
    written = zip(value["items"], items, strict=True)
    return {**value, "items": [item for item, (begin, end) in written if _openings(text, begin, end) > _SHALLOW]}


def _openings(text: str, begin: int, end: int) -> int:
    """Return how often a mapping or list may begin in a part of a text."""
    return text.count("{", begin, end) + text.count("[", begin, end)


def _refuse_depth(value: Any) -> None:
    """Raise RecursionError for nesting that would exhaust later code, although the parser survived it."""
    level = [value] if type(value) in _NESTS else []
    for _ in range(yaml.MAX_DEPTH):
        level = [
            inner
            for container in level
            for inner in (container.values() if type(container) is dict else container)
            if type(inner) in _NESTS
        ]
        if not level:
            return
    raise RecursionError


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # The parser makes names of its own for each item, which were a fifth of the memory of a cluster.
    members = {intern(name): member for name, member in pairs}
    if len(members) == len(pairs) <= yaml.MAX_MEMBERS:
        return members
    if len(pairs) > yaml.MAX_MEMBERS:
        raise ValueError(f"a mapping has more than {yaml.MAX_MEMBERS:,} members")
    raise _DuplicateKey


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is not a number")


def _check_characters(text: str, value: Any) -> None:
    """Refuse unpaired surrogates, which are not characters: nothing could write or compare them."""
    if ESCAPE in text and ("\\ud" in text or "\\uD" in text):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise ValueError(f"U+{ord(error.object[error.start]):04X} is not a character") from None


def _note_duplicates(text: str, source: str, problems: Problems) -> None:
    # The YAML reader reports each key that occurs twice, with both lines.
    before = len(problems.found)
    for _ in yaml.parse(text, source, problems):
        pass
    if len(problems.found) == before:
        problems.add(Place(source, _FIRST), "a key is written twice")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_refuse)
