"""Versions of Karpenter and its charts, which are equal."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from cutlist.errors import InputError, Place

_EXACT: Final = re.compile(r"v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
_PART: Final = re.compile(r"\d+")


class KarpenterVersion(NamedTuple):
    """A version such as 1.14.1; versions are in order, and one is as good as another of the same numbers."""

    major: int
    minor: int
    patch: int

    @property
    def line(self) -> str:
        """The minor version that it is a patch of, such as `1.14`."""
        return f"{self.major}.{self.minor}"

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


def read_version(text: str, path: str = "version") -> KarpenterVersion:
    """The version that a text names. Raises InputError at `path` for a range, a part of a version or anything else."""
    exact = _EXACT.fullmatch(text.strip())
    if exact is None:
        parts = [*_PART.findall(text), "0", "0"][:3]
        near = ".".join(str(int(part)) for part in parts) if _PART.match(text.strip().lstrip("^~=>v ")) else ""
        raise InputError.one(Place(path=path), f"{text!r} is not an exact version", "one such as 1.14.1, no range", near)
    return KarpenterVersion(*(int(part) for part in exact.groups()))
