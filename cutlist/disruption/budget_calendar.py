"""How many nodes of a NodePool may be disrupted during a week, and surprising effects of its budgets (spec: disruption 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.api import NodePool
from cutlist.api.budget_windows import Limit, limits_by_reason, never_fires, next_change, readable
from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.disruption.reasons import Reason, budget_reasons

WEEK: Final = 7 * 24 * 3600.0
HOUR: Final = 3600.0
HOURS: Final = 7 * 24


@dataclass(frozen=True, slots=True)
class Span:
    """A time in which nothing changes (seconds since 1970, the end excluded), and how many nodes may be disrupted in it, by
    reason."""

    start: float
    end: float
    limits: Mapping[Reason, Limit]


@dataclass(frozen=True, slots=True)
class BudgetCalendar:
    """A week of a pool with a number of nodes; `oddities` are budgets that do not do what their author probably meant.

    `nodes` is None where it is not known how many there are: then percentages stay what they are.
    """

    pool: str
    nodes: int | None
    start: float
    spans: tuple[Span, ...]
    oddities: tuple[str, ...]

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Return the reasons that it tells apart."""
        return tuple(self.spans[0].limits)

    def by_hour(self, reason: Reason) -> tuple[Limit, ...]:
        """Return for each of the 168 hours what may be disrupted at any time in it: a number, where the nodes are known."""
        least = [Limit()] * HOURS
        for span in self.spans:
            first = int((span.start - self.start) // HOUR)
            last = int(-(-(span.end - self.start) // HOUR))
            for hour in range(first, min(last, HOURS)):
                least[hour] &= span.limits[reason]
        return tuple(least) if self.nodes is None else tuple(Limit(limit.of(self.nodes)) for limit in least)


def budget_calendar(pool: NodePool, nodes: int | None, start: float, karpenter: Baseline = DEFAULT) -> BudgetCalendar:
    """Return the week that starts at an instant, for a pool with this many nodes of which none is being disrupted."""
    spans = tuple(_spans(pool, start, budget_reasons(karpenter)))
    return BudgetCalendar(pool.name, nodes, start, spans, tuple(_oddities(pool, spans)))


def _spans(pool: NodePool, start: float, reasons: Sequence[Reason]) -> Iterator[Span]:
    at, end = start, start + WEEK
    while at < end:
        change = next_change(pool, at)
        until = end if change is None or change > end else change
        yield Span(at, until, limits_by_reason(pool, reasons, at))
        at = until


def _oddities(pool: NodePool, spans: tuple[Span, ...]) -> Iterator[str]:
    wrong = [b.schedule for b in pool.disruption.budgets if not readable(b)]
    if wrong:
        yield f"Karpenter cannot read the schedule {wrong[0]!r}: while it is there no node of this pool is disrupted"
        return
    for budget in pool.disruption.budgets:
        if never_fires(budget):
            yield f"the schedule {budget.schedule!r} never comes; Karpenter takes such a budget for one that always counts"
        if budget.reasons == ():
            yield f"a budget of {budget.nodes} has an empty list of reasons, so it applies to none; leave reasons out for all"
    if not pool.disruption.budgets:
        yield "the list of budgets is empty: any number of nodes may be disrupted at a time; the default is 10%"
    for reason in spans[0].limits:
        if all(span.limits[reason].is_closed for span in spans):
            yield f"no node may be disrupted for the reason {reason} at any time of the week"
