"""Gangs over time: bound together or not at all, and what happens to the nodes that wait for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from cutlist.simulation.events import HOUR, MINUTE, Event
from cutlist.simulation.inputs import SimulationInputs
from cutlist.simulation.outside_events import ReplicasSet
from cutlist.simulation.simulation import Simulation
from cutlist.workloads.gangs.gang import COSCHEDULING, KUBE_SCHEDULER, KUEUE, Gang, GangId, GangScheduler
from tests.unit.disruption.builders import cluster, node, pool
from tests.unit.simulation.builders import commands, group, inputs, replica, settings, simulation

LIMITED = pool("default", after="30s", limits={"cpu": "4"})


def gang(scheduler: GangScheduler = KUBE_SCHEDULER) -> GangId:
    return GangId(scheduler, "podgroup/train")


def workers(count: int, minimum: int, scheduler: GangScheduler = KUBE_SCHEDULER, limits: bool = True) -> SimulationInputs:
    """Return a gang of workers on a NodePool with room for four cores, or for any number."""
    group_of = replace(group("train", count), gang=gang(scheduler))
    of = cluster(pools=[LIMITED]) if limits else cluster(pools=[pool("default", after="30s")])
    return replace(inputs(group_of, of=of), gangs=(Gang(gang(scheduler), minimum),))


def bound(run: Simulation) -> int:
    return sum(1 for pod in run.world.cluster.pods.values() if pod.node)


def run_of(of: SimulationInputs, demand: Iterable[Event] = (), hours: float = 1) -> Simulation:
    return simulation(of, demand, hours)


def test_no_pod_is_bound_below_the_minimum_and_the_nodes_stay():
    """GA-5, GA-22: they are empty for hours, and each pass nominates them again."""
    run = run_of(workers(6, 6), hours=3)
    assert bound(run) == 0
    lives = run.result().lives
    assert lives
    assert all(life.ended is None for life in lives)
    (unplaced,) = run.result().unplaced
    assert unplaced.pending == 6
    assert unplaced.reason.startswith("podgroup/train needs 6 pods at once")


def test_empty_nodes_are_consolidated_once_no_pod_waits_for_them():
    """GA-22."""
    run = run_of(workers(6, 6), [ReplicasSet(HOUR, "deployment/train", 0)], hours=2)
    lives = run.result().lives
    assert lives
    assert all(life.ended is not None and HOUR < life.ended < HOUR + 2 * MINUTE for life in lives)
    assert "emptiness" in {method for method, _, _ in commands(run)}


def test_a_gang_is_bound_as_soon_as_all_its_nodes_are_ready():
    run = run_of(workers(6, 6, limits=False))
    assert bound(run) == 6
    assert len({pod.started for pod in run.world.cluster.pods.values()}) == 1


def test_those_beyond_the_minimum_wait_alone():
    """GA-5."""
    run = run_of(workers(6, 2))
    assert 2 <= bound(run) < 6


def test_a_pod_that_comes_later_completes_the_gang():
    """GA-4: before that, Karpenter launches nothing for pods that are held back."""
    of = workers(2, 3, limits=False)
    run = run_of(of)
    assert not run.result().lives
    assert run.result().totals.pending == 2
    run = run_of(of, [ReplicasSet(30 * MINUTE, "deployment/train", 3)])
    assert bound(run) == 3
    assert all(life.started >= 30 * MINUTE for life in run.result().lives)


def test_karpenter_launches_nodes_for_a_short_gang_whose_pods_are_marked():
    """GA-12."""
    run = run_of(workers(2, 3, COSCHEDULING, limits=False))
    assert run.result().lives
    assert bound(run) == 0


@pytest.mark.parametrize(("count", "expected"), [(6, range(1, 6)), (2, [0])])
def test_what_kueue_admits_is_bound_one_by_one(count: int, expected: Iterable[int]):
    """GA-17, GA-19: with too few pods, none is admitted."""
    run = run_of(workers(count, 3 if count == 2 else 6, KUEUE))
    assert bound(run) in list(expected)


def test_a_further_pod_of_a_gang_that_runs_is_bound_by_itself():
    """GA-6: two run, as many as it takes, and a third has to find a place."""
    train = replace(group("train", 1), gang=gang())
    there = cluster(node("a", replica(train, 0), replica(train, 1)), pools=[pool("default", after="Never")])
    of = replace(inputs(train, of=there), gangs=(Gang(gang(), 2),))
    assert bound(run_of(of)) == 3


def test_two_workloads_of_a_gang_are_bound_together():
    """GA-3."""
    groups = [replace(group(name, 2), gang=gang()) for name in ("a", "b")]
    of = replace(inputs(*groups, of=cluster(pools=[pool("default", after="30s")])), gangs=(Gang(gang(), 4),))
    run = run_of(of)
    assert bound(run) == 4
    assert len({pod.started for pod in run.world.cluster.pods.values()}) == 1


def test_other_pods_use_the_nodes_meanwhile():
    """A pod that is bound by itself takes room on a node that waits for a gang."""
    train = replace(group("train", 6), gang=gang())
    of = replace(inputs(train, group("web", 0), of=cluster(pools=[LIMITED])), gangs=(Gang(gang(), 6),))
    run = run_of(of, [ReplicasSet(30 * MINUTE, "deployment/web", 1)])
    assert bound(run) == 1


def test_a_run_that_goes_on_from_a_saved_state_is_the_run_in_one():
    of, demand = workers(2, 3), [ReplicasSet(30 * MINUTE, "deployment/train", 3)]
    whole = run_of(of, demand)
    first = Simulation(of, demand, settings())
    first.run(10 * MINUTE)
    second = Simulation.resumed(of, demand, settings(), first.saved())
    second.run(HOUR)
    assert second.result() == whole.result()
