"""What `kubectl get -o json` prints: controllers with their children, pods with their nodes. Nothing is counted twice."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cutlist.core.errors import Problems
from cutlist.documents.parsing import parse_documents
from cutlist.workloads.read import Workloads, read_workloads
from tests.unit.workloads.reading import notes, only


def thing(
    kind: str, name: str, owner: tuple[str, str] | None = None, *, labels: dict[str, str] | None = None, **more: Any
) -> dict[str, Any]:
    version = "v1" if kind in ("Pod", "Node") else "batch/v1" if kind in ("Job", "CronJob") else "apps/v1"
    metadata: dict[str, Any] = {"name": name, "namespace": "default", "uid": f"{kind}-{name}", "labels": labels or {}}
    if owner:
        metadata["ownerReferences"] = [
            {"apiVersion": "apps/v1", "kind": owner[0], "name": owner[1], "uid": "-".join(owner), "controller": True}
        ]
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **more}


def spec(cpu: str = "1", **more: Any) -> dict[str, Any]:
    return {"containers": [{"name": "main", "resources": {"requests": {"cpu": cpu}}}], **more}


def replicated(kind: str, name: str, replicas: int, owner: tuple[str, str] | None = None) -> dict[str, Any]:
    return thing(kind, name, owner, spec={"replicas": replicas, "template": {"metadata": {}, "spec": spec()}})


def pod(
    name: str, owner: tuple[str, str] | None = None, node: str | None = None, phase: str = "Pending", **more: Any
) -> dict[str, Any]:
    return thing("Pod", name, owner, spec=spec(**({"nodeName": node} if node else {})), status={"phase": phase}, **more)


def listed(*items: dict[str, Any]) -> Workloads:
    problems = Problems()
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": items})
    workloads = read_workloads(parse_documents(text, "live.json", problems), problems)
    assert not problems.found
    return workloads


NODE = thing("Node", "node-a", spec={}, status={})


def test_a_deployment_speaks_for_its_replica_sets_and_pods():
    """Three pods are three pods, on whichever floor they are listed."""
    workloads = listed(
        replicated("Deployment", "web", 3),
        replicated("ReplicaSet", "web-5d4f", 3, ("Deployment", "web")),
        replicated("ReplicaSet", "web-old", 0, ("Deployment", "web")),
        *(pod(f"web-5d4f-{i}", ("ReplicaSet", "web-5d4f")) for i in range(3)),
    )
    assert (only(workloads).workload, only(workloads).count) == ("deployment/web", 3)


def test_pods_find_their_deployment_without_the_replica_set():
    """`kubectl get deployments,pods` leaves the floor between out."""
    workloads = listed(
        replicated("Deployment", "web", 1), pod("web-5d4f-x", ("ReplicaSet", "web-5d4f"), labels={"pod-template-hash": "5d4f"})
    )
    assert only(workloads).workload == "deployment/web"


def test_pods_on_given_nodes_are_placed_and_leave_the_count():
    """Two of three run; one still needs a place."""
    workloads = listed(
        NODE,
        replicated("Deployment", "web", 3),
        replicated("ReplicaSet", "web-5d4f", 3, ("Deployment", "web")),
        *(pod(f"web-5d4f-{i}", ("ReplicaSet", "web-5d4f"), "node-a", "Running") for i in range(2)),
        pod("web-5d4f-2", ("ReplicaSet", "web-5d4f")),
    )
    assert (only(workloads).count, only(workloads).bound) == (1, 2)
    assert next((b.name, b.node, b.owner) for b in workloads.bound) == ("web-5d4f-0", "node-a", ("ReplicaSet", "web-5d4f"))


def test_without_the_nodes_a_listed_controller_is_planned_anew():
    """Where its pods run is unknown then, so all of them need a place."""
    workloads = listed(replicated("ReplicaSet", "web", 2), pod("web-0", ("ReplicaSet", "web"), "node-z", "Running"))
    assert (only(workloads).count, only(workloads).bound, workloads.bound) == (2, 0, ())
    assert notes(workloads)["node-not-given"] == [
        "running on nodes that are not in the input, and planned again: replicaset/web"
    ]


def test_a_running_replica_of_a_stateful_set_keeps_its_ordinal():
    """The one in the middle runs; the first and the last are to be placed."""
    workloads = listed(NODE, replicated("StatefulSet", "db", 3), pod("db-1", ("StatefulSet", "db"), "node-a", "Running"))
    assert [(g.first, g.count) for g in workloads.groups] == [(0, 1), (2, 1)]
    assert sum(g.bound for g in workloads.groups) == 1


def test_pending_pods_of_an_unlisted_controller_are_one_group():
    """Grouped under their owner's name when that is all there is."""
    workloads = listed(*(pod(f"web-5d4f-{i}", ("ReplicaSet", "web-5d4f")) for i in range(4)))
    assert (only(workloads).workload, only(workloads).count) == ("replicaset/web-5d4f", 4)


