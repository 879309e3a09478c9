"""From the objects of a cluster to what a pass reads: nodes as they are judged, pods that count, pods that move (4, 5.3)."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist.core.annotations import DO_NOT_DISRUPT
from cutlist.core.errors import Problems
from cutlist.core.instants import instant
from cutlist.core.labels import HOSTNAME, INITIALIZED, INSTANCE_TYPE, NODEPOOL, REGISTERED
from cutlist.core.notes import Notes
from cutlist.core.quantity import NANO, amounts
from cutlist.core.taints import NO_SCHEDULE, Taint
from cutlist.documents.parsing import given_documents
from cutlist.scheduling.existingnode import counted_limits
from cutlist.state.checks import check_cluster
from cutlist.state.cluster import Cluster
from cutlist.state.scheduling_node import SchedulingNode, usage
from cutlist.state.statuses import with_readable_statuses
from tests.conformance.provisionable import is_provisionable

NOW = instant("2026-01-01T00:00:00Z") or 0
READY = {REGISTERED: "true", INITIALIZED: "true"}
GOING = {"deletionTimestamp": "2025-12-31T23:59:00Z"}
CAPACITY = {"cpu": "4", "memory": "8Gi", "pods": "10"}


def node(name: str = "n", *, allocatable: dict[str, str] | None = None, taints: Any = (), **labels: str) -> dict[str, Any]:
    reported = CAPACITY if allocatable is None else allocatable
    return {
        "kind": "Node",
        "metadata": {"name": name, "labels": {**READY, NODEPOOL: "default", INSTANCE_TYPE: "c-4", **labels}},
        "spec": {"providerID": f"aws:///{name}", "taints": list(taints)},
        "status": {"capacity": reported, "allocatable": reported},
    }


def node_claim(name: str = "n", *, labels: Any = (), spec: Any = (), **metadata: Any) -> dict[str, Any]:
    return {
        "kind": "NodeClaim",
        "metadata": {"name": f"{name}-claim", "labels": dict(labels), **metadata},
        "spec": dict(spec),
        "status": {"providerID": f"aws:///{name}", "capacity": CAPACITY, "allocatable": CAPACITY},
    }


def running(name: str = "p", on: str = "n", cpu: str = "1", *, phase: str = "Running", owner: str = "", **metadata: Any) -> Any:
    owners = [{"kind": owner, "name": owner.lower(), "uid": f"uid-{owner}", "controller": True}] if owner else []
    return {
        "kind": "Pod",
        "metadata": {"name": name, "ownerReferences": owners, **metadata},
        "spec": {"nodeName": on, "containers": [{"name": "main", "resources": {"requests": {"cpu": cpu}}}]},
        "status": {"phase": phase},
    }


def the_node(*objects: Any, marked: Any = ()) -> SchedulingNode:
    (node_read,) = Cluster.read(objects, marked=marked, now=NOW).nodes
    return node_read


def young(*lacking: str, **fields: Any) -> dict[str, Any]:
    manifest = node(**fields)
    for label in lacking:
        del manifest["metadata"]["labels"][label]
    return manifest


@pytest.mark.parametrize(
    "taint",
    [
        {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"},
        {"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"},
        {"key": "node.kubernetes.io/unreachable", "effect": "NoSchedule"},
        {"key": "node.cloudprovider.kubernetes.io/uninitialized", "effect": "NoSchedule", "value": "true"},
        {"key": "karpenter.sh/unregistered", "effect": "NoExecute"},
        {"key": "readiness.k8s.io/network", "effect": "NoSchedule"},
        {"key": "boot", "effect": "NoSchedule", "value": "other"},
    ],
)
def test_taints_of_a_starting_node_that_go_away_do_not_count(taint: dict[str, str]):
    """They count on a node that has been initialized; a startup taint goes by key and effect."""
    # S-57, S-58, S-59
    claim = node_claim(spec={"startupTaints": [{"key": "boot", "effect": "NoSchedule", "value": "yes"}]})
    assert the_node(young(INITIALIZED, taints=[taint]), claim).taints == ()
    assert the_node(node(taints=[taint]), claim).taints == (Taint.read(taint),)
    assert the_node(node(taints=[taint])).taints == (Taint.read(taint),)


@pytest.mark.parametrize(
    "taint",
    [
        {"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"},
        {"key": "boot", "effect": "NoExecute"},
        {"key": "dedicated", "effect": "NoSchedule"},
    ],
)
def test_other_taints_of_a_starting_node_count(taint: dict[str, str]):
    """Another effect is another taint."""
    # S-57, S-59
    claim = node_claim(spec={"startupTaints": [{"key": "boot", "effect": "NoSchedule"}]})
    assert the_node(young(INITIALIZED, taints=[taint]), claim).taints == (Taint.read(taint),)


def test_an_unregistered_node_is_judged_by_its_claim():
    """Name, labels and taints are the NodeClaim's; the Node's own are kept for what looks at the object."""
    # S-57
    claim = node_claim(labels={"team": "a"}, spec={"taints": [{"key": "mine", "effect": "NoSchedule"}]})
    node_read = the_node(young(REGISTERED, INITIALIZED, team="b"), claim)
    assert (node_read.name, node_read.node, node_read.labels, node_read.hostname) == ("n-claim", "n", {"team": "a"}, "n-claim")
    assert node_read.taints == (Taint("mine", NO_SCHEDULE),)
    assert node_read.own_labels["team"] == "b"


def test_a_claim_without_node_takes_part():
    """What is launched and not there yet can take pods, by what its NodeClaim promises."""
    # S-57, S-60
    node_read = the_node(node_claim())
    assert (node_read.name, node_read.node, node_read.initialized) == ("n-claim", "", False)
    assert node_read.available == amounts(CAPACITY)


def test_a_pod_that_has_no_name_yet_does_not_run():
    """Nothing with only a `generateName` is stored in a cluster."""
    unnamed = running()
    del unnamed["metadata"]["name"]
    assert len(Cluster.read([node(), running()]).pods) == 1
    assert Cluster.read([node(), unnamed]).pods == ()


def test_a_claim_that_is_not_launched_is_no_node():
    """Without provider id there is nothing to put a pod on."""
    claim = node_claim()
    del claim["status"]["providerID"]
    assert Cluster.read([claim]).nodes == ()


def test_what_a_starting_node_does_not_report_comes_from_its_claim():
    """Missing and zero amounts alike; an initialized node has what it says."""
    # S-60
    reported = {"cpu": "3", "memory": "0"}
    assert the_node(young(INITIALIZED, allocatable=reported), node_claim()).available == amounts({**CAPACITY, "cpu": "3"})
    assert the_node(node(allocatable=reported), node_claim()).available == amounts(reported)


def test_bound_pods_use_a_node_until_they_end():
    """Pods about to go still use it, ended ones do not."""
    pods = running("a"), running("b", **GOING), running("c", phase="Succeeded"), running("d", on="elsewhere")
    assert the_node(node(), node_claim(), *pods).available["cpu"] == 2 * NANO


def test_requests_of_daemons_are_told_apart():
    """They are part of the use of a node, and of what has been reserved for daemons."""
    # S-61
    node_read = the_node(node(), node_claim(), running("d", owner="DaemonSet"), running("p"))
    assert (node_read.available["cpu"], node_read.daemon_requests["cpu"]) == (2 * NANO, NANO)


def test_the_hostname_is_the_label_or_the_name():
    """A node without the label is called by its name."""
    assert the_node(node(**{HOSTNAME: "h"})).hostname == "h"
    assert the_node(node()).hostname == "n"


def test_limits_of_attached_volumes_come_from_the_csi_node():
    """A driver that names no count has no limit; what `allocatable` without a count means depends on Karpenter."""
    # S-64, V15-15
    drivers = [{"name": "disks", "allocatable": {"count": 2}}, {"name": "files"}, {"name": "blocks", "allocatable": {}}]
    csi = {"kind": "CSINode", "metadata": {"name": "n"}, "spec": {"drivers": drivers}}
    read = the_node(node(), csi)
    assert read.attach_limits == {"disks": 2, "files": None, "blocks": None}
    assert read.uncounted_drivers == {"blocks"}
    assert counted_limits(read) == {"disks": 2}


@pytest.mark.parametrize(
    "objects",
    [
        [node(), node_claim(**GOING)],
        [{**node(), "metadata": {"name": "n", **GOING}}],
    ],
)
def test_a_node_being_deleted_takes_no_pods(objects: list[Any]):
    """By its NodeClaim, or by itself where it has none."""
    # S-66
    assert the_node(*objects).removed


def test_a_marked_node_takes_no_pods_and_uses_no_limits():
    """Its capacity is not counted against the NodePool."""
    # S-66, S-69
    assert the_node(node(), node_claim(), marked=["n"]).removed
    cluster = Cluster.read([node("n"), node_claim("n"), node("m"), node_claim("m")], marked=["m"])
    assert usage(cluster.nodes) == {"default": {**amounts(CAPACITY), "nodes": NANO}}


def moving(*pods: Any) -> list[str]:
    return [p.name for p in Cluster.read([node(), node_claim(), *pods], marked=["n"], now=NOW).moving]


def test_pods_of_a_node_being_removed_move():
    """Not those of DaemonSets or of the node itself, nor ended ones."""
    # S-66
    assert moving(running("a"), running("b", owner="ReplicaSet"), running("c", on="elsewhere")) == ["a", "b"]
    assert moving(running("a", owner="DaemonSet"), running("b", owner="Node"), running("c", phase="Failed")) == []


def test_a_terminating_pod_moves_only_with_its_stateful_set():
    """A StatefulSet makes the new pod when the old one is removed, so it needs a place."""
    # S-66
    assert moving(running("a", owner="StatefulSet", **GOING), running("b", owner="ReplicaSet", **GOING)) == ["a"]


@pytest.mark.parametrize(
    ("value", "started", "moves"),
    [
        ("true", None, False),
        ("false", None, True),
        ("30m", None, False),
        ("30m", "2025-12-31T23:40:00Z", False),
        ("30m", "2025-12-31T23:30:00Z", True),
        ("1h30m", "2025-12-31T22:45:00Z", False),
        ("-5m", None, True),
    ],
)
def test_a_protected_pod_does_not_move(value: str, started: str | None, moves: bool):
    """Forever, or until so long after its start."""
    # S-66
    pod = running("a", annotations={DO_NOT_DISRUPT: value})
    pod["status"]["startTime"] = started
    assert bool(moving(pod)) is moves


@pytest.mark.parametrize(
    ("budget", "moves"),
    [
        ({"maxUnavailable": 0}, False),
        ({"maxUnavailable": "0%"}, False),
        ({"minAvailable": "100%"}, False),
        ({"minAvailable": 1}, True),
        ({"maxUnavailable": 1}, True),
        ({"maxUnavailable": 0, "selector": {"matchLabels": {"app": "other"}}}, True),
    ],
)
def test_a_pod_that_a_budget_never_lets_go_does_not_move(budget: dict[str, Any], moves: bool):
    """Only budgets that allow nothing ever, not those that are used up at the moment."""
    # S-66
    spec = {"selector": {"matchLabels": {"app": "web"}}, **budget}
    pdb = {"kind": "PodDisruptionBudget", "metadata": {"name": "b", "namespace": "default"}, "spec": spec}
    assert bool(moving(running("a", labels={"app": "web"}), pdb)) is moves


def test_two_budgets_on_one_pod_block_it():
    """Eviction refuses a pod that has two, whatever they allow."""
    spec = {"selector": {}, "maxUnavailable": 1}
    pdbs = [{"kind": "PodDisruptionBudget", "metadata": {"name": n, "namespace": "default"}, "spec": spec} for n in "ab"]
    assert moving(running("a"), *pdbs) == []


def test_pods_that_count_for_topology():
    """Ended pods and those that are placed again are out; those about to go only repel."""
    # S-99
    pods = running("a"), running("b", phase="Succeeded"), running("c", **GOING), running("d", on="m")
    cluster = Cluster.read([node(), node_claim(), node("m"), node_claim("m"), *pods], marked=["m"], now=NOW)
    assert [(p.node, p.counted) for p in cluster.bound] == [("n", True), ("n", False)]


def test_which_pods_wait_for_a_node():
    """Marked unschedulable, with no node in sight, and of no DaemonSet."""
    # S-41
    waiting = {"conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}]}
    assert is_provisionable({"metadata": {}, "status": waiting})
    assert not is_provisionable({"metadata": {}, "status": {}})
    assert not is_provisionable({"metadata": {}, "spec": {"nodeName": "n"}, "status": waiting})
    assert not is_provisionable({"metadata": {}, "status": {**waiting, "nominatedNodeName": "n"}})
    assert not is_provisionable({"metadata": {"ownerReferences": [{"kind": "DaemonSet"}]}, "status": waiting})


def test_a_node_of_karpenter_is_not_looked_at_before_its_type_is_known():
    """Until it is initialized, a node with a NodePool but without a type counts for nothing: its claim stands alone."""
    # S-60
    itself, claim = Cluster.read([young(INITIALIZED, INSTANCE_TYPE), node_claim()], now=NOW).nodes
    assert (itself.node, itself.in_pass, claim.node, claim.in_pass) == ("n", False, "", True)
    assert the_node(young(INSTANCE_TYPE), node_claim()).node == "n"
    assert the_node(young(INITIALIZED, INSTANCE_TYPE, NODEPOOL), node_claim()).node == "n"


# S-66
def test_a_moving_pod_counts_where_it_was_only_while_its_volumes_cannot_be_looked_up():
    """A pod that is placed again leaves topology, except where its claim is missing or has no name."""

    def counted(*volumes: Any) -> tuple[bool, bool]:
        pod = running("a")
        pod["spec"]["volumes"] = list(volumes)
        cluster = Cluster.read([node(), node_claim(), pod], marked=["n"], now=NOW)
        return bool(cluster.moving), bool(cluster.bound)

    assert counted() == (True, False)
    assert counted({"name": "v", "emptyDir": {}}) == (True, False)
    assert counted({"name": "v", "persistentVolumeClaim": {"claimName": "gone"}}) == (True, True)
    assert counted({"name": "v", "persistentVolumeClaim": {}}) == (True, True)


@pytest.mark.parametrize(
    ("allocatable", "said"),
    [
        ({"count": "25"}, "spec.drivers[0].allocatable.count: CSINode n: expected a whole number, found '25'"),
        (25, "spec.drivers[0].allocatable: CSINode n: expected a mapping, found 25"),
    ],
)
def test_how_many_volumes_a_node_attaches_is_a_number(allocatable: Any, said: str):
    driver = {"name": "ebs.csi.aws.com", "allocatable": allocatable}
    csi = {"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": "n"}, "spec": {"drivers": [driver]}}
    problems = Problems()
    check_cluster(given_documents([csi], "manifests", problems), problems)
    assert [str(problem).split(" ", 1)[1] for problem in problems.found] == [said]


@pytest.mark.parametrize("info", ["v1.33.1", {"kubeletVersion": 1.33}])
def test_the_version_of_a_node_that_is_none_is_passed_over(info: Any):
    reporting = {**node(), "apiVersion": "v1", "status": {"nodeInfo": info, "capacity": CAPACITY, "allocatable": CAPACITY}}
    notes = Notes()
    (kept,) = with_readable_statuses(given_documents([reporting], "manifests", Problems()), notes)
    assert not isinstance(kept.data["status"].get("nodeInfo"), str)
    assert "kubeletVersion" not in kept.data["status"].get("nodeInfo", {})
    assert "status.nodeInfo" in notes.all()[0].text
