"""How near the best possible suggested NodePools come: `python -m tools.benchmarks suggest`, on 50 sets of workloads.

Seconds are of the processor, so that other work on the machine does not count. The grid makes 70 plans, and is compared with
what a search finds in as many.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from statistics import median
from typing import Final

from cutlist.optimization.allowances import Allowances
from cutlist.optimization.pool_terms import PoolTerms
from cutlist.planning.inputs import PlanInputs
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.suggest.answer import suggest
from tools.benchmarks.workload_sets import KINDS, five_thousand_pods, workload_set

SETS: Final = 50
_LARGE: Final = 20
"""From so many nodes on a set counts as large."""

_FAMILIES: Final = (
    None,
    frozenset({"c6a", "m6a", "r6a"}),
    frozenset({"c7a", "m7a", "r7a"}),
    frozenset({"c6i", "m6i", "r6i"}),
    frozenset({"c5a", "m5a", "r5a"}),
    frozenset({"m6a"}),
    frozenset({"c6a", "m6a", "r6a", "c7a", "m7a", "r7a"}),
)
_SIZES: Final = (None, 5, 9, 17, 33, 49, 65, 97, 129, 193)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one set: USD/hour before, at best, of a grid, at best in as few plans as the grid makes, and of the bound;
    nodes and seconds."""

    name: str
    before: float
    best: float
    few: float
    grid: float
    bound: float
    nodes: int
    seconds: float

    @property
    def above(self) -> float:
        """Return the best price as a multiple of the bound."""
        return self.best / self.bound


def report(sets: int, plans: int) -> int:
    """Print a line for each set, then the medians and the set of 5,000 pods; exit code 0."""
    print("| set | $/hour before | best | in 70 plans | grid of 70 | bound | best / bound | before / bound | nodes | seconds |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    outcomes = [_shown(_outcome(name, inputs, plans)) for name, inputs in _sets(sets)]
    for what, some in (
        (f"{_LARGE} nodes or more", [o for o in outcomes if o.nodes >= _LARGE]),
        (f"fewer than {_LARGE}", [o for o in outcomes if o.nodes < _LARGE]),
    ):
        if some:
            print(f"\n{what}: median of best / bound {median(o.above for o in some):.3f} over {len(some)} sets")
    beaten = sum(o.few <= o.grid + 1e-9 for o in outcomes)
    print(f"in 70 plans at least as good as a grid of as many: {beaten} of {len(outcomes)}")
    print(f"above the given NodePool: {sum(o.best > o.before + 1e-9 for o in outcomes)}")
    large = _outcome("5,000 mixed pods", five_thousand_pods(), plans)
    print(f"5,000 mixed pods: {1 - large.best / large.before:.1%} below the given NodePool, {large.seconds:.0f} s")
    return 0


def _sets(sets: int) -> Iterator[tuple[str, PlanInputs]]:
    for number in range(sets):
        kind = list(KINDS)[number % len(KINDS)]
        yield f"{kind} {number // len(KINDS)}", workload_set(kind, number // len(KINDS))


def _outcome(name: str, inputs: PlanInputs, plans: int) -> Outcome:
    began = time.process_time()
    answer = suggest(inputs, Allowances(), plans=plans)
    took = time.process_time() - began
    few = suggest(inputs, Allowances(), plans=len(_FAMILIES) * len(_SIZES)).options[0].figures.price or 0.0
    now, best = answer.current.price or 0.0, answer.options[0].figures
    grid = _grid(inputs, answer.current.pending_pods)
    return Outcome(name, now, best.price or 0.0, few, grid, answer.bound, best.nodes, took)


def _grid(inputs: PlanInputs, pending: int) -> float:
    """Return the best price of 70 NodePools: seven sets of families by ten largest sizes."""
    prices = []
    for families, cpu in product(_FAMILIES, _SIZES):
        terms = PoolTerms(families, less_cpu=cpu)
        totals = plan(replace(inputs, node_pools=tuple(terms.on(pool) for pool in inputs.node_pools))).totals
        if totals.price_per_hour is not None and totals.pending <= pending:
            prices.append(totals.price_per_hour)
    return min(prices)


def _shown(o: Outcome) -> Outcome:
    ratio = o.before / o.bound
    cells = (
        o.name,
        *(f"{price:.2f}" for price in (o.before, o.best, o.few, o.grid, o.bound)),
        f"{o.above:.3f}",
        f"{ratio:.2f}",
    )
    print(f"| {' | '.join(cells)} | {o.nodes:,} | {o.seconds:.1f} |", flush=True)
    return o
