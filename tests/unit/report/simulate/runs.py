"""Runs of a cluster with several seeds, for tests of their views."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from cutlist.answers.simulate_runs import OtherRuns, SimulationRuns
from cutlist.simulation.comparison import RunNumbers

MONDAY = 1_767_571_200.0


def numbers(seed: int, usd: float, **evictions: int) -> RunNumbers:
    """A run; `web=3` are three evictions of deployment/web."""
    by_workload = {f"deployment/{name}": count for name, count in evictions.items()}
    return RunNumbers(seed, usd, 10 * usd, sum(evictions.values()), by_workload, 30.0, 61.0, 1)


def simulation_runs(*seeds: int, less: float = 12.5, alone: bool = False) -> SimulationRuns:
    """A week of $100 and the seed's square; the other cluster costs less, with twice the evictions of web and one of batch."""
    runs = tuple(numbers(seed, 100.0 + seed**2, web=seed) for seed in seeds)
    others = (OtherRuns("other-pools", compared(runs, less)),)
    return SimulationRuns("us-west-2", MONDAY, MONDAY + 7 * 86_400, runs, () if alone else others, ("a `note`",))


def compared(runs: Iterable[RunNumbers], less: float) -> tuple[RunNumbers, ...]:
    """Runs of another cluster that costs less."""
    return tuple(numbers(run.seed, run.usd - less, web=2 * run.evictions, batch=1) for run in runs)


def several(*less: float) -> SimulationRuns:
    """Two runs, and those of clusters that cost less, called pools-0 and so on."""
    alone = simulation_runs(1, 2, alone=True)
    return replace(alone, others=tuple(OtherRuns(f"pools-{n}", compared(alone.runs, by)) for n, by in enumerate(less)))
