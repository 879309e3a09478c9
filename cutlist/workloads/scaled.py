"""Workloads with other numbers of pods: at the ends of their autoscalers' ranges, or with some pods more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from cutlist.workloads.groups import PodGroup


def pods_of_workloads(groups: Iterable[PodGroup]) -> Mapping[str, int]:
    """Return how many pods each workload has, by its name: those that have to be placed, and those that run."""
    counts = Counter[str]()
    for group in groups:
        counts[group.workload] += group.count + group.bound
    return counts


def at_range_end(groups: Sequence[PodGroup], end: int) -> tuple[PodGroup, ...]:
    """Return the groups with as many pods as the lower (0) or the upper (1) end of their autoscalers' ranges, running pods
    included."""
    now = pods_of_workloads(groups)
    ranges = {group.workload: group.range for group in groups if group.range is not None}
    return with_more_pods(groups, {workload: span[end] - now[workload] for workload, span in ranges.items()})


def with_more_pods(groups: Sequence[PodGroup], more: Mapping[str, int]) -> tuple[PodGroup, ...]:
    """Return the groups with this many more pods of each workload, or fewer for a negative number; pods that run stay.

    Of a workload with several groups, such as a StatefulSet of which some claims exist, the last ones change.
    """
    left, changed = dict(more), list[PodGroup]()
    for group in reversed(groups):
        count = max(0, group.count + left.get(group.workload, 0))
        left[group.workload] = left.get(group.workload, 0) - (count - group.count)
        changed.append(group if count == group.count else replace(group, count=count))
    return tuple(reversed(changed))
