"""How many nodes the budgets of a NodePool allow to be disrupted at an instant (spec: disruption 3.3, 3.4; D-26, D-27, D-30 to
D-33)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Annotated, Final, TypeVar

from cutlist.api.durations import seconds
from cutlist.api.nodepool import NodePool
from cutlist.api.nodepool_fields import Budget
from cutlist.api.schedules import readable_schedule
from cutlist.core.records import Count, Key, about, form_of

_R = TypeVar("_R", bound=str)
UNLIMITED: Final = 2**31 - 1
"""The limit that Karpenter uses where no budget applies."""
_OrNull = Annotated[int, form_of(Count | None).through(lambda count: None if count == UNLIMITED else count)]
Allowed = Annotated[_OrNull, about("Nodes that may be disrupted; null for no limit.")]
"""How many nodes may be disrupted."""


@dataclass(frozen=True, slots=True)
class Limit:
    """At most this many nodes, and at most this share of all, in percent, rounded up."""

    count: Annotated[_OrNull, Key("nodes"), about("Null for no limit.")] = UNLIMITED
    percent: Annotated[Count | None, about("Null for no limit.")] = None

    def of(self, nodes: int) -> int:
        """Return how many of this many nodes may be disrupted."""
        return self.count if self.percent is None else min(self.count, -(-self.percent * nodes // 100))

    @property
    def is_closed(self) -> bool:
        """Tell whether it allows no disruption, regardless of the number of nodes."""
        return self.count == 0 or self.percent == 0

    def __and__(self, other: Limit) -> Limit:
        """Return the limit that both allow."""
        percents = [limit.percent for limit in (self, other) if limit.percent is not None]
        return Limit(min(self.count, other.count), min(percents, default=None))


def allowed(pool: NodePool, reason: str, nodes: int, now: float) -> int:
    """Return how many of `nodes` nodes may be disrupted for a reason at an instant (seconds since 1970), running disruptions
    included.

    A budget that cannot be read allows none, for any reason.
    """
    return allowed_by_reason(pool, (reason,), nodes, now)[reason]


def allowed_by_reason(pool: NodePool, reasons: Iterable[_R], nodes: int, now: float) -> dict[_R, int]:
    """Return the numbers of `allowed` for several reasons, evaluating each window only once."""
    return {reason: limit.of(nodes) for reason, limit in limits_by_reason(pool, reasons, now).items()}


def limits_by_reason(pool: NodePool, reasons: Iterable[_R], now: float) -> dict[_R, Limit]:
    """Return the limit for each reason at an instant, which holds for any number of nodes."""
    budgets = pool.disruption.budgets
    if not all(map(readable, budgets)):
        return dict.fromkeys(reasons, Limit(0))
    return limits_of([budget for budget in budgets if is_active(budget, now)], reasons)


def limits_of(active: Iterable[Budget], reasons: Iterable[_R]) -> dict[_R, Limit]:
    """Return the limit for each reason while these budgets count."""
    limits = [(budget.reasons, _limit(budget)) for budget in active]
    return {
        reason: reduce(and_, (limit for about, limit in limits if about is None or reason in about), Limit())
        for reason in reasons
    }


def readable(budget: Budget) -> bool:
    """Tell whether Karpenter understands the schedule of a budget."""
    return budget.schedule is None or readable_schedule(budget.schedule) is not None


def is_active(budget: Budget, now: float) -> bool:
    """Tell whether a budget counts at an instant: always without a window, else from its start until just before its end.

    A schedule that never fires counts as active, as in Karpenter.
    """
    if budget.schedule is None or budget.duration is None:
        return True
    schedule, length = readable_schedule(budget.schedule), seconds(budget.duration)
    if schedule is None or length is None:
        return False
    fires = schedule.next_after(now - length)
    return fires is None or fires <= now


def never_fires(budget: Budget) -> bool:
    """Tell whether a schedule can be read but names a day that never comes, such as 30 February."""
    schedule = readable_schedule(budget.schedule) if budget.schedule is not None else None
    return schedule is not None and schedule.next_after(0.0) is None


def next_change(pool: NodePool, now: float) -> float | None:
    """Return when a window of the pool's budgets opens or closes next, in seconds since 1970, or None if none does."""
    changes = []
    for budget in pool.disruption.budgets:
        schedule = readable_schedule(budget.schedule) if budget.schedule is not None else None
        length = seconds(budget.duration) if budget.duration is not None else None
        if schedule is not None and length is not None:
            opens, started = schedule.next_after(now), schedule.next_after(now - length)
            changes += [at for at in (opens, started + length if started is not None else None) if at is not None and at > now]
    return min(changes, default=None)


def _limit(budget: Budget) -> Limit:
    percent = budget.nodes.removesuffix("%")
    return Limit(percent=int(percent)) if percent != budget.nodes else Limit(int(budget.nodes))
