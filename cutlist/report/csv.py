"""Rows of CSV for spreadsheets: a cell that could be taken for a formula begins with `'`."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

from cutlist.report.plain import escape

Cell = str | int | float | None
NamedCells = dict[str, Cell]
"""Cells of a row by their titles."""

_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What begins a formula, in either of the widths that spreadsheets read."""


def rows_csv(titles: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return rows under their titles; None becomes an empty cell."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(titles)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return text.getvalue()


def _safe(cell: Cell) -> Cell:
    """Return a cell that no spreadsheet treats as a formula."""
    if not isinstance(cell, str):
        return cell
    escaped = escape(cell)
    return f"'{escaped}" if escaped.lstrip().startswith(_FORMULA_STARTS) else escaped
