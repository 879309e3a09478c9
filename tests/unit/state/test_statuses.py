"""The status of stored objects is data of others: whatever it holds, the objects are read."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist.api.read import read_objects
from cutlist.core.errors import Problems
from cutlist.core.notes import Notes
from cutlist.documents.parsing import given_documents
from cutlist.infrastructure.readiness import unready_classes
from cutlist.state.checks import check_cluster
from cutlist.state.cluster import Cluster
from cutlist.state.statenode import all_state_nodes
from cutlist.state.statuses import with_readable_statuses
from cutlist.workloads.read import read_workloads
from tests.mutations import REMOVED, member_paths, mutated

TIME = "2026-01-05T12:00:00Z"
CONDITIONS = [{"type": "Ready", "status": "True", "reason": "Ready", "message": "", "lastTransitionTime": TIME}]
CONTAINERS = [{"name": "a", "image": "a", "resources": {"requests": {"cpu": "1"}}}]
TEMPLATE = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": CONTAINERS}}
REQUIREMENTS = [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}]
RESERVATION = {
    "id": "cr-0123456789abcdef0",
    "instanceType": "m5.large",
    "availabilityZone": "us-west-2a",
    "ownerID": "111122223333",
    "instanceMatchCriteria": "open",
    "reservationType": "default",
    "state": "active",
    "availableInstanceCount": 2,
}
CLASS_SPEC = {
    "role": "r",
    "amiSelectorTerms": [{"alias": "al2023@latest"}],
    "subnetSelectorTerms": [{"tags": {"a": "b"}}],
    "securityGroupSelectorTerms": [{"tags": {"a": "b"}}],
}
POOL_SPEC = {
    "template": {
        "spec": {
            "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "c"},
            "requirements": REQUIREMENTS,
        }
    }
}
LABELS = {"karpenter.sh/nodepool": "p", "karpenter.sh/registered": "true", "node.kubernetes.io/instance-type": "m5.large"}


def stored(version: str, kind: str, name: str, spec: dict[str, Any], status: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}, "spec": spec, "status": status}


OBJECTS = [
    stored("karpenter.sh/v1", "NodePool", "p", POOL_SPEC, {"conditions": CONDITIONS, "resources": {"cpu": "4"}, "nodes": 1}),
    stored(
        "karpenter.k8s.aws/v1",
        "EC2NodeClass",
        "c",
        CLASS_SPEC,
        {
            "conditions": CONDITIONS,
            "subnets": [{"id": "subnet-1", "zone": "us-west-2a", "zoneID": "usw2-az1"}],
            "securityGroups": [{"id": "sg-1", "name": "a"}],
            "amis": [{"id": "ami-1", "name": "x", "requirements": REQUIREMENTS, "deprecated": False}],
            "capacityReservations": [RESERVATION],
            "instanceProfile": "p",
        },
    ),
    stored("apps/v1", "Deployment", "d", {"template": TEMPLATE}, {"replicas": 2, "conditions": CONDITIONS}),
    stored("batch/v1", "Job", "j", {"template": TEMPLATE}, {"succeeded": 0, "conditions": CONDITIONS}),
    stored("v1", "PersistentVolumeClaim", "c", {"volumeName": "v"}, {"phase": "Bound", "capacity": {"storage": "1Gi"}}),
    stored("v1", "PersistentVolume", "v", {"csi": {"driver": "ebs.csi.aws.com"}}, {"phase": "Bound"}),
    stored("policy/v1", "PodDisruptionBudget", "b", {"selector": {}}, {"disruptionsAllowed": 1, "conditions": CONDITIONS}),
    stored("argoproj.io/v1alpha1", "Rollout", "r", {"template": TEMPLATE}, {"phase": "Healthy", "conditions": CONDITIONS}),
    stored(
        "v1",
        "Pod",
        "a",
        {"containers": CONTAINERS, "nodeName": "n"},
        {
            "phase": "Running",
            "startTime": TIME,
            "conditions": CONDITIONS,
            "containerStatuses": [
                {"name": "a", "resources": {"requests": {"cpu": "2"}}, "allocatedResources": {"cpu": "1"}, "state": {}}
            ],
        },
    ),
]
CAPACITY = {"capacity": {"cpu": "4", "memory": "8Gi", "pods": "20"}, "allocatable": {"cpu": "4", "memory": "7Gi", "pods": "20"}}
NODE = stored("v1", "Node", "n", {"providerID": "aws:///a/i-1"}, {**CAPACITY, "conditions": CONDITIONS})
CLAIM = stored(
    "karpenter.sh/v1",
    "NodeClaim",
    "p-1",
    POOL_SPEC["template"]["spec"],
    {**CAPACITY, "conditions": CONDITIONS, "providerID": "aws:///a/i-1", "lastPodEventTime": TIME, "nodeName": "n"},
)
for node in (NODE, CLAIM):
    node["metadata"] |= {"labels": LABELS, "creationTimestamp": TIME}
EVERYTHING = [*OBJECTS, NODE, CLAIM]
JUNK = ("text", 7, True, None, ["a"], [None], {}, {"a": "b"}, {"a": None})


def read(objects: list[dict[str, Any]]) -> tuple[list[str], Notes]:
    """Read objects as a cluster, in every way that looks at their status."""
    problems, notes = Problems(), Notes()
    documents = with_readable_statuses(given_documents(objects, "objects", problems), notes)
    read_workloads(read_objects(documents, problems).rest, problems, notes)
    check_cluster(documents, problems)
    if not problems:
        all_state_nodes(Cluster.read(d.data for d in documents))
    unready_classes(d.data for d in documents)
    return [str(problem) for problem in problems.found], notes


def test_what_is_right_is_left_as_it_is():
    """The very same documents, and no note."""
    documents = given_documents(EVERYTHING, "objects", Problems())
    assert [after is before for after, before in zip(with_readable_statuses(documents), documents, strict=True)] == [True] * 11
    assert read(EVERYTHING)[0] == []
    assert "status-passed-over" not in {note.code for note in read(EVERYTHING)[1].all()}


@pytest.mark.sampled(one_in=4)
@pytest.mark.slow
@pytest.mark.parametrize("index", range(len(EVERYTHING)), ids=[o["kind"] for o in EVERYTHING])
def test_any_status_is_read(index: int):
    """Each member removed, or in its place a text, a number, a list, a mapping: the objects are read anyway.

    Only amounts and times of nodes are reported, for plans and forecasts rest on them.
    """
    for path in member_paths(EVERYTHING[index]["status"], ("status",)):
        for junk in (*JUNK, REMOVED):
            objects = [*EVERYTHING[:index], mutated(EVERYTHING[index], path, junk), *EVERYTHING[index + 1 :]]
            problems = read(objects)[0]
            counts = path[1:2] in ((), ("capacity",), ("allocatable",)) and EVERYTHING[index] in (NODE, CLAIM)
            assert problems == [] or counts or str(path[-1]).endswith("Time"), (path, junk, problems)


def test_what_was_passed_over_is_named():
    """With the object, and the rest of its status stays."""
    broken = mutated(OBJECTS[1], ("status", "conditions"), "text")
    notes = Notes()
    (document,) = with_readable_statuses(given_documents([broken], "objects", Problems()), notes)
    assert document.data["status"].keys() == OBJECTS[1]["status"].keys() - {"conditions"}
    (note,) = notes.all()
    assert note.text == "parts of the status do not belong to the kind, and are ignored: ec2nodeclass/c status.conditions"


@pytest.mark.parametrize(
    ("whole", "path", "said"),
    [
        (NODE, ("status", "allocatable", "cpu"), "Node n: 'x' is not a quantity"),
        (CLAIM, ("status", "capacity", "cpu"), "NodeClaim {name}: 'x' is not a quantity"),
        (CLAIM, ("status", "lastPodEventTime"), "NodeClaim {name}: 'x' is not a time"),
    ],
)
def test_amounts_and_times_of_nodes_are_reported_with_the_object(whole: dict[str, Any], path: tuple[str, ...], said: str):
    """A snapshot is one long file: a line alone says little."""
    problems, _ = read([mutated(whole, path, "x")])
    assert len(problems) == 1
    assert said.format(name=CLAIM["metadata"]["name"]) in problems[0]
