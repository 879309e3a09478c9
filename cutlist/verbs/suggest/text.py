"""Suggested NodePools as text for a terminal: the money first, then the options, their edits, and what restrictions cost."""

from __future__ import annotations

from typing import Final

from cutlist.planning.model.restrictions import RestrictionPrices
from cutlist.report.columns import add_table
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, Page
from cutlist.report.restrictions import restriction_section
from cutlist.verbs.suggest import words
from cutlist.verbs.suggest.answer import Suggestion, Suggestions
from cutlist.verbs.suggest.columns import FLEET, fleet_rows, option_columns, option_rows, what_if_columns
from cutlist.verbs.suggest.fleet import FleetSuggestions
from cutlist.verbs.suggest.fleet_words import fleet_verdict, state_sentence

_WIDE: Final = 90
"""Columns of a page that has the price of an hour beside that of a month."""


def render_suggestions(suggestions: Suggestions, width: int = 100, colour: bool = False) -> str:
    """Return suggestions as text of at most `width` columns; with colour as ANSI codes. Ends in a newline."""
    page = Page(width)
    page.line((words.verdict(suggestions), HEADING))
    page.paragraph(words.bound_sentence(suggestions))
    page.blank()
    rows = option_rows(suggestions)
    add_table(page, [option_columns(rows, has_hour=page.width >= _WIDE)], rows)
    page.paragraph(f"* recommended: {suggestions.why}. Pods that are lost when the fullest node or zone fails.", style=QUIET)
    for number, option in enumerate(suggestions.options):
        _edits(page, suggestions, number, option)
    if suggestions.restrictions or suggestions.unpriced:
        restriction_section(page, RestrictionPrices(suggestions.restrictions, suggestions.unpriced))
    _what_if(page, suggestions)
    if suggestions.usage is not None:
        page.bullets("Requests by measured use", words.usage_sentences(suggestions.usage))
    page.blank()
    page.paragraph(words.search_sentence(suggestions), style=QUIET)
    return page.text(colour=colour)


def _edits(page: Page, suggestions: Suggestions, number: int, option: Suggestion) -> None:
    page.blank()
    style = GOOD if number == suggestions.recommended else HEADING
    page.line((f"{number + 1}", style), "" if option.edits else "  nothing changes")
    for edit in option.edits:
        page.paragraph(edit.words, first="  - ", indent=4)
    if option.sets_limits:
        page.paragraph(words.LIMITS, first="    ", indent=4, style=QUIET)


def _what_if(page: Page, suggestions: Suggestions) -> None:
    if not suggestions.what_if:
        return
    page.blank()
    page.line(("What if, with the current NodePools", HEADING))
    add_table(page, [what_if_columns(suggestions.current.price)], suggestions.what_if)


def render_fleet(fleet: FleetSuggestions, width: int = 100, colour: bool = False) -> str:
    """Return suggestions for a fleet as text of at most `width` columns; with colour as ANSI codes. Ends in a newline."""
    page, rows = Page(width), fleet_rows(fleet)
    page.line((fleet_verdict(fleet), HEADING))
    if state := state_sentence(fleet):
        page.paragraph(f"{state}.", style=BAD)
    page.blank()
    add_table(page, [FLEET], rows, lambda row: row.remark)
    page.blank()
    page.paragraph("The best is what `cutlist suggest` recommends for an environment; it shows other options too.", style=QUIET)
    return page.text(colour=colour)
