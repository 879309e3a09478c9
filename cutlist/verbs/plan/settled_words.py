"""The second price of a plan in words: what the nodes cost once Karpenter has consolidated them, and what that takes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from cutlist.core.wording import counted
from cutlist.planning.model import HOURS_PER_MONTH, Plan
from cutlist.planning.model.settled import STABLE, Settled
from cutlist.report.plain import monthly, span

_ENDS: Final = {
    "churn": "then the same state comes back, so it never settles",
    "horizon": "a week is over by then, and more would follow",
    "steps": "more would follow",
}


def settled_price(plan: Plan) -> str:
    """Return the second price a month, to stand beside the first; empty without one, or if both are equal.

    With existing nodes the two are prices of different nodes, so only `settled_line` has them.
    """
    settled = _shown(plan)
    if settled is None or settled.existing or settled.end != STABLE or _month(settled.price) == _month(settled.price_before):
        return ""
    return f"{_money(settled)} once settled"


def settled_line(plan: Plan) -> str:
    """Return what the nodes cost once settled, and which commands lead there; empty if Karpenter does nothing to them."""
    if plan.unsettled:
        return f"not known: {plan.unsettled}"
    settled = _shown(plan)
    if settled is None:
        return ""
    commands = counted(settled.commands, "command")
    moved = f" that {'moves' if settled.commands == 1 else 'move'} {counted(settled.moves, 'pod')}" if settled.moves else ""
    text = f"{_money(settled)} a month for {_nodes(settled)}, after {commands}{moved} within {span(settled.seconds)}"
    return "; ".join(part for part in (f"{text}{_arrival(settled)}", _ENDS.get(settled.end, "")) if part)


def _shown(plan: Plan) -> Settled | None:
    return plan.settled if plan.settled is not None and plan.settled.changes else None


def _nodes(settled: Settled) -> str:
    nodes = counted(settled.nodes, "node")
    if not settled.existing:
        return nodes
    before = f"${_month(settled.price_before)} for {counted(settled.nodes_before, 'node')}"
    return f"{nodes} in place of {before}, {settled.existing:,} of which {'exists' if settled.existing == 1 else 'exist'} today"


def _arrival(settled: Settled) -> str:
    """Return when the pods arrive, where the schedules of budgets make that count."""
    if settled.arrival is None:
        return ""
    return datetime.fromtimestamp(settled.arrival, UTC).strftime(" if the pods arrive on a %A at %H:%M UTC")


def _money(settled: Settled) -> str:
    return f"${_month(settled.price)}{'*' if settled.estimated else ''}"


def _month(price: float) -> str:
    return monthly(price * HOURS_PER_MONTH)
