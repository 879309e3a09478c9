"""The second price of a plan in words: what the nodes cost once Karpenter has consolidated them, and what that takes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from cutlist.core.wording import counted
from cutlist.planning.model import Plan
from cutlist.planning.model.settled import STABLE, Settled
from cutlist.report.estimates import money_of
from cutlist.report.plain import span

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
    if settled is None or settled.existing or settled.end != STABLE or _is_same(plan, settled):
        return ""
    return f"{_money(plan, settled.price, settled.estimated)} once settled"


def settled_line(plan: Plan) -> str:
    """Return what the nodes cost once settled, and which commands lead there; empty if Karpenter does nothing to them."""
    if plan.unsettled:
        return f"not known: {plan.unsettled}"
    settled = _shown(plan)
    if settled is None:
        return ""
    money, nodes = _money(plan, settled.price, settled.estimated), _nodes(plan, settled)
    return f"{money} a month for {nodes}, {_way(settled)}"


def settled_amount(plan: Plan) -> str:
    """Return what a month of the nodes costs once settled; empty without such a price."""
    settled = _shown(plan)
    return "" if settled is None else _money(plan, settled.price, settled.estimated)


def settled_way(plan: Plan) -> str:
    """Return which other nodes there are once settled, and what leads there, to stand below the price; empty without one."""
    settled = _shown(plan)
    if settled is None:
        return ""
    has_other = settled.existing or settled.nodes != plan.totals.nodes
    return f"{_nodes(plan, settled)}, {_way(settled)}" if has_other else _way(settled)


def _way(settled: Settled) -> str:
    commands = counted(settled.commands, "command")
    moved = f" that {'moves' if settled.commands == 1 else 'move'} {counted(settled.moves, 'pod')}" if settled.moves else ""
    text = f"after {commands}{moved} within {span(settled.seconds)}{_arrival(settled)}"
    return "; ".join(part for part in (text, _ENDS.get(settled.end, "")) if part)


def _shown(plan: Plan) -> Settled | None:
    return plan.settled if plan.settled is not None and plan.settled.changes else None


def _nodes(plan: Plan, settled: Settled) -> str:
    nodes = counted(settled.nodes, "node")
    if not settled.existing:
        return nodes
    before = f"{_money(plan, settled.price_before, False)} for {counted(settled.nodes_before, 'node')}"
    return f"{nodes} in place of {before}, {settled.existing:,} of which {'exists' if settled.existing == 1 else 'exist'} today"


def _arrival(settled: Settled) -> str:
    """Return when the pods arrive, where the schedules of budgets make that count."""
    if settled.arrival is None:
        return ""
    return datetime.fromtimestamp(settled.arrival, UTC).strftime(" if the pods arrive on a %A at %H:%M UTC")


def _money(plan: Plan, price: float, estimated: bool) -> str:
    """Return a price a month, no more exact than that of the plan."""
    part = money_of(plan, price, "*" if estimated else "")
    return (part if estimated else replace(part, of=None)).month()


def _is_same(plan: Plan, settled: Settled) -> bool:
    before, after = (_money(plan, price, settled.estimated) for price in (settled.price_before, settled.price))
    return before == after
