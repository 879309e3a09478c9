"""The changes between two catalogues as Markdown, for the change that brings new figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.catalog.comparison import Comparison
from cutlist.core.wording import counted
from cutlist.report.markup import code, folded, table, words
from cutlist.verbs.catalog.text import price_cells, summary_of, zones_in_words

_TITLES: Final = ["instance type", "capacity", ">old", "", ">new", ">change"]


def catalog_markdown(comparisons: Sequence[Comparison], limit: int) -> str:
    """Return the comparisons as Markdown, at most `limit` entries of each kind, 0 for all. Ends in a newline."""
    lines = ["### Catalogue", ""]
    for comparison in comparisons:
        lines += [f"**{words(comparison.region)}**: {summary_of(comparison)}", ""]
        lines += _types("new types", comparison.new, limit)
        lines += _types("removed types", comparison.gone, limit)
        zones = [[code(one.machine), words(zones_in_words(one))] for one in comparison.rezoned]
        lines += _folded("other zones", ["instance type", "zones"], zones, limit)
        prices = [[code(name), *map(words, cells)] for name, *cells in map(price_cells, comparison.repriced)]
        lines += _folded("prices per hour", _TITLES, prices, limit)
    return "\n".join(lines).rstrip() + "\n"


def _types(title: str, names: Sequence[str], limit: int) -> list[str]:
    return _folded(title, ["instance type"], [[code(name)] for name in names], limit)


def _folded(title: str, titles: Sequence[str], rows: list[list[str]], limit: int) -> list[str]:
    if not rows:
        return []
    shown = rows[:limit] if limit else rows
    more = [] if len(shown) == len(rows) else ["", f"And {counted(len(rows) - len(shown), 'more row')}."]
    return folded(f"{title} ({len(rows):,})", [*table(titles, shown), *more])
