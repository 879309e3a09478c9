"""End work early with what it has: when its time is over, or when the user interrupts it."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


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