def test_single_pods_with_a_node_are_bound_and_without_one_a_group():
    """A pod on its own is a workload on its own."""
    workloads = listed(NODE, pod("here", node="node-a", phase="Running"), pod("nowhere"))
    assert only(workloads).workload == "pod/nowhere"
    assert [b.name for b in workloads.bound] == ["here"]


def test_a_single_pod_on_a_node_that_was_not_given_is_noted():
    """It is not planned again, and the plan says so."""
    workloads = listed(pod("here", node="node-z", phase="Running"))
    assert not workloads.groups
    assert notes(workloads)["node-not-given"] == ["running on nodes that are not in the input, and left out: pod/here"]


def test_finished_pods_take_no_room():
    """Succeeded and failed pods stay listed for a while."""
    workloads = listed(NODE, pod("done", node="node-a", phase="Succeeded"), pod("lost", phase="Failed"))
    assert not workloads.groups
    assert not workloads.bound


def test_a_cron_job_speaks_for_its_jobs():
    """Whether the job is listed or only its pod."""
    template = {"template": {"metadata": {}, "spec": spec()}}
    cron = thing("CronJob", "nightly", spec={"schedule": "@daily", "jobTemplate": {"spec": template}})
    job = thing("Job", "nightly-28", ("CronJob", "nightly"), spec=template, status={})
    assert only(listed(cron, job, pod("nightly-28-x", ("Job", "nightly-28")))).workload == "cronjob/nightly"
    assert only(listed(cron, pod("nightly-28-x", ("Job", "nightly-28")))).workload == "cronjob/nightly"


def test_a_daemon_is_taken_from_its_newest_pod():
    """As Karpenter does: the pod that runs may ask for more than the template."""
    # S-40
    daemon = thing("DaemonSet", "agent", spec={"template": {"metadata": {}, "spec": spec("100m")}})
    old, new = (
        pod("agent-a", ("DaemonSet", "agent"), "node-a", "Running"),
        pod("agent-b", ("DaemonSet", "agent"), "node-a", "Running"),
    )
    old["metadata"]["creationTimestamp"], new["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"
    new["spec"] = spec("300m", nodeName="node-a")
    (read,) = listed(NODE, daemon, new, old).daemons
    assert read.pod.requests["cpu"] == 300_000_000


def test_the_template_decides_where_a_daemon_may_run():
    """Its required affinity takes the place of the pin that each daemon pod gets."""
    # S-40
    terms = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "k", "operator": "Exists"}]}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}
    daemon = thing("DaemonSet", "agent", spec={"template": {"metadata": {}, "spec": spec(affinity=affinity)}})
    running = pod("agent-a", ("DaemonSet", "agent"), "node-a", "Running")
    pin = {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-a"]}]}]}
    running["spec"]["affinity"] = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": pin}}
    (read,) = listed(NODE, daemon, running).daemons
    assert [e.key for term in read.pod.required or () for e in term] == ["k"]
    assert not read.pod.uses_match_fields


def test_pods_of_a_daemon_set_that_was_not_given_are_noted():
    """What it would take of new nodes is missing from the plan."""
    workloads = listed(NODE, pod("agent-a", ("DaemonSet", "agent"), "node-a", "Running"))
    text = "pods are in the input, but not their DaemonSet, so new nodes are planned without it: daemonset/agent"
    assert notes(workloads) == {"daemonset-not-given": [text]}
    assert workloads.bound[0].owner == ("DaemonSet", "agent")


def test_what_is_being_deleted_needs_no_place():
    """A controller on its way out makes no pods any longer."""
    leaving = replicated("Deployment", "web", 3)
    leaving["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    assert not listed(leaving).groups


@pytest.mark.parametrize(
    ("replica_set", "labels", "workload"),
    [
        ("api-6b7f5c9d4", {}, "deployment/api"),
        ("api-6b7f5c9d4", {"pod-template-hash": "6b7f5c9d4"}, "deployment/api"),
        ("api-6b7f5c9d4", {"rollouts-pod-template-hash": "6b7f5c9d4"}, "rollout/api"),
        ("api-6b7f5c9d4", {"pod-template-hash": "other"}, "replicaset/api-6b7f5c9d4"),
        ("api-backend", {}, "replicaset/api-backend"),
    ],
)
def test_a_waiting_pod_alone_belongs_to_the_deployment_of_its_replica_set(
    replica_set: str, labels: dict[str, str], workload: str
) -> None:
    """By the hash of its template, in a label or else at the end of the ReplicaSet's name."""
    alone = pod(f"{replica_set}-x2x7q", ("ReplicaSet", replica_set), labels=labels)
    assert only(listed(alone)).workload == workload
