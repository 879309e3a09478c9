"""The demand on a simulated cluster over time: curves of files, autoscalers and CronJobs of the input, interruptions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from cutlist.core.errors import InputError, Place, Problems, nearest
from cutlist.core.instants import instant_text
from cutlist.planning.inputs import PlanInputs
from cutlist.settings.simulate import TRACE, TYPICAL
from cutlist.simulation.cron_jobs import TimedCronJob
from cutlist.simulation.demand.autoscaler_objects import HORIZONTAL, autoscalers_of, target_of
from cutlist.simulation.demand.autoscaling import HorizontalAutoscaler
from cutlist.simulation.demand.cron import cron_jobs_of
from cutlist.simulation.demand.curve_files import read_curves
from cutlist.simulation.demand.curves import REPLICAS, DemandCurves, check_workloads
from cutlist.simulation.demand.durations import observed_durations, read_durations
from cutlist.simulation.demand.jobs import BATCH_KINDS, TimedJob, jobs_of
from cutlist.simulation.demand.rollouts import Rollout, rollouts_of
from cutlist.simulation.demand.traces import (
    GIB,
    KARPENTER,
    PARTS_OF_MACHINES,
    TRACE_FORMS,
    TraceDemand,
    TraceMachine,
    demand_of_trace,
    read_trace,
)
from cutlist.simulation.demand.typical import TypicalWeek, typical_curves
from cutlist.simulation.events import MINUTE, SECOND
from cutlist.simulation.failures import InterruptionRates
from cutlist.simulation.shortages import CapacityShortages
from cutlist.verbs.simulate.offerings import read_offering_tables
from cutlist.workloads.written import workload_of

_WITHOUT_REPLICAS: Final = frozenset({*BATCH_KINDS, "Pod"})
ASSUMED_DURATION: Final = 10 * MINUTE
"""How long the pods of a Job run of which nothing else is known, in milliseconds."""


@dataclass(frozen=True, slots=True)
class DemandFiles:
    """Files that say what happens over time: curves, durations of Jobs, rates of interruptions, shortages, and events.

    `typical` names a week that is drawn for workloads without a curve.
    """

    trace: tuple[str, ...] = ()
    typical: str = ""
    durations: tuple[str, ...] = ()
    interruptions: tuple[str, ...] = ()
    shortages: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DemandOverTime:
    """The demand over time. `notes` say what is assumed or left out."""

    curves: DemandCurves = field(default_factory=DemandCurves)
    autoscalers: tuple[HorizontalAutoscaler, ...] = ()
    cron_jobs: tuple[TimedCronJob, ...] = ()
    jobs: tuple[TimedJob, ...] = ()
    rollouts: Mapping[str, Rollout] = field(default_factory=dict)
    interruptions: InterruptionRates = field(default_factory=InterruptionRates)
    shortages: CapacityShortages = field(default_factory=CapacityShortages)
    notes: tuple[str, ...] = ()
    traces: TraceDemand = field(default_factory=TraceDemand)

    @property
    def start(self) -> float | None:
        """Return the first instant of curves and traces in seconds since 1970, or None without one."""
        starts = [start for start in (self.curves.start or None, self.traces.start) if start is not None]
        return min(starts, default=None)

    def duration_of(self, workload: str) -> int:
        """Return how long pods of a Job or CronJob run, in milliseconds."""
        durations = {timed.job.workload: timed.duration for timed in self.jobs}
        durations |= {timed.cron.workload: timed.duration for timed in self.cron_jobs}
        return durations.get(workload, ASSUMED_DURATION)

    def with_typical_week(self, name: str, inputs: PlanInputs, start: float, until: int, draw: Random) -> DemandOverTime:
        """Return the demand with curves of a typical week for the workloads that have none; an empty name means no week. Raises
        InputError if no workload is left for it.
        """
        if not name:
            return self
        scaled = {*self.curves.workloads}
        replicas: dict[str, int] = {}
        for group in inputs.workloads.groups:
            if group.kind not in _WITHOUT_REPLICAS and group.workload not in scaled:
                replicas[group.workload] = replicas.get(group.workload, 0) + group.count + group.bound
        if not replicas:
            text = "no workload of the input has replicas that a typical week could change"
            raise InputError.one(Place.of(TYPICAL), text, "Deployments and their like, without their own curves")
        drawn = typical_curves(TypicalWeek(name), replicas, start, until, draw)
        return replace(self, curves=replace(self.curves, replicas={**drawn.replicas, **self.curves.replicas}))


def read_demand(inputs: PlanInputs, files: DemandFiles, start: float | None, problems: Problems) -> DemandOverTime:
    """Return the demand of files and inputs over time. Mistakes are added to `problems`."""
    if files.typical and files.typical not in tuple(TypicalWeek):
        near = nearest(files.typical, TypicalWeek)
        problems.add(Place.of(TYPICAL), f"{files.typical!r} is not a typical week", ", ".join(TypicalWeek), near)
    traces, paths = _traces(files.trace, problems)
    curves = read_curves(paths, problems, traces.start if start is None else start)
    known = {group.workload for group in inputs.workloads.groups if group.kind not in _WITHOUT_REPLICAS}
    check_workloads(curves, known, ", ".join(paths) or "trace", problems)
    autoscalers = _autoscalers(inputs, curves, problems)
    if not (autoscalers or curves.replicas or traces.groups or files.typical):
        _nothing_follows(inputs, curves, problems)
    cron_jobs, jobs, assumed = _batch(inputs, files.durations, problems)
    offerings = read_offering_tables(inputs.catalog, files.interruptions, files.shortages, problems)
    return DemandOverTime(
        curves,
        autoscalers,
        cron_jobs,
        jobs,
        rollouts_of(inputs.documents, problems),
        offerings.interruptions,
        offerings.shortages,
        (
            *_notes(curves, autoscalers, assumed),
            *(() if files.typical else _notes_on_autoscalers(inputs, {*curves.replicas, *(a.workload for a in autoscalers)})),
            *_notes_of_traces(files.trace),
            *offerings.notes,
        ),
        traces,
    )


def _traces(files: Sequence[str], problems: Problems) -> tuple[TraceDemand, list[str]]:
    """Return the traces among some files, which are named `FORM=FILE`, and the other files."""
    traces: list[TraceDemand] = []
    others: list[str] = []
    for file in files:
        form, _, path = file.partition("=")
        if form in TRACE_FORMS and path:
            name = f"trace{len(traces) + 1}" if traces else "trace"
            traces.append(demand_of_trace(read_trace(form, path, problems), name, has_instants=form == KARPENTER))
        elif path and (near := nearest(form, TRACE_FORMS)):
            problems.add(Place(path), f"{form!r} is not a form of traces", ", ".join(TRACE_FORMS), near)
        else:
            others.append(file)
    return TraceDemand.of_all(traces), others


def _notes_of_traces(files: Sequence[str]) -> Iterator[str]:
    """Yield notes on what is assumed about machines whose size is not in a trace."""
    machine = TraceMachine()
    for form in (form for form in PARTS_OF_MACHINES if any(file.startswith(f"{form}=") for file in files)):
        yield f"a machine of {form} is assumed to have {machine.cpu // 1000} cores and {machine.memory // GIB} GiB"


def _autoscalers(inputs: PlanInputs, curves: DemandCurves, problems: Problems) -> tuple[HorizontalAutoscaler, ...]:
    """Return the autoscalers that have a curve to follow."""
    if not curves.metrics:
        return ()
    followed = []
    for autoscaler in autoscalers_of(inputs.documents, problems):
        if any((autoscaler.workload, metric.name) in curves.metrics for metric in autoscaler.metrics):
            followed.append(autoscaler)
            if autoscaler.workload in curves.replicas:
                text = f"{autoscaler.workload} has curves of its replicas and of a metric of its autoscaler"
                problems.add(Place.of(TRACE), text, "one of them")
    return tuple(followed)


def _nothing_follows(inputs: PlanInputs, curves: DemandCurves, problems: Problems) -> None:
    """Add an absence if there are curves and nothing in the run follows any of them: their name may be a misspelt form."""
    if curves.metrics:
        text = f"no autoscaler looks at any of these curves: {_listed(curves.metrics)}"
        known = autoscalers_of(inputs.documents, Problems())
        names = ", ".join(sorted({metric.name for autoscaler in known for metric in autoscaler.metrics}))
        metrics = f"metrics of the input's autoscalers ({names})" if names else "a HorizontalPodAutoscaler in the input"
        problems.add_absence(Place.of(TRACE), text, f"{metrics}, or a form of traces: {', '.join(TRACE_FORMS)}")


def _listed(metrics: Iterable[tuple[str, str]]) -> str:
    return ", ".join(sorted(f"{name} of {workload}" for workload, name in metrics))


def _notes_on_autoscalers(inputs: PlanInputs, moved: Set[str]) -> Iterator[str]:
    """Yield a note on autoscalers of workloads that nothing moves: without a curve of a metric they have nothing to follow."""
    targets = {target for document in inputs.documents if document.kind == HORIZONTAL and (target := target_of(document))}
    still = sorted({group.workload for group in inputs.workloads.groups} & targets - moved)
    if still:
        of = "1 autoscaler has" if len(still) == 1 else f"{len(still):,} autoscalers have"
        yield f"{of} no curve of a metric to follow, such as that of {still[0]}: its replicas stay as they are"


def _batch(
    inputs: PlanInputs, files: tuple[str, ...], problems: Problems
) -> tuple[tuple[TimedCronJob, ...], tuple[TimedJob, ...], tuple[str, ...]]:
    """Return the CronJobs, the Jobs that have not finished, and the workloads among them whose durations are assumed."""
    durations = {workload: length for path in files for workload, length in read_durations(path, problems).items()}
    known = {**observed_durations(inputs.documents), **durations}
    cron_jobs, jobs = cron_jobs_of(inputs.documents, problems), jobs_of(inputs.documents, problems)
    workloads = {workload_of(document) for document in inputs.documents if document.kind in BATCH_KINDS}
    for workload in sorted(durations.keys() - workloads):
        text = f"{workload} is not a Job or CronJob of the input"
        problems.add(Place(", ".join(files)), text, "", nearest(workload, workloads))
    running = (*(cron.workload for cron in cron_jobs if not cron.is_suspended), *(job.workload for job in jobs))
    return (
        tuple(TimedCronJob(cron, known.get(cron.workload, ASSUMED_DURATION)) for cron in cron_jobs),
        tuple(TimedJob(job, known.get(job.workload, ASSUMED_DURATION)) for job in jobs),
        tuple(dict.fromkeys(workload for workload in running if workload not in known)),
    )


def outside_of_run(curves: DemandCurves, until: int, within: str, problems: Problems) -> tuple[str, ...]:
    """Return a note on each curve without a value in the run, which ends at `until` and whose instants `within` names; if no
    curve has one, that is an absence."""
    named = {f"{REPLICAS} of {workload}": curve for workload, curve in curves.replicas.items()}
    named |= {f"{name} of {workload}": curve for (workload, name), curve in curves.metrics.items()}
    outside = sorted(name for name, curve in named.items() if not curve.is_within(until))
    if outside and len(outside) == len(named):
        text = f"no value is within the run, {within}"
        problems.add_absence(Place.of(TRACE), text, "curves of this time, or another start of the run")
    return tuple(f"the curve of {name} has no value within the run: the nearest one holds throughout" for name in outside)


def not_due(cron_jobs: Iterable[TimedCronJob], start: float, until: int) -> Iterator[str]:
    """Yield a note on each CronJob whose schedule names no instant of the run, which has `until` milliseconds."""
    began = round(start * SECOND)
    for cron in (timed.cron for timed in cron_jobs if not timed.cron.is_suspended):
        due = cron.schedule.next_after(began)
        if due is None:
            yield f"{cron.workload} never starts a Job: no day matches its schedule"
        elif due > began + until:
            yield f"{cron.workload} starts no Job within the run: it is due at {instant_text(due / SECOND)}"


def _notes(curves: DemandCurves, autoscalers: Iterable[HorizontalAutoscaler], assumed: tuple[str, ...]) -> Iterator[str]:
    if assumed:
        of = "1 workload" if len(assumed) == 1 else f"{len(assumed):,} workloads"
        yield f"pods of {of} are assumed to run for 10 minutes, such as those of {assumed[0]}"
    followed = {(autoscaler.workload, metric.name) for autoscaler in autoscalers for metric in autoscaler.metrics}
    if left := curves.metrics.keys() - followed:
        yield f"no autoscaler looks at these curves: {_listed(left)}"
    if lacking := followed - curves.metrics.keys():  # C-8
        yield f"no curve of {_listed(lacking)}: an autoscaler without one of its metrics never scales down"
