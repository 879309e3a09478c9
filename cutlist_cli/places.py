"""Report mistakes in the files that they are about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from cutlist.core.errors import InputError


@contextmanager
def in_file(name: str | None) -> Iterator[None]:
    """Raise mistakes that have no file as mistakes in this one."""
    try:
        yield
    except InputError as error:
        placed = [p if p.place.source else replace(p, place=replace(p.place, source=name or "")) for p in error.problems]
        raise InputError(placed) from None
