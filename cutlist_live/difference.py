"""`cutlist catalog diff`: two catalogues as text and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from cutlist.catalog import AnyRegion, Price, chosen_regions, load_chosen
from cutlist.catalog.comparison import Comparison, Repriced, compare
from cutlist.core.errors import InputError, Place, Problems, nearest

EMBEDDED: Final = "embedded"


def compare_catalogs(old: str, new: str, wanted: Sequence[str]) -> tuple[Comparison, ...]:
    """What changed between two catalogues, each a folder or `embedded`, in these regions, else in all that both have.

    Raises InputError for a folder without a catalogue, and for a region that one of them lacks.
    """
    problems = Problems()
    known = [_regions(name, problems) for name in (old, new)]
    problems.raise_if_any()
    both = sorted(set(known[0]) & set(known[1]))
    for region in wanted:
        if region not in both:
            text = f"region {region!r} is not in both catalogues"
            problems.add(Place(path="--region"), text, ", ".join(both), nearest(region, both))
    if not both:
        problems.add(Place(path=f"{old} {new}"), "the catalogues have no region in common")
    problems.raise_if_any()
    return tuple(compare(_load(old, region), _load(new, region)) for region in dict.fromkeys(wanted or both))


def _regions(name: str, problems: Problems) -> tuple[str, ...]:
    try:
        return chosen_regions(None if name == EMBEDDED else name)
    except InputError as error:
        problems.extend(error.problems)
        return ()


def _load(name: str, region: str) -> AnyRegion:
    return load_chosen(None if name == EMBEDDED else name, region)


def comparisons_json(found: Sequence[Comparison]) -> str:
    """The comparisons as JSON: prices per hour, null where unknown."""
    data = [
        {
            "region": c.region,
            "new": list(c.new),
            "gone": list(c.gone),
            "zones": [{"type": z.machine, "opened": list(z.opened), "closed": list(z.closed)} for z in c.rezoned],
            "prices": [_price_change(p) for p in c.repriced],
        }
        for c in found
    ]
    return json.dumps(data, indent=2) + "\n"


def _price_change(change: Repriced) -> dict[str, Any]:
    return {
        "type": change.machine,
        "capacityType": change.capacity_type,
        "old": _price(change.old),
        "new": _price(change.new),
    }


def _price(price: Price | None) -> dict[str, Any] | None:
    if price is None:
        return None
    return {
        "perHour": price.usd_per_hour,
        "currency": price.currency,
        "source": price.source,
        "date": price.date,
        "estimated": price.estimated,
    }


def render_comparisons(found: Sequence[Comparison], limit: int) -> str:
    """The comparisons as text, at most `limit` entries a section, 0 for all."""
    return "\n".join("".join(f"{line}\n" for line in _region(c, limit)) for c in found)


def _region(c: Comparison, limit: int) -> list[str]:
    if not c:
        return [f"{c.region}: no difference"]
    counts = f"{len(c.new)} new, {len(c.gone)} gone, {len(c.rezoned)} in other zones, {len(c.repriced)} prices changed"
    lines = [f"{c.region}: {counts}"]
    lines += _section("new types", [[name] for name in c.new], limit)
    lines += _section("gone types", [[name] for name in c.gone], limit)
    rezoned = [[z.machine, *(f"+{i}" for i in z.opened), *(f"-{i}" for i in z.closed)] for z in c.rezoned]
    lines += _section("other zones", rezoned, limit)
    lines += _section("prices per hour, largest change first", [_cells(p) for p in c.repriced], limit)
    if any(p.estimated for change in c.repriced for p in (change.old, change.new) if p):
        lines += ["", "  * an estimate"]
    return lines


def _cells(change: Repriced) -> list[str]:
    share = "" if change.change is None else f"{change.change:+.1%}"
    return [change.machine, change.capacity_type, _amount(change.old), "->", _amount(change.new), share]


def _amount(price: Price | None) -> str:
    if price is None:
        return "unknown"
    unit = "$" if price.currency == "USD" else f"{price.currency} "
    return f"{unit}{price.usd_per_hour:.4f}{'*' if price.estimated else ''}"


def _section(title: str, rows: list[list[str]], limit: int) -> list[str]:
    if not rows:
        return []
    shown = rows[:limit] if limit else rows
    widths = [max(len(row[i]) for row in shown if i < len(row)) for i in range(max(map(len, shown)))]
    lines = ["    " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in shown]
    left = len(rows) - len(shown)
    return ["", f"  {title}", *lines, *([f"    and {left} more; --limit 0 shows all"] if left else [])]
