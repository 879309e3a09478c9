"""The CronJobs of a simulation: they start Jobs by their schedules."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from cutlist.simulation.controllers import Controllers
from cutlist.simulation.demand.cron import ConcurrencyPolicy, CronJob, job_due
from cutlist.simulation.events import SECOND, CronJobDue
from cutlist.simulation.outside_events import JobStarted
from cutlist.simulation.world import World


@dataclass(frozen=True, slots=True)
class TimedCronJob:
    """A CronJob, and how long each pod of its Jobs runs, in milliseconds."""

    cron: CronJob
    duration: int


class CronJobs:
    """Starts the Jobs of CronJobs. Each counts as created when the simulation starts."""

    __slots__ = ("_controllers", "_last", "_start", "_timed", "_world")
    NOT_SAVED: Final = frozenset(("_start", "_timed"))

    def __init__(self, world: World, controllers: Controllers, cron_jobs: Iterable[TimedCronJob]) -> None:
        self._world = world
        self._controllers = controllers
        self._start = round(world.settings.start * SECOND)
        self._timed = {timed.cron.workload: timed for timed in cron_jobs if timed.cron.workload in controllers.workloads}
        self._last = dict.fromkeys(self._timed, self._start)

    @property
    def workloads(self) -> Collection[str]:
        """Return the workloads whose pods it starts."""
        return self._timed.keys()

    def begin(self) -> None:
        """Wait for the first time of each schedule."""
        for workload in self._timed:
            self._wait(workload)

    def look(self, event: CronJobDue) -> None:
        """Start the Job that is due, and wait for the next time of the schedule."""
        self.start_due(event.workload)
        self._wait(event.workload)

    def start_due(self, workload: str) -> None:
        """Start the Job of a workload that is due; nothing if the workload is not a CronJob."""
        timed = self._timed.get(workload)
        if timed is None:
            return
        now, cron = self._start + self._world.now, timed.cron
        # Asked again when a Job ends, since under Forbid the next one may have waited for that.
        due = job_due(cron, now, self._last[workload], self._controllers.jobs_of(workload))
        if due is None:
            return
        self._last[workload] = due
        if cron.concurrency == ConcurrencyPolicy.REPLACE:
            self._controllers.end_jobs(workload)
        self._controllers.start_job(JobStarted(self._world.now, workload, cron.terms, timed.duration))

    def _wait(self, workload: str) -> None:
        cron = self._timed[workload].cron
        following = cron.schedule.next_after(self._start + self._world.now)
        if following is not None and not cron.is_suspended:
            self._world.push(CronJobDue(following - self._start, workload))
