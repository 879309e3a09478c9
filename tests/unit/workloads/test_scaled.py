"""Workloads with other numbers of pods."""

from __future__ import annotations

from cutlist.workloads.groups import PodGroup
from cutlist.workloads.scaled import at_range_end, pods_of_workloads, with_more_pods
from tests.unit.scheduling.builders import pod


def group(name: str, count: int, span: tuple[int, int] | None = None, bound: int = 0) -> PodGroup:
    return PodGroup(name, "default", "Deployment", count, pod("1", "1Gi"), range=span, bound=bound)


def counts(groups: tuple[PodGroup, ...]) -> list[int]:
    return [each.count for each in groups]


def test_both_ends_of_a_range_count_the_pods_that_run():
    """Of 2 to 9 replicas, 3 run: at the minimum nothing is to be placed, at the maximum 6 pods are."""
    # C-34
    groups = (group("web", 1, (2, 9), bound=3), group("fixed", 4))
    assert counts(at_range_end(groups, 0)) == [0, 4]
    assert counts(at_range_end(groups, 1)) == [6, 4]


def test_of_a_workload_with_several_groups_the_last_ones_change():
    """A StatefulSet removes the pods with the highest numbers first."""
    groups = (group("db", 2, (1, 8)), group("db", 3, (1, 8)))
    assert counts(at_range_end(groups, 0)) == [1, 0]
    assert counts(at_range_end(groups, 1)) == [2, 6]


def test_more_pods_are_added_to_their_workload_alone():
    """What is not named stays as it is, and is the same object."""
    groups = (group("web", 2), group("api", 1))
    changed = with_more_pods(groups, {"deployment/web": 3})
    assert counts(changed) == [5, 1]
    assert changed[1] is groups[1]
    assert pods_of_workloads(changed) == {"deployment/web": 5, "deployment/api": 1}
