"""The changes between two catalogues as Markdown, for the change that brings new figures."""

from __future__ import annotations

from cutlist.core.wording import counted
from cutlist.report.columns import markdown_table
from cutlist.report.markup import folded, words
from cutlist.verbs.catalog.answer import CatalogDiff
from cutlist.verbs.catalog.columns import Section, sections
from cutlist.verbs.catalog.text import summary_of


def catalog_markdown(answer: CatalogDiff) -> str:
    """Return the comparisons as Markdown, with the first entries of each kind. Ends in a newline."""
    lines = ["### Catalogue", ""]
    for comparison in answer.comparisons:
        lines += [f"**{words(comparison.region)}**: {summary_of(comparison)}", ""]
        for section in sections(comparison):
            lines += _folded(section, answer.limit)
    return "\n".join(lines).rstrip() + "\n"


def _folded(section: Section, limit: int) -> list[str]:
    shown = section.rows[:limit] if limit else section.rows
    left = len(section.rows) - len(shown)
    more = ["", f"And {counted(left, 'more row')}."] if left else []
    return folded(f"{section.title} ({len(section.rows):,})", [*markdown_table(section.columns, shown), *more])
