"""End work early with what it has: when its time is over, or when the user interrupts it. Leave what is shown until then."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

import click

from cutlist_cli import terminal


def leave(status: int = 0) -> NoReturn:
    """End a command that goes on until Ctrl-C, after Ctrl-C: that is its normal end."""
    if sys.stderr.isatty():
        terminal.write_error("\n")  # the terminal has shown ^C
    raise click.exceptions.Exit(status)


@contextmanager
def until_interrupted(seconds: int | None) -> Iterator[Callable[[], bool]]:
    """Yield a function that tells whether work may go on: until the time is over, or until Ctrl-C; the second Ctrl-C ends
    everything."""
    end = None if seconds is None else time.monotonic() + seconds
    stopped: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        if stopped:
            signal.default_int_handler(number, frame)
        stopped.append(number)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield lambda: not stopped and (end is None or time.monotonic() < end)
    finally:
        signal.signal(signal.SIGINT, before)
