"""How many nodes of a NodePool may be disrupted during a week, and surprising effects of its budgets (spec: disruption 3)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Annotated, Final

from cutlist.api.budget_windows import Allowed, Limit, next_change
from cutlist.api.nodepool import NodePool
from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.core.records import HIDDEN, After, Count, Instant, Key, about
from cutlist.disruption.budget_oddities import oddities
from cutlist.disruption.limits_over_time import LimitsOverTime, LimitSpan
from cutlist.disruption.reasons import Reason, budget_reasons

WEEK: Final = 7 * 24 * 3600.0
HOUR: Final = 3600.0
YEAR: Final = 366 * 24 * HOUR
_CHANCE: Final = HOUR / 2
_MOST_CHANGES: Final = 2000
HOURS: Final = 7 * 24


@dataclass(frozen=True, slots=True)
class Span:
    """A time in which nothing changes, the end excluded, and how many nodes may be disrupted in it, by reason."""

    start: Annotated[Instant, Key("from")]
    end: Annotated[Instant, Key("to")]
    limits: Mapping[Reason, Limit]
    allowed: Annotated[Mapping[Reason, Allowed] | None, about("Null where the number of nodes is not known."), After("end")] = (
        None
    )


@dataclass(frozen=True, slots=True)
class Window:
    """A time in which the limit for a reason does not change, the end excluded; instants in seconds since 1970."""

    start: float
    end: float
    limit: Limit


@dataclass(frozen=True, slots=True)
class BudgetCalendar:
    """A week of a pool with a number of nodes; `oddities` are budgets that do not do what their author probably meant.

    `nodes` is None if their number is not known: then percentages stay percentages.
    """

    pool: Annotated[str, Key("nodePool")]
    nodes: Annotated[Count | None, about("Null where it is not known.")]
    start: Annotated[float, HIDDEN]
    spans: tuple[Span, ...]
    oddities: tuple[str, ...]

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Return the reasons that it distinguishes."""
        return tuple(self.spans[0].limits)

    def by_hour(self, reason: Reason) -> tuple[Limit, ...]:
        """Return for each of the 168 hours how many nodes may be disrupted at any time in it: a number, if the nodes are
        known."""
        least = [Limit()] * HOURS
        for span in self.spans:
            first = int((span.start - self.start) // HOUR)
            # Rounded up: an hour of which a part has the lower limit has it as a whole.
            last = int(-(-(span.end - self.start) // HOUR))
            for hour in range(first, min(last, HOURS)):
                least[hour] &= span.limits[reason]
        return tuple(least) if self.nodes is None else tuple(Limit(limit.of(self.nodes)) for limit in least)

    def changing(self, reason: Reason) -> tuple[bool, ...]:
        """Return for each of the 168 hours whether more nodes may be disrupted in a part of it than `by_hour` says."""
        in_hour: list[set[Limit]] = [set() for _ in range(HOURS)]
        for window in self.windows(reason):
            first, last = int((window.start - self.start) // HOUR), int(-(-(window.end - self.start) // HOUR))
            for hour in range(first, min(last, HOURS)):
                in_hour[hour].add(window.limit)
        return tuple(len(limits) > 1 for limits in in_hour)

    def windows(self, reason: Reason) -> tuple[Window, ...]:
        """Return the times of the week between two changes of the limit for a reason, in their order."""
        windows: list[Window] = []
        for span in self.spans:
            limit = span.limits[reason] if self.nodes is None else Limit(span.limits[reason].of(self.nodes))
            if windows and windows[-1].limit == limit:
                windows[-1] = Window(windows[-1].start, span.end, limit)
            else:
                windows.append(Window(span.start, span.end, limit))
        return tuple(windows)


def budget_calendar(pool: NodePool, nodes: int | None, start: float, karpenter: Baseline = DEFAULT) -> BudgetCalendar:
    """Return the week that starts at an instant, for a pool with this many nodes of which none is being disrupted."""
    spans = tuple(_spans(pool, nodes, start, budget_reasons(karpenter)))
    return BudgetCalendar(
        pool.name, nodes, start, spans, tuple(oddities(pool, [dict(span.limits) for span in spans], karpenter))
    )


def week_spans(pool: NodePool, start: float, karpenter: Baseline = DEFAULT) -> list[LimitSpan]:
    """Return the limits of a week that starts at an instant, without the changes that change nothing."""
    return list(LimitsOverTime(pool, budget_reasons(karpenter)).spans(start, start + WEEK))


def frozen_since(pool: NodePool, reason: Reason, start: float, longest: float) -> float | None:
    """Return when, in the following year, a time longer than `longest` seconds begins in which no node may be disrupted for a
    reason; None if there is no such time.

    Half an hour in which one may be disrupted counts as a chance, less does not. Only the week after a chance before a long
    time without one is looked at in full, so that budgets which change by the minute do not take long.
    """
    at, closed, limits = start, start, LimitsOverTime(pool, (reason,))
    while at < start + YEAR:
        chance = _next_chance(limits, reason, at, at + longest)
        # Only then may the time without a chance be too long, counted from where it began inside the week that was passed over.
        if chance is None or chance - at > longest - WEEK:
            since = _last_open(limits, reason, closed, at)
            if chance is None or chance - since > longest:
                return since
        if next_change(pool, chance) is None:
            return None  # whoever may disrupt a node then may do so ever after
        closed, at = chance, chance + WEEK
    return None


def open_time(pool: NodePool, reason: Reason, start: float, enough: float) -> float:
    """Return how long, in the following year, a node may be disrupted for a reason: seconds, in pieces of half an hour or more.

    Counting ends at `enough`. If budgets change implausibly often, the rest of the year counts like its beginning.
    """
    at, end, before, piece, together = start, start + YEAR, 0.0, 0.0, 0.0
    for span in islice(LimitsOverTime(pool, (reason,)).spans(start, end), _MOST_CHANGES):
        if span.limits[reason].is_closed:
            # A piece that is too short to replace a node in is dropped as a whole.
            before, piece = before + (piece if piece >= _CHANCE else 0.0), 0.0
        else:
            piece += span.end - span.start
        at, together = span.end, before + (piece if piece >= _CHANCE else 0.0)
        if at >= end or together >= enough:
            return together
    # Too many changes to look at each: the share so far is taken for the rest.
    return together * YEAR / (at - start)


def _next_chance(limits: LimitsOverTime, reason: Reason, start: float, end: float) -> float | None:
    """Return when a time that is long enough to replace a node begins; None if none begins until `end`.

    A calendar with implausibly many changes has none.
    """
    opened = None
    for span in islice(limits.spans(start, end + _CHANCE), _MOST_CHANGES):
        if span.limits[reason].is_closed:
            opened = None
        else:
            opened = span.start if opened is None else opened
            if span.end - opened >= _CHANCE:
                return opened
        if span.end > end:
            return None
    return None


def _last_open(limits: LimitsOverTime, reason: Reason, start: float, end: float) -> float:
    """Return the last instant between two at which a node may be disrupted, or else the first instant."""
    is_open = (span.end for span in limits.spans(start, end) if not span.limits[reason].is_closed)
    return max(is_open, default=start)


def _spans(pool: NodePool, nodes: int | None, start: float, reasons: Sequence[Reason]) -> Iterator[Span]:
    """Yield the spans of a week, divided wherever a window opens or closes."""
    times, end = LimitsOverTime(pool, reasons), start + WEEK
    changes = [*times.changes(start, end), end]
    for span in times.spans(start, end):
        counts = None if nodes is None else {reason: limit.of(nodes) for reason, limit in span.limits.items()}
        inside = changes[bisect_right(changes, span.start) : bisect_right(changes, span.end)]
        for at, until in pairwise((span.start, *inside)):
            yield Span(at, until, span.limits, counts)
