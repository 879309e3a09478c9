"""Passes over one context: each is still the pass that it would be alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from cutlist import NodePool
from cutlist.api.model import Condition
from cutlist.core.labels import HOSTNAME, NODEPOOL, ZONE
from cutlist.core.quantity import amounts
from cutlist.scheduling.inputs import SchedulerInputs, takes_part
from cutlist.scheduling.provisioner import SchedulingContext
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.results import Results, finalise
from cutlist.state.pods import TopologyPods
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.workloads.pods import FrozenDict, Pod, PodTerm
from tests.one_pass import schedule
from tests.unit.scheduling.builders import MACHINES, REGISTRY, counts, pending, pod, pool, selecting


def node(name: str, *, cpu: str = "4", zone: str = "zone-a", **fields) -> SchedulingNode:
    labels = {ZONE: zone, HOSTNAME: name, NODEPOOL: "default"}
    room = amounts({"cpu": cpu, "memory": "64Gi", "pods": "10"})
    return SchedulingNode(name, name, labels, own_labels=labels, capacity=room, available=room, **fields)


def inputs(
    *pods: Pod, nodes: Sequence[SchedulingNode] = (), bound: Sequence[TopologyPods] = (), pools: Sequence[NodePool] = ()
) -> SchedulerInputs:
    pools = pools or [pool()]
    return SchedulerInputs(
        pools=pools,
        types={p.name: MACHINES for p in pools},
        batches=[PodBatch(f"b{n}", each, 1, uid=f"{n:04d}") for n, each in enumerate(pods)],
        registry=REGISTRY,
        nodes=nodes,
        bound=bound,
    )


def solved(
    context: SchedulingContext, pass_inputs: SchedulerInputs, *excluded: str, staying: Sequence[TopologyPods] = ()
) -> Results:
    """A pass in a context, with nodes excluded on which some pods stay."""
    scheduler = context.new_scheduler(pass_inputs, {name: [p for p in staying if p.node == name] for name in excluded})
    scheduler.solve()
    return finalise(scheduler, strict_min_values=True, instance_type_options=context.instance_type_options)


def with_conditions(of: str, *conditions: tuple[str, str]) -> NodePool:
    """A NodePool with the conditions that a controller has given it."""
    unready = pool(of)
    object.__setattr__(unready, "conditions", tuple(Condition(type=t, status=s) for t, s in conditions))
    return unready


READY = ("ValidationSucceeded", "True"), ("NodeClassReady", "True"), ("Ready", "True")


def test_pools_that_a_controller_has_not_met_take_part():
    """So do those that it found ready."""
    # S-31
    assert takes_part(pool())
    assert takes_part(with_conditions("p", *READY))


@pytest.mark.parametrize("conditions", [READY[2:], (*READY[:2], ("Ready", "False")), READY[:2], READY[1:]])
def test_pools_that_are_not_known_to_be_ready_do_not(conditions):
    """Ready rests on the other two conditions: without them it is unknown."""
    # S-31
    assert not takes_part(with_conditions("p", *conditions))


def test_static_pools_open_no_claims():
    """They are none of the templates."""
    # S-31
    assert not takes_part(pool(replicas=1))


def test_a_context_may_be_used_again_and_again():
    """What one pass has placed is not there for the next."""
    pass_inputs = inputs(pod("3"), pod("3"), nodes=[node("a"), node("b")])
    context = SchedulingContext(pass_inputs)
    first, second = solved(context, pass_inputs), solved(context, pass_inputs)
    assert first.existing == second.existing == {"a": {0: 1}, "b": {1: 1}}
    assert first == schedule(pass_inputs)


def test_a_node_that_is_excluded_takes_no_pods():
    """The next one by name does, and then a new node."""
    context = SchedulingContext(pass_inputs := inputs(pod("3"), nodes=[node("a"), node("b")]))
    assert solved(context, pass_inputs, "a").existing == {"b": {0: 1}}
    assert counts(solved(context, pass_inputs, "a", "b")) == [1]
    assert solved(context, pass_inputs).existing == {"a": {0: 1}}


def test_a_node_that_is_excluded_uses_nothing_of_the_limits():
    """Its capacity is free for the pass that excludes it, and for no other."""
    tight = pool(limits={"cpu": "8"})
    context = SchedulingContext(pass_inputs := inputs(pod("7"), nodes=[node("a", cpu="1"), node("b", cpu="3")], pools=[tight]))
    assert pending(solved(context, pass_inputs)) == 1
    assert counts(solved(context, pass_inputs, "a", "b")) == [1]
    assert pending(solved(context, pass_inputs, "a")) == 1


def test_pods_that_leave_with_their_node_are_not_counted():
    """Those that nobody moves are, where they were."""
    web = pod("1", labels={"app": "web"}, anti_affinity=(PodTerm(ZONE, selecting(app="web")),))
    bound = [TopologyPods(pod(labels={"app": "web"}), "a")]
    pinned = replace(web, node_selector=FrozenDict({ZONE: "zone-a"}))
    context = SchedulingContext(pass_inputs := inputs(pinned, nodes=[node("a"), node("b", zone="zone-b")], bound=bound))
    assert pending(solved(context, pass_inputs)) == 1
    assert pending(solved(context, pass_inputs, "a", staying=bound)) == 1
    assert counts(solved(context, pass_inputs, "a")) == [1]
    assert pending(solved(context, pass_inputs)) == 1


def test_what_repels_goes_with_its_node_unless_it_stays():
    """A pod that cannot stand others keeps the hostname of its node to itself, and its zone."""
    alone = pod(labels={"app": "db"}, anti_affinity=(PodTerm(ZONE, selecting(app="web")),))
    web = pod("1", labels={"app": "web"}, node_selector={ZONE: "zone-a"})
    bound = [TopologyPods(alone, "a")]
    context = SchedulingContext(pass_inputs := inputs(web, nodes=[node("a"), node("b")], bound=bound))
    assert pending(solved(context, pass_inputs)) == 1
    assert pending(solved(context, pass_inputs, "a", staying=bound)) == 1
    assert solved(context, pass_inputs, "a").existing == {"b": {0: 1}}


def test_pods_of_later_passes_are_placed_as_if_they_had_been_there():
    """The first inputs tell what pods may ask for; each pass brings its own."""
    every = [pod("3"), pod("1", node_selector={ZONE: "zone-b"}), pod("2", labels={"app": "web"})]
    nodes = [node("a"), node("b", zone="zone-b")]
    context = SchedulingContext(inputs(*every, nodes=nodes))
    for each in every:
        alone = inputs(each, nodes=nodes)
        assert solved(context, replace(alone, nodes=[])) == schedule(alone)
