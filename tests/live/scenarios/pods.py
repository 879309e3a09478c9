"""What pods ask for: requests, init containers, overhead, host ports, and pods that no node can take."""

from __future__ import annotations

from typing import Any, Final

from tests.live.scenario import Scenario
from tests.live.scenarios.builders import (
    ARCH,
    CAPACITY_TYPE,
    CPU,
    FOUR_CPU,
    HOSTNAME,
    ZONE,
    bare_pod,
    container,
    daemon_set,
    deployment,
    job,
    namespace,
    node_affinity,
    node_pool,
    priority_class,
    requirement,
    runtime_class,
    stateful_set,
)


def _match_fields(name: str) -> dict[str, Any]:
    """Return a required affinity to a node by the name of its object."""
    fields = [{"key": "metadata.name", "operator": "In", "values": [name]}]
    terms = [{"matchFields": fields}]
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}


_SIDECAR: Final = container("side", "300m", "256Mi", restartPolicy="Always")

SCENARIOS: Final = (
    Scenario(
        "pods-sizes",
        "four Deployments of different sizes",
        [node_pool()],
        [
            deployment("a", 3, "500m", "512Mi"),
            deployment("b", 2, "2", "8Gi"),
            deployment("c", 1, "7", "4Gi"),
            deployment("d", 4, "250m", "2Gi"),
        ],
    ),
    Scenario(
        "pods-limits-as-requests",
        "limits become requests where none are written",
        [node_pool()],
        [
            deployment("web", 3, requests={}, limits={"cpu": "1500m", "memory": "3Gi"}),
            deployment("api", 2, requests={"cpu": "200m"}, limits={"cpu": "2", "memory": "1Gi"}),
        ],
    ),
    Scenario("pods-best-effort", "pods without any request", [node_pool()], [deployment("a", 20, requests={})]),
    Scenario(
        "pods-one-resource",
        "pods that ask for processors only, or for memory only",
        [node_pool()],
        [deployment("cpu", 3, requests={"cpu": "1300m"}), deployment("memory", 4, requests={"memory": "7Gi"})],
    ),
    Scenario(
        "pods-odd-quantities",
        "quantities in every notation",
        [node_pool()],
        [
            deployment("milli", 2, requests={"cpu": "0.1", "memory": "128974848000m"}),
            deployment("exponent", 2, requests={"cpu": "15e-1", "memory": "1e9"}),
            deployment("fraction", 2, requests={"cpu": "333m", "memory": "0.3Gi"}),
            deployment("decimal", 2, requests={"cpu": "1.25", "memory": "1500M"}),
        ],
    ),
    Scenario(
        "pods-exact-fit",
        "pods that take all that a machine has, and a little more than that",
        [node_pool("default", FOUR_CPU)],
        [
            deployment("all", 1, "3900m", "8182Mi"),
            deployment("more", 1, "3901m", "8182Mi"),
            deployment("memory", 1, "1", "8183Mi"),
        ],
    ),
    Scenario(
        "pods-many-on-a-node",
        "the number of pods decides, not their requests",
        [node_pool("default", requirement(CPU, "In", "1", "2"))],
        [deployment("tiny", 70, requests={"cpu": "5m", "memory": "4Mi"})],
    ),
    Scenario(
        "pods-ephemeral-storage",
        "ephemeral storage decides",
        [node_pool()],
        [
            deployment("disk", 2, requests={"cpu": "100m", "ephemeral-storage": "15Gi"}),
            deployment("small", 40, requests={"cpu": "10m"}),
        ],
    ),
    Scenario(
        "pods-init-containers",
        "an init container that asks for more than the pod, and a sidecar",
        [node_pool()],
        [deployment("a", 3, "500m", "512Mi", initContainers=[container("setup", "2", "1Gi"), _SIDECAR])],
    ),
    Scenario(
        "pods-sidecar-order",
        "a sidecar counts for the init containers after it, not for those before it",
        [node_pool("default", FOUR_CPU)],
        [
            deployment("before", 3, "500m", "512Mi", initContainers=[_SIDECAR, container("setup", "1800m", "1Gi")]),
            deployment("after", 3, "500m", "512Mi", initContainers=[container("setup", "1800m", "1Gi"), _SIDECAR]),
        ],
    ),
    Scenario(
        "pods-pod-level-resources",
        "requests of the pod as a whole replace those of its containers",
        [node_pool()],
        [
            deployment("whole", 2, "500m", "512Mi", resources={"requests": {"cpu": "3", "memory": "6Gi"}}),
            deployment("limit", 2, requests={}, resources={"limits": {"cpu": "2", "memory": "2Gi"}}),
        ],
    ),
    Scenario(
        "pods-runtime-class",
        "overhead and node selector of a RuntimeClass",
        [
            runtime_class(
                "kata",
                overhead={"podFixed": {"cpu": "250m", "memory": "120Mi"}},
                scheduling={"nodeSelector": {CAPACITY_TYPE: "on-demand"}},
            ),
            node_pool(),
        ],
        [deployment("a", 2, runtimeClassName="kata"), deployment("b", 2, "500m")],
    ),
    Scenario(
        "pods-host-ports",
        "a host port is taken once a node, once a protocol",
        [node_pool()],
        [
            stateful_set("db", 3, "500m", ports=[{"containerPort": 80, "hostPort": 8080}]),
            deployment("web", 2, "250m", ports=[{"containerPort": 80, "hostPort": 8080, "protocol": "UDP"}]),
        ],
    ),
    Scenario(
        "pods-host-addresses",
        "the same port on different addresses, and on all",
        [node_pool()],
        [
            deployment("first", 1, "300m", ports=[{"containerPort": 80, "hostPort": 8080, "hostIP": "127.0.0.1"}]),
            deployment("second", 1, "290m", ports=[{"containerPort": 80, "hostPort": 8080, "hostIP": "127.0.0.2"}]),
            deployment("every", 1, "280m", ports=[{"containerPort": 80, "hostPort": 8080}]),
            deployment("other", 1, "270m", ports=[{"containerPort": 80, "hostPort": 8081}]),
        ],
    ),
    Scenario(
        "pods-daemon-host-port",
        "a DaemonSet holds the port on every node where it runs",
        [node_pool()],
        [
            daemon_set(
                "agent",
                nodeSelector={CAPACITY_TYPE: "spot"},
                ports=[{"containerPort": 80, "hostPort": 9100}],
            ),
            deployment("web", 2, "1", ports=[{"containerPort": 80, "hostPort": 9100}]),
            deployment("free", 1, "500m"),
        ],
    ),
    Scenario(
        "pods-of-many-controllers",
        "a Job, a StatefulSet, a ReplicaSet's pods and pods of nobody in one batch",
        [node_pool()],
        [
            job("batch", 3, "700m", "700Mi"),
            stateful_set("db", 2, "1500m", "3Gi"),
            deployment("web", 2, "400m"),
            bare_pod("alone", "2", "1Gi"),
            bare_pod("twin", "2", "1Gi"),
        ],
    ),
    Scenario(
        "pods-without-a-node",
        "pods that no machine can take, for different reasons, beside one that fits",
        [node_pool()],
        [
            deployment("huge", 1, "500", "1Gi"),
            deployment("label", 1, nodeSelector={"no-such": "label"}),
            deployment("arch", 1, nodeSelector={ARCH: "arm64"}),
            deployment("zone", 1, nodeSelector={ZONE: "elsewhere"}),
            deployment("gpu", 1, requests={"cpu": "1"}, limits={"nvidia.com/gpu": "1"}),
            deployment("pages", 1, requests={"cpu": "1", "memory": "1Gi"}, limits={"hugepages-2Mi": "64Mi"}),
            deployment("fine", 1),
        ],
    ),
    Scenario(
        "pods-refused",
        "pods that Karpenter does not look at: selectors that it reserves or does not support",
        [node_pool()],
        [
            deployment("host", 1, nodeSelector={HOSTNAME: "some-node"}),
            deployment("reserved", 1, nodeSelector={"karpenter.sh/unknown": "x"}),
            deployment("fields", 1, affinity=_match_fields("some-node")),
            deployment("fine", 1),
        ],
    ),
    Scenario(
        "pods-gated",
        "pods that wait for a gate, or for another scheduler, are left alone",
        [node_pool()],
        [
            deployment("gated", 2, "4", schedulingGates=[{"name": "example.com/wait"}]),
            deployment("fine", 2),
        ],
    ),
    Scenario(
        "pods-in-namespaces",
        "pods of several namespaces share nodes",
        [namespace("other"), node_pool()],
        [deployment("a", 3, "600m", namespace="other"), deployment("a", 3, "700m")],
    ),
    Scenario(
        "pods-priority",
        "priority plays no part in which pods get the last node of a limit",
        [priority_class("high", 1000), node_pool(limits={"cpu": "8"})],
        [deployment("low", 3, "2"), deployment("high", 3, "2", priorityClassName="high")],
    ),
    Scenario(
        "pods-queue-order",
        "processors, then memory, then age decide who is placed first",
        [node_pool("default", FOUR_CPU, limits={"cpu": "12"})],
        [
            deployment("wide", 2, "2500m", "1Gi"),
            deployment("deep", 2, "2500m", "6Gi"),
            deployment("narrow", 4, "1200m", "1Gi"),
        ],
    ),
    Scenario(
        "pods-daemons",
        "three DaemonSets, one of them only on large nodes",
        [node_pool()],
        [
            daemon_set("every-node", "100m", "128Mi", tolerations=[{"operator": "Exists"}]),
            daemon_set("network", "250m", "64Mi"),
            daemon_set("large-nodes", "1", "1Gi", affinity=node_affinity(requirement(CPU, "Gt", "15"))),
            deployment("a", 4, "800m"),
            deployment("b", 1, "14", "8Gi"),
        ],
    ),
)
