"""The changes between two catalogues, as text: new types, removed types, changed zones, changed prices."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.catalog import Price
from cutlist.catalog.comparison import LINUX, Comparison, Repriced, Rezoned
from cutlist.core.wording import counted
from cutlist.report.page import HEADING, Page
from cutlist.report.plain import currency_sign, per_hour


def render_catalog(comparisons: Sequence[Comparison], limit: int, width: int = 100, colour: bool = False) -> str:
    """Return the comparisons as text, at most `limit` entries per section, 0 for all. Ends in a newline."""
    page = Page(width)
    for comparison in comparisons:
        page.blank()
        page.line((comparison.region, HEADING), f": {summary_of(comparison)}")
        for line in _sections(comparison, limit):
            page.line(line)
    return page.text(colour=colour)


def summary_of(comparison: Comparison) -> str:
    """Return how many types and prices of a region changed, in words."""
    if not comparison:
        return "no difference"
    types = f"{len(comparison.new):,} new, {len(comparison.gone):,} removed, {len(comparison.rezoned):,} in other zones"
    return f"{types}, {counted(len(comparison.repriced), 'price')} changed"


def _sections(comparison: Comparison, limit: int) -> list[str]:
    """Return the lines about what changed in a region."""
    lines: list[str] = []
    lines += _section("new types", [[name] for name in comparison.new], limit)
    lines += _section("removed types", [[name] for name in comparison.gone], limit)
    rezoned = [[zones.machine, zones_in_words(zones)] for zones in comparison.rezoned]
    lines += _section("other zones", rezoned, limit)
    lines += _section("prices per hour, largest change first", [price_cells(p) for p in comparison.repriced], limit)
    if any(p.estimated for change in comparison.repriced for p in (change.old, change.new) if p):
        lines += ["", "  * an estimate"]
    return lines


def zones_in_words(zones: Rezoned) -> str:
    """Return the zones in which a type is sold now, or no longer."""
    return " ".join([*(f"+{id_}" for id_ in zones.opened), *(f"-{id_}" for id_ in zones.closed)])


def price_cells(change: Repriced) -> list[str]:
    """Return a type, how it is bought, its old and new price, and the difference."""
    share = "" if change.change is None else f"{change.change:+.1%}"
    kind = change.capacity_type if change.os == LINUX else f"{change.capacity_type}, {change.os}"
    return [change.machine, kind, _amount(change.old), "->", _amount(change.new), share]


def _amount(price: Price | None) -> str:
    if price is None:
        return "unknown"
    return f"{currency_sign(price.currency)}{per_hour(price.usd_per_hour)}{'*' if price.estimated else ''}"


def _section(title: str, rows: list[list[str]], limit: int) -> list[str]:
    if not rows:
        return []
    shown = rows[:limit] if limit else rows
    widths = [max(len(row[i]) for row in shown if i < len(row)) for i in range(max(map(len, shown)))]
    lines = ["    " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in shown]
    left = len(rows) - len(shown)
    return ["", f"  {title}", *lines, *([f"    and {left:,} more; --limit 0 shows all"] if left else [])]
