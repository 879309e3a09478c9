"""Rows of tables on pages, without the columns in which no row has anything."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

_CELL: Final = re.compile(r"<(t[dh])\b[^>]*>.*?</\1>", re.DOTALL)
_TAG: Final = re.compile(r"<[^>]*>")
_EMPTY: Final = ("", "-")

Title = str | Sequence[str]
"""The title of a column, or the title and the class of its cells."""


@dataclass(frozen=True, slots=True)
class FilledTable:
    """Titles of the columns that have something in some row, and the rows with these columns alone."""

    titles: tuple[Title, ...]
    rows: tuple[Markup, ...]


def filled_table(titles: Sequence[Title], rows: Iterable[Any], draw: Callable[[Any], Markup]) -> FilledTable:
    """Return a table of these rows, which `draw` writes, without empty columns; the first column always stays.

    Rows that have cells of several columns are left as they are.
    """
    drawn = tuple(draw(row) for row in rows)
    empty = _empty_columns(len(titles), drawn)
    if not empty:
        return FilledTable(tuple(titles), drawn)
    kept = tuple(title for at, title in enumerate(titles) if at not in empty)
    return FilledTable(kept, tuple(_without(row, empty) for row in drawn))


def _empty_columns(columns: int, rows: Sequence[Markup]) -> set[int]:
    empty = set(range(1, columns)) if rows else set()
    for row in rows:
        cells = [match[0] for match in _CELL.finditer(row)]
        if len(cells) != columns:
            return set()
        empty = {at for at in empty if _TAG.sub("", cells[at]).strip() in _EMPTY}
        if not empty:
            break
    return empty


def _without(row: Markup, columns: set[int]) -> Markup:
    cells = list(_CELL.finditer(row))
    for at in sorted(columns, reverse=True):
        row = Markup(row[: cells[at].start()] + row[cells[at].end() :])  # noqa: S704 - parts of what was escaped before
    return row
