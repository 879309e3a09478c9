"""What a workload costs, in words."""

from __future__ import annotations

from cutlist.planning.model import Totals
from cutlist.planning.model.explanation import Explanation
from cutlist.report.estimates import Money


def part_of_nodes(explanation: Explanation, per_hour: float, mark: str = "*") -> Money:
    """Return a part of what the nodes of a workload cost, such as its share of them: known as well as their whole price."""
    nodes = Money.of_totals(Totals.of(explanation.nodes, ()), mark if explanation.has_estimates else "")
    return nodes.part(per_hour)
