"""Simulate a cluster under the demand of some days, event by event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cutlist.catalog.ages import PriceAge
from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.instants import instant_text
from cutlist.core.services import RunningService
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.optimization.savings_plans import NO_RATES, Rates
from cutlist.planning.absences import require_nodes_or_workloads
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model.notebook import NotebookValue
from cutlist.planning.pass_inputs import pass_inputs
from cutlist.planning.services import running_services
from cutlist.settings.simulate import DAYS, RECORD, SEED, UNTIL
from cutlist.simulation.checkpoint.parts import SavedParts
from cutlist.simulation.demand.curve_files import read_time
from cutlist.simulation.demand.curves import MOST_PODS, THOUSANDTHS, DemandCurves
from cutlist.simulation.demand.jobs import BATCH_KINDS, JobTerms, TimedJob, WrittenJob
from cutlist.simulation.events import DAY, SECOND, Event
from cutlist.simulation.inputs import SimulationInputs
from cutlist.simulation.offerings import Edition
from cutlist.simulation.on_demand_use import OnDemandUse
from cutlist.simulation.outside import NO_NODE
from cutlist.simulation.recording.recorder import Recording
from cutlist.simulation.result import SimulationResult
from cutlist.simulation.settings import SimulationSettings
from cutlist.simulation.simulation import Simulation
from cutlist.simulation.simulation import simulate as simulate_until
from cutlist.verbs.cluster_state import FIRST_INSTANT, cluster_state_of, newest_time
from cutlist.verbs.digests import digest_of
from cutlist.verbs.simulate.commitments import CommitmentChoice, check_hours, commitments_of
from cutlist.verbs.simulate.demand import DemandFiles, DemandOverTime, not_due, outside_of_run, read_demand
from cutlist.verbs.simulate.events import OutsideEvents, read_outside_events
from cutlist.verbs.simulate.start import cluster_at_start
from cutlist.verbs.simulate.state import RunFacts, read_state, state_text
from cutlist.workloads.default_selectors import check_selectors
from cutlist.workloads.groups import PodGroup

_WAITS: Final = "the last round of disruption waits for its validation: the run that goes on records it"
_MOST_DAYS: Final = 3_653  # ten years
_MOST_TOGETHER: Final = 2 * MOST_PODS
"""The most pods of all workloads: about two gigabytes of them."""


@dataclass(frozen=True, slots=True)
class ClusterSimulation(NotebookValue):
    """What happens to a cluster. `began` is how many nodes and pods it had at the start, `notes` what is left out.

    `state` is the text of a file from which a run that was ended early can continue; else it is empty. `price_age`
    says which prices are old.
    """

    region: str
    began: tuple[int, int]
    result: SimulationResult
    notes: tuple[str, ...] = ()
    commitments: tuple[CommitmentChoice, ...] = ()
    state: str = field(default="", repr=False)
    price_age: PriceAge | None = None
    services: tuple[RunningService, ...] | None = None


def simulate(
    inputs: PlanInputs,
    trace: Iterable[str] = (),
    *,
    days: float = DAYS.default,
    seed: int = SEED.default,
    start: float | None = None,
    gates: FeatureGates | None = None,
    allow_empty: bool = False,
    typical: str = "",
    durations: Iterable[str] = (),
    interruptions: Iterable[str] = (),
    shortages: Iterable[str] = (),
    events: Iterable[str] = (),
    rates: Rates = NO_RATES,
    until: str = "",
    resume: str = "",
    record: Callable[[Recording], object] | None = None,
    watch: Callable[[Callable[[], float]], object] | None = None,
) -> ClusterSimulation:
    """Return what happens to a cluster in some days, with the demand that the files of `trace` describe.

    The cluster at the start is that of the inputs, once what they plan has happened. `start` is in seconds since 1970; without
    it the first instant of the trace, or else the newest of the inputs. `typical` names a week that is drawn for workloads
    without a curve: `web`, `batch` or `mixed`. `durations` are tables of the run times of Jobs' pods, `interruptions` tables of
    the rates at which spot instances are taken back, `shortages` tables of the share of hours in which the cloud has no
    capacity. `events` are files with what happens from outside, such as images, edits and failures. `rates` are those of
    savings plans and reservations, for which the cheapest commitments are computed. `until` ends the run early, at an instant
    or at a time since the start such as `36h`; `resume` is a file with the `state` of such a run, which goes on from there and
    gives what a single run gives. `record` is given each pass of the provisioner and each round of disruption, `watch` once a
    function that returns which part of the run is over, from 0 to 1. Raises InputError for what cannot be read, for curves and
    events of what is not in the inputs, for what is not simulated, and for the state of a run with other inputs.

    >>> from cutlist import read_inputs, simulate
    >>> files = ["examples/shop/pools.yaml", "examples/shop/workloads.yaml"]
    >>> week = simulate(read_inputs(files, region="us-west-2"), days=0.5)
    >>> week.result.totals.pending, week.result.totals.evictions
    (1, 0)
    """
    files = DemandFiles(tuple(trace), typical, tuple(durations), tuple(interruptions), tuple(shortages), tuple(events))
    ready = prepared(inputs, files, days=days, start=start, gates=gates, allow_empty=allow_empty)
    end = ready.end(until)
    check_hours(ready.until if end is None else end, rates)
    if record is not None and not inputs.options.ignore_dra_requests:
        text = "recordings have no devices, and this Karpenter plans claims for them"
        raise InputError.one(Place.of(RECORD), text, "a simulation without the feature gates for devices and ignoreDRARequests")
    simulation = ready.run(seed, end, resume, record, watch)
    paid = inputs.figures.paid_prices
    commitments = commitments_of(OnDemandUse.of(simulation.result), inputs.catalog, paid, rates)
    return replace(simulation, commitments=commitments.choices, notes=(*simulation.notes, *commitments.notes))


@dataclass(frozen=True, slots=True)
class PreparedSimulation:
    """A cluster and its demand, read and checked, ready to be run with any seed.

    `start` is in seconds since 1970, `until` in milliseconds since `start`.
    """

    inputs: PlanInputs
    demand: DemandOverTime
    typical: str
    start: float
    until: int
    gates: FeatureGates
    outside: OutsideEvents

    def run(
        self,
        seed: int,
        end: int | None = None,
        resume: str = "",
        record: Callable[[Recording], object] | None = None,
        watch: Callable[[Callable[[], float]], object] | None = None,
    ) -> ClusterSimulation:
        """Return what happens to the cluster with the random numbers of a seed.

        The run ends at `end`, in milliseconds since the start, or else once all its days are over; it begins with the state in
        the file `resume`, if there is one. `record` is given each pass and each round of disruption. Raises InputError if
        nothing is left for a typical week, and for the state of another run.
        """
        saved = read_state(resume, self.facts(seed)) if resume else None
        settings = SimulationSettings(self.start, until=self.until, seed=seed)
        draw = settings.stream("typical")
        demand = self.demand.with_typical_week(self.typical, self.inputs, self.start, self.until, draw)
        inputs = _with_replicas(_without_ending(self.inputs), demand.curves)
        at_start = cluster_at_start(inputs, self.start, self.gates)
        of = replace(_with_demand(at_start, self.inputs, demand), editions=self._editions(at_start))
        events = sorted((*demand.curves.events(), *demand.traces.events, *self.outside.events), key=lambda event: event.at)
        end = self.until if end is None else end
        simulation = _begun(of, events, settings, saved, Place(resume))
        if simulation.world.now > end:
            text = f"is of {instant_text(simulation.world.instant)}, when the run is over"
            raise InputError.one(Place(resume), text, f"the state of an instant before {instant_text(settings.instant(end))}")
        if watch is not None:
            watch(lambda: simulation.world.now / end if end else 1.0)
        result = simulate_until(simulation, end, record)
        state = "" if end == self.until else state_text(simulation.saved(), self.facts(seed), simulation.world.instant)
        began = len(of.cluster.nodes), len(of.workload_of)
        notes = (*demand.notes, *self.outside.notes, *_notes(of), *_without_effect(result))
        if state and simulation.world.recorder.waits:
            notes = (*notes, _WAITS)
        sold, result = inputs.catalog, replace(result, currency=inputs.catalog.currency)
        return ClusterSimulation(
            sold.region,
            began,
            result,
            notes,
            state=state,
            price_age=inputs.price_age,
            services=running_services(inputs) or None,
        )

    def facts(self, seed: int) -> RunFacts:
        """Return what the run with a seed depends on, long parts as digests."""
        return {
            "inputs": digest_of(replace(self.inputs, source="", warnings=(), day=None)),
            "demand": digest_of(self.demand),
            "events": digest_of(self.outside.plain),
            "typical": self.typical,
            "gates": digest_of(self.gates),
            "start": instant_text(self.start),
            "days": self.until / DAY,
            "seed": seed,
        }

    def _editions(self, of: SimulationInputs) -> tuple[Edition, ...]:
        """Return the NodePools with their types after each edit."""
        editions = []
        for edit in self.outside.edits:
            inputs = _without_ending(edit.inputs)
            state = cluster_state_of(inputs, self.start, self.gates, allow_empty=True).overlaid()
            cluster = replace(of.cluster, pools=state.pools, types=state.types, disk_prices=state.disk_prices)
            predictions = pass_inputs(inputs).predictions
            edition = Edition(cluster, predictions.purchase, edit.drifted, edit.hashes, predictions.attach_limits)
            editions.append(edition)
        return tuple(editions)

    def end(self, written: str) -> int | None:
        """Return the instant that a text names, in milliseconds since the start; None for an empty text.

        Raises InputError for a text that is not a time, and for one that is not within the run.
        """
        if not written:
            return None
        problems, place = Problems(), Place.of(UNTIL)
        time = read_time(written, place, problems)
        problems.raise_if_any()
        seconds, is_relative = time or (0.0, True)
        end = round((seconds if is_relative else seconds - self.start) * SECOND)
        if not 0 < end <= self.until:
            within = f"after {instant_text(self.start)}, and {instant_text(self.start + self.until / SECOND)} at the latest"
            raise InputError.one(place, f"{written} is not within the run", within)
        return end


def _begun(
    of: SimulationInputs, demand: Sequence[Event], settings: SimulationSettings, saved: SavedParts | None, place: Place
) -> Simulation:
    """Return a simulation at its start, or as it was saved."""
    if saved is None:
        return Simulation(of, demand, settings)
    try:
        return Simulation.resumed(of, demand, settings, saved)
    except (LookupError, TypeError, ValueError) as error:
        raise InputError.one(place, f"cannot be read back: {error}") from None


def prepared(
    inputs: PlanInputs,
    files: DemandFiles,
    *,
    days: float = DAYS.default,
    start: float | None = None,
    gates: FeatureGates | None = None,
    allow_empty: bool = False,
) -> PreparedSimulation:
    """Return a cluster with the demand that files describe, ready to be run. Arguments and errors are those of `simulate`."""
    if not SECOND / DAY <= days <= _MOST_DAYS:
        raise InputError.one(Place.of(DAYS), f"{days:g} days are not a length", f"a second or more, at most {_MOST_DAYS:,}")
    problems = Problems(allow_empty=allow_empty)
    demand = read_demand(inputs, files, start, problems)
    began = start if start is not None else demand.start or newest_time(inputs) or FIRST_INSTANT
    until, gates = round(days * DAY), gates or FeatureGates()
    within = f"from {instant_text(began)} to {instant_text(began + until / SECOND)}"
    outside_notes = (*outside_of_run(demand.curves, until, within, problems), *not_due(demand.cron_jobs, began, until))
    demand = replace(demand, notes=(*demand.notes, *outside_notes))
    if gates.reboot_for_repair:
        problems.add(Place(path="RebootForRepair"), "reboots of nodes are not simulated", "without this feature gate")
    check_selectors(inputs.documents, problems)
    _check_sizes(inputs, problems)
    outside = read_outside_events(inputs, files.events, demand, gates, (began, until), problems)
    problems.raise_if_any()
    require_nodes_or_workloads(inputs, allow_empty=allow_empty or bool(demand.traces.groups))
    return PreparedSimulation(inputs, demand, files.typical, began, until, gates, outside)


def _check_sizes(inputs: PlanInputs, problems: Problems) -> None:
    for group in inputs.workloads.groups:
        if group.count > MOST_PODS:
            text = f"{group.count:,} pods are more than a simulation follows"
            problems.add(group.place, text, f"at most {MOST_PODS:,} of a workload")
    together = sum(min(group.count, MOST_PODS) for group in inputs.workloads.groups)
    if together > _MOST_TOGETHER:
        text = f"{together:,} pods of all workloads together are more than a simulation follows"
        problems.add(Place(inputs.source), text, f"at most {_MOST_TOGETHER:,}")


def _without_ending(inputs: PlanInputs) -> PlanInputs:
    groups = tuple(g for g in inputs.workloads.groups if g.kind not in BATCH_KINDS)
    return replace(inputs, workloads=replace(inputs.workloads, groups=groups))


def _with_replicas(inputs: PlanInputs, curves: DemandCurves) -> PlanInputs:
    """Return the inputs with the replicas that curves begin with, for workloads without running pods."""
    groups = []
    for group in inputs.workloads.groups:
        curve = curves.replicas.get(group.workload)
        is_new = curve is not None and not group.bound
        groups.append(replace(group, count=curve.value_at(0) // THOUSANDTHS) if curve is not None and is_new else group)
    return replace(inputs, workloads=replace(inputs.workloads, groups=tuple(groups)))


def _with_demand(of: SimulationInputs, inputs: PlanInputs, demand: DemandOverTime) -> SimulationInputs:
    """Return a cluster with the parts of its demand other than curves; Jobs create their pods themselves."""
    listed = {group.workload for group in of.groups}
    batch = (g for g in inputs.workloads.groups if g.kind in BATCH_KINDS and g.workload not in listed)
    groups = (*of.groups, *{group.workload: replace(group, count=0) for group in batch}.values(), *demand.traces.groups)
    return replace(
        of,
        groups=groups,
        jobs=tuple(_jobs(of, groups, demand)),
        autoscalers=demand.autoscalers,
        metrics=demand.curves,
        cron_jobs=demand.cron_jobs,
        rollouts=demand.rollouts,
        interruptions=demand.interruptions,
    )


def _jobs(of: SimulationInputs, groups: Iterable[PodGroup], demand: DemandOverTime) -> Iterator[TimedJob]:
    """Yield the Jobs of the demand, and one for the running pods of each workload whose Job is not in the input."""
    running = Counter(of.workload_of.values())
    kinds = {group.workload: group.kind for group in groups}
    for timed in demand.jobs:
        if timed.job.workload in kinds:
            running[timed.job.workload] -= timed.job.terms.parallelism
            yield timed
    for workload, pods in sorted(running.items()):
        if pods > 0 and kinds.get(workload) in BATCH_KINDS:
            yield TimedJob(WrittenJob(workload, JobTerms(pods, pods)), demand.duration_of(workload))


def _notes(of: SimulationInputs) -> Iterable[str]:
    unpriced = [n.name for n in of.cluster.nodes if not of.cluster.bill_of(n)]
    if unpriced:
        yield f"{len(unpriced):,} nodes of unknown price count as free, such as {unpriced[0]}"


def _without_effect(result: SimulationResult) -> Iterable[str]:
    """Yield a note for each event that matched no node of the cluster."""
    for command in result.commands:
        if command.outcome == NO_NODE:
            at = instant_text(result.settings.instant(command.at))
            yield f"{command.decision} at {at}: no node of the cluster matches"
