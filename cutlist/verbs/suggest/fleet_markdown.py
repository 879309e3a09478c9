"""Suggestions for a fleet as Markdown: a table with a row for each environment."""

from __future__ import annotations

from typing import Final

from cutlist.report.markup import code, table, words
from cutlist.verbs.suggest.fleet import FleetSuggestions
from cutlist.verbs.suggest.fleet_words import PRICES, TOTAL, fleet_verdict, price_cells, remark, state_sentence

_TITLES: Final = (
    "$ per month",
    "Region",
    *(f">{title}" for title in PRICES),
    ">in %",
    "Edits, or why there is no answer",
)


def fleet_markdown(fleet: FleetSuggestions) -> str:
    """Return suggestions for a fleet as Markdown. Ends in a newline."""
    lines = [f"### {words(fleet_verdict(fleet))}", ""]
    lines += [f"**{words(state)}.**", ""] if (state := state_sentence(fleet)) else []
    rows = [[code(e.name), code(e.region), *price_cells(e.prices), words(remark(e))] for e in fleet.environments]
    return "\n".join([*lines, *table(_TITLES, [*rows, [TOTAL, "", *price_cells(fleet.prices)]])]) + "\n"
