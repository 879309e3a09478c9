"""Work for runners, which other processes import by its name, and a runner that does it in another order."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from cutlist.runners.in_process import Member
from cutlist.runners.packing import packed, unpacked


class State:
    """A factor, and how many jobs have used it."""

    def __init__(self, factor: int) -> None:
        self.factor = factor
        self.jobs = 0


def prepare(value: MappingProxyType[str, int]) -> State:
    return State(value["factor"])


def refuse(value: object) -> State:
    raise ValueError("no state")


def times(state: State, job: int) -> int:
    if job < 0:
        raise ValueError(f"{job} is less than 0")
    return state.factor * job


def counted(state: State, job: int) -> tuple[int, int]:
    """The process, and how many jobs its state has seen."""
    state.jobs += 1
    return os.getpid(), state.jobs


def killed_once(state: State, job: tuple[int, str]) -> int:
    """A product; whoever comes first to a job that names a file makes that file and is killed."""
    number, file = job
    if file and not Path(file).exists():
        Path(file).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return state.factor * number


def killed(state: State, job: int) -> int:
    """A product; whoever comes to job 1 is killed."""
    if job == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return state.factor * job


def without_form(state: State, job: int) -> object:
    return lambda: job


class Backwards:
    """Runs jobs on a copy of the state, as another process would have, and the last one first."""

    @contextmanager
    def team(self, prepare, value) -> Iterator[BackwardsTeam]:
        yield BackwardsTeam(prepare, value)


class BackwardsTeam:
    def __init__(self, prepare, value) -> None:
        self._own = Member(prepare, value)
        self._other = Member(prepare, unpacked(packed(value)))

    @property
    def state(self):
        return self._own.state

    def outcomes(self, work, jobs, may_go_on=lambda: True):
        for number, job in reversed(list(enumerate(jobs))):
            yield unpacked(packed(self._other.outcome(number, work, unpacked(packed(job)))))
