"""The changes between two catalogues, as text: new types, removed types, changed zones, changed prices."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.catalog import Price
from cutlist.catalog.comparison import LINUX, Comparison, Repriced
from cutlist.report.plain import currency_sign, per_hour


def render_catalog(comparisons: Sequence[Comparison], limit: int) -> str:
    """Return the comparisons as text, at most `limit` entries per section, 0 for all."""
    return "\n".join("".join(f"{line}\n" for line in _region(c, limit)) for c in comparisons)


def _region(comparison: Comparison, limit: int) -> list[str]:
    """Return the lines about a region."""
    if not comparison:
        return [f"{comparison.region}: no difference"]
    types = f"{len(comparison.new)} new, {len(comparison.gone)} removed, {len(comparison.rezoned)} in other zones"
    lines = [f"{comparison.region}: {types}, {len(comparison.repriced)} prices changed"]
    lines += _section("new types", [[name] for name in comparison.new], limit)
    lines += _section("removed types", [[name] for name in comparison.gone], limit)
    rezoned = [[z.machine, *(f"+{i}" for i in z.opened), *(f"-{i}" for i in z.closed)] for z in comparison.rezoned]
    lines += _section("other zones", rezoned, limit)
    lines += _section("prices per hour, largest change first", [_cells(p) for p in comparison.repriced], limit)
    if any(p.estimated for change in comparison.repriced for p in (change.old, change.new) if p):
        lines += ["", "  * an estimate"]
    return lines


def _cells(change: Repriced) -> list[str]:
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
    return ["", f"  {title}", *lines, *([f"    and {left} more; --limit 0 shows all"] if left else [])]
