"""JSON text parsed to plain values. Lines are computed only when a message needs one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final

from cutlist.core.errors import Place, Problems
from cutlist.documents.text import yaml

_FIRST: Final = 1  # a JSON text is one document
_NESTS: Final = {dict, list}  # the parser creates exactly these, never subclasses


class _LazyLines(Mapping[str, int]):
    """The lines of a JSON text, found by reading it a second time as YAML, which it is."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _lines(self) -> dict[str, int]:
        parsed = next(yaml.parse(self._text, "", Problems()), None)
        return parsed.lines if parsed else {}

    def __getitem__(self, path: str) -> int:
        # Each document asks for the line where it begins, and most for no other.
        return self._lines[path] if path else self._first

    @property
    def _first(self) -> int:
        return self._text.count("\n", 0, len(self._text) - len(self._text.lstrip())) + 1

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


class _DuplicateKey(ValueError):
    """A key occurs twice in one object."""


def parse(text: str, source: str, problems: Problems) -> tuple[Any, Mapping[str, int]] | None:
    """Return the value of a JSON text and the lines of its paths, or None, with a problem added, if it is not JSON."""
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse)
        _refuse_depth(value)
        _check_characters(text, value)
        return value, _LazyLines(text)
    except json.JSONDecodeError as error:
        problems.add(Place(source, _FIRST, error.lineno), f"is not JSON at column {error.colno}: {error.msg}")
    except _DuplicateKey:
        _note_duplicates(text, source, problems)
    except (RecursionError, ValueError) as error:
        what = f"is nested more than {yaml.MAX_DEPTH} levels deep" if isinstance(error, RecursionError) else str(error)
        problems.add(Place(source, _FIRST), f"is not JSON that can be used: {what}")
    return None


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
    if len(pairs) > yaml.MAX_MEMBERS:
        raise ValueError(f"a mapping has more than {yaml.MAX_MEMBERS:,} members")
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _DuplicateKey
    return members


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is not a number")


def _check_characters(text: str, value: Any) -> None:
    """Refuse unpaired surrogates, which are not characters: nothing could write or compare them."""
    if "\\ud" in text.lower():
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
