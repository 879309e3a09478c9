"""A figure of a table's rows is declared once: what it is called, its value, and how it reads in each form.

A table of one view is a sequence of figures. `laid_out` chooses the one that fits a terminal; `markdown_table`, `csv_table` and
`cutlist.report.html.tables` write the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

from cutlist.report.csv import Cell, NamedCells, rows_csv
from cutlist.report.markup import code, table
from cutlist.report.page import Column, Group, Page, Row, natural_width, table_width
from cutlist.report.places import alike, in_one_way
from cutlist.report.plain import bar, currency_sign, currency_unit, percent, percentage

T = TypeVar("T")
R = TypeVar("R", contravariant=True)
Show = Callable[[T], str]
Class = Literal["", "n", "n top", "k", "z", "w", "most"]
"""How a page sets the cells of a column: `n` as numbers, `n top` as the main ones, `k` and `z` unbroken, `w` as wide text,
`most` with most of the width."""


@dataclass(frozen=True, slots=True, eq=False)
class Figure(Generic[R]):
    """A figure of a row. `show` is how it reads in text, and in the other forms that have no function of their own.

    `name` is the column in CSV, `exact` its value there. Where `estimated` holds, the figure is marked with a star. A figure
    that `is_name` is code in Markdown. `page_title` is the title on pages, else `title` with a capital. `lines` are those of
    the cell of a page, if there may be several; `small` are words below it. `page_class` is its class, `level` a part of 1
    that it shows as a bar, with the bar's colour. `words_class` is the class of its words, such as that of a badge; `sign`
    precedes numbers.
    """

    title: str
    show: Show[R]
    align: Literal["left", "right"] = "left"
    least: int = 0
    style: str = ""
    name: str = ""
    exact: Callable[[R], Cell] | None = None
    estimated: Callable[[R], bool] | None = None
    is_name: bool = False
    markdown: Show[R] | None = None
    page: Show[R] | None = None
    page_title: str = ""
    page_class: Class | Show[R] = ""
    small: Callable[[R], Iterable[str]] | None = None
    lines: Callable[[R], Iterable[str]] | None = None
    level: tuple[str, Callable[[R], float | None]] | None = None
    words_class: Show[R] | None = None
    sign: str = ""

    @property
    def column(self) -> Column:
        """Return the column of a text; with room for the mark of an estimate."""
        return Column(self.title + " " * (self.estimated is not None), self.align, self.least, self.style)

    def in_text(self, row: R) -> str:
        """Return the cell of a text."""
        return self.show(row) + self._mark(row, "*", " ")

    def in_texts(self, rows: Sequence[R]) -> list[str]:
        """Return the cells of the column of a text: amounts of money have as many places each."""
        shown = [self.show(row) for row in rows]
        if self.is_money:
            is_estimate = self.estimated or _is_exact
            shown = alike([(text, is_estimate(row)) for text, row in zip(shown, rows, strict=True)])
        return [text + self._mark(row, "*", " ") for text, row in zip(shown, rows, strict=True)]

    def in_markdown(self, row: R) -> str:
        """Return the cell of a table in Markdown."""
        if self.markdown is not None:
            return self.markdown(row) + self._mark(row, "\\*")
        shown = self.show(row)
        return code(shown) if self.is_name and shown != "-" else shown + self._mark(row, "\\*")

    def in_csv(self, row: R) -> Cell:
        """Return the cell in CSV: the exact value."""
        return self.show(row) if self.exact is None else self.exact(row)

    def on_page(self, row: R) -> str:
        """Return the words of the cell of a page."""
        shown = (self.page or self.show)(row)
        return (self.sign if shown[:1].isdigit() else "") + shown + self._mark(row, "*")

    def class_on_page(self, row: R) -> str:
        """Return the class of the cell of a page."""
        if self.level is not None:
            kind, part = self.level
            return f"{kind} v{percentage(min(max(part(row) or 0.0, 0.0), 1.0))}"
        return self.page_class(row) if callable(self.page_class) else self.page_class

    @property
    def heading(self) -> str | tuple[str, str]:
        """Return the title on pages, for numbers with their class."""
        title = self.page_title or self.title[:1].upper() + self.title[1:]
        return (title, "n") if self.align == "right" and self.level is None else title

    def titled(self, title: str) -> Figure[R]:
        """Return the figure under another title."""
        return replace(self, title=title)

    @property
    def is_money(self) -> bool:
        """Tell whether its cells are amounts of money, of which some may be estimates."""
        return self.estimated is not None or bool(self.sign)

    def for_rows(self, rows: Sequence[R]) -> Figure[R]:
        """Return the figure for a table of these rows: amounts of money then have as many places each."""
        if not self.is_money:
            return self
        is_estimate = self.estimated or _is_exact
        show = in_one_way(self.show, rows, is_estimate)
        page = self.page and in_one_way(self.page, rows, is_estimate)
        markdown = self.markdown and in_one_way(self.markdown, rows, is_estimate)
        return replace(self, show=show, page=page, markdown=markdown)

    def in_currency(self, currency: str) -> Figure[R]:
        """Return the figure with the currency in its title in place of `$`, and before the numbers of pages."""
        sign = currency_sign(currency) if self.sign else ""
        title, page_title = (text.replace("$", currency_unit(currency)) for text in (self.title, self.page_title))
        if (title, page_title, sign) == (self.title, self.page_title, self.sign):
            return self  # layouts of a table share their figures, and each is shown once
        return replace(self, title=title, page_title=page_title, sign=sign)

    def _mark(self, row: R, mark: str, otherwise: str = "") -> str:
        return "" if self.estimated is None else mark if self.estimated(row) else otherwise


def _is_exact(row: object) -> bool:  # noqa: ARG001 - as `estimated` of figures without estimates
    return False


Figures = tuple[Figure[T], ...]


def in_currency(figures: Figures[T], currency: str) -> Figures[T]:
    """Return the figures of prices in a currency: it stands in place of `$` in titles and on pages."""
    return tuple(figure.in_currency(currency) for figure in figures)


def laid_out(
    layouts: Sequence[Sequence[Figure[T]]], rows: Sequence[T], width: int
) -> tuple[list[Column], list[tuple[str, ...]]]:
    """Return columns and the cells of each row, by the first layout, richest first, that fits the page; else by the last one.

    Figures of later layouts are not evaluated.
    """
    shown: dict[Figure[T], list[str]] = {}
    for layout in layouts:
        for figure in layout:
            if figure not in shown:
                shown[figure] = figure.in_texts(rows)
        if table_width([natural_width(figure.column, set(shown[figure])) for figure in layout]) <= width:
            break
    return [figure.column for figure in layout], list(zip(*(shown[figure] for figure in layout), strict=True))


def add_table(
    page: Page, layouts: Sequence[Sequence[Figure[T]]], rows: Sequence[T], below: Callable[[T], str] = lambda _: ""
) -> None:
    """Add a table to a text, laid out to fit; below each row its words."""
    columns, shown = laid_out(layouts, rows, page.width)
    page.table(columns, [Group("", tuple(Row(c, words=below(row)) for row, c in zip(rows, shown, strict=True)))])


def titles(figures: Sequence[Figure[T]]) -> list[str]:
    """Return the titles of a table in Markdown, as `markup.table` takes them."""
    return [">" * (figure.align == "right") + figure.title for figure in figures]


def cells(figures: Sequence[Figure[T]], row: T) -> list[str]:
    """Return the cells of a row in Markdown."""
    return [figure.in_markdown(row) for figure in figures]


def for_rows(figures: Iterable[Figure[T]], rows: Sequence[T]) -> Figures[T]:
    """Return the figures for a table of these rows."""
    return tuple(figure.for_rows(rows) for figure in figures)


def markdown_table(figures: Sequence[Figure[T]], rows: Iterable[T]) -> list[str]:
    """Return the lines of a table in Markdown."""
    rows = list(rows)
    columns = for_rows(figures, rows)
    return table(titles(columns), [cells(columns, row) for row in rows])


def short_table(
    figures: Sequence[Figure[T]],
    rows: Sequence[T],
    most: int,
    others: Callable[[Sequence[T]], Sequence[str]] = lambda hidden: (f"{len(hidden):,} more",),
) -> list[str]:
    """Return the lines of a table in Markdown of at most this many rows; below them the cells that stand for the others."""
    hidden, shown = [others(rows[most:])] if len(rows) > most else [], rows[:most]
    columns = for_rows(figures, shown)
    return table(titles(columns), [*(cells(columns, row) for row in shown), *hidden])


def csv_table(figures: Sequence[Figure[T]], rows: Iterable[T], others: Iterable[Mapping[str, Cell]] = ()) -> str:
    """Return rows in CSV; below them others, as cells by the names of figures."""
    return kinds_csv([figure.name for figure in figures], [*(named_cells(figures, row) for row in rows), *others])


def kinds_csv(names: Sequence[str], rows: Iterable[Mapping[str, Cell]]) -> str:
    """Return rows of several kinds in CSV, from cells by the names of figures; what a kind lacks is empty."""
    return rows_csv(names, ([cells.get(name) for name in names] for cells in rows))


def named_cells(figures: Sequence[Figure[T]], row: T, **others: Cell) -> NamedCells:
    """Return the cells of a row in CSV by the names of its figures, after others."""
    return {**others, **{figure.name: figure.in_csv(row) for figure in figures}}


def only_csv(name: str, exact: Callable[[T], Cell]) -> Figure[T]:
    """Return a figure that only CSV has."""
    return Figure(name, str, name=name, exact=exact)


def named(
    title: str, value: Callable[[T], str], name: str = "", *, page_class: Class = "", least: int = 0, style: str = ""
) -> Figure[T]:
    """Return a name, such as that of a type; a missing one is a dash, and empty in CSV."""
    return Figure(title, lambda row: value(row) or "-", "left", least, style, name, value, is_name=True, page_class=page_class)


def count(title: str, value: Callable[[T], int | None], name: str = "", *, page_title: str = "") -> Figure[T]:
    """Return a number of things; one that is unknown is a dash, and empty in CSV."""

    def show(row: T) -> str:
        number = value(row)
        return "-" if number is None else f"{number:,}"

    return Figure(title, show, "right", 0, "", name, value, page_title=page_title, page_class="n")


def number(
    title: str,
    show: Callable[[T], str],
    name: str = "",
    exact: Callable[[T], Cell] | None = None,
    *,
    markdown: Callable[[T], str] | None = None,
    page_title: str = "",
) -> Figure[T]:
    """Return any other number, such as an amount of money, as `show` writes it."""
    return Figure(title, show, "right", 0, "", name, exact, markdown=markdown, page_title=page_title, page_class="n")


def fill(resource: str, part: Callable[[T], float | None], page_title: str) -> Figure[T]:
    """Return how much of a resource is requested, in percent."""
    return Figure(resource, lambda row: percent(part(row)), "right", page_title=page_title, level=(resource, part))


def filled_bar(resource: str, part: Callable[[T], float | None], width: int = 10) -> Figure[T]:
    """Return the same for a text, with a bar."""

    def show(row: T) -> str:
        filled = part(row)
        return f"{bar(filled, width)} {percent(filled):>4}"

    return Figure(resource, show)
