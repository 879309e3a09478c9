"""Suggested NodePools as text for a terminal: the money, what it costs otherwise, the diff, and then what else there is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from cutlist.planning.model.restrictions import RestrictionPrices
from cutlist.report.columns import add_table
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, Page
from cutlist.report.plain import escape, shorten
from cutlist.report.price_sources import age_footnote
from cutlist.report.restrictions import restriction_section
from cutlist.verbs.suggest.columns import (
    ScenarioRow,
    fleet_rows,
    fleet_text,
    option_columns,
    option_rows,
    scenario_columns,
    scenario_rows,
    what_if_columns,
)
from cutlist.verbs.suggest.edit_words import part_sentences
from cutlist.verbs.suggest.fleet import FleetSuggestions
from cutlist.verbs.suggest.fleet_words import fleet_verdict, state_sentence
from cutlist.verbs.suggest.opening import opening
from cutlist.verbs.suggest.saving_words import verdict
from cutlist.verbs.suggest.search_words import refusal_words, search_sentence
from cutlist.verbs.suggest.suggestions import Suggestions
from cutlist.verbs.suggest.usage_words import usage_sentences

_MOST_LINES: Final = 60
"""How many lines a text has at most; what does not fit is in the other forms."""
_DIFF: Final = 16
_PARTS: Final = 6
_LAST: Final = 4
_AGE: Final = 3
"""How many lines of a diff and of the edits are shown, and how many are kept for the end and for the age of prices."""


def render_suggestions(suggestions: Suggestions, width: int = 100, colour: bool = False, shows_refused: bool = False) -> str:
    """Return suggestions as text of at most `width` columns; with colour as ANSI codes. Ends in a newline."""
    page = Page(width)
    page.paragraph(verdict(suggestions), style=HEADING)
    for sentence in opening(suggestions):
        if sentence:
            page.paragraph(sentence)
    _diff(page, suggestions)
    _parts(page, suggestions)
    page.blank()
    rows = option_rows(suggestions)
    add_table(page, [option_columns(rows)], rows)
    page.paragraph(
        f"* recommended: {suggestions.why}. Above least: beyond the lowest price that is "
        "possible. Lost with node: the pods on the fullest one, if it fails.",
        style=QUIET,
    )
    if shows_refused:
        page.bullets("Not offered", [refusal_words(suggestions, refused) for refused in suggestions.refused])
    left_out = False
    last = _LAST + (0 if suggestions.price_age is None else _AGE)
    for section in _sections(suggestions, width):
        if shows_refused or len(page.lines) + len(section.lines) + 1 + last <= _MOST_LINES:
            page.blank()
            page.lines += section.lines
        else:
            left_out = True
    page.blank()
    more = " More is in -o html, -o markdown and -o json." if left_out else ""
    page.paragraph(f"{search_sentence(suggestions)}{more}", style=QUIET)
    age_footnote(page, suggestions.price_age)
    return page.text(colour=colour)


def _diff(page: Page, suggestions: Suggestions) -> None:
    """Add the lines that the recommended option changes, as many as there is room for. Long paths keep the names of files."""
    shown = 0
    for diff in suggestions.diffs:
        if shown >= _DIFF:
            page.line((shorten(f"... and {escape(diff.source)}", page.width), QUIET))
            continue
        page.blank()
        page.line((shorten(escape(diff.source), page.width), HEADING))
        lines = diff.lines[: _DIFF - shown]
        for line in lines:
            page.line((line, GOOD if line.startswith("+") else BAD if line.startswith("-") else QUIET))
        if len(lines) < len(diff.lines):
            page.line((f"... {len(diff.lines) - len(lines):,} more lines; -o markdown has all of them", QUIET))
        shown += len(lines)


def _parts(page: Page, suggestions: Suggestions) -> None:
    sentences = part_sentences(suggestions)
    page.blank()
    for sentence in sentences[:_PARTS]:
        page.paragraph(sentence, first="- ", indent=2)
    if len(sentences) > _PARTS:
        page.line((f"... {len(sentences) - _PARTS:,} more edits", QUIET))


def _sections(suggestions: Suggestions, width: int) -> Iterator[Page]:
    """Yield what there may be room for, the most important first."""
    if suggestions.usage is not None:
        section = Page(width)
        section.bullets("Requests by measured use", usage_sentences(suggestions))
        yield section
    rows = [row for row in scenario_rows(suggestions) if row.weight]
    if rows:
        section = Page(width)
        add_table(section, [scenario_columns(suggestions.currency)], _with_zones_joined(rows))
        yield section
    if suggestions.what_if:
        section = Page(width)
        section.line(("What if, with the current NodePools", HEADING))
        add_table(section, [what_if_columns(suggestions.current, suggestions.currency)], suggestions.what_if)
        yield section
    if suggestions.restrictions or suggestions.unpriced:
        section = Page(width)
        restriction_section(section, RestrictionPrices(suggestions.restrictions, suggestions.unpriced), suggestions.money)
        yield section


def _with_zones_joined(rows: list[ScenarioRow]) -> list[ScenarioRow]:
    """Return the scenarios with lost zones in one row where they cost the same, today and then, as most do."""
    joined: dict[object, list[ScenarioRow]] = {}
    for row in rows:
        joined.setdefault((row.today, row.then) if row.lost_zone else row.what, []).append(row)
    return [_joined(alike) for alike in joined.values()]


def _joined(alike: list[ScenarioRow]) -> ScenarioRow:
    first = alike[0]
    if len(alike) == 1:
        return first
    weight = math.fsum(row.weight for row in alike)
    return replace(first, what=f"one of {len(alike):,} zones lost", weight=weight)


def render_fleet(fleet: FleetSuggestions, width: int = 100, colour: bool = False) -> str:
    """Return suggestions for a fleet as text of at most `width` columns; with colour as ANSI codes. Ends in a newline."""
    page, rows = Page(width), fleet_rows(fleet)
    page.line((fleet_verdict(fleet), HEADING))
    if state := state_sentence(fleet):
        page.paragraph(f"{state}.", style=BAD)
    page.blank()
    add_table(page, [fleet_text(rows)], rows, lambda row: row.remark)
    page.blank()
    page.paragraph("The best is what `cutlist suggest` recommends for an environment; it shows other options too.", style=QUIET)
    return page.text(colour=colour)
