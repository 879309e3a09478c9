"""Zone and region that Kubernetes copies from a node onto its pods: they follow the pod and decide nothing."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.labels import REGION, ZONE
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.trajectory import Trajectory, until_stable
from cutlist.state.pods import RunningPod, with_copied_labels
from cutlist.state.statenode import StateNode
from cutlist.workloads.pods import FrozenDict, LabelSelector, Pod, SpreadConstraint
from tests.examples import examples
from tests.unit.disruption.builders import LARGE, MEDIUM, SMALL, cluster, node, runs
from tests.unit.scheduling.builders import pod

WEB = FrozenDict({"app": "web", "pod-template-hash": "5d4f"})
SPREAD = SpreadConstraint(ZONE, 1, selector=LabelSelector((("app", "web"),)), match_label_keys=("pod-template-hash",))


def web(*, is_spread: bool = True, **labels: str) -> Pod:
    """Return a pod of a ReplicaSet, spread over the zones."""
    spread = (SPREAD,) if is_spread else ()
    return replace(pod("1", "128Mi"), labels=FrozenDict({**WEB, **labels}), spread=spread)


def as_bound(subject: StateNode) -> StateNode:
    """Return a node whose pods have the labels that Kubernetes 1.35 copies onto them."""
    copied = {ZONE: subject.zone, REGION: "region-1"}
    pods = (replace(p, pod=replace(p.pod, labels=FrozenDict({**p.pod.labels, **copied}))) for p in subject.pods)
    labels = {**subject.state.labels, REGION: "region-1"}
    return replace(subject, pods=tuple(pods), state=replace(subject.state, labels=labels, own_labels=labels))


def outcome(trajectory: Trajectory) -> object:
    """Return what was done, and where the pods are in the end."""
    commands = [(s.at, [[n.name for n in c.candidates] for c in s.commands]) for s in trajectory.steps]
    return trajectory.end, commands, [(n.zone, n.instance_type, [p.name for p in n.pods]) for n in trajectory.cluster.nodes]


def pods_of(of: ClusterState) -> list[tuple[StateNode, RunningPod]]:
    """Return the pods of a cluster, each with its node."""
    return [(n, p) for n in of.nodes for p in n.pods]


# W-83
@examples(0.1)
@given(
    nodes=st.lists(
        st.tuples(st.sampled_from((SMALL, MEDIUM, LARGE)), st.sampled_from("abc"), st.integers(0, 2), st.booleans()),
        min_size=1,
        max_size=3,
    )
)
def test_copied_labels_change_nothing_that_karpenter_does(nodes):
    """Pods of a ReplicaSet that differ in these labels alone are alike, and may go to any zone."""
    plain = [
        node(f"n{i}", *(runs(f"web-{i}-{j}", of=web(is_spread=spread)) for j in range(pods)), of=size, zone=f"zone-{zone}")
        for i, (size, zone, pods, spread) in enumerate(nodes)
    ]
    assert outcome(until_stable(cluster(*map(as_bound, plain)))) == outcome(until_stable(cluster(*plain)))


# W-83
def test_a_pod_that_moves_has_the_zone_of_its_new_node():
    """The labels of the former node do not follow it, neither to a node that was there nor to one that is launched."""
    there = as_bound(node("a", runs("web", of=web(is_spread=False)), of=LARGE, zone="zone-a"))
    there_too = as_bound(node("b", runs("api", of=web(is_spread=False)), of=SMALL, zone="zone-b"))
    after = until_stable(cluster(there, there_too)).cluster
    assert [(n.zone, p.pod.labels[ZONE]) for n, p in pods_of(after)] == [("zone-b", "zone-b")] * 2
    alone = until_stable(cluster(as_bound(node("c", runs("web", of=web()), of=LARGE, zone="zone-c")))).cluster
    ((new, moved),) = pods_of(alone)
    assert new.name != "c"
    assert moved.pod.labels.get(ZONE) == new.zone


# W-83
def test_only_zone_and_region_follow_the_node_and_only_where_a_pod_carries_them():
    """A pod of an older cluster gets no labels; a label that the new node lacks is removed; others stay."""
    bound, unlabelled = web(**{ZONE: "zone-a", REGION: "region-1"}), web()
    assert with_copied_labels(unlabelled, {ZONE: "zone-b"}) is unlabelled
    assert with_copied_labels(bound, {ZONE: "zone-b", "team": "x"}).labels == {**WEB, ZONE: "zone-b"}
    same = {ZONE: "zone-a", REGION: "region-1"}
    assert with_copied_labels(bound, same) is bound
