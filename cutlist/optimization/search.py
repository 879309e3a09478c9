"""The search for cheaper NodePools: each candidate is planned exactly, and the best is varied in one thing at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from random import Random
from typing import Final

from cutlist.optimization.allowances import Allowances
from cutlist.optimization.candidates import PoolChoices
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.optimization.pool_terms import PoolTerms

Choice = tuple[tuple[str, PoolTerms], ...]
"""The terms of each NodePool that has some, by name."""

_JUMPS: Final = 25
"""How many random choices are tried at a time."""
_PATIENCE: Final = 2
"""How many times nothing better is found before a search ends."""

Pending = tuple[tuple[str, int], ...]
"""Pods that may stay pending, by workload."""

Evaluate = Callable[[Sequence[Choice], Callable[[], bool]], Iterator[CostAndRisk]]
"""What choices come to, in their order, for as long as the function says that it may go on. All may be planned at once."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A choice, and what it comes to."""

    choice: Choice
    figures: CostAndRisk


@dataclass(frozen=True, slots=True)
class Budget:
    """How many plans a search may make, and whether it may go on: a clock of the caller's."""

    plans: int
    may_go_on: Callable[[], bool]


def search(
    pools: Sequence[PoolChoices], evaluate: Evaluate, allowances: Allowances, pending: Pending, budget: Budget, seed: int
) -> list[Candidate]:
    """Return every candidate that was planned, in the order in which they were; the first is that of no further terms.

    Candidates that leave other pods pending, or break the bounds on nodes, are worse than all others, the more the worse; the
    rest is a matter of price. The same seed and number of plans give the same candidates.
    """
    run = _Run(evaluate, allowances, pending, budget)
    run.plan([()], lambda: True)
    random = Random(seed)  # noqa: S311 - the same order on every run, not secrets
    progress = True
    while progress and run.goes_on:
        progress = _descend(run, pools)
    in_vain = 0
    while run.goes_on and pools and in_vain < _PATIENCE:
        before = run.best
        _jump(run, pools, random)
        in_vain = in_vain + 1 if run.best is before else 0
    return list(run.planned.values())


def _descend(run: _Run, pools: Sequence[PoolChoices]) -> bool:
    """Vary the best choice in each field of each NodePool once; tell whether that made it better."""
    before = run.best
    for choices in pools:
        for axis, values in choices.axes:
            best = dict(run.best.choice)
            along = choices.along(axis, values, best.get(choices.pool, PoolTerms()))
            run.plan([with_terms(best, choices.pool, terms) for terms in along], run.budget.may_go_on)
            if not run.goes_on:
                return False
    return run.best is not before


def _jump(run: _Run, pools: Sequence[PoolChoices], random: Random) -> None:
    """Plan some choices that differ from the best in two fields."""
    best = dict(run.best.choice)
    tries = []
    for _ in range(_JUMPS):
        choices = random.choice(pools)
        first = random.choice(choices.around(best.get(choices.pool, PoolTerms())))
        second = random.choice(choices.around(first))
        tries.append(with_terms(best, choices.pool, second))
    run.plan(tries, run.budget.may_go_on)


def with_terms(by_pool: Mapping[str, PoolTerms], pool: str, terms: PoolTerms) -> Choice:
    """Return a choice with other terms of one pool; a pool without terms is left out."""
    changed = {**by_pool, pool: terms}
    return tuple(sorted((name, t) for name, t in changed.items() if t != PoolTerms()))


class _Run:
    """The candidates of a search so far, each choice planned once."""

    def __init__(self, evaluate: Evaluate, allowances: Allowances, pending: Pending, budget: Budget) -> None:
        self._evaluate = evaluate
        self._allowances = allowances
        self._pending = pending
        self.budget = budget
        self.planned: dict[Choice, Candidate] = {}
        self.best = Candidate((), CostAndRisk(None, 0, (), 0.0, 0, 0))

    @property
    def goes_on(self) -> bool:
        """Tell whether there may be another plan."""
        return len(self.planned) < self.budget.plans and self.budget.may_go_on()

    def plan(self, choices: Iterable[Choice], may_go_on: Callable[[], bool]) -> None:
        """Plan the choices that were not planned already, as many as may be, and remember the best."""
        new = [choice for choice in dict.fromkeys(choices) if choice not in self.planned]
        new = new[: self.budget.plans - len(self.planned)]
        for choice, figures in zip(takewhile(lambda _: may_go_on(), new), self._evaluate(new, may_go_on), strict=False):
            candidate = self.planned[choice] = Candidate(choice, figures)
            if len(self.planned) == 1 or self._order(candidate) < self._order(self.best):
                self.best = candidate

    def _order(self, candidate: Candidate) -> tuple[object, ...]:
        figures = candidate.figures
        return breach(figures, self._allowances, self._pending), figures.price is None, figures.price or 0.0


def keeps(figures: CostAndRisk, allowances: Allowances, pending: Pending) -> bool:
    """Tell whether a plan keeps what every suggestion has to keep."""
    return breach(figures, allowances, pending) == 0


def breach(figures: CostAndRisk, allowances: Allowances, pending: Pending) -> int:
    """Return how many pods wait that may not, and how many nodes there are too few or too many."""
    may_wait = dict(pending)
    waiting = sum(max(0, count - may_wait.get(workload, 0)) for workload, count in figures.pending)
    most = figures.nodes if allowances.max_nodes is None else allowances.max_nodes
    return waiting + max(0, allowances.min_nodes - figures.nodes) + max(0, figures.nodes - most)
