"""Budgets that do not do what they seem to (spec: disruption 3, 8.1; D-26 to D-33, D-73, D-74)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.api.budget_windows import UNLIMITED, Limit, never_fires, readable
from cutlist.api.durations import NEVER
from cutlist.api.nodepool import NodePool
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.quantity import NANO
from cutlist.disruption.reasons import Reason
from cutlist.settings.budgets import WRITE
from cutlist.state.scheduling_node import NODES

_WRITES: Final = f"`cutlist budgets {WRITE.flag}` writes such budgets from a sentence"


def oddities(pool: NodePool, limits: Sequence[dict[Reason, Limit]], karpenter: Baseline) -> Iterator[str]:
    """Yield what is odd about the budgets of a NodePool that has these limits in the course of a week."""
    wrong = [b.schedule for b in pool.disruption.budgets if not readable(b)]
    if wrong:
        text = f"Karpenter cannot read the schedule {wrong[0]!r}"
        yield f"{text}: until that is fixed, Karpenter disrupts no node of this NodePool"
        return
    for budget in pool.disruption.budgets:
        if never_fires(budget):
            yield f"the schedule {budget.schedule!r} never comes; Karpenter treats such a budget as one that always applies"
        if budget.reasons == ():
            yield f"a budget of {budget.nodes} has an empty list of reasons, so it applies to none; leave reasons out for all"
    if not pool.disruption.budgets:
        yield "the list of budgets is empty: any number of nodes may be disrupted at a time; the default is 10%"
    closed = [reason for reason in limits[0] if all(of[reason].is_closed for of in limits)]
    for reason in closed:
        yield f"no node may be disrupted for the reason {reason} at any time of the week"
    yield from open_outside(limits)
    yield from _expiry(pool, limits)
    yield from static_without_room(pool, karpenter)


def open_outside(limits: Sequence[dict[Reason, Limit]]) -> Iterator[str]:
    """Yield that nothing limits disruption while no window is open: a budget limits inside its window, and opens none."""
    reasons = [
        reason
        for reason in limits[0]
        if any(_is_unlimited(of[reason]) for of in limits) and not all(_is_unlimited(of[reason]) for of in limits)
    ]
    if not reasons:
        return
    named = "any reason" if len(reasons) == len(limits[0]) else ", ".join(reasons)
    text = f"while no window is open, any number of nodes may be disrupted at a time for {named}"
    is_freeze = all(of[reason].is_closed or _is_unlimited(of[reason]) for of in limits for reason in reasons)
    if is_freeze:
        yield f'{text}: the default of 10% does not apply beside other budgets; add {{nodes: "10%"}} without a schedule'
    else:
        why = "a budget limits while its window is open and does not forbid the rest of the week"
        yield f'{text}: {why}; to disrupt only then, add budgets of {{nodes: "0"}} for the rest ({_WRITES})'


def _is_unlimited(limit: Limit) -> bool:
    return limit.count == UNLIMITED and limit.percent is None


def _expiry(pool: NodePool, limits: Sequence[dict[Reason, Limit]]) -> Iterator[str]:
    """Yield that nodes expire in closed hours too, if budgets close some."""
    if pool.expire_after == NEVER or not any(of[Reason.DRIFTED].is_closed for of in limits):
        return
    text = f"expireAfter {pool.expire_after} ignores budgets: a node is removed when it is that old, in closed hours too"
    yield f"{text}; {NEVER} leaves the replacement of nodes to drift, which keeps to budgets"


def static_without_room(pool: NodePool, karpenter: Baseline) -> Iterator[str]:
    """Yield that a static NodePool cannot replace drifted nodes, since its limit leaves no room for one more node (D-73)."""
    limit = pool.limits.get(NODES)
    if pool.replicas and limit is not None and limit.nanos <= pool.replicas * NANO:
        gate = ", unless the feature gate TerminateFirstDrift is on" if karpenter.does(Behaviour.TERMINATE_FIRST) else ""
        text = f"limits.nodes {limit} leaves no room beside {pool.replicas} replicas, so no drifted node is replaced{gate}"
        yield f"{text}; a replacement comes first: set it to {pool.replicas + 1} or more"
