"""The page of a plan: its nodes, the types that NodePools allow, and the week of its budgets.

It is imported for `-o html` only: types and budgets are answers of other verbs, which other forms of a plan do not need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutlist.verbs.budgets.answer import upcoming
from cutlist.verbs.cluster_state import newest_time
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.types.answer import types

if TYPE_CHECKING:
    from cutlist.planning.inputs import PlanInputs
    from cutlist.planning.model import Plan


def page_of(plan: Plan, inputs: PlanInputs, before: Plan | None) -> str:
    """Return the page of a plan of these inputs, compared with an earlier one if there is one."""
    # Only the nodes of a cluster determine the time, so without nodes there is no week to show.
    week = upcoming(inputs, newest_time(inputs)) if inputs.cluster.nodes else None
    return plan_html(plan, types(inputs), before, week)
