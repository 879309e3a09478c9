"""Gangs in every form of a plan: what happens to each that is not complete, with the price of the nodes that stay empty."""

from __future__ import annotations

from typing import Final

from cutlist.core.wording import counted
from cutlist.planning.model import Plan
from cutlist.planning.model.gangs import PlannedGang
from cutlist.report.estimates import Money
from cutlist.report.plain import escape

_NAMED: Final = 3


def gang_lines(plan: Plan) -> tuple[str, ...]:
    """Return a line for each of the first gangs that are not complete, and one that counts the others."""
    waiting = plan.incomplete_gangs
    if not waiting:
        return ()
    nodes = Money.of_totals(plan.totals, "*" if plan.has_estimates else "")
    lines = tuple(gang_line(gang, nodes.part(gang.price_per_hour or 0.0)) for gang in waiting[:_NAMED])
    return (*lines, f"and {counted(len(waiting) - _NAMED, 'more gang')}") if len(waiting) > _NAMED else lines


def gang_line(gang: PlannedGang, nodes: Money) -> str:
    """Return what happens to a gang: `podgroup/train: 6 of 6 needed, 2 fit: 1 node stays empty, $200 a month`; `nodes` is the
    price of the nodes that stay empty."""
    money = "" if gang.price_per_hour is None else f", {nodes.month()} a month"
    return f"{escape(gang.gang)}: {gang.in_words}{money}"
