"""Nodes that follow a command although it does not list them, and what they do to the money of a step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.disk_costs import price
from cutlist.disruption.forecast import forecast
from cutlist.disruption.methods import Method
from cutlist.disruption.trajectory import until_stable
from cutlist.state.statenode import DRIFTED, Condition, StateNode
from cutlist.verbs.disrupt.words import following_text
from tests.unit.disruption.builders import MEDIUM, SMALL, cluster, drifted, guard, guarded, node, pool, runs
from tests.unit.disruption.claims import NOON

PATIENT = pool(after="Never")
HELD = {"do_not_disrupt": "true"}
GRACE = {"termination_grace_period": "1h"}


def of_old_image(subject: StateNode) -> StateNode:
    """Return a drifted node with a reason of the cloud, which no other judgement takes away."""
    assert subject.claim is not None
    conditions = {**subject.claim.conditions, DRIFTED: Condition("True", NOON - 60, "AMIDrift")}
    return replace(subject, claim=replace(subject.claim, conditions=conditions))


def held() -> ClusterState:
    """Return a cluster with a drifted node whose only pod must not be disrupted, whose drain ends by its grace period."""
    subject = drifted("a", runs("job", "1500m", **HELD), of=SMALL, **GRACE)
    return cluster(of_old_image(subject), pools=[PATIENT])


def test_a_pod_that_holds_its_drain_gets_a_node_of_the_same_price_in_the_end():
    """Karpenter logs a delete that saves the price of the node; once the pod is recreated, nothing is saved."""
    # D-12
    coming = forecast(held())
    (command,) = coming.commands
    assert command.text == "Drifted: delete: nodepools=[default]: [a] (savings: $1.00)"
    assert command.followed_by is not None
    assert (command.followed_by.nodes, command.followed_by.price) == (1, 1.0)
    assert (command.savings, command.savings_with_disks, coming.savings) == (1.0, 0.0, 0.0)
    assert following_text(coming.commands, "USD") == "1 node for $1.00 an hour that follows"


def test_a_pod_that_its_budget_never_lets_go_is_recreated_as_well():
    """A PodDisruptionBudget of no pod holds the drain as long as the annotation does."""
    # D-12
    subject = drifted("a", runs("job", "1500m"), of=SMALL, **GRACE)
    coming = forecast(cluster(subject, pools=[PATIENT], evictions=guarded(guard(maxUnavailable=0))))
    assert (coming.commands[0].savings, coming.savings) == (1.0, 0.0)


def test_a_pod_that_finds_room_needs_no_node():
    """Where another node has room for the pod, the removal saves what it says."""
    # D-12
    subject = drifted("a", runs("job", "500m", **HELD), of=SMALL, **GRACE)
    coming = forecast(cluster(subject, node("b", runs("web", "1"), of=MEDIUM, conditions=()), pools=[PATIENT]))
    (command,) = coming.commands
    assert command.followed_by is None
    assert coming.savings == 1.0


def test_a_pod_that_nobody_controls_does_not_come_back():
    """A bare pod ends with its node."""
    # D-12
    subject = drifted("a", replace(runs("bare", "1500m", **HELD), owners=frozenset()), of=SMALL, **GRACE)
    (command,) = forecast(cluster(subject, pools=[PATIENT])).commands
    assert command.followed_by is None


def test_steps_say_the_same_and_their_sum_is_what_the_cluster_saves():
    """The step that evicts the pod counts its node, and the step that launches it does not count it again."""
    # D-12
    before = held()
    trajectory = until_stable(before)
    assert [step.method for step in trajectory.steps] == [Method.DRIFT, None]
    assert [step.savings for step in trajectory.steps] == [0.0, 0.0]
    assert price(trajectory.cluster) == price(before) == 1.0


def test_pods_that_cost_nothing_to_move_need_a_node_as_well():
    """A node whose pods cost nothing is deleted as empty; it saves nothing if they need another one."""
    # D-20
    free = runs("web", "1500m", deletion_cost="-134217728")
    coming = forecast(cluster(node("a", free, of=SMALL)))
    assert coming.method is Method.EMPTINESS
    assert coming.savings == 0.0


def test_an_empty_node_saves_its_price():
    """Nothing follows where nothing has to move."""
    # D-37
    coming = forecast(cluster(node("a", of=SMALL)))
    assert (coming.savings, coming.commands[0].followed_by) == (1.0, None)


STATIC = pool("static", replicas=1, kinds=("on-demand",))


@pytest.mark.parametrize("of", [SMALL, MEDIUM], ids=["like for like", "a more expensive node before"])
def test_a_static_nodepool_makes_its_node_again(of):
    """The replacement of a static node is the cheapest node of the template, whatever Karpenter logs."""
    # D-73, V-63
    coming = forecast(cluster(drifted("a", of=of, pool="static"), pools=[STATIC]))
    (command,) = coming.commands
    cheapest, old = 1.0, command.candidates[0].price
    assert command.decision == "replace"
    assert command.savings == old
    assert coming.savings == old - cheapest


def test_a_trajectory_keeps_the_nodes_of_static_nodepools():
    """After drift there are as many nodes as replicas, and like for like saves nothing."""
    # D-73
    trajectory = until_stable(cluster(of_old_image(drifted("a", of=SMALL, pool="static")), pools=[STATIC]))
    (step,) = trajectory.steps
    assert (len(trajectory.cluster.nodes), step.savings, len(step.launched)) == (1, 0.0, 1)
