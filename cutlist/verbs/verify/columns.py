"""The columns of the tables of what happened to a plan: what differs, and the causes."""

from __future__ import annotations

from typing import Final, NamedTuple

from cutlist.core.wording import counted
from cutlist.report.columns import Figure, Figures, count
from cutlist.report.markup import code, words
from cutlist.verification.verdicts import ExplainedDeviation, ExplainingCause, NodeVerdict

_CELL: Final = 600  # columns of a cell


class Difference(NamedTuple):
    """A difference of some nodes that are alike: the verdict on the first, their number, and what differs."""

    verdict: NodeVerdict
    nodes: int
    finding: ExplainedDeviation


def _node(row: Difference) -> str:
    if row.verdict.node is None:
        return counted(row.nodes, "node")
    return code(row.verdict.node.name) + (f" and {row.nodes - 1:,} more" if row.nodes > 1 else "")


def _what(row: Difference) -> str:
    return words(f"{row.verdict.outcome}, {row.verdict.planned_text or row.verdict.node_text}", _CELL)


def _causes(row: Difference) -> str:
    named = (f"{code(named.cause.id)}: {words(named.because, _CELL)}" for named in row.finding.causes)
    return "<br>".join(named) or "**no known cause**"


DIFFERENCES: Final[Figures[Difference]] = (
    Figure("node", _node),
    Figure("what", _what),
    Figure("difference", lambda row: words(row.finding.deviation.text, _CELL)),
    Figure("causes", _causes),
)
CAUSES: Final[Figures[ExplainingCause]] = (
    count("differences", lambda cause: cause.differences),
    Figure("cause", lambda cause: cause.id, is_name=True),
    Figure("what it is", lambda cause: words(cause.title)),
    Figure("what to do", lambda cause: words(cause.remedy)),
)
