"""A page of text of a given width: headings, wrapped paragraphs and aligned tables, with or without colour.

Nothing here reads the environment: width and colour are given, so the same input makes the same page anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby
from operator import itemgetter
from typing import Final, Literal

from rich.cells import cell_len, chop_cells, set_cell_size

from cutlist.report.plain import escape, shorten

Part = tuple[str, str]
"""Text and its style, "" for none."""

_WORD: Final = re.compile(r"\s*\S+\s*")  # with the spaces around it
GAP: Final = 2  # spaces between columns
_GAP: Final = (" " * GAP, "")

HEADING: Final = "bold"
QUIET: Final = "dim"
BAD: Final = "bold red"
WARN: Final = "yellow"
GOOD: Final = "green"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: `least` is the width to which it may be cut when the page is narrow, 0 for never."""

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


def natural_width(column: Column, cells: set[str]) -> int:
    """Return the width of a column that shows its title and all its cells."""
    return max(cell_len(column.title), *map(cell_len, map(escape, cells)), 0)


def table_width(widths: Sequence[int]) -> int:
    """Return the width of a table with these columns."""
    return sum(widths) + GAP * (len(widths) - 1)


@dataclass(slots=True)
class Page:
    """The lines of a page. Texts given to it are escaped here; styles are never read from them."""

    width: int
    lines: list[list[Part]] = field(default_factory=list)

    def line(self, *parts: str | Part) -> None:
        """Add one line of parts, plain or with a style; what does not fit is cut."""
        styled = [(part, "") if isinstance(part, str) else part for part in parts]
        self.lines.append(_cut([(escape(words), style) for words, style in styled], self.width))

    def blank(self) -> None:
        """Add an empty line, but never two in a row or one at the top."""
        if self.lines and self.lines[-1]:
            self.lines.append([])

    def paragraph(self, words: str, first: str = "", indent: int = 0, style: str = "") -> None:
        """Add wrapped words: `first` begins the first line, further lines are indented by `indent` columns."""
        lead = escape(first)
        opening, indent = lead.ljust(indent), max(indent, _columns(lead))
        for part in wrapped(escape(words), max(self.width - indent, 10)):
            self.line(opening, (part, style))
            opening = " " * indent

    def opening(self, lead: str, words: str, style: str) -> None:
        """Add wrapped words of which the first, a few narrow characters, have a style and are never broken."""
        first, *others = wrapped("x" * len(lead) + escape(words), self.width)
        self.line((lead, style), first[len(lead) :])
        for part in others:
            self.line(part)

    def bullets(self, title: str, texts: Sequence[str], style: str = "") -> None:
        """Add texts as a list under a title; without texts, add nothing."""
        if not texts:
            return
        self.blank()
        self.line((title, HEADING))
        for text in texts:
            self.paragraph(text, first="  - ", indent=4, style=style)

    def table(self, columns: Sequence[Column], groups: Sequence[Group]) -> None:
        """Add an aligned table with its titles; each group has a heading."""
        cells = [{row.cells[at] for group in groups for row in group.rows} for at in range(len(columns))]
        natural = [natural_width(column, of) for column, of in zip(columns, cells, strict=True)]
        widths = _fitted(columns, natural, self.width)
        padded = [_padded(*column) for column in zip(columns, widths, cells, strict=True)]
        self._cells(padded, [c.title for c in columns], [QUIET for _ in columns])
        styles = [c.style for c in columns]
        for group in groups:
            if group.title:
                self.line((shorten(escape(group.title), self.width), HEADING))
            for row in group.rows:
                self._cells(padded, row.cells, styles)
                if row.below:
                    self.line(" " * (widths[0] + GAP), (row.below, QUIET))
                if row.words:
                    self.paragraph(row.words, indent=widths[0] + GAP, style=QUIET)

    def text(self, *, colour: bool) -> str:
        """Return the page; with colour as ANSI codes."""
        show = _coloured if colour else _plain
        return "\n".join("".join(map(show, line)) for line in self.lines) + "\n"

    def _cells(self, shown: Sequence[Mapping[str, str]], cells: Sequence[str], styles: Sequence[str]) -> None:
        parts: list[Part] = []
        for padded, cell, style in zip(shown, cells, styles, strict=True):
            parts += (padded[cell], style), _GAP
        self.line(*_joined(parts[:-1]))


def wrapped(words: str, width: int) -> list[str]:
    """Return words on lines of at most `width` columns, without spaces at their ends; a word that is longer is broken."""
    if words.isascii() and len(words) <= width:  # as most words do
        return [words.rstrip()]
    lines, line, used = [], "", 0
    for match in _WORD.finditer(words):
        word = match[0]
        length = _columns(word.rstrip())
        if length <= width - used:
            line, used = line + word, used + _columns(word)
            continue
        pieces = chop_cells(word, width) if length > width else [word]
        lines += [line, *pieces[:-1]] if line else pieces[:-1]
        line, used = pieces[-1], _columns(pieces[-1])
    return [part.rstrip() for part in (*lines, line)]


def _columns(text: str) -> int:
    """Return how many columns an escaped text takes: as many as it has letters, where these are ASCII."""
    return len(text) if text.isascii() else cell_len(text)


def _padded(column: Column, width: int, cells: Iterable[str]) -> dict[str, str]:
    """Return the title and the cells of a column padded to its width: equal cells occur in many rows and are measured once."""
    padded = {}
    for cell in {column.title, *cells}:
        text = shorten(escape(cell), width)
        pad = " " * (width - cell_len(text))
        padded[cell] = pad + text if column.align == "right" else text + pad
    return padded


def _cut(parts: list[Part], width: int) -> list[Part]:
    """Return the visible part in at most `width` columns: no spaces at the end, no empty parts."""
    whole = "".join(words for words, _ in parts)
    shown = whole.rstrip()
    if _columns(shown) > width:
        shown = set_cell_size(shown, width - 1) + "…"
    if shown != whole:
        ends = accumulate(len(words) for words, _ in parts)
        parts = [(shown[end - len(words) : end], style) for end, (words, style) in zip(ends, parts, strict=True)]
    return [part for part in parts if part[0]]


def _plain(part: Part) -> str:
    return part[0]


def _coloured(part: Part) -> str:
    """Return the words with the ANSI codes of their style."""
    words, style = part
    if not style:
        return words
    from rich.color import ColorSystem  # half of rich, which plain text does not need
    from rich.style import Style

    return Style.parse(style).render(words, color_system=ColorSystem.STANDARD)


def _joined(parts: Sequence[Part]) -> list[Part]:
    """Return neighbours of the same style merged: a long table has few styles and many cells."""
    return [("".join(words for words, _ in alike), style) for style, alike in groupby(parts, key=itemgetter(1))]


def _fitted(columns: Sequence[Column], widths: list[int], limit: int) -> list[int]:
    """Return widths that fit the limit if possible: the widest of the columns that may shrink gives way first."""
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
