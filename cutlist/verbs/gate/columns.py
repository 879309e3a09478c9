"""The columns of a comment's tables: planned nodes, and outcomes of rules."""

from __future__ import annotations

from typing import Final, NamedTuple

from cutlist.planning.model import Totals
from cutlist.policy.gates import Judgement, Verdict
from cutlist.report.columns import Figure, Figures, number
from cutlist.report.markup import words
from cutlist.report.plain import hourly, per_month

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
    return "unknown" if price is None else _price(row.totals, hourly(price))


def _per_month(row: PlannedRow) -> str:
    price = row.totals.price_per_month
    return "unknown" if price is None else _price(row.totals, per_month(price))


def _finding(outcome: Judgement) -> str:
    if outcome.verdict is Verdict.UNKNOWN:
        return cell(outcome.found)
    if outcome.verdict is Verdict.EXEMPT:
        return cell(f"{outcome.found}; {outcome.note}")
    allowed = f"; allowed: {outcome.allowed}" if outcome.allowed else ""
    return cell(f"{outcome.found}{allowed}. {outcome.advice}")


PLANNED: Final[Figures[PlannedRow]] = (
    Figure("NodePool", lambda row: row.title),
    Figure("nodes", lambda row: row.nodes),
    number("$/hour", _per_hour),
    number("$/month", _per_month),
)
OUTCOMES: Final[Figures[Judgement]] = (
    Figure("rule", lambda outcome: outcome.rule),
    Figure("object", lambda outcome: cell(outcome.about)),
    Figure("finding", _finding),
    Figure("where", lambda outcome: cell(str(outcome.place))),
)
