"""The nodes of a cluster from its objects: whose pods run there, and how far each has come."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist.core.labels import AWS
from cutlist.state.cluster import Cluster
from cutlist.verification.live import LiveCluster, LiveNode, LiveState

Manifest = dict[str, Any]
AT = "2026-01-05T12:00:00Z"
LABELS = {
    "karpenter.sh/nodepool": "general",
    "node.kubernetes.io/instance-type": "m5.large",
    "karpenter.sh/capacity-type": "spot",
    "topology.kubernetes.io/zone": "us-west-2a",
}
JOINED = {"karpenter.sh/registered": "true", "karpenter.sh/initialized": "true"}


def claim(*conditions: tuple[str, str, str], provider_id: str = "aws:///i-1", **metadata: Any) -> Manifest:
    rows = [{"type": kind, "status": status, "reason": why, "lastTransitionTime": AT} for kind, status, why in conditions]
    return {
        "kind": "NodeClaim",
        "metadata": {"name": "general-x", "labels": LABELS, "creationTimestamp": AT, **metadata},
        "status": {"providerID": provider_id, "conditions": rows},
    }


def node(**labels: str) -> Manifest:
    return {"kind": "Node", "metadata": {"name": "n", "labels": {**LABELS, **labels}}, "spec": {"providerID": "aws:///i-1"}}


def pod(
    name: str, kind: str = "", owner: str = "", namespace: str = "default", node_name: str = "n", **labels: str
) -> Manifest:
    references = [{"apiVersion": "x/v1", "kind": kind, "name": owner, "uid": "1", "controller": True}] if kind else []
    return {
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "labels": labels, "ownerReferences": references},
        "spec": {"nodeName": node_name, "containers": [{"name": "x"}]},
        "status": {"phase": "Running" if node_name else "Pending"},
    }


def read(*objects: Manifest, planned: tuple[str, ...] = ()) -> LiveCluster:
    return LiveCluster.read(objects, Cluster.read(objects, registry=AWS), planned)


def only(*objects: Manifest, planned: tuple[str, ...] = ()) -> LiveNode:
    (live,) = read(*objects, planned=planned).nodes
    return live


@pytest.mark.parametrize(
    ("of", "planned", "workload"),
    [
        (pod("web-6d4-x", "ReplicaSet", "web-6d4", **{"pod-template-hash": "6d4"}), (), "deployment/web"),
        (pod("web-6d4-x", "ReplicaSet", "web-6d4", **{"rollouts-pod-template-hash": "6d4"}), (), "rollout/web"),
        (pod("web-6d4-x", "ReplicaSet", "web-6d4", **{"pod-template-hash": "999"}), (), "replicaset/web-6d4"),
        (pod("web-6d4-x", "ReplicaSet", "web-6d4"), ("deployment/web",), "deployment/web"),
        (
            pod("web-6d4-x", "ReplicaSet", "web-6d4", **{"pod-template-hash": "6d4"}),
            ("replicaset/web-6d4",),
            "replicaset/web-6d4",
        ),
        (pod("db-0", "StatefulSet", "db", "shop"), (), "shop/statefulset/db"),
        (pod("load-2900-x", "Job", "load-2900"), (), "job/load-2900"),
        (pod("load-2900-x", "Job", "load-2900"), ("cronjob/load",), "cronjob/load"),
        (pod("q-server-0", "StatefulSet", "q-server"), ("rabbitmqcluster/q",), "rabbitmqcluster/q"),
        (pod("q-server-0", "StatefulSet", "q-server", "shop"), ("rabbitmqcluster/q",), "shop/statefulset/q-server"),
        (pod("alone"), (), "pod/alone"),
        (pod("web-6d4-x", "ReplicaSet", "web-6d4"), ("pod/web-6d4-x",), "pod/web-6d4-x"),
    ],
)
def test_a_pod_belongs_to_the_workload_that_the_plan_has(of, planned, workload):
    assert only(node(**JOINED), claim(), of, planned=planned).pods == {workload: 1}


def test_pods_of_daemon_sets_and_pods_that_have_ended_do_not_count():
    ended = pod("done", "Job", "load")
    ended["status"]["phase"] = "Succeeded"
    live = only(node(**JOINED), claim(), pod("log-x", "DaemonSet", "log", "kube-system"), ended)
    assert (live.pods, live.daemons) == ({}, {"kube-system/daemonset/log"})


def test_pods_without_a_node_wait():
    cluster = read(
        node(**JOINED), claim(), pod("web-0", "StatefulSet", "web", node_name=""), pod("log", "DaemonSet", "log", node_name="")
    )
    assert cluster.waiting == {"statefulset/web": 1}


@pytest.mark.parametrize(
    ("objects", "state", "reason"),
    [
        ([node(**JOINED), claim(("Initialized", "True", "Initialized"))], LiveState.READY, ""),
        (
            [node(**{"karpenter.sh/registered": "true"}), claim(("Initialized", "False", "NodeNotReady"))],
            LiveState.NOT_INITIALIZED,
            "NodeNotReady",
        ),
        ([claim(("Registered", "Unknown", "NodeNotFound"))], LiveState.NOT_REGISTERED, "NodeNotFound"),
        (
            [claim(("Launched", "False", "InsufficientCapacityError"), provider_id="")],
            LiveState.NOT_LAUNCHED,
            "InsufficientCapacityError",
        ),
        ([claim(provider_id="")], LiveState.NOT_LAUNCHED, ""),
        ([node(**JOINED), claim(("DisruptionReason", "True", "Drifted"), deletionTimestamp=AT)], LiveState.ENDING, "Drifted"),
    ],
)
def test_a_node_says_how_far_it_has_come(objects, state, reason):
    live = only(*objects)
    assert (live.state, live.reason) == (state, reason)
    assert (live.claim, live.node_pool, live.is_of_karpenter) == ("general-x", "general", True)


def test_a_node_without_a_claim_is_not_karpenters():
    live = only({"kind": "Node", "metadata": {"name": "own"}, "spec": {"providerID": "aws:///i-2"}})
    assert (live.is_of_karpenter, live.is_of_aws, live.state) == (False, True, LiveState.READY)
