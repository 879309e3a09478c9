"""Objects of a recording: what is read from them is what the simulation had."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from cutlist.core.labels import AWS, INITIALIZED, REGISTERED
from cutlist.core.quantity import amounts
from cutlist.core.requirement import Expression
from cutlist.core.taints import HostPort, Taint, Toleration
from cutlist.disruption.cluster_state import ClusterState, ControllerMemory
from cutlist.simulation.nodes import cordoned
from cutlist.simulation.recording.node_manifests import node_manifests
from cutlist.simulation.recording.pod_manifests import pod_manifest, running_pod_manifest
from cutlist.simulation.recording.scenario import changes_between, precise_text, provider_form, types_form
from cutlist.state.cluster import Cluster
from cutlist.state.pods import RunningPod
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.state.statenode import StateNode, state_nodes
from cutlist.workloads.pods import LabelSelector, PodClaim, PodTerm, Preference, Volume
from cutlist.workloads.read_pod import read_pod
from tests.conformance.scenario_types import inline_registry, read_type
from tests.unit.disruption.builders import LARGE, NOON, cluster, node, pool, runs, unmanaged
from tests.unit.disruption.claims import claim
from tests.unit.scheduling.builders import REGISTRY, machine, pod, selecting, spread

ZONE_A = Expression("topology.kubernetes.io/zone", "In", ("zone-a",))
PODS = {
    "plain": pod("1500m", "3Gi", labels={"app": "web"}, node_selector={"disk": "fast"}, priority=7),
    "node affinity": pod(required=((ZONE_A,), ()), preferred=(Preference(3, (Expression("size", "Gt", ("4",)),)),)),
    "fields": pod(required=((),), uses_match_fields=True),
    "rules": pod(
        spread=(spread(min_domains=2, match_label_keys=("hash",), node_taints_policy="Honor"), spread("rack", selector=None)),
        affinity=(PodTerm("rack", LabelSelector(), frozenset({"b", "a"}), selecting(team="red")),),
        anti_affinity=(PodTerm("rack", LabelSelector(expressions=(Expression("app", "Exists"),))),),
        preferred_affinity=(PodTerm("rack", weight=5),),
        preferred_anti_affinity=(PodTerm("rack", selecting(app="web"), weight=1),),
    ),
    "tolerations": pod(tolerations=(Toleration(operator="Exists"), Toleration("team", "", "red", "NoExecute"), Toleration())),
    "ports": pod(host_ports=frozenset({HostPort("0.0.0.0", 80, "TCP"), HostPort("10.0.0.1", 53, "UDP")})),  # noqa: S104
    "more resources": pod("0", more={"nvidia.com/gpu": "2", "example.com/slot": "0"}),
    "devices": pod(
        uses_dynamic_resources=True, resource_claims=(PodClaim("a", claim="shared"), PodClaim("b", template="one-gpu"))
    ),
    "volumes": pod(volumes=(Volume("data"), Volume("scratch", ephemeral=True, storage_class="fast"))),
}


@pytest.mark.parametrize("name", PODS)
def test_a_pod_is_read_back(name):
    template = PODS[name]
    assert read_pod(pod_manifest(template, "web-0")) == template


def test_the_claims_of_a_stateful_set_are_named_after_its_pods():
    written = pod_manifest(pod(volumes=(Volume("data", per_replica=True),)), "db-1")
    assert read_pod(written).volumes == (Volume("data-db-1"),)


RUNNING = runs(
    "web-0",
    "1",
    "StatefulSet",
    node="a",
    created=NOON - 90,
    terminating=True,
    deletion_timestamp=NOON + 30,
    do_not_disrupt="20m",
    deletion_cost="5",
    disruption_cost="",
    priority_class="system-node-critical",
    unready=True,
    grace=90,
)


@pytest.mark.parametrize("running", [RUNNING, runs("web-1", created=NOON), RunningPod("bare", pod(), created=NOON)])
def test_a_pod_of_a_cluster_is_read_back(running):
    """Whoever controls it is known by kind alone."""
    assert replace(RunningPod.read(running_pod_manifest(running)), controller=None) == running


GUEST = RunningPod("x", pod("250m", "1Gi"), "a", "x", NOON - 60, "Running", owners=frozenset({"ReplicaSet"}), started=NOON - 50)
UP = node("a", GUEST, of=LARGE, labels={REGISTERED: "true"}, created=NOON - 700, last_pod_event=NOON - 50)
CLAIMED = StateNode(
    SchedulingNode(
        "c", labels=claim("c").labels, initialized=False, capacity=amounts({"cpu": "2"}), available=amounts({"cpu": "1"})
    ),
    claim("c", termination_grace_period="1h"),
)
TEAM = Taint("team", "NoExecute")
STARTING = replace(
    UP,
    state=replace(
        UP.state,
        initialized=False,
        labels={k: v for k, v in UP.state.labels.items() if k != INITIALIZED},
        own_labels={k: v for k, v in UP.state.own_labels.items() if k != INITIALIZED},
        own_taints=(
            Taint("boot", "NoSchedule"),
            Taint("node.kubernetes.io/not-ready", "NoSchedule"),
            Taint("team", "NoExecute"),
        ),
        taints=(Taint("team", "NoExecute"),),
    ),
)
NODES = {
    "up": UP,
    "with limits of volumes": replace(
        UP,
        state=replace(UP.state, attach_limits={"a": 3, "b": None, "c": None}, uncounted_drivers=frozenset({"c"})),
    ),
    "starting": STARTING,
    "only claimed": CLAIMED,
    "deleted": cordoned(node("a", labels={REGISTERED: "true"}, deleted=NOON)),
    "not of Karpenter": unmanaged("u", GUEST),
}


@pytest.mark.parametrize("name", NODES)
def test_a_node_is_read_back(name):
    original = NODES[name]
    pods = [replace(p, node=original.name) for p in original.pods]
    objects = [*node_manifests(original, {"default": pool()}), *map(running_pod_manifest, pods)]
    [read] = state_nodes(Cluster.read(json.loads(json.dumps(objects)), now=NOON))
    assert read.state == original.state
    assert [replace(p, controller=None) for p in read.pods] == pods
    assert (read.annotations, read.ready, read.created) == (original.annotations, original.ready, original.created)
    if original.claim is not None:
        assert read.claim is not None
        since = {k: (c.status, c.since) for k, c in original.claim.conditions.items()}
        assert {k: (c.status, c.since) for k, c in read.claim.conditions.items()} == since
        assert replace(read.claim, conditions=original.claim.conditions) == original.claim


def test_types_and_what_a_provider_registers_are_read_back():
    """Also a price that nobody knows, and what only some offerings have."""
    machines = [machine("two", 2, overhead={"cpu": "100m", "memory": "1Gi"}), machine("four", 4, available=False)]
    odd = (
        machines[0]
        .offerings[0]
        ._replace(price=None, reservation_capacity=3, capacity_override=amounts({"example.com/slot": "1"}))
    )
    types = [replace(machines[0], offerings=(odd, *machines[0].offerings[1:]), attach_limits={"disk": 4}), machines[1]]
    assert list(map(read_type(REGISTRY), json.loads(json.dumps(types_form(types))))) == types
    for registry in (REGISTRY, AWS):
        assert inline_registry(json.dumps(provider_form(registry))) == registry


def test_a_clock_keeps_its_milliseconds():
    assert precise_text(NOON) == "2026-01-05T12:00:00Z"
    assert precise_text(NOON + 0.25) == "2026-01-05T12:00:00.250Z"


WEB = runs("web-1", node="a")
WAITS = RunningPod("web-2", pod(labels={"app": "web"}), created=NOON)
BEFORE = cluster(node("a"), node("b"), node("c"), controller_memory=ControllerMemory(queued=frozenset({"b"})))


def later(*nodes: StateNode, **memory: Any) -> ClusterState:
    """The cluster 15 seconds later, with other nodes and another memory; its NodePools are the same."""
    return replace(BEFORE, now=NOON + 15.25, nodes=list(nodes), controller_memory=ControllerMemory(**memory))


def test_what_changes_until_a_validation_is_said():
    """A pod is bound, another one comes, and a node disappears; one that is as it was is not named."""
    after = later(node("a", WEB), node("b"), queued=frozenset({"b"}), nominated={"a": NOON + 3})
    change = changes_between((BEFORE, [replace(WEB, node="", phase="")]), (after, [WAITS]))
    assert change is not None
    assert [(o["kind"], o["metadata"]["name"]) for o in change["apply"]] == [("Pod", "web-1"), ("Pod", "web-2")]
    assert [o["spec"].get("nodeName") for o in change["apply"]] == ["a", None]
    assert change["apply"][1]["status"]["conditions"][0]["reason"] == "Unschedulable"
    assert change["delete"] == [{"kind": "NodeClaim", "name": "c"}, {"kind": "Node", "name": "c"}]
    assert (change["delay"], change["nominated"]) == ("15.250s", ["a"])
    assert "marked" not in change


def test_nodes_that_are_about_to_be_removed_are_marked():
    after = later(node("a", removed=True), node("b"), node("c"), queued=frozenset({"b"}))
    assert changes_between((BEFORE, ()), (after, ()))["marked"] == ["a"]


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(later(*BEFORE.nodes), id="a command failed, and its node stays"),
        pytest.param(later(*BEFORE.nodes, queued=frozenset({"b"}), buffered={"a": 1}), id="buffers hold another node"),
        pytest.param(replace(later(*BEFORE.nodes, queued=frozenset({"b"})), pools={}), id="another NodePool"),
    ],
)
def test_what_a_scenario_cannot_say_is_left_out(after):
    assert changes_between((BEFORE, ()), (after, ())) is None
