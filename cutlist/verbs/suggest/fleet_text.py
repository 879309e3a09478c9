"""Suggestions for a fleet as text for a terminal: the money first, then a row for each environment."""

from __future__ import annotations

from typing import Final

from cutlist.report.page import BAD, HEADING, QUIET, Column, Group, Page, Row
from cutlist.verbs.suggest.fleet import FleetSuggestions
from cutlist.verbs.suggest.fleet_words import PRICES, TOTAL, fleet_verdict, price_cells, remark, state_sentence

_COLUMNS: Final = (
    Column("$/month", "left", 12),
    Column("region", "left", 8),
    *(Column(title, "right") for title in PRICES),
    Column("in %", "right"),
)


def render_fleet(fleet: FleetSuggestions, width: int = 100, colour: bool = False) -> str:
    """Return suggestions for a fleet as text of at most `width` columns; with colour as ANSI codes. Ends in a newline."""
    page = Page(width)
    page.line((fleet_verdict(fleet), HEADING))
    if state := state_sentence(fleet):
        page.paragraph(f"{state}.", style=BAD)
    page.blank()
    rows = [Row((e.name, e.region, *price_cells(e.prices)), words=remark(e)) for e in fleet.environments]
    rows.append(Row((TOTAL, "", *price_cells(fleet.prices))))
    page.table(_COLUMNS, [Group("", tuple(rows))])
    page.blank()
    page.paragraph("The best is what `cutlist suggest` recommends for an environment; it shows other options too.", style=QUIET)
    return page.text(colour=colour)
