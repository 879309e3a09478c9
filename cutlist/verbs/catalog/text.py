"""The changes between two catalogues, as text: new types, removed types, changed zones, changed prices."""

from __future__ import annotations

from collections.abc import Iterator

from cutlist.catalog.comparison import Comparison
from cutlist.core.wording import counted
from cutlist.report.page import HEADING, Page
from cutlist.settings.catalog import LIMIT
from cutlist.verbs.catalog.answer import CatalogDiff
from cutlist.verbs.catalog.columns import Section, sections


def render_catalog(answer: CatalogDiff, width: int = 100, colour: bool = False) -> str:
    """Return the comparisons as text, with the first entries of each section. Ends in a newline."""
    page = Page(width)
    for comparison in answer.comparisons:
        page.blank()
        page.line((comparison.region, HEADING), f": {summary_of(comparison)}")
        for section in sections(comparison):
            for line in _lines(section, answer.limit):
                page.line(line)
        if any(p.estimated for change in comparison.repriced for p in (change.old, change.new) if p):
            page.line("")
            page.line("  * an estimate")
    return page.text(colour=colour)


def summary_of(comparison: Comparison) -> str:
    """Return how many types and prices of a region changed, in words."""
    if not comparison:
        return "no difference"
    types = f"{len(comparison.new):,} new, {len(comparison.gone):,} removed, {len(comparison.rezoned):,} in other zones"
    return f"{types}, {counted(len(comparison.repriced), 'price')} changed"


def _lines(section: Section, limit: int) -> Iterator[str]:
    yield from ("", f"  {section.title}{section.order}")
    shown = section.rows[:limit] if limit else section.rows
    rows = [[figure.in_text(row) for figure in section.columns] for row in shown]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    for row in rows:
        yield "    " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    if left := len(section.rows) - len(shown):
        yield f"    and {left:,} more; {LIMIT.flag} 0 shows all"
