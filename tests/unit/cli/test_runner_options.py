"""How many processes run jobs, if the command line does not say."""

from __future__ import annotations

import os

import pytest

from cutlist.runners import InProcess
from cutlist.runners.processes import Processes
from cutlist_cli.runner_options import RunnerOptions


class Started(Processes):
    """Processes that remember their number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@pytest.mark.parametrize(
    ("workers", "jobs", "number"),
    [(None, 1, 1), (None, 2, 2), (None, 3, 3), (None, 100, 3), (1, 100, 1), (8, 2, 8)],
    ids=["one job", "fewer jobs than cores", "as many", "more jobs than cores", "one worker", "as many as asked for"],
)
def test_there_are_as_many_processes_as_cores_unless_there_are_fewer_jobs(monkeypatch, workers, jobs, number):
    monkeypatch.setattr("cutlist_cli.runner_options.Processes", Started)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5}, raising=False)
    with RunnerOptions(workers, None).started(jobs) as runner:
        if number == 1:
            assert isinstance(runner, InProcess)
        else:
            assert isinstance(runner, Started)
            assert runner.number == number
