"""A page of text of a given width: headings, wrapped paragraphs and aligned tables, with or without colour.

Nothing here reads the environment: width and colour are given, so the same input makes the same page anywhere.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Final, Generic, Literal, TypeVar

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from cutlist.report.plain import escape, shorten

T = TypeVar("T")

GAP: Final = 2  # blanks between columns

HEADING: Final = "bold"
QUIET: Final = "dim"
BAD: Final = "bold red"
WARN: Final = "yellow"
GOOD: Final = "green"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: `least` is the width it may be cut down to when the page is narrow, 0 for never."""

    title: str
    align: Literal["left", "right"] = "left"
    least: int = 0
    style: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of cells, with a line below that is cut at the width of the page, or words that are wrapped."""

    cells: tuple[str, ...]
    below: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Rows under a heading."""

    title: str
    rows: tuple[Row, ...]


def natural_widths(columns: Sequence[Column], groups: Sequence[Group]) -> list[int]:
    """The width each column wants."""
    cells = [row.cells for group in groups for row in group.rows]
    return [_natural_width(column, {row[i] for row in cells}) for i, column in enumerate(columns)]


def _natural_width(column: Column, cells: set[str]) -> int:
    return max(cell_len(column.title), *map(cell_len, map(escape, cells)), 0)


def table_width(widths: Sequence[int]) -> int:
    """What a table of these columns takes."""
    return sum(widths) + GAP * (len(widths) - 1)


@dataclass(frozen=True, slots=True)
class Field(Generic[T]):
    """A column and what it shows of a value."""

    column: Column
    show: Callable[[T], str]


def layout_that_fits(layouts: Sequence[Sequence[Field[T]]], values: Sequence[T], width: int) -> Sequence[Field[T]]:
    """The first layout, richest first, whose table of the values is not wider than the page; the last when none is."""
    fields = {field for layout in layouts for field in layout}
    widths = {field: _natural_width(field.column, {field.show(value) for value in values}) for field in fields}
    fitting = (layout for layout in layouts[:-1] if table_width([widths[field] for field in layout]) <= width)
    return next(fitting, layouts[-1])


@dataclass(slots=True)
class Page:
    """Lines in the making. Texts given to it are escaped here, styles are never read out of them."""

    width: int
    lines: list[Text] = field(default_factory=list)

    def line(self, *parts: str | tuple[str, str]) -> None:
        """One line of parts, plain or with a style; what does not fit is cut."""
        text = Text(no_wrap=True, end="")
        for part in parts:
            words, style = (part, "") if isinstance(part, str) else part
            text.append(escape(words), style)
        text.rstrip()
        text.truncate(self.width, overflow="ellipsis")
        self.lines.append(text)

    def blank(self) -> None:
        """An empty line; never two of them, never at the top."""
        if self.lines and self.lines[-1].plain:
            self.lines.append(Text(end=""))

    def paragraph(self, words: str, first: str = "", indent: int = 0, style: str = "") -> None:
        """Wrapped words: `first` opens the first line, further lines hang `indent` columns deep."""
        lead = escape(first)
        room = max(self.width - max(indent, cell_len(lead)), 10)
        wrapped = Text(escape(words)).wrap(_measuring(), room, no_wrap=False) if words else [Text()]
        for number, part in enumerate(wrapped):
            opening = lead.ljust(indent) if number == 0 else " " * max(indent, cell_len(lead))
            self.line(opening, (part.plain.rstrip(), style))

    def table(self, columns: Sequence[Column], groups: Sequence[Group]) -> None:
        """An aligned table with its titles; groups have a heading each."""
        widths = _fitted(columns, natural_widths(columns, groups), self.width)
        self._cells(columns, widths, [c.title for c in columns], QUIET)
        for group in groups:
            if group.title:
                self.line((shorten(escape(group.title), self.width), HEADING))
            for row in group.rows:
                self._cells(columns, widths, row.cells)
                if row.below:
                    self.line(" " * (widths[0] + GAP), (row.below, QUIET))
                if row.words:
                    self.paragraph(row.words, indent=widths[0] + GAP, style=QUIET)

    def text(self, *, colour: bool) -> str:
        """The page; with colour as ANSI codes."""
        out = io.StringIO()
        console = _console(out, self.width, colour)
        console.print(Text("\n").join(self.lines), soft_wrap=True)
        return out.getvalue()

    def _cells(self, columns: Sequence[Column], widths: Sequence[int], cells: Sequence[str], style: str = "") -> None:
        parts: list[tuple[str, str]] = []
        for column, width, cell in zip(columns, widths, cells, strict=True):
            shown = shorten(escape(cell), width)
            pad = " " * (width - cell_len(shown))
            parts.append((pad + shown if column.align == "right" else shown + pad, style or column.style))
            parts.append((" " * GAP, ""))
        self.line(*_joined(parts[:-1]))


def _joined(parts: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Neighbours of the same style as one part: a long table has few styles and many cells."""
    return [("".join(words for words, _ in alike), style) for style, alike in groupby(parts, key=itemgetter(1))]


def _fitted(columns: Sequence[Column], widths: list[int], limit: int) -> list[int]:
    """Widths that fit the limit where that can be: the widest of the columns that may shrink gives way first."""
    fitted = list(widths)
    while (over := table_width(fitted) - limit) > 0:
        slack = [(fitted[i], i) for i, c in enumerate(columns) if c.least and fitted[i] > c.least]
        if not slack:
            break
        widest, at = max(slack)
        others = [w for w, i in slack if i != at]
        goal = max([columns[at].least, widest - over, *(w for w in others if w < widest)])
        fitted[at] = goal if goal < widest else widest - 1
    return fitted


def _console(out: io.StringIO, width: int, colour: bool) -> Console:
    return Console(
        file=out,
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
        _environ={},
    )


def _measuring() -> Console:
    return _console(io.StringIO(), 80, False)
