"""The protocol for running jobs, which this process, other processes and a Dask cluster implement."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar, cast

from cutlist.core.errors import InputError, Problem, UnfinishedError

V = TypeVar("V")
S = TypeVar("S")
J = TypeVar("J")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
S_co = TypeVar("S_co", covariant=True)

TRIES: Final = 3
"""How many processes may end during a job: the next one would likely end as well."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a job has no result: what it raised, with the traceback, or that its process ended each time.

    `problems` are the mistakes in the user's input, if it raised InputError.
    """

    text: str
    trace: str = ""
    is_lost: bool = False
    problems: tuple[Problem, ...] = ()

    @staticmethod
    def of(error: BaseException) -> Failure:
        """Return the failure of a job that raised an error."""
        problems = error.problems if isinstance(error, InputError) else ()
        return Failure(f"{type(error).__name__}: {error}", "".join(traceback.format_exception(error)), problems=problems)

    @staticmethod
    def lost() -> Failure:
        """Return the failure of a job whose process ended in every try."""
        return Failure(f"its process ended {TRIES} times; there may be too little memory", is_lost=True)

    def raised(self) -> Exception:
        """Return the failure as an error to raise."""
        if self.problems:
            return InputError(self.problems)
        if self.is_lost:
            return UnfinishedError(self.text)
        error = RuntimeError(self.text)
        if self.trace:
            error.add_note(self.trace)
        return error


@dataclass(frozen=True, slots=True)
class JobOutcome(Generic[R_co]):
    """The outcome of a job: its number among the jobs, and its result, or why it has none."""

    job: int
    result: R_co | None
    failure: Failure | None = None

    @property
    def value(self) -> R_co:
        """Return the result. Raises the failure's exception if the job failed."""
        if self.failure is not None:
            raise self.failure.raised()
        return cast("R_co", self.result)


class Team(Protocol[S_co]):
    """Processes with the same state, which was sent once to each of them."""

    @property
    def state(self) -> S_co:
        """Return the state that this process has."""

    def outcomes(
        self, work: Callable[[S_co, J], R], jobs: Iterable[J], may_go_on: Callable[[], bool] = ...
    ) -> Iterator[JobOutcome[R]]:
        """Yield what `work` returns for the state and each job, as soon as it is known; every job once.

        The next job is taken when a process is free. Ends early when `may_go_on` returns False or the caller stops reading;
        further jobs are then not started. A job whose process ends is tried again elsewhere. `work` must be a function that can
        be imported by its name.
        """


class Runner(Protocol):
    """A place that runs jobs."""

    def team(self, prepare: Callable[[V], S], value: V) -> AbstractContextManager[Team[S]]:
        """Return a team whose processes each make their state with `prepare(value)` when their first job needs it."""


def always() -> bool:
    """Return True: the work is never ended early."""
    return True


def in_order(outcomes: Iterator[JobOutcome[R]]) -> Iterator[JobOutcome[R]]:
    """Yield outcomes in the order of their jobs, each as soon as all before it are known."""
    waiting: dict[int, JobOutcome[R]] = {}
    job = 0
    for outcome in outcomes:
        waiting[outcome.job] = outcome
        while job in waiting:
            yield waiting.pop(job)
            job += 1
