"""Cells of catalogue files: their values, and how those are written. An empty cell is unknown or not applicable."""

from __future__ import annotations

from functools import lru_cache
from typing import Any


def plain_text(cell: str) -> str:
    """Return the cell as it is, where the reader of a column has nothing to convert."""
    return cell


@lru_cache(maxsize=4096)
def maybe_int(cell: str) -> int | None:
    """Return a whole number, or None for an empty cell."""
    return int(cell) if cell else None


@lru_cache(maxsize=256)
def maybe_float(cell: str) -> float | None:
    """Return a number, or None for an empty cell."""
    return float(cell) if cell else None


def truth(cell: str) -> bool:
    """Read `true` or `false`. Raises ValueError for any other text."""
    if cell not in ("true", "false"):
        raise ValueError(f"{cell!r} is neither true nor false")
    return cell == "true"


def maybe_bool(cell: str) -> bool | None:
    """Read `true` or `false`; None for an empty cell."""
    return truth(cell) if cell else None


@lru_cache(maxsize=1024)
def listed(cell: str) -> tuple[str, ...]:
    """Return the items of a list; none for an empty cell."""
    return tuple(cell.split("+")) if cell else ()


def cell_text(value: Any) -> str:
    """Return what a file of the catalogue has for a value: nothing for None, the parts of a tuple joined with `+`."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple):
        return "+".join(map(str, value))
    return str(value)
