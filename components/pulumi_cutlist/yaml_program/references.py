"""References in the texts of a program in YAML: `${bucket.arn}`, `${config}`, `${list[0]["key"]}` (spec: pulumi 4.8)."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

_ROOT: Final = re.compile(r"[^.\[\]}\s\"']+")
_MEMBER: Final = re.compile(r"\.([^.\[\]}\s\"']+)")
_INDEX: Final = re.compile(r"\[(?:([0-9]+)|\"((?:[^\"\\]|\\.)*)\")\]")


@dataclass(frozen=True, slots=True)
class Reference:
    """A name, and the members and positions below it that are meant."""

    root: str
    steps: tuple[str | int, ...] = ()

    def __str__(self) -> str:
        return self.root + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.steps)


REFERENCES: Final = "${name.member}, or $$ for a dollar sign"
"""What may be written where a text has a dollar sign."""
Part = str | Reference
"""A part of a text: written as it is, or a reference."""


class ReferenceMistake(Exception):
    """A text that begins a reference and does not end it, or has something else in it."""


def parts_of(text: str) -> list[Part]:
    """Return the parts of a text; `$$` stands for a dollar sign. Raises ReferenceMistake."""
    parts: list[Part] = []
    written, position = "", 0
    while position < len(text):
        if text.startswith("$$", position):
            written, position = written + "$", position + 2
        elif text.startswith("${", position):
            reference, position = _reference(text, position + 2)
            parts += [*([written] if written else []), reference]
            written = ""
        else:
            written, position = written + text[position], position + 1
    return [*parts, *([written] if written else [])]


def _reference(text: str, position: int) -> tuple[Reference, int]:
    """Return the reference at a position of a text, and the position behind it."""
    begin = position
    root = _ROOT.match(text, position)
    if root is None:
        raise ReferenceMistake(f"${{{text[begin:]} is not a reference")
    steps: list[str | int] = []
    position = root.end()
    while position < len(text) and text[position] != "}":
        member, index = _MEMBER.match(text, position), _INDEX.match(text, position)
        if member is not None:
            steps.append(member[1])
            position = member.end()
        elif index is not None:
            steps.append(int(index[1]) if index[1] is not None else index[2].replace('\\"', '"').replace("\\\\", "\\"))
            position = index.end()
        else:
            break
    if position >= len(text) or text[position] != "}":
        raise ReferenceMistake(f"${{{text[begin:position]} is not a reference that ends with a brace")
    return Reference(root[0], tuple(steps)), position + 1


def references_in(value: Any, path: str) -> Iterator[tuple[str, Reference]]:
    """Yield the references in data, each with the path where it is. Texts that have a mistake yield none."""
    for at, text in texts_in(value, path):
        with contextlib.suppress(ReferenceMistake):
            yield from ((at, part) for part in parts_of(text) if isinstance(part, Reference))


def texts_in(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield the texts in data, also the names of members, each with the path where it is."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from texts_in(key, path)
            yield from texts_in(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from texts_in(inner, f"{path}[{number}]")
