"""When CronJobs start a Job (spec: controllers 2).

Instants are in milliseconds since 1970 here, since a schedule goes by the calendar.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from cutlist.api import durations
from cutlist.api.schedules import Schedule
from cutlist.core.errors import Problems
from cutlist.documents.document import Document
from cutlist.simulation.demand.jobs import JobTerms, terms_of
from cutlist.simulation.demand.valid_objects import valid_objects
from cutlist.simulation.events import DAY, SECOND
from cutlist.workloads.written import workload_of

_EVERY: Final = "@every "


class ConcurrencyPolicy(StrEnum):
    """What happens to Jobs that still run when the next one is due."""

    ALLOW = "Allow"
    FORBID = "Forbid"
    REPLACE = "Replace"


@dataclass(frozen=True, slots=True)
class CronSchedule:
    """The schedule of a CronJob: the fields of its expression by the clock of a time zone, or an interval in milliseconds."""

    fields: Schedule | None
    zone: str = "UTC"
    interval: int = 0

    @staticmethod
    def parse(text: str, zone: str = "UTC") -> CronSchedule:
        """Read an expression. Raises ValueError for one that cannot be read, and for a zone that this machine does not know."""
        _zone(zone)
        if text.startswith(_EVERY):
            interval = durations.nanoseconds(text.removeprefix(_EVERY)) // 10**9 * SECOND
            return CronSchedule(None, zone, max(interval, SECOND))
        return CronSchedule(Schedule.parse(text), zone)

    def next_after(self, at: int) -> int | None:
        """Return the first time it fires after an instant, or None where that is not within five years (C-15, C-16)."""
        if self.fields is None:
            return (at + self.interval) // SECOND * SECOND
        zone = _zone(self.zone)
        offset = _offset(at, zone)
        while True:
            wall = self.fields.next_after((at + offset) / SECOND)
            if wall is None:
                return None
            fires = round(wall) * SECOND - offset
            # The fields are those of a clock on the wall: if that is set forward or back on the way, the search begins again
            # behind it.
            change = _change(at, fires, offset, zone)
            if change is None:
                return fires
            # One millisecond before, so that a time right at the change is found too.
            at, offset = change - 1, _offset(change, zone)


@dataclass(frozen=True, slots=True)
class CronJob:
    """A CronJob: its schedule, the work of each Job, and what happens if one is late or still runs.

    `deadline` is in milliseconds.
    """

    workload: str
    schedule: CronSchedule
    terms: JobTerms = field(default_factory=JobTerms)
    concurrency: ConcurrencyPolicy = ConcurrencyPolicy.ALLOW
    deadline: int | None = None
    is_suspended: bool = False


def cron_jobs_of(documents: Iterable[Document], problems: Problems) -> tuple[CronJob, ...]:
    """Return the CronJobs of the input, in their order.

    What the API server refuses of them, and time zones that this machine does not know, are added to `problems`.
    """
    cron_jobs = (_cron_job(document, problems) for document in valid_objects(documents, "CronJob", problems))
    return tuple(cron for cron in cron_jobs if cron is not None)


def _cron_job(document: Document, problems: Problems) -> CronJob | None:
    spec = document.data.get("spec") or {}
    deadline, template = spec.get("startingDeadlineSeconds"), spec.get("jobTemplate") or {}
    try:
        schedule = CronSchedule.parse(spec.get("schedule") or "", spec.get("timeZone") or "UTC")
    except ValueError as error:
        problems.add(document.at("spec.timeZone" if spec.get("timeZone") else "spec.schedule"), str(error))
        return None
    return CronJob(
        workload_of(document),
        schedule,
        terms_of(template.get("spec") or {}),
        ConcurrencyPolicy(spec.get("concurrencyPolicy") or ConcurrencyPolicy.ALLOW),
        None if deadline is None else deadline * SECOND,
        bool(spec.get("suspend")),
    )


def job_due(cron: CronJob, now: int, last: int, active: int) -> int | None:
    """Return the time of the schedule for which a Job starts now, or None if none does (C-17 to C-19).

    `last` is the last such time, or the creation of the CronJob; `active` is how many of its Jobs run. The controller asks at
    each time of the schedule, and when a Job has ended.
    """
    since = last if cron.deadline is None else max(last, now - cron.deadline)
    if cron.is_suspended or (active and cron.concurrency == ConcurrencyPolicy.FORBID):
        return None
    return _latest(cron.schedule, since, now)


def _latest(schedule: CronSchedule, since: int, now: int) -> int | None:
    """Return the last time of a schedule after an instant until now."""
    first = schedule.next_after(since)
    second = None if first is None else schedule.next_after(first)
    if first is None or now < first:
        return None
    if second is None or now < second:
        return first
    latest = first
    # A controller that was away for long would count for long: it jumps near the end by the first distance, and walks from
    # there.
    missed = (now - first) // (second - first) + 1
    following = schedule.next_after(first + (missed - 2) * (second - first))
    while following is not None and following <= now:
        latest = following
        following = schedule.next_after(following)
    return latest


def _change(first: int, last: int, offset: int, zone: ZoneInfo) -> int | None:
    """Return the first instant between two at which the offset of a zone changes, or None."""
    before = first
    while before < last:
        after = min(before + DAY, last)
        if _offset(after, zone) != offset:
            while after - before > 1:
                # Days first, then by halves: offsets change at most a few times a year.
                middle = (before + after) // 2
                if _offset(middle, zone) == offset:
                    before = middle
                else:
                    after = middle
            return after
        before = after
    return None


def _offset(at: int, zone: ZoneInfo) -> int:
    """Return by how many milliseconds the clock of a zone is ahead of UTC."""
    local = datetime.fromtimestamp(at // SECOND, UTC).astimezone(zone)
    return (local.utcoffset() or timedelta()) // timedelta(milliseconds=1)


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError) as error:
        raise ValueError(f"{name!r} is not a time zone that this machine knows: {error}") from None
