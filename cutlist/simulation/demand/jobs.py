"""How many pods a Job runs, and when (spec: controllers 3). Instants and durations are in milliseconds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.instants import instant
from cutlist.documents.document import Document
from cutlist.simulation.demand.valid_objects import valid_objects
from cutlist.workloads.groups import workload_name
from cutlist.workloads.written import namespace_of, workload_of

BATCH_KINDS: Final = frozenset({"Job", "CronJob"})
"""Workloads whose pods end."""

_BACKOFF_LIMIT: Final = 6
_NO_LIMIT: Final = 2**31 - 1
_ENDS: Final = frozenset({"Complete", "Failed", "SuccessCriteriaMet", "FailureTarget"})
_SECOND: Final = 1000
_BACKOFF: Final = 10 * _SECOND
_LONGEST_BACKOFF: Final = 600 * _SECOND


@dataclass(frozen=True, slots=True)
class JobTerms:
    """The terms of a Job: `completions` is None if one success is enough for all its pods (a work queue). The limit of failures
    of a single index is left out: each index is tried until it succeeds.

    `ignores_evictions` says that its failure policy does not count pods that were evicted.
    """

    completions: int | None = 1
    parallelism: int = 1
    backoff_limit: int = _BACKOFF_LIMIT
    deadline: int | None = None
    ignores_evictions: bool = False


@dataclass(frozen=True, slots=True)
class JobProgress:
    """What has happened to a Job's pods. `failures_in_row` are those since the last success."""

    succeeded: int = 0
    failed: int = 0
    failures_in_row: int = 0
    last_failure: int = 0

    def with_success(self) -> JobProgress:
        """Return the progress after a pod has succeeded."""
        return replace(self, succeeded=self.succeeded + 1, failures_in_row=0)

    def with_failure(self, at: int) -> JobProgress:
        """Return the progress after a pod has failed."""
        return JobProgress(self.succeeded, self.failed + 1, self.failures_in_row + 1, at)

    def with_eviction(self, at: int, terms: JobTerms) -> JobProgress:
        """Return the progress after a pod began to be evicted or deleted (C-24)."""
        failure = self.with_failure(at)
        # An ignored failure still delays the next pod (C-23, C-24).
        return replace(failure, failed=self.failed) if terms.ignores_evictions else failure


@dataclass(frozen=True, slots=True)
class WrittenJob:
    """A Job of the input that has not finished. `started` is in seconds since 1970, None for one that has yet to start."""

    workload: str
    terms: JobTerms = JobTerms()
    progress: JobProgress = JobProgress()
    started: float | None = None


@dataclass(frozen=True, slots=True)
class TimedJob:
    """A Job, and how long each of its pods runs, in milliseconds."""

    job: WrittenJob
    duration: int


@dataclass(frozen=True, slots=True)
class JobStep:
    """What a Job does next: how many pods it starts or removes, and from when on it may start more."""

    start: int = 0
    remove: int = 0
    not_before: int = 0


def is_complete(terms: JobTerms, progress: JobProgress, active: int) -> bool:
    """Tell whether a Job is complete (C-21)."""
    if terms.completions is None:
        return progress.succeeded > 0 and not active
    return progress.succeeded >= terms.completions and not active


def is_failed(terms: JobTerms, progress: JobProgress, started: int, now: int) -> bool:
    """Tell whether a Job has failed: too many pods failed, or it ran for too long (C-22)."""
    return progress.failed > terms.backoff_limit or (terms.deadline is not None and now >= started + terms.deadline)


def job_step(terms: JobTerms, progress: JobProgress, active: int, now: int) -> JobStep:
    """Return what a Job that is neither complete nor failed does now, with some active pods (C-20, C-23)."""
    wanted = _wanted(terms, progress, active)
    if active > wanted:
        return JobStep(remove=active - wanted)
    not_before = _not_before(progress)
    return JobStep(start=wanted - active if now >= not_before else 0, not_before=not_before)


def _wanted(terms: JobTerms, progress: JobProgress, active: int) -> int:
    if terms.completions is None:
        # A work queue: once one pod has succeeded, no new ones start.
        return active if progress.succeeded else terms.parallelism
    return max(0, min(terms.completions - progress.succeeded, terms.parallelism))


def _not_before(progress: JobProgress) -> int:
    """Return when new pods may start: 10 seconds after a failure, twice as long after each further one in a row (C-23)."""
    if not progress.failures_in_row:
        return 0
    # The shift is bounded, or a Job with thousands of failures would make a huge number of it.
    return progress.last_failure + min(_BACKOFF << min(progress.failures_in_row - 1, 6), _LONGEST_BACKOFF)


def terms_of(spec: Mapping[str, Any]) -> JobTerms:
    """Return the terms of a valid Job's spec, or of a CronJob's template; both counts are 1 if neither is set (C-20)."""
    parallelism, completions = spec.get("parallelism"), spec.get("completions")
    limit, deadline = spec.get("backoffLimit"), spec.get("activeDeadlineSeconds")
    default = _BACKOFF_LIMIT if spec.get("backoffLimitPerIndex") is None else _NO_LIMIT  # C-22
    return JobTerms(
        1 if completions is None and parallelism is None else completions,
        1 if parallelism is None else parallelism,
        default if limit is None else limit,
        None if deadline is None else deadline * _SECOND,
        any(_ignores_evictions(rule) for rule in (spec.get("podFailurePolicy") or {}).get("rules") or ()),
    )


def jobs_of(documents: Iterable[Document], problems: Problems) -> tuple[WrittenJob, ...]:
    """Return the Jobs of the input that have not finished and are not suspended, those of CronJobs under these.

    What the API server refuses of them is added to `problems`.
    """
    return tuple(_written_job(d) for d in valid_objects(documents, "Job", problems) if not _has_finished(d.data))


def _has_finished(job: Mapping[str, Any]) -> bool:
    conditions = (job.get("status") or {}).get("conditions") or ()
    ended = any(c.get("type") in _ENDS and c.get("status") == "True" for c in conditions)
    return ended or bool((job.get("spec") or {}).get("suspend"))


def _written_job(document: Document) -> WrittenJob:
    status = document.data.get("status") or {}
    progress = JobProgress(status.get("succeeded") or 0, status.get("failed") or 0)
    return WrittenJob(
        workload_of_job(document), terms_of(document.data.get("spec") or {}), progress, instant(status.get("startTime"))
    )


def workload_of_job(document: Document) -> str:
    """Return the workload whose Job it is: its CronJob, or the Job itself."""
    metadata: Any = document.data.get("metadata") or {}
    owners = [owner for owner in metadata.get("ownerReferences") or () if isinstance(owner, dict)]
    cron = next((owner for owner in owners if owner.get("kind") == "CronJob" and owner.get("name")), None)
    return workload_of(document) if cron is None else workload_name("CronJob", namespace_of(document), str(cron["name"]))


def _ignores_evictions(rule: Mapping[str, Any]) -> bool:
    conditions = rule.get("onPodConditions") or ()
    return rule.get("action") == "Ignore" and any(c.get("type") == "DisruptionTarget" for c in conditions)
