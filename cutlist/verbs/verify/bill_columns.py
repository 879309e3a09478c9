"""The columns of the tables of a bill that is compared with what was expected."""

from __future__ import annotations

from dataclasses import dataclass

from cutlist.core.money import money_sum
from cutlist.core.wording import counted
from cutlist.report.columns import Figure, Figures
from cutlist.report.markup import words
from cutlist.report.plain import money, signed_money
from cutlist.verbs.verify.bill import SHOWN, BillDifference, BillVerification, PoolOnBill


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table of differences: a difference, or all smaller ones together."""

    pool: str
    why: str
    cost: float
    evidence: str

    @property
    def title(self) -> str:
        """Return its reason and NodePool in words."""
        if not self.pool:
            return self.why
        return f"{self.why} {self.pool}" if "NodePool" in self.why else f"{self.why} of NodePool {self.pool}"


def lines_of(answer: BillVerification) -> list[Line]:
    """Return the largest differences, the rest as one line, and their sum."""
    shown, rest = answer.differences[:SHOWN], answer.differences[SHOWN:]
    lines = [Line(one.node_pool, _why(one), one.cost, one.evidence) for one in shown]
    if rest:
        smaller = money_sum(one.cost for one in rest)
        lines.append(Line("", "the rest", smaller, counted(len(rest), "smaller difference")))
    return [*lines, Line("", "together", answer.difference, "")]


def _why(one: BillDifference) -> str:
    return f"{one.why} of {one.what}" if one.what else one.why


def difference_figures(currency: str) -> Figures[Line]:
    """Return the columns of differences."""
    return (
        Figure("difference", lambda line: signed_money(line.cost, currency), "right"),
        Figure("NodePool", lambda line: line.pool or "-", is_name=True),
        Figure("why", lambda line: line.why),
        Figure("evidence", lambda line: line.evidence, markdown=lambda line: words(line.evidence)),
    )


def pool_figures(currency: str) -> Figures[PoolOnBill]:
    """Return the columns of NodePools."""
    return (
        Figure("NodePool", lambda row: row.node_pool, is_name=True),
        Figure("hours expected", lambda row: f"{row.expected_hours:,.0f}", "right"),
        Figure("hours billed", lambda row: f"{row.billed_hours:,.0f}", "right"),
        Figure("cost expected", lambda row: money(row.expected_cost, currency), "right"),
        Figure("cost billed", lambda row: money(row.billed_cost, currency), "right"),
    )
