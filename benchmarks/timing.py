"""Work timed in this process: what views and gates need, whose inputs are made once."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median


def median_seconds(work: Callable[[], object], runs: int, clock: Callable[[], float] = time.process_time) -> float:
    """The median of so many runs by a clock, after one that does not count: templates are compiled at their first use.

    By default it is time of the processor for this process, so that other work on the machine does not count.
    """
    work()
    found = []
    for _ in range(runs):
        start = clock()
        work()
        found.append(clock() - start)
    return median(found)
