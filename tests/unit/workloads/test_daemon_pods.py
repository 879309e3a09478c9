"""Which pod stands for a DaemonSet."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist.core.quantity import NANO
from cutlist.workloads.owners import daemon_pod
from cutlist.workloads.pods import REQUIRED, Pod
from cutlist.workloads.read_pod import read_pod

AGENT = {"kind": "DaemonSet", "metadata": {"name": "agent", "uid": "uid-agent"}}
PLAIN = read_pod({"spec": {}})


def running(cpu: str, created: str, *, kind: str = "DaemonSet", uid: str = "uid-agent", **metadata: Any) -> dict[str, Any]:
    """A pod that runs for the agent since a day of January."""
    owner = {"kind": kind, "name": "agent", "uid": uid, "controller": True}
    return {
        "kind": "Pod",
        "metadata": {"ownerReferences": [owner], "creationTimestamp": f"2026-01-{created}T00:00:00Z", **metadata},
        "spec": {"nodeName": "n", "containers": [{"name": "main", "resources": {"requests": {"cpu": cpu}}}]},
    }


def agent(*pods: dict[str, Any], template: Pod = PLAIN) -> Pod:
    return daemon_pod(AGENT, template, pods)


# S-40
def test_a_daemon_looks_like_its_newest_pod():
    """Whatever the order in which they are given, and whatever newer pods others have."""
    old, new, other = running("1", "01"), running("2", "02"), running("3", "03", kind="ReplicaSet")
    for pods in ((old, new, other), (other, new, old)):
        assert agent(*pods).requests["cpu"] == 2 * NANO
        assert agent(*pods).required is None


# S-40
def test_a_required_affinity_of_the_template_takes_the_place_of_the_pods_own():
    """That of the pod only pins it to its node."""
    terms = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "gpu", "operator": "Exists"}]}]}
    choosy = read_pod({"spec": {"affinity": {"nodeAffinity": {REQUIRED: terms}}}})
    pinned = running("2", "02")
    pin = {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}]}]}
    pinned["spec"]["affinity"] = {"nodeAffinity": {REQUIRED: pin}}
    daemon = agent(pinned, template=choosy)
    assert (daemon.required, daemon.requests["cpu"]) == (choosy.required, 2 * NANO)
    assert not daemon.uses_match_fields


@pytest.mark.parametrize("stranger", [{"uid": "uid-of-an-earlier-one"}, {"namespace": "other"}, {"kind": "StatefulSet"}])
def test_pods_of_others_do_not_count(stranger):
    """Those of an earlier DaemonSet of the name are recognised by their owner's uid."""
    assert agent(running("2", "02", **stranger)) is PLAIN


@pytest.mark.parametrize("uid", ["", "uid-agent"])
def test_without_a_uid_the_name_tells(uid):
    """A manifest from a file has none."""
    written = {"kind": "DaemonSet", "metadata": {"name": "agent", **({"uid": uid} if uid else {})}}
    assert daemon_pod(written, PLAIN, [running("2", "02")]).requests["cpu"] == 2 * NANO
