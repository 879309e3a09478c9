"""Report mistakes at the options and files that a user knows, rather than at parameters of functions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from cutlist.core.errors import InputError, Place


@contextmanager
def named_as_options(**options: str) -> Iterator[None]:
    """Raise mistakes in these parameters of a function as mistakes in the options that a user knows them by."""
    try:
        yield
    except InputError as error:
        names = {Place(path=parameter): Place(path=option) for parameter, option in options.items()}
        raise InputError([replace(p, place=names.get(p.place, p.place)) for p in error.problems]) from None


@contextmanager
def in_file(name: str | None) -> Iterator[None]:
    """Raise mistakes that have no file as mistakes in this one."""
    try:
        yield
    except InputError as error:
        placed = [p if p.place.source else replace(p, place=replace(p.place, source=name or "")) for p in error.problems]
        raise InputError(placed) from None
