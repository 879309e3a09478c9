"""A plan with other numbers of pods in words: a line for autoscalers, and one for rollouts."""

from __future__ import annotations

from cutlist.core.wording import counted
from cutlist.planning.model import Plan
from cutlist.planning.model.scaling import RolloutNodes, ScaledPlan
from cutlist.report.estimates import money_of


def autoscaler_line(plan: Plan) -> str:
    """Return what a month costs at the minimum of the autoscalers, now, and at their maximum; empty without an autoscaler.

    Estimates are rounded to what the range of the plan supports, as in its headline.
    """
    scaling = plan.scaling
    if scaling is None or scaling.minimum is None or scaling.maximum is None:
        return ""
    now = plan.as_scaled
    ends = (("at the minimum", scaling.minimum), ("now", now), ("at the maximum", scaling.maximum))
    return ", ".join(_end(plan, name, of, now) for name, of in ends)


def rollout_line(plan: Plan) -> str:
    """Return what rollouts need besides the nodes of the plan; empty if the nodes have room for it."""
    rollouts, largest = (None, None) if plan.scaling is None else (plan.scaling.rollouts, plan.scaling.largest)
    if rollouts is None or not (rollouts.nodes or rollouts.pending):
        return ""
    if len(rollouts.workloads) == 1:
        return f"{_needs(plan, rollouts)} while {rollouts.workloads[0]} is rolled out"
    text = f"{_needs(plan, rollouts)} while all {len(rollouts.workloads):,} Deployments are rolled out at once"
    if largest is None or not (largest.nodes or largest.pending):
        return text
    return f"{text}; for {largest.workloads[0]} alone, {_needs(plan, largest)}"


def _end(plan: Plan, name: str, of: ScaledPlan, now: ScaledPlan) -> str:
    price = "unknown" if of.price is None else f"{money_of(plan, of.price, '*' if of.is_estimated else '').month()} a month"
    pods = counted(of.pods, "pod")
    return f"{price} {name} ({pods}, {of.pending:,} pending)" if of.pending > now.pending else f"{price} {name} ({pods})"


def _needs(plan: Plan, rollout: RolloutNodes) -> str:
    mark = "*" if rollout.is_estimated else ""
    price = "" if rollout.price is None else f" for {money_of(plan, rollout.price, mark).hour()} an hour"
    parts = [f"{counted(rollout.nodes, 'more node')}{price}"] if rollout.nodes else []
    parts += [f"{counted(rollout.pending, 'pod')} without a node"] if rollout.pending else []
    return " and ".join(parts)
