"""The options by which many jobs are run at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from cutlist.runners import InProcess
from cutlist.runners.processes import Processes
from cutlist.settings.running import SETTINGS
from cutlist_cli.setting_options import setting_options

if TYPE_CHECKING:
    from cutlist.runners import Runner


@dataclass(frozen=True, slots=True)
class RunnerOptions:
    """The number of processes, or the address of a Dask scheduler.

    Without either, there are as many processes as jobs, but no more than this machine has cores for.
    """

    workers: int | None
    dask: str | None

    @property
    def is_given(self) -> bool:
        """Tell whether the command line says where jobs run."""
        return self.workers is not None or self.dask is not None

    @contextmanager
    def started(self, jobs: int = 1) -> Iterator[Runner]:
        """Return where this many jobs, or more, are run until the end of the block."""
        if self.dask is not None:
            from cutlist.runners.dask_cluster import dask_cluster  # needs the extra fleet

            with dask_cluster(self.dask) as cluster:
                yield cluster
            return
        number = self.workers or min(jobs, _cores())
        if number == 1:
            yield InProcess()
            return
        with Processes(number) as processes:
            yield processes


def runner_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--workers` and `--dask`, passed as `running`: a `RunnerOptions`."""

    @wraps(command)
    def with_runner(workers: int | None, dask: str | None, **options: Any) -> None:
        if dask is not None and workers is not None:
            raise click.UsageError("--workers and --dask exclude each other: a Dask cluster has its own workers")
        command(running=RunnerOptions(workers, dask), **options)

    return setting_options(SETTINGS)(with_runner)


def _cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
