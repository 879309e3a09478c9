"""The figures of what differs between two catalogues, by kind of difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from cutlist.catalog.comparison import Comparison, Repriced, Rezoned
from cutlist.catalog.prices import Price
from cutlist.core.labels import LINUX
from cutlist.report.columns import Figure, Figures
from cutlist.report.markup import words
from cutlist.report.plain import currency_sign, per_hour


class Section(NamedTuple):
    """The differences of one kind, with their columns and in which order they are."""

    title: str
    columns: Figures[Any]
    rows: Sequence[Any]
    order: str = ""


def sections(comparison: Comparison) -> Iterator[Section]:
    """Yield each kind of difference of a region that there is."""
    every = (
        Section("new types", _NAMES, comparison.new),
        Section("removed types", _NAMES, comparison.gone),
        Section("other zones", _ZONES, comparison.rezoned),
        Section("prices per hour", _PRICES, comparison.repriced, ", largest change first"),
    )
    return (section for section in every if section.rows)


def _price(title: str, show: Callable[[Repriced], str], *, right: bool = True) -> Figure[Repriced]:
    return Figure(title, show, "right" if right else "left", markdown=lambda change: words(show(change)))


def _capacity(change: Repriced) -> str:
    return change.capacity_type if change.os == LINUX else f"{change.capacity_type}, {change.os}"


def _amount(price: Price | None) -> str:
    if price is None:
        return "unknown"
    return f"{currency_sign(price.currency)}{per_hour(price.usd_per_hour)}{'*' if price.estimated else ''}"


def _zones(zones: Rezoned) -> str:
    """Return the zones in which a type is sold now, or no longer."""
    return " ".join([*(f"+{id_}" for id_ in zones.opened), *(f"-{id_}" for id_ in zones.closed)])


_NAMES: Final[Figures[str]] = (Figure("instance type", str, is_name=True),)
_ZONES: Final[Figures[Rezoned]] = (
    Figure("instance type", lambda zones: zones.machine, is_name=True),
    Figure("zones", _zones, markdown=lambda zones: words(_zones(zones))),
)
_PRICES: Final[Figures[Repriced]] = (
    Figure("instance type", lambda change: change.machine, is_name=True),
    _price("capacity", _capacity, right=False),
    _price("old", lambda change: _amount(change.old)),
    _price("", lambda _: "->", right=False),
    _price("new", lambda change: _amount(change.new)),
    _price("change", lambda change: "" if change.change is None else f"{change.change:+.1%}"),
)
