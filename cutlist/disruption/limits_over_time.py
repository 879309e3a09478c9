"""How many nodes the budgets of a NodePool allow over a time, without a look at each of its minutes (spec: disruption 3.3,
3.4).

A window that opens again before it closes stays open, so a schedule of every minute takes no longer than one of every day.
Budgets with the same window open it once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

from cutlist.api.budget_windows import Limit, limits_of, readable
from cutlist.api.durations import seconds
from cutlist.api.nodepool import NodePool
from cutlist.api.nodepool_fields import Budget
from cutlist.api.schedules import Schedule, readable_schedule
from cutlist.disruption.reasons import Reason

_ALWAYS: Final = 1
"""The bit of budgets without a window."""


class LimitSpan(NamedTuple):
    """A time in which the same budgets count, the end excluded, and the limit for each reason."""

    start: float
    end: float
    limits: Mapping[Reason, Limit]


@dataclass(frozen=True, slots=True)
class Window:
    """What opens by a schedule, for a number of seconds.

    `runs` are the parts of a day in which it opens again before it closes: their first and last opening, in seconds.
    """

    schedule: Schedule
    length: int
    runs: tuple[tuple[float, float], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Join the openings of a day once: every day of the schedule has the same."""
        runs: list[tuple[float, float]] = []
        for opens in (60.0 * minute for minute in self.schedule.times):
            if runs and opens <= runs[-1][1] + self.length:
                runs[-1] = (runs[-1][0], opens)
            else:
                runs.append((opens, opens))
        object.__setattr__(self, "runs", tuple(runs))

    def opened(self, start: float, end: float) -> Iterator[tuple[float, float]]:
        """Yield when it is open between two instants: from, and until just before.

        A schedule that never fires counts as open, as in Karpenter.
        """
        if self.schedule.next_after(start - self.length) is None:
            yield start, end
            return
        before = self.schedule.last_until(start, start - self.length)
        since, until = start, start if before is None else before + self.length
        for first, last in self._runs_from(start) if self.length else ():
            if until >= end or first >= end:
                break
            if first > until:
                if until > start:
                    yield since, until
                since = first
            until = max(until, last + self.length)
        if until > start:
            yield since, min(until, end)

    def _runs_from(self, start: float) -> Iterator[tuple[float, float]]:
        """Yield the first and the last opening of each run, from those of the day of an instant on."""
        return ((day + first, day + last) for day in self.schedule.days_from(start) for first, last in self.runs)

    def changes(self, start: float, end: float) -> Iterator[float]:
        """Yield the instants between two others at which it opens, or would close if it did not open again."""
        yield from self.schedule.between(start, end)
        yield from (opens + self.length for opens in self.schedule.between(start - self.length, end - self.length))


class LimitsOverTime:
    """The limits of a NodePool's budgets for some reasons, at any time. A budget that cannot be read allows none, for any
    reason."""

    __slots__ = ("_budgets", "_known", "_reasons", "_windows")

    def __init__(self, pool: NodePool, reasons: Iterable[Reason]) -> None:
        self._reasons, budgets = tuple(reasons), pool.disruption.budgets
        bits = {of: _ALWAYS << number for number, of in enumerate(dict.fromkeys((None, *map(_window_of, budgets))))}
        self._windows = [(Window(*of), bit) for of, bit in bits.items() if of is not None]
        self._budgets = [(budget, bits[_window_of(budget)]) for budget in budgets]
        if not all(map(readable, budgets)):
            self._budgets = [(Budget(nodes="0"), _ALWAYS)]
        self._known: dict[int, Mapping[Reason, Limit]] = {}

    def spans(self, start: float, end: float) -> Iterator[LimitSpan]:
        """Yield the spans between two instants, one after the other."""
        at, active = start, _ALWAYS
        for instant, turned in groupby(merge(*(_turns(*of, start, end) for of in self._windows)), key=itemgetter(0)):
            if instant >= end:
                break
            if instant > at:
                yield LimitSpan(at, instant, self._limits(active))
                at = instant
            for _, bit in turned:
                active ^= bit
        yield LimitSpan(at, end, self._limits(active))

    def changes(self, start: float, end: float) -> list[float]:
        """Return the instants between two others at which a window opens or closes, those included where another opening keeps
        it open."""
        return sorted({instant for window, _ in self._windows for instant in window.changes(start, end)})

    def _limits(self, active: int) -> Mapping[Reason, Limit]:
        if active not in self._known:
            self._known[active] = limits_of([budget for budget, bit in self._budgets if bit & active], self._reasons)
        return self._known[active]


def _window_of(budget: Budget) -> tuple[Schedule, int] | None:
    """Return the schedule and the length in seconds of a budget's window, or None for one that always counts."""
    schedule = None if budget.schedule is None else readable_schedule(budget.schedule)
    length = None if budget.duration is None else seconds(budget.duration)
    return None if schedule is None or length is None else (schedule, length)


def _turns(window: Window, bit: int, start: float, end: float) -> Iterator[tuple[float, int]]:
    """Yield when a window opens or closes, with its bit."""
    for opens, closes in window.opened(start, end):
        yield opens, bit
        yield closes, bit
