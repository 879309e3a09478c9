"""The figures of leftovers, and the columns that each form of them has."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from cutlist.infrastructure.teardown.report import SweptLeftover
from cutlist.report.columns import Figure, Figures
from cutlist.report.markup import words
from cutlist.report.plain import per_hour

_Figure = Figure[SweptLeftover]


def text_columns(now: datetime, price_in_words: Callable[[float], str]) -> Figures[SweptLeftover]:
    """Return the columns of a text at an instant, with prices as their column writes them."""
    return (_KIND, _ID, _NAME, _age(now), _price(price_in_words))


def _age(now: datetime) -> _Figure:
    def show(finding: SweptLeftover) -> str:
        if finding.leftover.created is None:
            return ""
        minutes = max(0, int((now - finding.leftover.created).total_seconds() // 60))
        if minutes < 60:
            return f"{minutes} min"
        return f"{minutes // 60} h" if minutes < 48 * 60 else f"{minutes // (24 * 60)} d"

    return Figure("age", show, "right")


def _price(in_words: Callable[[float], str]) -> _Figure:
    return Figure("$/h", lambda f: "" if f.leftover.usd_per_hour is None else in_words(f.leftover.usd_per_hour), "right")


def _why(finding: SweptLeftover) -> str:
    return words(finding.reason or "; ".join(finding.leftover.matched))


_KIND: Final[_Figure] = Figure("kind", lambda f: f.leftover.kind)
_ID: Final[_Figure] = Figure("id", lambda f: f.leftover.id, least=12, is_name=True)
_NAME: Final[_Figure] = Figure("name", lambda f: f.leftover.name, least=8, is_name=True)
COMMENT: Final[Figures[SweptLeftover]] = (
    *(_KIND, _ID, _NAME),
    Figure("result", lambda f: f.result),
    Figure("why", _why),
    _price(per_hour),
)
