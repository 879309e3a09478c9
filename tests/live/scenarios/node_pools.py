"""Several NodePools: weights, limits, minValues, and what operators set for all pods."""

from __future__ import annotations

from typing import Final

from tests.live.scenario import Scenario
from tests.live.scenarios.builders import (
    CAPACITY_TYPE,
    CPU,
    FAMILY,
    FOUR_CPU,
    INSTANCE_TYPE,
    LINUX,
    ON_DEMAND,
    SPOT,
    ZONE,
    daemon_set,
    deployment,
    node_affinity,
    node_class,
    node_pool,
    pod_anti_affinity,
    requirement,
    spread,
    taint,
    toleration,
)

_NO_CLASS: Final = {"group": "karpenter.kwok.sh", "kind": "KWOKNodeClass", "name": "missing"}

SCENARIOS: Final = (
    Scenario(
        "pools-weights",
        "three weighted pools, the heaviest too small",
        [
            node_pool("small", requirement(CPU, "Lt", "3"), weight=90),
            node_pool("spot", SPOT, weight=50),
            node_pool("rest", weight=10),
        ],
        [
            deployment("a", 2, "500m"),
            deployment("b", 2, "4", "4Gi"),
            deployment("c", 1, "1", nodeSelector={CAPACITY_TYPE: "on-demand", CPU: "16"}),
        ],
    ),
    Scenario(
        "pools-equal-weights",
        "of pools of one weight the first by name is taken",
        [node_pool("beta", SPOT), node_pool("alpha", ON_DEMAND), node_pool("gamma", weight=1, labels={"needs": "nobody"})],
        [deployment("a", 2), deployment("b", 2, "3", nodeSelector={CAPACITY_TYPE: "on-demand"})],
    ),
    Scenario(
        "pools-light-node-first",
        "a pod joins the node of a light pool rather than open one in a heavy pool",
        [node_pool("heavy", requirement(CPU, "Lt", "5"), weight=90), node_pool("light", requirement(CPU, "Gt", "15"))],
        [deployment("big", 1, "10", "8Gi"), deployment("small", 4, "900m")],
    ),
    Scenario(
        "pools-not-ready",
        "a pool whose node class does not exist takes no part",
        [node_pool("broken", weight=100, nodeClassRef=_NO_CLASS), node_pool("fine")],
        [deployment("a", 2)],
    ),
    Scenario(
        "pools-two-classes",
        "pools of two node classes",
        [
            node_class("other"),
            node_pool("one", SPOT),
            node_pool("two", ON_DEMAND, nodeClassRef={**_NO_CLASS, "name": "other"}),
        ],
        [deployment("a", 2, nodeSelector={CAPACITY_TYPE: "on-demand"}), deployment("b", 2)],
    ),
    Scenario(
        "pools-five",
        "five pools of different kinds and pods for each",
        [
            node_pool("general", weight=10),
            node_pool("spot", SPOT, requirement(FAMILY, "In", "c"), weight=40, limits={"cpu": "32"}),
            node_pool("memory", requirement(FAMILY, "In", "m"), weight=20, labels={"class": "memory"}),
            node_pool(
                "arm", platform=[requirement("kubernetes.io/arch", "In", "arm64"), LINUX[1]], taints=[taint("arch", "arm64")]
            ),
            node_pool("zonal", requirement(ZONE, "In", "test-zone-d"), ON_DEMAND, taints=[taint("zonal")], weight=90),
        ],
        [
            deployment("web", 9, "1500m", "1Gi"),
            deployment("cache", 3, "500m", "12Gi", nodeSelector={"class": "memory"}),
            deployment("build", 4, "3", "4Gi", tolerations=[toleration("arch")]),
            deployment("zonal", 2, "1", tolerations=[toleration("zonal")], affinity=pod_anti_affinity("zonal")),
            deployment("paid", 2, "2", nodeSelector={CAPACITY_TYPE: "on-demand"}),
        ],
    ),
    Scenario(
        "pools-daemons-of-some",
        "DaemonSets that run in one of two pools only",
        [
            node_pool("first", labels={"pool": "first"}, weight=20, limits={"cpu": "4"}),
            node_pool("second", taints=[taint("second")]),
        ],
        [
            daemon_set("first", "600m", nodeSelector={"pool": "first"}),
            daemon_set(
                "second",
                "1100m",
                tolerations=[toleration("second")],
                affinity=node_affinity(requirement("pool", "DoesNotExist")),
            ),
            deployment("a", 4, "1100m", tolerations=[toleration("second")]),
        ],
    ),
    Scenario(
        "limits-next-pool",
        "a pool that reaches its limit, and another after it",
        [node_pool("first", weight=90, limits={"cpu": "4"}), node_pool("second", ON_DEMAND)],
        [deployment("a", 6, "1500m", affinity=pod_anti_affinity("a"))],
    ),
    Scenario(
        "limits-none-left",
        "limits leave pods pending",
        [node_pool(limits={"cpu": "8", "memory": "24Gi"})],
        [deployment("a", 6, "3", "2Gi")],
    ),
    Scenario(
        "limits-memory",
        "a limit of memory excludes the types that have more",
        [node_pool(limits={"memory": "20Gi"})],
        [deployment("a", 3, "1900m", "2Gi", affinity=pod_anti_affinity("a"))],
    ),
    Scenario(
        "limits-of-what-nobody-has",
        "a limit of a resource that no machine has does not hold anything back",
        [node_pool(limits={"nvidia.com/gpu": "0", "cpu": "64"})],
        [deployment("a", 3, "3")],
    ),
    Scenario(
        "limits-of-nodes",
        "a limit of two nodes",
        [node_pool("default", FOUR_CPU, limits={"nodes": "2"})],
        [deployment("a", 3, "3", affinity=pod_anti_affinity("a"))],
    ),
    Scenario(
        "limits-with-running-nodes",
        "nodes that run count against the limit",
        [node_pool("default", requirement(CPU, "In", "2", "4"), limits={"cpu": "10"})],
        [deployment("more", 5, "1500m")],
        phases=[[deployment("web", 2, "3", "2Gi")]],
    ),
    Scenario(
        "min-values",
        "at least so many types and families",
        [node_pool("default", requirement(FAMILY, "Exists", min_values=2), requirement(INSTANCE_TYPE, "Exists", min_values=8))],
        [deployment("a", 2, "2", "6Gi"), deployment("big", 1, "60", "100Gi")],
    ),
    Scenario(
        "min-values-too-many",
        "more families than exist: nothing is launched",
        [node_pool("default", requirement(FAMILY, "Exists", min_values=4))],
        [deployment("a", 2)],
    ),
    Scenario(
        "min-values-pod-narrows",
        "a pod that accepts one family cannot use a pool that wants two",
        [node_pool("default", requirement(FAMILY, "In", "c", "m", "s", min_values=2))],
        [deployment("one", 1, nodeSelector={FAMILY: "c"}), deployment("any", 2, "900m")],
    ),
    Scenario(
        "min-values-best-effort",
        "with the policy BestEffort the number is lowered instead",
        [
            node_pool(
                "default", requirement(FAMILY, "Exists", min_values=4), requirement(INSTANCE_TYPE, "Exists", min_values=50)
            )
        ],
        [deployment("a", 2), deployment("one", 1, "900m", nodeSelector={FAMILY: "c"})],
        settings={"MIN_VALUES_POLICY": "BestEffort"},
    ),
    Scenario(
        "min-values-zones",
        "three zones at least, and a pod that accepts one: 1.15 counts the zones that are left",
        [node_pool("default", requirement(ZONE, "Exists", min_values=3))],
        [deployment("one", 1, nodeSelector={ZONE: "test-zone-b"}), deployment("any", 1, "900m")],
    ),
    Scenario(
        "min-values-two-pools",
        "a strict pool that cannot be diverse enough, and a lighter one",
        [
            node_pool("diverse", requirement(INSTANCE_TYPE, "Exists", min_values=10), weight=50),
            node_pool("plain"),
        ],
        [deployment("huge", 1, "120", "100Gi"), deployment("small", 2)],
    ),
    Scenario(
        "default-spread",
        "constraints that the operator's settings add to pods without their own (1.15)",
        [node_pool()],
        [
            deployment("bare", 5),
            deployment("own", 3, "900m", topologySpreadConstraints=[spread("kubernetes.io/hostname", "own", 2)]),
        ],
        settings={
            "SCHEDULER_CONFIG": '{"podTopologySpread": {"defaultConstraints": [{"maxSkew": 1, "topologyKey": "'
            + ZONE
            + '", "whenUnsatisfiable": "DoNotSchedule"}]}}'
        },
        versions=("1.15",),
    ),
)
