"""The options by which many jobs are run at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from cutlist.core.values import dataclass
from cutlist_cli.options import WholeNumber, with_options
from cutlist_cli.places import named_as_options

if TYPE_CHECKING:
    from cutlist.runners import Runner


@dataclass(frozen=True, slots=True)
class RunnerOptions:
    """The number of processes, or the address of a Dask scheduler."""

    workers: int
    dask: str | None

    @property
    def is_given(self) -> bool:
        """Tell whether jobs are to run outside this process."""
        return self.workers > 1 or self.dask is not None

    @contextmanager
    def started(self) -> Iterator[Runner]:
        """Return where jobs are run until the end of the block."""
        if self.dask is not None:
            from cutlist.runners.dask_cluster import dask_cluster

            with named_as_options(dask="--dask"), dask_cluster(self.dask) as cluster:
                yield cluster
            return
        if self.workers == 1:
            from cutlist.runners import InProcess

            yield InProcess()
            return
        from cutlist.runners.processes import Processes

        with Processes(self.workers) as processes:
            yield processes


def runner_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--workers` and `--dask`, passed as `running`: a `RunnerOptions`."""

    @wraps(command)
    def with_runner(workers: int, dask: str | None, **options: Any) -> None:
        if dask is not None and workers > 1:
            raise click.UsageError("--workers and --dask exclude each other: a Dask cluster has its own workers")
        command(running=RunnerOptions(workers, dask), **options)

    return with_options(_OPTIONS, with_runner)


_OPTIONS = (
    click.option(
        "--workers",
        type=WholeNumber(min=1),
        default=1,
        show_default=True,
        metavar="N",
        help="Use this many processes. The answer is the same.",
    ),
    click.option(
        "--dask",
        metavar="ADDRESS",
        help="Work on the Dask cluster whose scheduler has this address. The answer is the same.",
    ),
)
