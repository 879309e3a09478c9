"""Compute digests of what answers depend on, under which answers are kept: of this program, folders, and values."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Protocol

from cutlist.core.errors import Place
from cutlist.core.identity import SameObject
from cutlist.core.notes import Note
from cutlist.simulation.checkpoint.ways import fields_of

_NOTHING_DEPENDS_ON: Final = (Place, Note)


class KeptAnswers(Protocol):
    """Answers kept from one run to the next, by the digest of what they depend on."""

    def get(self, digest: str) -> str | None:
        """Return the kept answer, or None."""

    def put(self, digest: str, answer: str) -> None:
        """Keep an answer."""


def program_digest() -> str:
    """Return the digest of this program, with its catalogues."""
    return digest_of_files(Path(__file__).parents[1])


def digest_of_files(folder: Path) -> str:
    """Return the SHA-256 of the paths and contents below a folder, without Python's byte code."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            contents = file.read_bytes()
            digest.update(f"{file.relative_to(folder).as_posix()} {len(contents)}\n".encode() + contents)
    return digest.hexdigest()


def digest_of(value: object) -> str:
    """Return the digest of a value: the same for equal values, in every process. Places and notes do not count."""
    contents = _Contents()
    top = contents.write(value)
    return hashlib.sha256(json.dumps([contents.entries, top]).encode()).hexdigest()


class _Contents:
    """What values hold, as a list of entries. Equal objects are one entry, which refers to others by their numbers."""

    def __init__(self) -> None:
        self.entries: list[list[Any]] = []
        self._known: dict[str, int] = {}
        self._numbers: dict[SameObject, int] = {}

    def write(self, value: object) -> Any:
        """Return a plain value as it is, and of any other the number of its entry in a list."""
        kind = type(value)
        if value is None or kind in (str, int, bool) or (isinstance(value, float) and kind is float and math.isfinite(value)):
            return value
        key = SameObject(value)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = self._add(self._entry(value, kind))
        return [number]

    def _add(self, entry: list[Any]) -> int:
        """Return the number of an equal entry, or of this one as a new one."""
        text = json.dumps(entry)
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = len(self.entries)
            self.entries.append(entry)
        return known

    def _entry(self, value: Any, kind: type[Any]) -> list[Any]:
        """Return the entry of an object of any class; of a function it is its name."""
        if kind in (tuple, list):
            return [kind.__name__, *map(self.write, value)]
        if kind in (set, frozenset):
            ordered = sorted(value, key=lambda v: (type(v).__name__, v if isinstance(v, str) else repr(v)))
            return [kind.__name__, *map(self.write, ordered)]
        if kind is float:
            return ["float", str(value)]
        if isinstance(value, _NOTHING_DEPENDS_ON):
            return [kind.__name__]
        if isinstance(value, Enum):
            return [kind.__qualname__, value.name]
        if isinstance(value, Mapping):
            name = "dict" if kind is MappingProxyType else kind.__name__
            return [name, *(self.write(part) for pair in value.items() for part in pair)]
        names = getattr(kind, "model_fields", None) or fields_of(kind)  # the first of an object of Kubernetes
        if names is None:
            return [kind.__name__, getattr(value, "__qualname__", "")]
        return [kind.__qualname__, *(self.write(getattr(value, name)) for name in names)]
