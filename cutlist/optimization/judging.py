"""Judge NodePools in scenarios: what they cost on average, whether further pods stay pending, and what rules say.

Most candidates are dropped early. What a candidate costs in the scenarios that were not planned yet is at least the bound of
each, so one whose average cannot come below the best is never planned in the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import fsum, inf
from typing import Protocol

from cutlist.optimization.evaluation import CostAndRisk, more_pending
from cutlist.optimization.pool_terms import PoolTerms
from cutlist.optimization.scenarios import Scenario

Choice = tuple[tuple[str, PoolTerms], ...]
"""The terms of NodePools by name; a NodePool without terms is left out."""


@dataclass(frozen=True, slots=True)
class PoolChoice:
    """A choice of NodePools' terms, and the figures of its plan.

    `elsewhere` are its figures in each scenario besides the present, empty unless it was judged in all; `expected` is then the
    mean of its price, USD/hour. `breaks` are the rules that it newly breaks, for which it is refused. `waits_in` is the number
    of the scenario for which it was dropped, because it leaves more pods of the `waiting` workloads pending there than today's
    NodePools.
    """

    choice: Choice
    figures: CostAndRisk
    elsewhere: tuple[CostAndRisk, ...] = ()
    expected: float | None = None
    breaks: tuple[str, ...] = ()
    waits_in: int | None = None
    waiting: tuple[str, ...] = ()

    @property
    def mean(self) -> float:
        """Return the expected price, infinite if it is not known."""
        return inf if self.expected is None else self.expected


class InScenarios(Protocol):
    """What plans a choice in scenarios."""

    def __call__(self, choice: Choice, numbers: Sequence[int], may_go_on: Callable[[], bool]) -> Iterator[CostAndRisk]:
        """Yield the figures of a choice in the scenarios of these numbers, in their order."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The scenarios, and in each the figures of today's NodePools and a price that no option can beat. The first is now.

    In the scenarios of the numbers `counted`, that is the least of all choices that a search may make of types.
    Where time was short, `quick` of the bounds are proven in the quick way, and `unplanned` scenarios are missing.
    """

    scenarios: tuple[Scenario, ...]
    today: tuple[CostAndRisk, ...]
    bounds: tuple[float, ...]
    quick: int = 0
    unplanned: int = 0
    counted: frozenset[int] = frozenset()

    def mean(self, prices: Sequence[float]) -> float:
        """Return the mean of prices by scenario."""
        weights = [scenario.weight for scenario in self.scenarios]
        return fsum(map(float.__mul__, weights, prices)) / fsum(weights)

    def worst(self, figures: Sequence[CostAndRisk]) -> float:
        """Return the highest price of some figures by scenario; a scenario without weight does not count."""
        number = self.most_expensive(figures)
        return 0.0 if number is None else figures[number].lasting or 0.0

    def most_expensive(self, figures: Sequence[CostAndRisk]) -> int | None:
        """Return the number of the scenario with the highest price of some figures by scenario, among those with weight; None
        without any."""
        weighed = [number for number, scenario in enumerate(self.scenarios) if scenario.weight]
        return max(weighed, key=lambda number: figures[number].lasting or 0.0, default=None)

    @property
    def expected(self) -> float:
        """Return what today's NodePools cost on average."""
        return self.mean([figures.lasting or 0.0 for figures in self.today])

    @property
    def bound(self) -> float:
        """Return what no option can cost less than on average: the mean of the scenarios' bounds."""
        return self.mean(self.bounds)


class Judge:
    """Decides whether a candidate is better than the best so far, in all scenarios and by the rules."""

    def __init__(self, outlook: Outlook, plan: InScenarios, broken_by: Callable[[Choice], tuple[str, ...]]) -> None:
        self.outlook = outlook
        self._plan = plan
        self._broken_by = broken_by
        # Those with most weight first. Their part of the mean is weight times money, and planning takes about as long as they
        # cost money, so this drops a candidate soonest. Those without weight are asked last.
        weights = [scenario.weight for scenario in outlook.scenarios]
        self._order = sorted(range(1, len(weights)), key=lambda n: (-weights[n], outlook.bounds[n], n))

    def least(self, figures: CostAndRisk) -> float:
        """Return the least that a choice with these figures now costs on average."""
        cost = figures.lasting
        return inf if cost is None else self.outlook.mean((cost, *self.outlook.bounds[1:]))

    def judged(self, candidate: PoolChoice, below: float, may_go_on: Callable[[], bool]) -> PoolChoice:
        """Return the candidate with its figures in all scenarios and the rules that it breaks, or with the scenario that leaves
        pods pending that today's NodePools do not; unchanged if its mean is not below a price, or time is over."""
        if self.least(candidate.figures) >= below:
            return candidate
        prices = [candidate.figures.lasting or 0.0, *self.outlook.bounds[1:]]
        found: dict[int, CostAndRisk] = {}
        alive = True
        planned = self._plan(candidate.choice, self._order, lambda: alive and may_go_on())
        for number, figures in zip(self._order, planned, strict=False):
            if waiting := more_pending(figures, self.outlook.today[number]):
                alive, candidate = False, replace(candidate, waits_in=number, waiting=tuple(sorted(waiting)))
                break
            cost = figures.lasting
            if cost is None:
                alive = False
                break
            found[number], prices[number] = figures, cost
            if self.outlook.mean(prices) >= below:
                alive = False
                break
        if not alive or len(found) < len(self._order):
            return candidate
        elsewhere = tuple(found[number] for number in sorted(found))
        return replace(
            candidate, elsewhere=elsewhere, expected=self.outlook.mean(prices), breaks=self._broken_by(candidate.choice)
        )
