"""Timing in this process, for views and gates, whose inputs are made once."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median


def median_seconds(work: Callable[[], object], runs: int, clock: Callable[[], float] = time.process_time) -> float:
    """Return the median of several runs by a clock, after one that does not count: templates are compiled at their first use.

    By default it is the processor time of this process, so that other work on the machine does not count.
    """
    work()
    seconds = []
    for _ in range(runs):
        start = clock()
        work()
        seconds.append(clock() - start)
    return median(seconds)
