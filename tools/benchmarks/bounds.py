"""What each kind of lower bound proves and takes: `python -m tools.benchmarks bounds`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

from cutlist.optimization.allowances import Allowances
from cutlist.optimization.bound import bound_of
from cutlist.optimization.demand import placed_demands
from cutlist.optimization.evaluation import CandidateInputs
from cutlist.optimization.pool_supply import market_of
from cutlist.optimization.pool_terms import widened
from cutlist.optimization.supply import Market
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import BoundKind, Plan
from cutlist.verbs.plan.answer import plan
from tools.benchmarks.workload_sets import KINDS, five_thousand_pods, workload_set


def report() -> int:
    """Print a line for one set of each kind, and for 200 groups of pods on all types; exit code 0.

    Times are seconds of processor; the market, which all kinds share, is apart.
    """
    kinds: tuple[BoundKind, ...] = get_args(BoundKind)
    print(f"| set | groups | plan $/hour | s | market s | {' | '.join(f'{kind} | s' for kind in kinds)} |")
    print(f"|{'---|' * (5 + 2 * len(kinds))}")
    for name, inputs in _sets():
        began = time.process_time()
        planned = plan(inputs)
        placed = time.process_time()
        market = _market(inputs, planned)
        cells = [f"{planned.totals.price_per_hour:.2f}", f"{placed - began:.2f}", f"{time.process_time() - placed:.2f}"]
        for kind in kinds:
            began = time.process_time()
            bound = bound_of(market, kind).price
            cells += [f"{bound:.2f}", f"{time.process_time() - began:.2f}"]
        print(f"| {name} | {len(market.demands)} | {' | '.join(cells)} |", flush=True)
    return 0


def _sets() -> Iterator[tuple[str, PlanInputs]]:
    for kind in KINDS:
        yield kind, workload_set(kind, 0)
    large = five_thousand_pods()
    yield "5,000 mixed pods", large
    allowed = Allowances(arm64=True, spot=True, types=True)
    yield "the same on all types", replace(large, node_pools=tuple(widened(pool, allowed) for pool in large.node_pools))


def _market(inputs: PlanInputs, planned: Plan) -> Market:
    ready = [of_controller for _, of_controller in CandidateInputs(inputs).parts(inputs).values()]
    return market_of(ready, placed_demands(ready[0].passes, {p.workload: p.count for p in planned.pending}))
