"""Runs of a simulation with several seeds, and of another cluster under the same events, wherever they are run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Final

from cutlist.catalog.ages import PriceAge
from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.labels import NODEPOOL
from cutlist.core.records import about, computed
from cutlist.core.services import RunningService
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.optimization.savings_plans import NO_RATES, Rates
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.services import running_services
from cutlist.runners import InProcess, JobOutcome, Runner
from cutlist.settings.simulate import AGAINST, DAYS, SEEDS
from cutlist.simulation.comparison import (
    Interval,
    RunNumbers,
    RunsSummary,
    UnplacedInRuns,
    difference_of,
    summary_of,
    unplaced_in,
)
from cutlist.simulation.events import SECOND
from cutlist.simulation.on_demand_use import OnDemandUse
from cutlist.simulation.result import UnplacedPods
from cutlist.verbs.digests import KeptAnswers, digest_of, program_digest
from cutlist.verbs.simulate.answer import ClusterSimulation, PreparedSimulation, prepared
from cutlist.verbs.simulate.commitments import check_hours
from cutlist.verbs.simulate.demand import DemandFiles
from cutlist.verbs.simulate.runs_commitments import CommitmentOfRuns, commitments_of_runs, with_commitments

MOST_SEEDS: Final = 100_000
_THIS: Final = 0
_Job = tuple[int, int]
"""Which cluster is run, and with which seed."""
_Run = tuple[RunNumbers, tuple[str, ...], OnDemandUse | None]
"""The numbers of a run, its notes, and what commitments can cover of it, where that is asked for."""
ESTIMATED: Final = "± is how much runs differ; how far estimated prices may be off is the range beside the cost"
"""The note on runs whose cost has a range of its own."""
_NO_OTHERS: Final[Mapping[str, PlanInputs]] = {}


@dataclass(frozen=True, slots=True)
class OtherRuns:
    """Runs of another cluster with the same seeds, and what the cluster is called."""

    name: Annotated[str, about(f"The file or folder of `{AGAINST.flag}`.")]
    runs: tuple[RunNumbers, ...]

    @property
    @computed(after="name")
    def summary(self) -> RunsSummary:
        """Return the intervals of its numbers."""
        return summary_of(self.runs)

    @property
    @computed(after="summary")
    def unplaced(self) -> tuple[UnplacedInRuns, ...]:
        """Return the pods without a node, by workload and reason."""
        return unplaced_in(self.runs)


@dataclass(frozen=True, slots=True)
class SimulationRuns:
    """Runs of a cluster, one for each seed; `others` are those of other clusters with the same seeds.

    `start` and `end` are in seconds since 1970; `notes` say what is assumed or left out. `commitments` are those of the
    cluster; the numbers of all runs include their cost with the commitments of their own cluster. `currency` is that of all
    prices, `price_age` says which of them are old.
    """

    region: str
    start: float
    end: float
    runs: tuple[RunNumbers, ...]
    others: tuple[OtherRuns, ...] = ()
    notes: tuple[str, ...] = ()
    commitments: tuple[CommitmentOfRuns, ...] = ()
    currency: str = "USD"
    price_age: PriceAge | None = None
    services: tuple[RunningService, ...] | None = None

    @property
    def seeds(self) -> tuple[int, ...]:
        """Return the seeds in ascending order."""
        return tuple(run.seed for run in self.runs)

    @property
    def summary(self) -> RunsSummary:
        """Return the intervals of the cluster's numbers."""
        return summary_of(self.runs)

    @property
    def unplaced(self) -> tuple[UnplacedInRuns, ...]:
        """Return the pods of the cluster without a node, by workload and reason."""
        return unplaced_in(self.runs)

    def difference(self, other: OtherRuns) -> RunsSummary:
        """Return by how much another cluster's numbers differ, seed by seed."""
        return difference_of(self.runs, other.runs)


