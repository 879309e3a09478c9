"""What happens to a cluster that is left alone: its steps, what they wait for, and how a trajectory ends."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import pytest

from cutlist import Budget
from cutlist.disruption.cluster_state import ClusterState, ControllerMemory
from cutlist.disruption.methods import Method
from cutlist.disruption.trajectory import HORIZON, LAUNCH, VALIDATION, Trajectory, TrajectoryEnd, price, until_stable
from cutlist.scheduling.queue import PodBatch
from cutlist.state.pods import RunningPod
from cutlist.state.statenode import DRIFTED, Condition, StateNode
from tests.unit.disruption.builders import LARGE, MEDIUM, SMALL, cluster, drifted, node, pool, runs
from tests.unit.disruption.claims import HOUR, MINUTE, NOON
from tests.unit.scheduling.builders import pod

FREE = {"deletion_cost": "-134217728"}
"""A pod that costs nothing to move, so that its node is empty."""
PATIENT = pool(after="Never")
"""A pool whose nodes are replaced only when they drift."""


def steps(trajectory: Trajectory) -> list[tuple[float, Method | None, list[str]]]:
    """Return each step: its seconds after noon, its method, and the nodes that it ends."""
    return [(s.at - NOON, s.method, [c.name for x in s.commands for c in x.candidates]) for s in trajectory.steps]


def first_step(of: ClusterState) -> float | None:
    """Return how many seconds after noon the first step is taken; None when there is none."""
    trajectory = until_stable(of)
    return trajectory.steps[0].at - NOON if trajectory.steps else None


def outdated(name: str, *pods: RunningPod, **fields: Any) -> StateNode:
    """Return a node that has drifted by the cloud's own reason, which no other judgement takes away."""
    old = drifted(name, *(pods or [runs(name, "1500m")]), of=SMALL, **fields)
    assert old.claim is not None
    conditions = {**old.claim.conditions, DRIFTED: Condition("True", NOON - 60, "AMIDrift")}
    return replace(old, claim=replace(old.claim, conditions=conditions))


# --- how it ends


def test_a_cluster_in_which_nothing_is_to_be_done_is_stable():
    """No step, and no time that passes."""
    trajectory = until_stable(cluster(node("a", runs(), of=SMALL)))
    assert (trajectory.end, trajectory.steps, trajectory.cluster.now) == (TrajectoryEnd.STABLE, (), NOON)


def test_each_step_has_its_prices_and_its_evictions():
    """The emptier node is deleted; its pod has moved once, and the other node holds both."""
    # D-44
    before = cluster(node("a", runs("web"), of=LARGE), node("b", runs("api"), of=SMALL))
    trajectory = until_stable(before)
    (step,) = trajectory.steps
    assert (step.price_before, step.price_after, step.savings) == (5.0, 1.0, 4.0)
    assert trajectory.evictions == {"default/web": 1}
    assert (trajectory.end, price(trajectory.cluster)) == (TrajectoryEnd.STABLE, 1.0)
    assert [sorted(p.name for p in n.pods) for n in trajectory.cluster.nodes] == [["api", "web"]]


def test_a_node_that_is_replaced_forever_is_churn():
    """A pod that costs nothing leaves its node empty; its new node is as empty as the one before."""
    # D-20
    trajectory = until_stable(cluster(node("a", runs("web", **FREE), of=SMALL)))
    assert trajectory.end is TrajectoryEnd.CHURN
    assert [s.method for s in trajectory.steps] == [Method.EMPTINESS, None, Method.EMPTINESS]
    assert trajectory.repeats == 1
    assert trajectory.evictions == {"default/web": 2}


def test_nodes_that_only_come_are_no_churn():
    """A state counts as one that comes back only when a pod had to move for it."""
    trajectory = until_stable(cluster(pools=[pool()], pending=[PodBatch("web", pod("1", "128Mi"), 1)]))
    assert (trajectory.end, [s.method for s in trajectory.steps]) == (TrajectoryEnd.STABLE, [None])


@pytest.mark.parametrize(("most", "end"), [(1, TrajectoryEnd.STEPS), (2, TrajectoryEnd.STEPS), (3, TrajectoryEnd.STABLE)])
def test_so_many_steps_are_the_most(most: int, end: TrajectoryEnd):
    """Two steps have to be taken; that nothing follows is known only where a third one is allowed."""
    trajectory = until_stable(cluster(outdated("a"), outdated("b"), pools=[PATIENT]), most=most)
    assert (trajectory.end, len(trajectory.steps)) == (end, min(most, 2))


@pytest.mark.parametrize(
    ("after", "end", "count"),
    [("168h", TrajectoryEnd.STABLE, 1), ("168h0m1s", TrajectoryEnd.HORIZON, 0)],
    ids=["at the horizon", "a second later"],
)
def test_what_is_due_after_a_week_is_not_waited_for(after: str, end: TrajectoryEnd, count: int):
    """A node that may go at the very end of the week goes; for one that may go a second later the trajectory breaks off."""
    trajectory = until_stable(cluster(node("a", last_pod_event=NOON), pools=[pool(after=after)]))
    assert (trajectory.end, len(trajectory.steps)) == (end, count)
    assert trajectory.cluster.now <= NOON + HORIZON + VALIDATION


def test_the_horizon_may_be_nearer():
    """Counted from the start."""
    waiting = cluster(node("a", last_pod_event=NOON), pools=[pool(after="1h")])
    assert until_stable(waiting, until=HOUR).end is TrajectoryEnd.STABLE
    assert until_stable(waiting, until=HOUR - 1).end is TrajectoryEnd.HORIZON


