"""What the API server adds to a pod before it is stored."""

from __future__ import annotations

import pytest

from cutlist.core.quantity import MEBI, NANO
from cutlist.core.taints import HostPort, Toleration
from tests.unit.workloads.reading import attempt, controller, notes, only, read

LIMITED = "containers: [{name: main, resources: {requests: {cpu: 100m}, limits: {cpu: 1, memory: 64Mi}}}]"


def limit_range(limits: str, namespace: str = "default") -> str:
    return f"apiVersion: v1\nkind: LimitRange\nmetadata: {{name: range, namespace: {namespace}}}\nspec: {{limits: [{limits}]}}"


def test_a_limit_becomes_a_missing_request_resource_by_resource():
    """The cpu request that is written stays, the memory limit is the memory request."""
    assert only(read(controller(pod=LIMITED))).pod.requests == {"cpu": NANO // 10, "memory": 64 * MEBI, "pods": NANO}


def test_limits_of_init_containers_become_requests_too():
    """An init container with a limit alone asks for it."""
    pod = "initContainers: [{name: init, resources: {limits: {cpu: 3}}}]\ncontainers: [{name: main}]"
    assert only(read(controller(pod=pod))).pod.requests["cpu"] == 3 * NANO


def test_a_pod_level_limit_becomes_the_request_when_no_container_asks():
    """Memory is asked for by nobody, so the pod's limit stands in; cpu is asked for by the container."""
    pod = """
        resources: {limits: {cpu: 4, memory: 1Gi}}
        containers: [{name: main, resources: {requests: {cpu: 500m}}}]
    """
    assert only(read(controller(pod=pod))).pod.requests == {"cpu": NANO // 2, "memory": 1024 * MEBI, "pods": NANO}


def test_live_pods_are_left_as_they_are():
    """A pod with a status has been through admission: its limit is not a request."""
    pod = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nspec: {{{LIMITED}}}\nstatus: {{phase: Pending}}"
    assert only(read(pod)).pod.requests == {"cpu": NANO // 10, "pods": NANO}


def test_limit_range_fills_in_what_a_container_leaves_open():
    """Requests from defaultRequest, and only in the LimitRange's own namespace."""
    ranges = limit_range("{type: Container, defaultRequest: {cpu: 200m, memory: 1Mi}, default: {cpu: 1}}")
    bare = "containers: [{name: a}, {name: b, resources: {requests: {cpu: 1m}}}]"
    assert only(read(ranges, controller(pod=bare))).pod.requests == {
        "cpu": 201 * NANO // 1000,
        "memory": 2 * MEBI,
        "pods": NANO,
    }
    assert only(read(ranges, controller(pod=bare, metadata="namespace: other"))).pod.requests == {
        "cpu": NANO // 1000,
        "pods": NANO,
    }


@pytest.mark.parametrize(
    ("entry", "cpu"),
    [
        ("default: {cpu: 2}", 2),
        ("max: {cpu: 3}", 3),
        ("min: {cpu: 1}", 1),
        ("min: {cpu: 1}, default: {cpu: 2}, max: {cpu: 3}", 2),
    ],
)
def test_limit_range_derives_the_request_it_does_not_name(entry: str, cpu: int):
    """A limit comes from the maximum, a request from the limit and else from the minimum."""
    ranges = limit_range(f"{{type: Container, {entry}}}")
    assert only(read(ranges, controller(pod="containers: [{name: a}]"))).pod.requests["cpu"] == cpu * NANO


def test_a_container_limit_comes_before_a_limit_range():
    """Defaulting runs before admission: the request is the limit, not defaultRequest."""
    ranges = limit_range("{type: Container, defaultRequest: {cpu: 200m}}")
    assert (
        only(read(ranges, controller(pod="containers: [{name: a, resources: {limits: {cpu: 1}}}]"))).pod.requests["cpu"] == NANO
    )


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("type: Container, max: {cpu: 100m}", "container main: its cpu request is above the limit that a LimitRange gives it"),
        (
            "type: Container, min: {cpu: 1}",
            "container main: the cpu request of 250m is below the minimum of 1 (LimitRange range)",
        ),
        ("type: Pod, max: {memory: 1Gi}", "memory needs a limit of at most 1Gi (LimitRange range)"),
    ],
)
def test_a_pod_that_a_limit_range_refuses_is_a_warning(entry: str, reason: str):
    """The pods would never be made; the plan says so and goes on."""
    texts = notes(read(limit_range(f"{{{entry}}}"), controller()))["limit-range"]
    assert f"pods will be refused, {reason}: deployment/web" in texts


def test_priority_comes_from_the_class():
    """By name, from the default class, or from Kubernetes' own classes."""
    high = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 1000"
    base = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: base}\nvalue: 10\nglobalDefault: true"
    pod = "priorityClassName: %s\ncontainers: [{name: a}]"
    assert only(read(high, base, controller(pod=pod % "high"))).pod.priority == 1000
    assert only(read(high, base, controller())).pod.priority == 10
    assert only(read(controller(pod=pod % "system-node-critical"))).pod.priority == 2_000_001_000


