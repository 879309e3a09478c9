"""A verb's answers for all environments of a repository: a headline, a row for each, and how to see one alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol, TypeVar

from cutlist.catalog.ages import PriceAge
from cutlist.core.setting import Setting
from cutlist.report.columns import Figure, Figures, add_table, markdown_table, named
from cutlist.report.markup import words
from cutlist.report.page import BAD, QUIET, Page, Part
from cutlist.report.price_sources import age_footnote
from cutlist.settings.environments import ENVIRONMENT


class EnvironmentRow(Protocol):
    """An environment as a row of a table."""

    @property
    def name(self) -> str:
        """Return the name of the environment."""
        ...

    @property
    def remark(self) -> str:
        """Return what its row says in words, or why there is no answer for it."""
        ...


class RegionRow(Protocol):
    """An environment with the region of its nodes, which is empty without an answer."""

    @property
    def region(self) -> str | None:
        """Return its region."""
        ...


T = TypeVar("T", bound=EnvironmentRow)

NAME: Final[Figure[EnvironmentRow]] = named("environment", lambda row: row.name, "environment", page_class="w", least=8)
REGION: Final[Figure[RegionRow]] = Figure("region", lambda row: row.region or "-", name="region", exact=lambda row: row.region)


def remark_of(title: str, name: str = "") -> Figure[EnvironmentRow]:
    """Return the words of a row. A text has them below the row instead."""
    return Figure(title, lambda row: row.remark, name=name, markdown=lambda row: words(row.remark), page_class="w")


def environments_text(
    headline: Part,
    figures: Figures[T],
    rows: Sequence[T],
    *,
    one: tuple[str, str],
    by: Setting = ENVIRONMENT,
    width: int,
    colour: bool,
    total: Sequence[T] = (),
    state: str = "",
    note: str = "",
    ages: Iterable[PriceAge | None] = (),
) -> str:
    """Return answers as text of at most `width` columns, with colour if asked. Ends in a newline.

    `one` is a verb with its arguments, and what its answer about one environment is, which `by` names. `total` is the row of
    all environments, if there is one. `state` says how many have no answer, `note` what a mark in the table means, and `ages`
    which prices are old.
    """
    page = Page(width)
    page.line(headline)
    if state:
        page.paragraph(f"{state}.", style=BAD)
    page.blank()
    add_table(page, [figures], [*rows, *total], lambda row: row.remark)
    page.blank()
    if note:
        page.paragraph(f"{note}.", style=QUIET)
    age_footnote(page, *ages)
    if len(rows) > 1:
        verb, what = one
        page.paragraph(f"`cutlist {verb} {by.flag} {by.metavar}` shows {what}.", style=QUIET)
    return page.text(colour=colour)


def environments_markdown(headline: str, figures: Figures[T], rows: Sequence[T]) -> str:
    """Return answers as Markdown. Ends in a newline."""
    return "\n".join([f"### Cutlist: {words(headline)}", "", *markdown_table(figures, rows)]) + "\n"