@dataclass(frozen=True, slots=True)
class RunsProgress:
    """How many runs of how many have ended, and what those of the cluster itself cost; None before the first."""

    done: int
    of: int
    usd: Interval | None


def simulate_runs(
    inputs: PlanInputs,
    files: DemandFiles,
    seeds: Sequence[int],
    *,
    against: Mapping[str, PlanInputs] = _NO_OTHERS,
    days: float = DAYS.default,
    start: float | None = None,
    gates: FeatureGates | None = None,
    allow_empty: bool = False,
    rates: Rates = NO_RATES,
    runner: Runner = InProcess(),  # noqa: B008 - it holds nothing
    kept: KeptAnswers | None = None,
    done: Callable[[RunsProgress], None] = lambda _: None,
) -> SimulationRuns:
    """Return the runs of a cluster with each seed, and those of each cluster of `against`, by name, from the same instant on.

    With `rates` of savings plans and reservations, each cluster gets the commitments that cost least on average for its runs.
    `runner` is where they are run; files are read here. Runs that are `kept` are not run again while all that they depend on
    is the same. `done` is called after each run. The answer is the same with every runner. Raises as `simulate` does, and
    where nodes run whose NodePool another cluster lacks.
    """
    if not seeds:
        raise InputError.one(Place.of(SEEDS), "no seed is given", "at least one")
    if len(seeds) > MOST_SEEDS:
        raise InputError.one(Place.of(SEEDS), f"{len(seeds):,} seeds are more than are run", f"at most {MOST_SEEDS:,}")
    this = prepared(inputs, files, days=days, start=start, gates=gates, allow_empty=allow_empty)
    clusters = [this]
    for name, other in against.items():
        _check_pools(inputs, other, name)
        clusters.append(prepared(other, files, days=days, start=this.start, gates=gates, allow_empty=allow_empty))
    check_hours(this.until, rates)
    jobs = [(cluster, seed) for seed in seeds for cluster in range(len(clusters))]
    is_rated = bool(rates.rates)
    work = _Work(jobs, None if kept is None else _Kept(clusters, kept, is_rated=is_rated), done)
    with runner.team(_clusters, tuple(clusters)) as team:
        for outcome in team.outcomes(_run_with_use if is_rated else _run, work.left):
            work.take(outcome)
    runs = work.runs
    of_clusters = [[runs[number, seed] for seed in seeds] for number in range(len(clusters))]
    numbers = [_numbers(of, cluster.inputs, rates) for of, cluster in zip(of_clusters, clusters, strict=True)]
    paid = inputs.figures.paid_prices
    commitments = commitments_of_runs(_uses(of_clusters[_THIS]), inputs.catalog, paid, rates)
    return SimulationRuns(
        inputs.catalog.region,
        this.start,
        this.start + this.until / SECOND,
        numbers[_THIS],
        tuple(OtherRuns(name, of_other) for name, of_other in zip(against, numbers[_THIS + 1 :], strict=True)),
        (*dict.fromkeys(note for job in jobs for note in runs[job][1]), *commitments.notes),
        commitments.choices,
        inputs.catalog.currency,
        inputs.price_age,
        running_services(inputs) or None,
    )


def _numbers(runs: Sequence[_Run], inputs: PlanInputs, rates: Rates) -> tuple[RunNumbers, ...]:
    """Return the numbers of a cluster's runs, with what they cost with the cluster's best commitments."""
    numbers = tuple(run[0] for run in runs)
    if not rates.rates:
        return numbers
    return with_commitments(numbers, _uses(runs), inputs.catalog, inputs.figures.paid_prices, rates)


def _uses(runs: Iterable[_Run]) -> list[OnDemandUse]:
    return [use for _, _, use in runs if use is not None]


