"""End work early with what it has: when its time is over, or when the user interrupts it. Leave what is shown until then."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import NoReturn

import click

from cutlist_cli import terminal


def leave(status: int = 0) -> NoReturn:
    """End a command that goes on until Ctrl-C, after Ctrl-C: that is its normal end."""
    if sys.stderr.isatty():
        terminal.write_error("\n")  # the terminal has shown ^C
    raise click.exceptions.Exit(status)


@dataclass(frozen=True, slots=True)
class WorkTime:
    """Tells whether work may go on: until its time is over, or until Ctrl-C. Times are in seconds."""

    begun: float
    seconds: int | None
    stopped: list[int]

    def __call__(self) -> bool:
        """Tell whether it may go on."""
        return self._lasts(1.0)

    def within(self, part: float) -> Callable[[], bool]:
        """Return what tells whether work may go on that has only a part of the time, from its beginning."""
        return partial(self._lasts, part)

    def part(self) -> float:
        """Return which part of its time is over; 0 without a limit."""
        return 0.0 if not self.seconds else min((time.monotonic() - self.begun) / self.seconds, 1.0)

    def _lasts(self, part: float) -> bool:
        return not self.stopped and (self.seconds is None or time.monotonic() < self.begun + part * self.seconds)


@contextmanager
def until_interrupted(seconds: int | None) -> Iterator[WorkTime]:
    """Yield what tells whether work may go on: until the time is over, or until Ctrl-C; the second Ctrl-C ends everything."""
    stopped: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        if stopped:
            signal.default_int_handler(number, frame)
        stopped.append(number)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield WorkTime(time.monotonic(), seconds, stopped)
    finally:
        signal.signal(signal.SIGINT, before)
