"""Tables on pages: the cells of a row by the figures of its columns, without the columns in which no row has anything."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from markupsafe import Markup, escape

from cutlist.report.columns import Figure
from cutlist.report.html.texts import name

T = TypeVar("T")
CHUNK: Final = 25
"""Rows that a table shows at first; the others are in the page and appear on request, in a search or in print."""
_NUMBERS: Final = ("n", "n top")
"""The classes of cells with numbers, which are our own words."""
_CELL: Final = re.compile(r"<(t[dh])\b[^>]*>.*?</\1>", re.DOTALL)
_TAG: Final = re.compile(r"<[^>]*>")
_EMPTY: Final = ("", "-")
Title = str | Sequence[str]
"""The title of a column, or the title and the class of its cells."""


def chunks(rows: Sequence[T], size: int = CHUNK) -> Iterator[Sequence[T]]:
    """Yield the rows in parts; without rows, one empty part."""
    for start in range(0, max(len(rows), 1), size):
        yield rows[start : start + size]


def page_cells(figures: Sequence[Figure[Any]], row: Any, *, head: int | None = 0) -> Markup:
    """Return the cells of a row by the figures of its columns. The cell at `head` heads the row."""
    return Markup("").join(_cell(figure, row, at == head) for at, figure in enumerate(figures))


def _cell(figure: Figure[Any], row: Any, is_head: bool) -> Markup:
    kind = figure.class_on_page(row)
    tag, scope = ("th", ' scope="row"') if is_head else ("td", "")
    small = Markup("").join(Markup("<small>{}</small>").format(name(words)) for words in (figure.small or _nothing)(row))
    opened = Markup(f'<{tag}{scope} class="{kind}">' if kind else f"<{tag}{scope}>")  # noqa: S704 - our own names
    shown = [figure.on_page(row)] if figure.lines is None else figure.lines(row)
    words = Markup("<br>").join(escape(line) if kind in _NUMBERS else name(line) for line in shown)
    if figure.words_class is not None and (of_words := figure.words_class(row)):
        words = Markup('<span class="{}">{}</span>').format(of_words, words)
    return opened + words + small + Markup(f"</{tag}>")  # noqa: S704


def _nothing(row: Any) -> tuple[str, ...]:  # noqa: ARG001 - as any function of small words
    return ()


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
