"""Static NodePools over time: replicas, scale-in, drift."""

from __future__ import annotations

from dataclasses import replace

from cutlist import Budget
from cutlist.disruption.cluster_state import InstanceTypesByPool
from cutlist.simulation.events import HOUR, MINUTE, InstanceStopped
from cutlist.simulation.offerings import Edition
from cutlist.simulation.outside_events import CapacityLost, ClusterEdited, ImageReleased
from tests.unit.disruption.builders import TYPES, cluster, node, pool
from tests.unit.simulation.builders import commands, group, inputs, replica, simulation

WEB = group("web", cpu="1")


def static(replicas: int, *nodes, **fields):
    return cluster(*nodes, pools=[pool("fixed", after="Never", replicas=replicas, **fields)])


def up(run) -> list[str]:
    return [n.instance_type for n in run.world.cluster.nodes.values() if n.initialized]


def test_a_static_pool_makes_the_nodes_that_it_lacks():
    """Whatever pods there are, within its limit on nodes; one whose instance stops is replaced (spec: scheduling 3.10)."""
    run = simulation(inputs(of=static(3)), [InstanceStopped(20 * MINUTE, "fixed-0")])
    assert up(run) == ["small"] * 3
    assert up(simulation(inputs(of=static(3, limits={"nodes": "2"})))) == ["small"] * 2
    of = inputs(of=static(2, node("a", pool="fixed"), node("b", pool="fixed")))
    run = simulation(of, [InstanceStopped(20 * MINUTE, "a")])
    assert sorted(up(run)) == ["medium", "small"]


def test_a_static_pool_without_capacity_tries_again():
    run = simulation(inputs(of=static(1)), [CapacityLost(0, "*", "*", "*", 10 * MINUTE)], hours=0.5)
    assert up(run) == ["small"]


def test_a_static_pool_with_fewer_replicas_gives_up_empty_nodes_first():
    """D-81: at once, although its budget allows nothing."""
    of = inputs(WEB, of=static(3, *(node(n, *p, pool="fixed") for n, p in (("a", [replica(WEB)]), ("b", []), ("c", [])))))
    fewer = replace(of.cluster, pools={"fixed": pool("fixed", after="Never", replicas=1, budgets=[Budget(nodes="0")])})
    run = simulation(replace(of, editions=[Edition(fewer, of.purchases, {}, {})]), [ClusterEdited(10 * MINUTE, 1)])
    assert [*run.world.cluster.nodes] == ["a"]
    assert commands(run)[-1] == ("static NodePool", "delete", ("b", "c"))
    ended = {life.name: (life.cause, life.ended) for life in run.result().lives if life.ended is not None}
    assert {cause for cause, _ in ended.values()} == {"ScaledIn"}


def test_drifted_nodes_of_a_static_pool_are_replaced_by_its_template():
    """D-73: two at a time, as its budget says; each is removed once its replacement is ready."""
    nodes = [node(name, pool="fixed") for name in "abcd"]
    of = inputs(of=static(4, *nodes, budgets=[Budget(nodes="2")]))
    run = simulation(of, [ImageReleased(10 * MINUTE)])
    drifted = [c for c in run.result().commands if c.method == "drift of a static pool"]
    assert [c.nodes for c in drifted] == [("a",), ("b",), ("c",), ("d",)]
    assert len({c.at for c in drifted}) > 1
    assert up(run) == ["small"] * 4


def test_pods_run_on_nodes_of_static_pools():
    """kube-scheduler puts them there; Karpenter makes no node for them, for no NodePool may."""
    run = simulation(inputs(group("web", 3), of=static(2)))
    assert run.world.cluster.pending == {}
    assert len(run.result().lives) == 2


def test_a_static_pool_without_types_makes_nothing():
    of = static(2)
    run = simulation(inputs(of=replace(of, types=InstanceTypesByPool({"fixed": ()}))))
    assert up(run) == []
    assert TYPES
    assert run.world.now == HOUR


def test_a_static_pool_that_is_deleted_gives_up_its_nodes():
    """Those that are being launched as well; none is made again."""
    of = inputs(of=static(2, node("a", pool="fixed")))
    left = replace(of.cluster, pools={"default": pool()}, types=InstanceTypesByPool({"default": TYPES}))
    run = simulation(replace(of, editions=[Edition(left, of.purchases, {}, {})]), [ClusterEdited(2000, 1)])
    assert run.world.cluster.nodes == {}
    assert {life.cause for life in run.result().lives} == {"NodePoolDeleted"}


def test_drift_of_a_static_pool_waits_for_capacity():
    """It looks again every ten seconds until there is some."""
    of = inputs(of=static(1, node("a", pool="fixed")))
    demand = [ImageReleased(10 * MINUTE), CapacityLost(9 * MINUTE, "*", "*", "*", 12 * MINUTE)]
    run = simulation(of, demand)
    outcomes = [c.outcome for c in run.result().commands if c.method == "drift of a static pool"]
    assert outcomes[-1] == "executed"
    assert 1 < len(outcomes) < 40
    assert up(run) == ["small"]
