"""How many pods gangs have, how many of them run, and which gangs have too few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from cutlist.workloads.gangs.gang import Gang, GangId
from cutlist.workloads.groups import BoundPod, PodGroup


def running_of_gangs(groups: Iterable[PodGroup], bound: Iterable[BoundPod]) -> Counter[GangId]:
    """Return how many pods of each gang have a node."""
    running = Counter(pod.gang for pod in bound if pod.gang is not None)
    for group in groups:
        if group.gang is not None:
            running[group.gang] += group.bound
    return running


def pods_of_gangs(groups: Iterable[PodGroup], bound: Iterable[BoundPod]) -> Counter[GangId]:
    """Return how many pods each gang has, with and without a node."""
    listed = list(groups)
    pods = running_of_gangs(listed, bound)
    for group in listed:
        if group.gang is not None:
            pods[group.gang] += group.count
    return pods


def held_back(gangs: Iterable[Gang], groups: Iterable[PodGroup], bound: Iterable[BoundPod]) -> frozenset[GangId]:
    """Return the gangs with too few pods whose scheduler keeps these out of its queue: nothing marks them as unschedulable, and
    Karpenter ignores them (GA-4, GA-19)."""
    pods = pods_of_gangs(groups, bound)
    return frozenset(gang.id for gang in gangs if not gang.id.scheduler.marks_short and pods[gang.id] < gang.minimum)