def test_a_drifted_node_that_is_replaced_by_its_like_is_no_churn():
    """The cluster looks as it did, but one node less has drifted."""
    # D-37
    trajectory = until_stable(cluster(outdated("a"), outdated("b"), pools=[PATIENT]))
    assert (trajectory.end, trajectory.repeats) == (TrajectoryEnd.STABLE, None)
    assert [n.instance_type for n in trajectory.cluster.nodes] == ["small", "small"]


# --- what it waits for


def closed(hours: str, **fields: Any) -> Budget:
    """Return a budget of no node, from an hour before noon on."""
    return Budget(nodes="0", schedule="0 11 * * *", duration=hours, **fields)


def test_a_budget_that_opens_later_is_waited_for():
    """The window that began at eleven ends at two; the node is deleted in that second."""
    # D-30, D-32
    assert first_step(cluster(node("a"), pools=[pool(budgets=[closed("3h")])])) == 2 * HOUR


def test_a_budget_that_never_opens_breaks_the_trajectory_off():
    """Its windows follow each other without a gap, so that it is waited for up to the horizon, step by step in time alone."""
    # D-30
    trajectory = until_stable(cluster(node("a"), pools=[pool(budgets=[closed("24h")])]))
    assert (trajectory.end, trajectory.steps) == (TrajectoryEnd.HORIZON, ())


def test_a_budget_without_a_window_is_not_waited_for():
    """It does not change by itself."""
    # D-30
    trajectory = until_stable(cluster(node("a"), pools=[pool(budgets=[Budget(nodes="0")])]))
    assert (trajectory.end, trajectory.steps, trajectory.cluster.now) == (TrajectoryEnd.STABLE, (), NOON)


def test_a_budget_for_another_reason_is_not_waited_for():
    """The empty node goes at once; the window holds back drift alone."""
    # D-30
    assert first_step(cluster(node("a"), pools=[pool(budgets=[closed("3h", reasons=("Drifted",))])])) == 0


def test_a_budget_of_one_is_used_once_at_a_time():
    """The second node drifts on after the first one's replacement is up."""
    # D-37
    trajectory = until_stable(cluster(outdated("a"), outdated("b"), pools=[pool(after="Never", budgets=[Budget(nodes="1")])]))
    assert steps(trajectory) == [(0, Method.DRIFT, ["a"]), (LAUNCH, Method.DRIFT, ["b"])]


def test_consolidate_after_is_waited_for():
    """To the second, counted from the last pod event."""
    # D-16
    busy = node("a", last_pod_event=NOON - 4 * MINUTE)
    assert first_step(cluster(busy, pools=[pool(after="5m")])) == MINUTE


def test_an_annotation_that_ends_is_waited_for():
    """The pod was started fifty minutes ago and is protected for an hour."""
    # D-7
    held = runs("web", do_not_disrupt="1h", started=NOON - 50 * MINUTE)
    assert first_step(cluster(node("a", held, of=LARGE), node("b", of=MEDIUM, conditions=()))) == 0  # b is empty
    assert first_step(cluster(node("a", held, of=LARGE))) == 10 * MINUTE


def test_a_nomination_is_waited_for():
    """A node that a pending pod was expected on five seconds ago is a candidate in fifteen."""
    # D-13
    memory = ControllerMemory(nominated={"a": NOON - 5})
    assert first_step(cluster(node("a"), controller_memory=memory)) == 15


# --- how long steps take


def test_validation_takes_fifteen_seconds_and_a_launch_a_minute():
    """The empty node first; the replacement of the other is decided after the delay, and ready a minute after its own."""
    # D-36, D-39
    trajectory = until_stable(cluster(node("a"), node("b", runs("web"), of=LARGE), pools=[pool()]))
    assert steps(trajectory) == [(0, Method.EMPTINESS, ["a"]), (VALIDATION, Method.SINGLE, ["b"])]
    assert trajectory.cluster.now == NOON + VALIDATION + VALIDATION + LAUNCH
    assert (VALIDATION, LAUNCH) == (15, 60)


def test_pods_that_wait_get_their_nodes_first():
    """Before any method runs; the step has no method and no commands."""
    trajectory = until_stable(cluster(node("a"), pending=[PodBatch("web", pod("8", "128Mi"), 1)], types=[LARGE, MEDIUM]))
    first = trajectory.steps[0]
    assert (first.method, first.commands, first.launched, first.evicted) == (None, (), ("new-001",), ())
    assert first.price_after > first.price_before


def test_what_fits_nowhere_waits_forever():
    """No node is launched for it, and the rest goes on."""
    trajectory = until_stable(cluster(node("a"), pending=[PodBatch("huge", pod("100", "128Mi"), 1)]))
    assert (trajectory.end, [s.method for s in trajectory.steps]) == (TrajectoryEnd.STABLE, [Method.EMPTINESS])
    assert [b.name for b in trajectory.cluster.pending] == ["huge"]


def _sized(nodes: int) -> ClusterState:
    """A cluster of half-empty nodes, each with a pod of its own shape, so that many can be joined."""
    return cluster(*(node(f"n-{n:03d}", runs(f"p-{n}", f"{500 + n}m"), of=LARGE) for n in range(nodes)))


def test_work_until_stable_grows_little_faster_than_the_nodes():
    """Counted in calls: four times the nodes take at most five times as many."""

    def calls(of: ClusterState) -> int:
        counted = [0]
        before = sys.getprofile()
        sys.setprofile(lambda _frame, event, _argument: counted.__setitem__(0, counted[0] + (event in ("call", "c_call"))))
        try:
            until_stable(of)
        finally:
            sys.setprofile(before)
        return counted[0]

    few, most = calls(_sized(25)), calls(_sized(100))
    assert most <= 4**1.2 * few, (few, most)
