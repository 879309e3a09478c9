"""What passes over one cluster share: each is still the pass that it would be alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from cutlist.api import NodePool
from cutlist.api._model import Condition
from cutlist.core.labels import HOSTNAME, NODEPOOL, ZONE
from cutlist.core.quantity import amounts
from cutlist.scheduling.context import SchedulingContext, takes_part
from cutlist.scheduling.provisioner import SchedulerInputs, schedule
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.results import Results, finalise
from cutlist.state.pods import BoundPod
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.workloads.pods import FrozenDict, Pod, PodTerm
from tests.unit.scheduling.builders import MACHINES, REGISTRY, counts, pending, pod, pool, selecting


def node(name: str, *, cpu: str = "4", zone: str = "zone-a", **fields) -> SchedulingNode:
    labels = {ZONE: zone, HOSTNAME: name, NODEPOOL: "default"}
    room = amounts({"cpu": cpu, "memory": "64Gi", "pods": "10"})
    return SchedulingNode(name, name, labels, own_labels=labels, capacity=room, available=room, **fields)


def inputs(
    *pods: Pod, nodes: Sequence[SchedulingNode] = (), bound: Sequence[BoundPod] = (), pools: Sequence[NodePool] = ()
) -> SchedulerInputs:
    made = pools or [pool()]
    return SchedulerInputs(
        pools=made,
        types={p.name: MACHINES for p in made},
        batches=[PodBatch(f"b{n}", one, 1, uid=f"{n:04d}") for n, one in enumerate(pods)],
        registry=REGISTRY,
        nodes=nodes,
        bound=bound,
    )


def solved(ground: SchedulingContext, given: SchedulerInputs, *gone: str, staying: Sequence[BoundPod] = ()) -> Results:
    """A pass on a ground, with nodes taken away on which some pods stay."""
    solver = ground.solver(given, {name: [p for p in staying if p.node == name] for name in gone})
    solver.solve()
    return finalise(solver, strict_min_values=True, lists=ground.type_lists)


def said(of: str, *conditions: tuple[str, str]) -> NodePool:
    """A NodePool with the conditions that a controller has given it."""
    made = pool(of)
    object.__setattr__(made, "conditions", tuple(Condition(type=t, status=s) for t, s in conditions))
    return made


READY = ("ValidationSucceeded", "True"), ("NodeClassReady", "True"), ("Ready", "True")


def test_pools_that_a_controller_has_not_met_take_part():
    """So do those that it found ready."""
    # S-31
    assert takes_part(pool())
    assert takes_part(said("p", *READY))


@pytest.mark.parametrize("conditions", [READY[2:], (*READY[:2], ("Ready", "False")), READY[:2], READY[1:]])
def test_pools_that_are_not_known_to_be_ready_do_not(conditions):
    """Ready rests on the other two conditions: without them it is unknown."""
    # S-31
    assert not takes_part(said("p", *conditions))


def test_static_pools_open_no_claims():
    """They are none of the templates."""
    # S-31
    assert not takes_part(pool(replicas=1))


def test_a_ground_may_be_used_again_and_again():
    """What one pass has placed is not there for the next."""
    given = inputs(pod("3"), pod("3"), nodes=[node("a"), node("b")])
    ground = SchedulingContext(given)
    first, second = solved(ground, given), solved(ground, given)
    assert first.existing == second.existing == {"a": {0: 1}, "b": {1: 1}}
    assert first == schedule(given)


def test_a_node_that_is_gone_takes_no_pods():
    """The next one by name does, and then a new node."""
    ground = SchedulingContext(given := inputs(pod("3"), nodes=[node("a"), node("b")]))
    assert solved(ground, given, "a").existing == {"b": {0: 1}}
    assert counts(solved(ground, given, "a", "b")) == [1]
    assert solved(ground, given).existing == {"a": {0: 1}}


def test_a_node_that_is_gone_uses_nothing_of_the_limits():
    """Its capacity is free for the pass in which it is gone, and for no other."""
    tight = pool(limits={"cpu": "8"})
    ground = SchedulingContext(given := inputs(pod("7"), nodes=[node("a", cpu="1"), node("b", cpu="3")], pools=[tight]))
    assert pending(solved(ground, given)) == 1
    assert counts(solved(ground, given, "a", "b")) == [1]
    assert pending(solved(ground, given, "a")) == 1


def test_pods_that_leave_with_their_node_are_not_counted():
    """Those that nobody moves are, where they were."""
    web = pod("1", labels={"app": "web"}, anti_affinity=(PodTerm(ZONE, selecting(app="web")),))
    here = [BoundPod(pod(labels={"app": "web"}), "a")]
    pinned = replace(web, node_selector=FrozenDict({ZONE: "zone-a"}))
    ground = SchedulingContext(given := inputs(pinned, nodes=[node("a"), node("b", zone="zone-b")], bound=here))
    assert pending(solved(ground, given)) == 1
    assert pending(solved(ground, given, "a", staying=here)) == 1
    assert counts(solved(ground, given, "a")) == [1]
    assert pending(solved(ground, given)) == 1


def test_what_repels_goes_with_its_node_unless_it_stays():
    """A pod that cannot stand others keeps the hostname of its node to itself, and its zone."""
    alone = pod(labels={"app": "db"}, anti_affinity=(PodTerm(ZONE, selecting(app="web")),))
    web = pod("1", labels={"app": "web"}, node_selector={ZONE: "zone-a"})
    here = [BoundPod(alone, "a")]
    ground = SchedulingContext(given := inputs(web, nodes=[node("a"), node("b")], bound=here))
    assert pending(solved(ground, given)) == 1
    assert pending(solved(ground, given, "a", staying=here)) == 1
    assert solved(ground, given, "a").existing == {"b": {0: 1}}


def test_pods_of_later_passes_are_placed_as_if_they_had_been_there():
    """The first inputs tell what pods may ask for; each pass brings its own."""
    every = [pod("3"), pod("1", node_selector={ZONE: "zone-b"}), pod("2", labels={"app": "web"})]
    nodes = [node("a"), node("b", zone="zone-b")]
    ground = SchedulingContext(inputs(*every, nodes=nodes))
    for one in every:
        alone = inputs(one, nodes=nodes)
        assert solved(ground, replace(alone, nodes=[])) == schedule(alone)
