"""How many nodes the budgets of a NodePool let go at an instant (spec: disruption 3.3, 3.4; D-26, D-27, D-30 to D-33)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cutlist.api.durations import seconds
from cutlist.api.nodepool import NodePool
from cutlist.api.nodepool_fields import Budget
from cutlist.api.schedules import readable_schedule

UNLIMITED: Final = 2**31 - 1
"""What Karpenter counts with where no budget applies."""


def allowed(pool: NodePool, reason: str, nodes: int, now: float) -> int:
    """How many of so many nodes may be disrupted for a reason at an instant (seconds since 1970), running ones included.

    A budget that cannot be read allows nothing, for any reason.
    """
    budgets = pool.disruption.budgets
    if any(not readable(budget) for budget in budgets):
        return 0
    return min(_allowances(budgets, reason, nodes, now), default=UNLIMITED)


def readable(budget: Budget) -> bool:
    """Whether Karpenter understands the schedule of a budget."""
    return budget.schedule is None or readable_schedule(budget.schedule) is not None


def is_active(budget: Budget, now: float) -> bool:
    """Whether a budget counts at an instant: always without a window, else from its start up to and without its end.

    A schedule that never fires counts as active, as Karpenter has it.
    """
    if budget.schedule is None or budget.duration is None:
        return True
    schedule, length = readable_schedule(budget.schedule), seconds(budget.duration)
    if schedule is None or length is None:
        return False
    fires = schedule.next_after(now - length)
    return fires is None or fires <= now


def never_fires(budget: Budget) -> bool:
    """Whether a schedule can be read and yet names a day that does not come, such as 30 February."""
    schedule = readable_schedule(budget.schedule) if budget.schedule is not None else None
    return schedule is not None and schedule.next_after(0.0) is None


def next_change(pool: NodePool, now: float) -> float | None:
    """When a window of the pool's budgets opens or closes next, in seconds since 1970; None when none does."""
    found = []
    for budget in pool.disruption.budgets:
        schedule = readable_schedule(budget.schedule) if budget.schedule is not None else None
        length = seconds(budget.duration) if budget.duration is not None else None
        if schedule is not None and length is not None:
            opens, started = schedule.next_after(now), schedule.next_after(now - length)
            found += [at for at in (opens, started + length if started is not None else None) if at is not None and at > now]
    return min(found, default=None)


def _allowances(budgets: Iterable[Budget], reason: str, nodes: int, now: float) -> Iterable[int]:
    for budget in budgets:
        if (budget.reasons is None or reason in budget.reasons) and is_active(budget, now):
            percent = budget.nodes.removesuffix("%")
            yield -(-int(percent) * nodes // 100) if percent != budget.nodes else int(budget.nodes)
