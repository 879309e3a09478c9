"""The options by which many jobs are run at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from cutlist_cli.options import WholeNumber, with_options

if TYPE_CHECKING:
    from cutlist.runners import Runner


@dataclass(frozen=True, slots=True)
class RunnerOptions:
    """How many processes there are to be."""

    workers: int

    @contextmanager
    def started(self) -> Iterator[Runner]:
        """Return where jobs are run until the end of the block."""
        if self.workers == 1:
            from cutlist.runners import InProcess

            yield InProcess()
            return
        from cutlist.runners.processes import Processes

        with Processes(self.workers) as processes:
            yield processes


def runner_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--workers`, passed as `running`: a `RunnerOptions`."""

    @wraps(command)
    def with_runner(workers: int, **options: Any) -> None:
        command(running=RunnerOptions(workers), **options)

    return with_options(_OPTIONS, with_runner)


_OPTIONS = (
    click.option(
        "--workers",
        type=WholeNumber(min=1),
        default=1,
        show_default=True,
        metavar="N",
        help="Plan in so many processes. The answer is the same.",
    ),
)
