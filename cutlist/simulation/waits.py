"""How long pods waited for a node, by workload and hour of a run: sums of milliseconds that take little room for long waits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import groupby

from cutlist.simulation.events import HOUR

ByHour = Counter[tuple[str, int]]
"""A number for each workload and hour of the run."""


def add_wait(parts: ByHour, whole: ByHour, workload: str, since: int, until: int) -> None:
    """Add a wait of a pod: to `parts` what it waited in the hours in which it began and ended, in milliseconds; to `whole` one
    more pod from the first hour between these on, and one less from the last on."""
    first, last = since // HOUR, until // HOUR
    if first == last:
        parts[workload, first] += until - since
        return
    parts[workload, first] += (first + 1) * HOUR - since
    parts[workload, last] += until - last * HOUR
    whole[workload, first + 1] += 1
    whole[workload, last] -= 1


def waits_by_hour(parts: ByHour, whole: ByHour) -> Mapping[tuple[str, int], int]:
    """Return how long the pods of each workload waited in each hour together, in milliseconds; hours without any are left
    out."""
    sums = Counter(parts)
    for workload, edges in groupby(sorted(whole.items()), key=lambda edge: edge[0][0]):
        changes = {hour: change for (_, hour), change in edges}
        pods = 0
        for hour in range(min(changes), max(changes)):
            pods += changes.get(hour, 0)
            sums[workload, hour] += pods * HOUR
    return {hour: length for hour, length in sorted(sums.items()) if length}
