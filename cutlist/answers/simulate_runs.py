"""Runs of a simulation with several seeds, and of another cluster under the same events, wherever they are run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from cutlist.answers.simulate import PreparedSimulation, prepared
from cutlist.answers.simulate_demand import DemandFiles
from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.labels import NODEPOOL
from cutlist.core.values import dataclass
from cutlist.disruption.cluster_state import FeatureGates
from cutlist.planning.inputs import PlanInputs
from cutlist.runners import InProcess, Runner
from cutlist.simulation.comparison import RunNumbers, RunsSummary, difference_of, summary_of
from cutlist.simulation.events import SECOND

_THIS: Final = 0
_OTHER: Final = 1
_Job = tuple[int, int]
"""Which cluster is run, and with which seed."""
_Run = tuple[RunNumbers, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class SimulationRuns:
    """Runs of a cluster, one for each seed; `others` are those of another cluster with the same seeds, if there is one.

    `start` and `end` are in seconds since 1970; `notes` say what is assumed or left out.
    """

    region: str
    start: float
    end: float
    runs: tuple[RunNumbers, ...]
    others: tuple[RunNumbers, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def seeds(self) -> tuple[int, ...]:
        """Return the seeds in ascending order."""
        return tuple(run.seed for run in self.runs)

    @property
    def summary(self) -> RunsSummary:
        """Return the intervals of the cluster's numbers."""
        return summary_of(self.runs)

    @property
    def other_summary(self) -> RunsSummary | None:
        """Return the intervals of the other cluster's numbers."""
        return summary_of(self.others) if self.others else None

    @property
    def difference(self) -> RunsSummary | None:
        """Return by how much the other cluster's numbers differ, seed by seed."""
        return difference_of(self.runs, self.others) if self.others else None


def simulate_runs(
    inputs: PlanInputs,
    files: DemandFiles,
    seeds: Sequence[int],
    *,
    against: PlanInputs | None = None,
    days: float = 7,
    start: float | None = None,
    gates: FeatureGates | None = None,
    allow_empty: bool = False,
    runner: Runner = InProcess(),  # noqa: B008 - it holds nothing
    done: Callable[[int, int], None] = lambda _done, _of: None,
) -> SimulationRuns:
    """Return the runs of a cluster with each seed, and those of `against` from the same instant on.

    `runner` is where they are run; files are read here. `done` gets how many runs have ended, and how many there are. The
    answer is the same with every runner. Raises as `simulate` does, and where nodes run whose NodePool `against` lacks.
    """
    if not seeds:
        raise InputError.one(Place(path="seeds"), "no seed is given", "at least one")
    this = prepared(inputs, files, days=days, start=start, gates=gates, allow_empty=allow_empty)
    clusters = [this]
    if against is not None:
        _check_pools(inputs, against)
        clusters.append(prepared(against, files, days=days, start=this.start, gates=gates, allow_empty=allow_empty))
    jobs = [(cluster, seed) for seed in seeds for cluster in range(len(clusters))]
    runs: dict[_Job, _Run] = {}
    with runner.team(_clusters, tuple(clusters)) as team:
        for outcome in team.outcomes(_run, jobs):
            runs[jobs[outcome.job]] = outcome.value
            done(len(runs), len(jobs))
    return SimulationRuns(
        inputs.catalog.region,
        this.start,
        this.start + this.until / SECOND,
        tuple(runs[_THIS, seed][0] for seed in seeds),
        tuple(runs[_OTHER, seed][0] for seed in seeds) if against is not None else (),
        tuple(dict.fromkeys(note for job in jobs for note in runs[job][1])),
    )


def _check_pools(inputs: PlanInputs, against: PlanInputs) -> None:
    """Refuse another cluster that lacks a NodePool of which nodes run: what happens to these is not simulated."""
    problems = Problems()
    removed = {pool.name for pool in inputs.node_pools} - {pool.name for pool in against.node_pools}
    running = {node.labels.get(NODEPOOL) for node in inputs.cluster.nodes}
    for name in sorted(removed & running):
        text = f"nodes of NodePool {name} run at the start, and the other NodePools are without it"
        problems.add(Place(path="against"), text, f"a NodePool {name}, with limits of 0 where it is to launch nothing")
    problems.raise_if_any()


def _clusters(clusters: tuple[PreparedSimulation, ...]) -> tuple[PreparedSimulation, ...]:
    return clusters


def _run(clusters: tuple[PreparedSimulation, ...], job: _Job) -> _Run:
    """Return the numbers and the notes of a run."""
    cluster, seed = job
    simulation = clusters[cluster].run(seed)
    return RunNumbers.of(simulation.result), simulation.notes