def test_an_unknown_priority_class_is_an_assumption():
    """The cluster may know it; the nearest known name is offered."""
    high = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high-priority}\nvalue: 1000"
    workloads = read(high, controller(pod="priorityClassName: high-priorty\ncontainers: [{name: a}]"))
    text = "PriorityClass high-priorty is not in the input (did you mean high-priority?); priority 0 is assumed: deployment/web"
    assert notes(workloads)["priority-class-unknown"] == [text]


def test_a_runtime_class_adds_overhead_selector_and_tolerations():
    """What the sandbox costs, and where it may run."""
    runtime = """
        apiVersion: node.k8s.io/v1
        kind: RuntimeClass
        metadata: {name: kata}
        handler: kata
        overhead: {podFixed: {cpu: 250m, memory: 120Mi}}
        scheduling: {nodeSelector: {runtime: kata}, tolerations: [{key: kata, operator: Exists}]}
    """
    admitted = only(read(runtime, controller(pod="runtimeClassName: kata\ncontainers: [{name: a}]"))).pod
    assert admitted.requests == {"cpu": NANO // 4, "memory": 120 * MEBI, "pods": NANO}
    assert admitted.node_selector == {"runtime": "kata"}
    assert admitted.tolerations == (Toleration("kata", "Exists"),)


def test_an_unknown_runtime_class_is_an_assumption():
    """Its overhead cannot be known."""
    workloads = read(controller(pod="runtimeClassName: kata\ncontainers: [{name: a}]"))
    assert list(notes(workloads)) == ["runtime-class-unknown"]


def test_the_host_network_makes_container_ports_host_ports():
    """Two such pods never share a node."""
    pod = "hostNetwork: true\ncontainers: [{name: a, ports: [{containerPort: 9100}]}]"
    assert only(read(controller(pod=pod))).pod.host_ports == {HostPort("0.0.0.0", 9100, "TCP")}  # noqa: S104


def test_match_label_keys_of_affinity_become_part_of_the_selector():
    """As the API server merges them: the pod's own value is wanted, or not wanted."""
    pod = """
        affinity:
          podAntiAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
            - {topologyKey: zone, labelSelector: {}, matchLabelKeys: [app], mismatchLabelKeys: [absent]}
        containers: [{name: a}]
    """
    (term,) = only(read(controller(pod=pod))).pod.anti_affinity
    assert term.selector is not None
    assert [(e.key, e.operator, e.values) for e in term.selector.expressions] == [("app", "In", ("web",))]


def test_a_resource_that_kubernetes_does_not_know_is_a_warning():
    """`cpus` is a resource name like any other here, but no pod with it is ever made."""
    workloads, problems = attempt(controller(pod="containers: [{name: a, resources: {requests: {cpus: 1}}}]"))
    assert not problems
    assert "did you mean cpu?" in notes(workloads)["unknown-resource"][0]
