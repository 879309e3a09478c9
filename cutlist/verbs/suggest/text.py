"""Suggested NodePools as text for a terminal: the money first, then the options, their edits, and what restrictions cost."""

from __future__ import annotations

from typing import Final

from cutlist.planning.model.restrictions import RestrictionPrices
from cutlist.report.page import GOOD, HEADING, QUIET, Column, Group, Page, Row
from cutlist.report.restrictions import restriction_section
from cutlist.verbs.suggest.answer import Suggestion, Suggestions
from cutlist.verbs.suggest.words import (
    LIMITS,
    bound_sentence,
    figure_cells,
    search_sentence,
    usage_sentences,
    verdict,
    what_if_cells,
)

_COLUMNS: Final = (
    Column("", "right"),
    Column("$/hour", "right"),
    Column("$/month", "right"),
    Column("above bound", "right"),
    Column("nodes", "right"),
    Column("lost with node", "right"),
    Column("with zone", "right"),
    Column("in one spot pool", "right"),
)
_WIDE: Final = 90
"""Columns of a page that has the price of an hour beside that of a month."""


def render_suggestions(suggestions: Suggestions, width: int = 100, colour: bool = False) -> str:
    """Return suggestions as text of at most `width` columns; with colour as ANSI codes. Ends in a newline."""
    page = Page(width)
    page.line((verdict(suggestions), HEADING))
    page.paragraph(bound_sentence(suggestions))
    page.blank()
    rows = [Row(("now", *figure_cells(suggestions, suggestions.current)))]
    rows += [Row((_mark(suggestions, n), *figure_cells(suggestions, o.figures))) for n, o in enumerate(suggestions.options)]
    _options(page, rows)
    page.paragraph(f"* recommended: {suggestions.why}. Pods that are lost when the fullest node or zone fails.", style=QUIET)
    for number, option in enumerate(suggestions.options):
        _edits(page, suggestions, number, option)
    if suggestions.restrictions or suggestions.unpriced:
        restriction_section(page, RestrictionPrices(suggestions.restrictions, suggestions.unpriced))
    _what_if(page, suggestions)
    if suggestions.usage is not None:
        page.bullets("Requests by measured use", usage_sentences(suggestions.usage))
    page.blank()
    page.paragraph(search_sentence(suggestions), style=QUIET)
    return page.text(colour=colour)


def _options(page: Page, rows: list[Row]) -> None:
    """Add the options as a table, on a narrow page without the price of an hour, the second column."""
    if page.width >= _WIDE:
        page.table(_COLUMNS, [Group("", tuple(rows))])
    else:
        kept = (Row((row.cells[0], *row.cells[2:])) for row in rows)
        page.table((_COLUMNS[0], *_COLUMNS[2:]), [Group("", tuple(kept))])


def _mark(suggestions: Suggestions, number: int) -> str:
    return f"{'*' if number == suggestions.recommended else ''}{number + 1}"


def _edits(page: Page, suggestions: Suggestions, number: int, option: Suggestion) -> None:
    page.blank()
    style = GOOD if number == suggestions.recommended else HEADING
    page.line((f"{number + 1}", style), "" if option.edits else "  nothing changes")
    for edit in option.edits:
        page.paragraph(edit.words, first="  - ", indent=4)
    if option.sets_limits:
        page.paragraph(LIMITS, first="    ", indent=4, style=QUIET)


def _what_if(page: Page, suggestions: Suggestions) -> None:
    if not suggestions.what_if:
        return
    page.blank()
    page.line(("What if, with the current NodePools", HEADING))
    columns = (Column("", "left", 20), Column("$/month", "right"), Column("against now", "right"), Column("nodes", "right"))
    rows = [Row((w.what, *what_if_cells(suggestions, w))) for w in suggestions.what_if]
    page.table((*columns, Column("pending", "right")), [Group("", tuple(rows))])
