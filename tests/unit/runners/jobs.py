"""Work for runners, which other processes import by its name, and a runner that does it in another order."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import MappingProxyType

from cutlist.core.errors import InputError, Place
from cutlist.runners.in_process import Member
from cutlist.runners.packing import packed, unpacked
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.plan.json import plan_json
from tests.unit.property.planned_inputs import random_inputs


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


def refused(state: State, job: int) -> int:
    raise InputError.one(Place("pools.yaml"), f"{job} is wrong", "2")


def counted(state: State, job: int) -> tuple[int, int]:
    """The process, and how many jobs its state has seen."""
    state.jobs += 1
    return os.getpid(), state.jobs


def slowly(state: State, job: float) -> tuple[int, float]:
    """The process, and a product, after as many seconds."""
    time.sleep(job)
    return os.getpid(), state.factor * job


def killed(state: State, job: int) -> int:
    """A product; whoever comes to job 1 is killed."""
    if job == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return state.factor * job


def interrupted(state: State, job: int) -> int:
    """The process, after Ctrl-C in its terminal."""
    os.kill(os.getpid(), signal.SIGINT)
    return os.getpid()


def planned_at_random(state: object, seed: int) -> str:
    """The plan of random inputs, as JSON."""
    return plan_json(plan(random_inputs(Random(seed))))  # noqa: S311 - the same inputs on every run, not secrets


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


def killed_at_first(state: object, job: tuple[bytes, str]) -> object:
    """What some other work makes of a job; whoever comes first to one that names a file makes that file and is killed."""
    what, file = job
    if file and not Path(file).exists():
        Path(file).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    work, inner = unpacked(what)
    return work(state, inner)


class Perilous:
    """Runs jobs elsewhere; whoever comes first to the job of a number is killed."""

    def __init__(self, runner, number: int, file: str) -> None:
        self._runner = runner
        self._number = number
        self._file = file

    @contextmanager
    def team(self, prepare, value) -> Iterator[PerilousTeam]:
        with self._runner.team(prepare, value) as team:
            yield PerilousTeam(team, self._number, self._file)


class PerilousTeam:
    def __init__(self, team, number: int, file: str) -> None:
        self._team = team
        self._number = number
        self._file = file

    @property
    def state(self):
        return self._team.state

    def outcomes(self, work, jobs, may_go_on=lambda: True):
        wrapped = ((packed((work, job)), self._file if n == self._number else "") for n, job in enumerate(jobs))
        return self._team.outcomes(killed_at_first, wrapped, may_go_on)
