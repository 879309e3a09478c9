"""The columns of tables in comments and on pages: planned nodes, and outcomes of rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from cutlist.planning.model import Totals
from cutlist.policy.gates import Judgement, Verdict
from cutlist.report.columns import Class, Figure, Figures, number
from cutlist.report.estimates import Money
from cutlist.report.markup import words

OPEN: Final = ("stopping", "advisory")
"""The sorts of outcomes that ask for something to be done; the others are folded, or come last."""
_CELL: Final = 2_000  # columns of a name, or of a finding with its advice, which is shown in full


class PlannedRow(NamedTuple):
    """The nodes of a NodePool, or all of them, as Markdown, and their sums."""

    title: str
    nodes: str
    totals: Totals


def cell(text: str) -> str:
    """Return a text of the input in full."""
    return words(text, _CELL)


def _price(totals: Totals, price: str) -> str:
    return price + "\\*" * bool(totals.estimated_part) + " +" * bool(totals.unpriced_nodes)


def _per_hour(row: PlannedRow) -> str:
    price = row.totals.price_per_hour
    return "unknown" if price is None else _price(row.totals, Money.of_totals(row.totals).hour_cell())


def _per_month(row: PlannedRow) -> str:
    price = row.totals.price_per_month
    return "unknown" if price is None else _price(row.totals, Money.of_totals(row.totals).month_cell())


def _finding(outcome: Judgement) -> str:
    """Return what was found, with what is allowed and one repair, or with why it does not count."""
    if outcome.verdict is Verdict.UNKNOWN:
        return outcome.found
    if outcome.verdict is Verdict.EXEMPT:
        return f"{outcome.found}; {outcome.note}"
    allowed = f"; allowed: {outcome.allowed}" if outcome.allowed else ""
    return f"{outcome.found}{allowed}; repair: {outcome.advice}"


def _text(title: str, value: Callable[[Judgement], str], page_class: Class = "") -> Figure[Judgement]:
    return Figure(title, value, markdown=lambda outcome: cell(value(outcome)), page_class=page_class)


PLANNED: Final[Figures[PlannedRow]] = (
    Figure("NodePool", lambda row: row.title),
    Figure("nodes", lambda row: row.nodes),
    number("$/hour", _per_hour),
    number("$/month", _per_month),
)
OUTCOMES: Final[Figures[Judgement]] = (
    Figure("rule", lambda outcome: outcome.rule, page_class="k"),
    _text("object", lambda outcome: outcome.about),
    _text("finding", _finding, "w"),
    _text("where", lambda outcome: str(outcome.place), "w"),
)
