"""Jobs in this process, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Generic

from cutlist.runners.runner import Failure, J, JobOutcome, R, S, V, always


class Member(Generic[S]):
    """A member of a team, with its own state, which is made when its first job needs it."""

    def __init__(self, prepare: Callable[[V], S], value: V) -> None:
        self._prepare: Callable[[], S] = lambda: prepare(value)

    @cached_property
    def state(self) -> S:
        """Return the state. Raises the error with which making it failed."""
        return self._prepare()

    def outcome(self, number: int, work: Callable[[S, J], R], job: J) -> JobOutcome[R]:
        """Return the outcome of a job; an error that it raises is part of it."""
        try:
            return JobOutcome(number, work(self.state, job))
        except Exception as error:
            return JobOutcome(number, None, Failure.of(error))

    def outcomes(
        self, work: Callable[[S, J], R], jobs: Iterable[J], may_go_on: Callable[[], bool] = always
    ) -> Iterator[JobOutcome[R]]:
        """Yield the outcome of each job, in their order, for as long as it may go on."""
        for number, job in enumerate(jobs):
            if not may_go_on():
                return
            yield self.outcome(number, work, job)


class InProcess:
    """Runs jobs in this process."""

    @contextmanager
    def team(self, prepare: Callable[[V], S], value: V) -> Iterator[Member[S]]:
        """Return the team of this process: one member, which does every job."""
        yield Member(prepare, value)
