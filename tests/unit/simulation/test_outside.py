"""Images, edits, failures: what comes from outside of a cluster."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist import Budget
from cutlist.api.nodepool_hash import HASH, HASH_VERSION
from cutlist.core.karpenter.baselines import DEFAULT, baseline_of
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.providers.node_repair import AWS_DISRUPTION_REPAIR_POLICIES, AWS_REPAIR_POLICIES
from cutlist.scheduling.inputs import SchedulerOptions
from cutlist.simulation.events import MINUTE, SECOND
from cutlist.simulation.offerings import Edition
from cutlist.simulation.outside_events import ClusterEdited, ImageReleased, NodeSelection, NodesFailed, NodesInterrupted
from tests.unit.disruption.builders import cluster, node, pool
from tests.unit.simulation.builders import commands, group, inputs, replica, simulation

WEB = group("web", cpu="3")


def nodes_with_pods(names: str = "abc", **fields):
    return [node(name, replica(WEB, number), **fields) for number, name in enumerate(names)]


def test_nodes_drift_from_the_instant_at_which_an_image_is_released():
    """One after the other, as the budget says; other NodePools stay (D-70, D-37)."""
    pools = [pool(budgets=[Budget(nodes="1")], after="Never"), pool("other", after="Never")]
    of = cluster(*nodes_with_pods("ab"), node("c", replica(WEB, 2), pool="other"), pools=pools)
    run = simulation(inputs(WEB, of=of), [ImageReleased(10 * MINUTE, ("default",))])
    drifted = [c for c in run.result().commands if c.method == "drift"]
    assert [(c.nodes, len(c.launched)) for c in drifted] == [(("a",), 1), (("b",), 1)]
    assert 10 * MINUTE <= drifted[0].at <= 10 * MINUTE + 10 * SECOND
    assert "c" in run.world.cluster.nodes
    assert run.result().evictions == {("deployment/web", "Drifted"): 2}


def edited(of, changed, drifted=None):
    """Inputs with an edition in which the NodePool is another one; claims without a hash get that of the first."""
    hashes = {HASH: "1", HASH_VERSION: "v3"}
    return replace(of, editions=[Edition(replace(of.cluster, pools=changed), of.purchases, drifted or {}, {"default": hashes})])


def test_an_edited_template_makes_nodes_drift():
    """Their NodeClaims carry the hash of the template before."""
    of = inputs(WEB, of=cluster(*nodes_with_pods("a"), pools=[pool(after="Never")]))
    changed = {"default": pool(after="Never", pool_annotations={HASH: "2", HASH_VERSION: "v3"})}
    run = simulation(edited(of, changed), [ClusterEdited(10 * MINUTE, 1)], hours=0.5)
    assert [c.nodes for c in run.result().commands if c.method == "drift"] == [("a",)]
    assert run.world.cluster.nodes.keys().isdisjoint({"a"})
    same = edited(of, {"default": pool(after="Never", pool_annotations={HASH: "1", HASH_VERSION: "v3"})})
    assert commands(simulation(same, [ClusterEdited(10 * MINUTE, 1)], hours=0.5)) == [("event", "ClusterEdited", ())]


def test_what_the_cloud_compares_makes_nodes_drift_too():
    of = inputs(WEB, of=cluster(*nodes_with_pods("a"), pools=[pool(after="Never")]))
    same = edited(of, dict(of.cluster.pools), {"default": "NodeClassDrift"})
    run = simulation(same, [ClusterEdited(10 * MINUTE, 1)], hours=0.5)
    assert [c.nodes for c in run.result().commands if c.method == "drift"] == [("a",)]


def test_nodes_of_a_deleted_node_pool_are_drained():
    of = inputs(WEB, of=cluster(*nodes_with_pods("a"), pools=[pool(after="Never"), pool("other", after="Never")]))
    run = simulation(edited(of, {"other": of.cluster.pools["other"]}), [ClusterEdited(10 * MINUTE, 1)], hours=0.5)
    assert [life.cause for life in run.result().lives] == ["NodePoolDeleted", ""]
    assert [n.pool for n in run.world.cluster.nodes.values()] == ["other"]


def sick(karpenter: str, **gates: bool):
    """Five nodes, of which the first can be repaired, by Karpenter of a minor version."""
    is_method = karpenter == "1.15" and not gates.get("legacy_node_repair")
    state = cluster(
        *nodes_with_pods("abcde"),
        pools=[pool(after="Never", budgets=[Budget(nodes="0")] if not is_method else [Budget(nodes="1")])],
        options=SchedulerOptions(karpenter=baseline_of(karpenter) or DEFAULT),
        feature_gates=FeatureGates(**gates),
        repair_policies=AWS_DISRUPTION_REPAIR_POLICIES if is_method else AWS_REPAIR_POLICIES,
    )
    return inputs(WEB, of=state)


FAILED = NodesFailed(5 * MINUTE, NodeSelection(name="a"), "KernelReady", "False")


@pytest.mark.parametrize(
    ("karpenter", "gates", "removed"),
    [
        ("1.14", {"node_repair": True}, 35 * MINUTE),
        ("1.15", {"node_repair": True, "legacy_node_repair": True}, 35 * MINUTE),
        ("1.15", {"node_repair": True}, 35 * MINUTE),
        ("1.15", {}, None),
    ],
    ids=["1.14", "legacy", "method", "without the gate"],
)
def test_an_unhealthy_node_is_repaired_after_its_toleration(karpenter, gates, removed):
    """D-77, V15-42: after half an hour."""
    run = simulation(sick(karpenter, **gates), [FAILED])
    repairs = [c for c in run.result().commands if c.method == "repair"]
    assert [c.nodes for c in repairs] == ([] if removed is None else [("a",)])
    assert all(removed <= c.at <= removed + 11 * SECOND for c in repairs)
    assert ("a" in run.world.cluster.nodes) == (removed is None)


def test_too_many_unhealthy_nodes_are_left_alone():
    """D-77: of five at most one."""
    failed = replace(FAILED, nodes=NodeSelection(pool="default", count=2))
    run = simulation(sick("1.14", node_repair=True), [failed])
    assert [c.nodes for c in run.result().commands if c.method == "repair"] == []


def test_a_node_that_recovers_in_time_is_not_repaired():
    run = simulation(sick("1.14", node_repair=True), [replace(FAILED, lasts=20 * MINUTE)])
    assert commands(run) == [("event", "NodesFailed", ("a",))]


def test_a_node_that_is_not_ready_loses_its_pods_after_five_minutes():
    """They are made again elsewhere; it takes no others, until it is ready again."""
    of = inputs(WEB, of=cluster(*nodes_with_pods("a"), pools=[pool(after="Never")]))
    failed = NodesFailed(5 * MINUTE, NodeSelection(), "Ready", "Unknown", lasts=20 * MINUTE)
    run = simulation(of, [failed], hours=0.5)
    assert run.result().evictions == {("deployment/web", "NodeNotReady"): 1}
    [pod] = run.world.cluster.pods.values()
    assert pod.node != "a"
    assert run.world.cluster.nodes["a"].state.taints == ()
    assert run.world.ready == {"default/web-1"}


def test_events_choose_the_first_nodes_by_name():
    names = {"a": "zone-a", "b": "zone-b", "c": "zone-b", "d": "zone-b"}
    nodes = [node(name, replica(WEB, n), zone=zone) for n, (name, zone) in enumerate(names.items())]
    of = inputs(WEB, of=cluster(*nodes, pools=[pool(after="Never")]))
    run = simulation(of, [NodesInterrupted(5 * MINUTE, NodeSelection(zone="zone-b", count=2))])
    assert [life.name for life in run.result().lives if life.cause == "Interrupted"] == ["b", "c"]
    none = simulation(of, [NodesInterrupted(5 * MINUTE, NodeSelection(pool="other"))])
    assert [(c.decision, c.outcome) for c in none.result().commands] == [("NodesInterrupted", "no node matches")]
