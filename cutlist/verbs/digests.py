"""Compute digests of what answers depend on, under which answers are kept: of this program, folders, and values."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Protocol

from cutlist.core.errors import Place
from cutlist.core.notes import Note
from cutlist.simulation.checkpoint.objects import Writer

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
    """Return the digest of all files in a folder."""
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


class _Contents(Writer):
    """Writes equal objects as one entry, and any object as what it holds."""

    def __init__(self) -> None:
        super().__init__({})
        self._known: dict[str, int] = {}

    def add(self, entry: list[Any]) -> int:
        """Return the number of an equal entry, or of this one as a new one."""
        text = json.dumps(entry)
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = super().add(entry)
        return known

    def of_class(self, value: object, kind: type[Any]) -> list[Any]:
        """Return the entry of an object of any class; of a function it is its name."""
        if isinstance(value, _NOTHING_DEPENDS_ON):
            return [kind.__name__]
        if isinstance(value, Mapping):
            return [kind.__name__, *self.all(part for pair in value.items() for part in pair)]
        if hasattr(kind, "model_fields"):  # an object of Kubernetes
            return [kind.__name__, *self.all(getattr(value, name) for name in kind.model_fields)]
        try:
            return super().of_class(value, kind)
        except TypeError:
            return [kind.__name__, getattr(value, "__qualname__", "")]
