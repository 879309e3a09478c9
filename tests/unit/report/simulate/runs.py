"""Runs of a cluster with several seeds, for tests of their views."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from cutlist.simulation.commitments import savings_plan
from cutlist.simulation.comparison import RunNumbers
from cutlist.simulation.result import UnplacedPods
from cutlist.verbs.simulate.commitments import CommitmentChoice
from cutlist.verbs.simulate.runs import OtherRuns, SimulationRuns
from cutlist.verbs.simulate.runs_commitments import CommitmentOfRuns

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


def with_rates(runs: SimulationRuns) -> SimulationRuns:
    """Runs that cost a tenth less with a savings plan of a dollar, which the first of them uses by half."""
    halves = [savings_plan([{"m7g": use}], {"m7g": 500_000}, Fraction(1_000_000)) for use in (1_000_000, 4_000_000)]
    both = savings_plan([{"m7g": use} for use in (1_000_000, 4_000_000)], {"m7g": 500_000}, Fraction(1_000_000))
    choice = CommitmentChoice("1y", "", both, sources=("a list, 2026",))
    commitment = CommitmentOfRuns(choice, (Fraction(500_000), Fraction(2_000_000)), tuple(of.saved for of in halves))
    return replace(
        runs,
        commitments=(commitment,),
        runs=tuple(map(_committed, runs.runs)),
        others=tuple(replace(other, runs=tuple(map(_committed, other.runs))) for other in runs.others),
    )


def _committed(run: RunNumbers) -> RunNumbers:
    return replace(run, committed={"1y savings plan": 0.9 * run.usd})


def with_unplaced(runs: SimulationRuns) -> SimulationRuns:
    """Runs of which the second leaves three pods of the trainer without a node, as do all of the other cluster."""
    first, second, *others = runs.runs
    missing = UnplacedPods("job/train", 3, 1, 7_200.0, "no `GPU`")
    also = tuple(replace(o, runs=tuple(replace(run, unplaced=(missing,)) for run in o.runs)) for o in runs.others)
    return replace(runs, runs=(first, replace(second, unplaced=(missing,)), *others), others=also)


def several(*less: float) -> SimulationRuns:
    """Two runs, and those of clusters that cost less, called pools-0 and so on."""
    alone = simulation_runs(1, 2, alone=True)
    return replace(alone, others=tuple(OtherRuns(f"pools-{n}", compared(alone.runs, by)) for n, by in enumerate(less)))
