"""The search for cheaper NodePools: each candidate is planned exactly, and the best is varied in one thing at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import inf
from random import Random
from typing import Final

from cutlist.optimization.allowances import Allowances
from cutlist.optimization.candidates import PoolChoices, stepped
from cutlist.optimization.evaluation import CostAndRisk, more_pending
from cutlist.optimization.judging import Choice, Judge, PoolChoice
from cutlist.optimization.pool_terms import PoolTerms
from cutlist.settings.suggest import NODE_LOSS, NODES, ZONE_LOSS, ZONE_SPREAD

_JUMPS: Final = 16
"""How many random choices are tried at a time."""
_FURTHER: Final = 0.4
"""The part of them that differs by two steps."""
_PATIENCE: Final = 6
"""How many times a search finds nothing better before it ends."""

Evaluate = Callable[[Sequence[Choice], Callable[[], bool]], Iterator[CostAndRisk]]
"""Returns the figures of choices in their order, until the function returns False. All may be planned at once."""


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """How many plans a search may make, and whether it may go on, by the caller's clock."""

    plans: int
    may_go_on: Callable[[], bool]


def search(
    pools: Sequence[PoolChoices],
    evaluate: Evaluate,
    allowances: Allowances,
    now: CostAndRisk,
    budget: SearchBudget,
    seed: int,
    judge: Judge | None = None,
) -> list[PoolChoice]:
    """Return every candidate that was planned, in that order; the first has no further terms. A candidate that breaks what must
    be kept, some of it compared with `now`, is worse than all that keep it, and the worse the more it breaks. Otherwise the
    mean price decides, of those that a judge accepts; without a judge the price. The same seed and number of plans give the
    same candidates.
    """
    run = _Run(evaluate, pools, allowances, now, budget, judge)
    # The present NodePools are planned whatever the clock says: everything is compared with them.
    run.plan([()], lambda: True)
    random = Random(seed)  # noqa: S311 - the same order on every run, not secrets
    progress = True
    while progress and run.goes_on:
        progress = _descend(run, pools)
    # A copy that launches first only pays beside the best terms of the NodePool itself, so copies come after the descent.
    for choices in pools if run.goes_on else ():
        best = dict(run.best.choice)
        firsts = choices.with_first(best.get(choices.pool, PoolTerms()))
        run.plan([with_terms(best, choices.pool, terms) for terms in firsts], run.budget.may_go_on)
    in_vain = 0
    while run.goes_on and pools and in_vain < _PATIENCE:
        before = run.best
        _jump(run, pools, random)
        in_vain = in_vain + 1 if run.best is before else 0
    return list(run.planned.values())


def _descend(run: _Run, pools: Sequence[PoolChoices]) -> bool:
    """Vary the best choice once along each axis of each NodePool; tell whether it became better."""
    before = run.best
    for choices in pools:
        for axis in choices.axes:
            best = dict(run.best.choice)
            # Read again for each axis: an improvement along one is the start of the next.
            terms = best.get(choices.pool, PoolTerms())
            run.plan([with_terms(best, choices.pool, stepped(terms, step)) for step in axis], run.budget.may_go_on)
            if not run.goes_on:
                return False
    return run.best is not before


def _jump(run: _Run, pools: Sequence[PoolChoices], random: Random) -> None:
    """Plan some choices that differ from the best by one or two random steps."""
    best = dict(run.best.choice)
    tries = []
    for _ in range(_JUMPS):
        choices = random.choice(pools)
        terms = choices.nearby(best.get(choices.pool, PoolTerms()), random)
        if random.random() < _FURTHER:
            terms = choices.nearby(terms, random)
        tries.append(with_terms(best, choices.pool, terms))
    run.plan(tries, run.budget.may_go_on)


def with_terms(by_pool: Mapping[str, PoolTerms], pool: str, terms: PoolTerms) -> Choice:
    """Return a choice with other terms of one pool; a pool without terms is left out."""
    changed = {**by_pool, pool: terms}
    return tuple(sorted((name, t) for name, t in changed.items() if t != PoolTerms()))