class _Work:
    """The runs that have ended, and the jobs that are left."""

    def __init__(self, jobs: Sequence[_Job], kept: _Kept | None, done: Callable[[RunsProgress], None]) -> None:
        self.runs: dict[_Job, _Run] = {} if kept is None else kept.known(jobs)
        self.left = [job for job in jobs if job not in self.runs]
        self._number = len(jobs)
        self._kept = kept
        self._done = done

    def take(self, outcome: JobOutcome[_Run]) -> None:
        """Record the outcome of a job. Raises what it has raised."""
        job = self.left[outcome.job]
        self.runs[job] = outcome.value
        if self._kept is not None:
            self._kept.put(job, outcome.value)
        costs = [run.usd for (cluster, _), (run, *_) in sorted(self.runs.items()) if cluster == _THIS]
        self._done(RunsProgress(len(self.runs), self._number, Interval.of(costs) if costs else None))


class _Kept:
    """Runs as texts, by the digest of what each depends on."""

    def __init__(self, clusters: Sequence[PreparedSimulation], answers: KeptAnswers, *, is_rated: bool) -> None:
        """Begin with the clusters that are run. If `is_rated`, runs need the part that commitments can cover."""
        self._is_rated = is_rated
        self._program = program_digest()
        self._facts = [cluster.facts(0) for cluster in clusters]
        self._answers = answers

    def known(self, jobs: Iterable[_Job]) -> dict[_Job, _Run]:
        """Return the runs that are kept."""
        runs = {job: _read_run(self._answers.get(self._digest(job))) for job in jobs}
        return {job: run for job, run in runs.items() if run is not None and (run[2] is not None or not self._is_rated)}

    def put(self, job: _Job, run: _Run) -> None:
        """Keep a run."""
        numbers, notes, use = run
        plain = [asdict(numbers), notes, None if use is None else use.plain()]
        self._answers.put(self._digest(job), json.dumps(plain) + "\n")

    def _digest(self, job: _Job) -> str:
        cluster, seed = job
        return digest_of([self._program, {**self._facts[cluster], "seed": seed}])


def _read_run(text: str | None) -> _Run | None:
    """Return the run that a text holds, or None if it holds none."""
    try:
        numbers, notes, use = json.loads(text or "")
        numbers["unplaced"] = tuple(UnplacedPods(**of) for of in numbers["unplaced"])
        return RunNumbers(**numbers), tuple(notes), None if use is None else OnDemandUse.read(use)
    except (LookupError, TypeError, ValueError):
        return None


def _check_pools(inputs: PlanInputs, against: PlanInputs, name: str) -> None:
    """Refuse another cluster that lacks a NodePool of which nodes run: what happens to these is not simulated."""
    problems = Problems()
    removed = {pool.name for pool in inputs.node_pools} - {pool.name for pool in against.node_pools}
    running = {node.labels.get(NODEPOOL) for node in inputs.cluster.nodes}
    for pool in sorted(removed & running):
        text = f"nodes of NodePool {pool} run at the start, and {name} is without it"
        problems.add(Place.of(AGAINST), text, f"a NodePool {pool}, with limits of 0 where it is to launch nothing")
    problems.raise_if_any()


def _clusters(clusters: tuple[PreparedSimulation, ...]) -> tuple[PreparedSimulation, ...]:
    return clusters


def _run(clusters: tuple[PreparedSimulation, ...], job: _Job) -> _Run:
    """Return the numbers and the notes of a run."""
    cluster, seed = job
    simulation = clusters[cluster].run(seed)
    return RunNumbers.of(simulation.result), _notes(simulation), None


def _run_with_use(clusters: tuple[PreparedSimulation, ...], job: _Job) -> _Run:
    """Return the numbers and the notes of a run, and the part of it that commitments can cover."""
    cluster, seed = job
    simulation = clusters[cluster].run(seed)
    return RunNumbers.of(simulation.result), _notes(simulation), OnDemandUse.of(simulation.result)


def _notes(simulation: ClusterSimulation) -> tuple[str, ...]:
    """Return the notes of a run, and what the interval of several runs leaves out of its cost."""
    return simulation.notes if simulation.result.totals.usd_range is None else (*simulation.notes, ESTIMATED)
