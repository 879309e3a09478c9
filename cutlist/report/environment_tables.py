"""A verb's answers for all environments of a repository: a headline, a row for each, and how to see one alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from cutlist.report.columns import Figures, add_table, markdown_table
from cutlist.report.markup import words
from cutlist.report.page import BAD, GOOD, QUIET, Page
from cutlist.settings.environments import ENVIRONMENT

T = TypeVar("T")


def environments_text(
    headline: str,
    *,
    is_good: bool,
    figures: Figures[T],
    rows: Sequence[T],
    remark: Callable[[T], str],
    one: tuple[str, str],
    width: int,
    colour: bool,
    note: str = "",
) -> str:
    """Return answers as text of at most `width` columns, with colour if asked. Ends in a newline.

    `one` is a verb with its arguments, and what its answer about one environment is. `note` explains marks in the table.
    """
    page = Page(width)
    page.line((headline, GOOD if is_good else BAD))
    page.blank()
    add_table(page, [figures], rows, remark)
    if note or len(rows) > 1:
        page.blank()
    if note:
        page.paragraph(note, style=QUIET)
    if len(rows) > 1:
        verb, what = one
        page.paragraph(f"`cutlist {verb} {ENVIRONMENT.flag} {ENVIRONMENT.metavar}` shows {what}.", style=QUIET)
    return page.text(colour=colour)


def environments_markdown(headline: str, figures: Figures[T], rows: Sequence[T]) -> str:
    """Return answers as Markdown. Ends in a newline."""
    return "\n".join([f"### Cutlist: {words(headline)}", "", *markdown_table(figures, rows)]) + "\n"