class _Run:
    """The candidates of a search so far: of choices that allow the same nodes, only the first is planned."""

    def __init__(
        self,
        evaluate: Evaluate,
        pools: Sequence[PoolChoices],
        allowances: Allowances,
        now: CostAndRisk,
        budget: SearchBudget,
        judge: Judge | None,
    ) -> None:
        self._evaluate = evaluate
        self._judge = judge
        self._pools = {choices.pool: choices for choices in pools}
        self._free = {name: choices.identity(PoolTerms()) for name, choices in self._pools.items()}
        self._allowances = allowances
        self._now = now
        self.budget = budget
        self.planned: dict[object, PoolChoice] = {}
        self.best = PoolChoice((), CostAndRisk(None, 0, (), 0.0, 0, 0))

    @property
    def goes_on(self) -> bool:
        """Tell whether there may be another plan."""
        return len(self.planned) < self.budget.plans and self.budget.may_go_on()

    def plan(self, choices: Iterable[Choice], may_go_on: Callable[[], bool]) -> None:
        """Plan the choices that were not planned before, as many as are allowed, and remember the best."""
        new: dict[object, Choice] = {}
        for written in choices:
            choice = self._repaired(written)
            if choice is not None and (identity := self._identity(choice)) not in self.planned:
                new.setdefault(identity, choice)
        tried = list(new.items())[: self.budget.plans - len(self.planned)]
        planned = self._evaluate([choice for _, choice in tried], may_go_on)
        first = not self.planned
        # The clock is asked before each answer is taken, so a search that is stopped has planned a whole number of choices.
        for (identity, choice), figures in zip(takewhile(lambda _: may_go_on(), tried), planned, strict=False):
            self.planned[identity] = PoolChoice(choice, figures)
        fresh = [(identity, self.planned[identity]) for identity, _ in tried if identity in self.planned]
        if first:
            self._take(*fresh[0], self.budget.may_go_on)
            return
        # The most promising is judged first: it lowers the price that the others have to beat.
        for identity, candidate in sorted(fresh, key=lambda of: (of[1].figures.lasting is None, of[1].figures.lasting or 0.0)):
            self._take(identity, candidate, may_go_on)

    def _take(self, identity: object, candidate: PoolChoice, may_go_on: Callable[[], bool]) -> None:
        """Judge a candidate, and remember it if it is the best."""
        is_first = len(self.planned) == 1
        if self._judge is not None and not breach(candidate.figures, self._allowances, self._now):
            below = inf if is_first or self.best.breaks else self.best.mean
            candidate = self.planned[identity] = self._judge.judged(candidate, below, may_go_on)
        if is_first or self._order(candidate) < self._order(self.best):
            self.best = candidate

    def _repaired(self, choice: Choice) -> Choice | None:
        """Return a choice that leaves each NodePool enough types, or None if that cannot be."""
        repaired = [(name, self._pools[name].repaired(terms)) for name, terms in choice]
        kept = tuple((name, terms) for name, terms in repaired if terms is not None)
        return tuple(of for of in kept if of[1] != PoolTerms()) if len(kept) == len(repaired) else None

    def _identity(self, choice: Choice) -> object:
        """Return a value that is equal for choices that allow the same nodes."""
        # Terms that exclude nothing are left out, like those of a NodePool without terms.
        identities = ((name, self._pools[name].identity(terms)) for name, terms in choice)
        return tuple((name, identity) for name, identity in identities if identity != self._free[name])

    def _order(self, candidate: PoolChoice) -> tuple[int, bool, float]:
        figures = candidate.figures
        judged = inf if candidate.breaks else candidate.mean
        price = judged if self._judge is not None else figures.lasting or 0.0
        # What has to be kept comes before any price.
        return breach(figures, self._allowances, self._now), figures.price is None, price


def keeps(figures: CostAndRisk, allowances: Allowances, now: CostAndRisk) -> bool:
    """Tell whether a plan keeps what every suggestion must keep."""
    return breach(figures, allowances, now) == 0


def breach(figures: CostAndRisk, allowances: Allowances, now: CostAndRisk) -> int:
    """Return the sum of the pods that wait but do not wait now, of the nodes that are too few or too many, and of everything to
    keep that is lost."""
    most = figures.nodes if allowances.max_nodes is None else allowances.max_nodes
    lost = {
        ZONE_SPREAD: len(set(now.zones) - set(figures.zones)),
        NODE_LOSS: figures.lost_with_node - now.lost_with_node,
        ZONE_LOSS: figures.lost_with_zone - now.lost_with_zone,
        NODES: now.nodes - figures.nodes,
    }
    kept = sum(max(0, lost[what]) for what in allowances.keep)
    waiting = sum(more_pending(figures, now).values())
    return waiting + max(0, allowances.min_nodes - figures.nodes) + max(0, figures.nodes - most) + kept
