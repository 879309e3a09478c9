"""Large batches, in which everything comes together."""

from __future__ import annotations

from typing import Final

from tests.live.scenario import Scale, Scenario
from tests.live.scenarios.builders import (
    CAPACITY_TYPE,
    CPU,
    FAMILY,
    HOSTNAME,
    ON_DEMAND,
    SPOT,
    ZONE,
    daemon_set,
    deployment,
    node_affinity,
    node_pool,
    pod_affinity,
    pod_anti_affinity,
    requirement,
    spread,
    taint,
    toleration,
)

SCENARIOS: Final = (
    Scenario(
        "batch-eighty",
        "eighty pods of six shapes",
        [node_pool(), node_pool("spot", SPOT, requirement(FAMILY, "In", "c"), weight=20, limits={"cpu": "40"})],
        [
            deployment("a", 20, "700m"),
            deployment("b", 15, "1200m", "3Gi", topologySpreadConstraints=[spread(ZONE, "b")]),
            deployment("c", 12, "250m", "256Mi", affinity=pod_anti_affinity("c")),
            deployment("d", 8, "3", "12Gi", nodeSelector={CAPACITY_TYPE: "on-demand"}),
            deployment("e", 15, "100m", "128Mi"),
            deployment("f", 10, "2", "2Gi", affinity=pod_affinity("f")),
        ],
    ),
    Scenario(
        "batch-many-nodes",
        "sixty small nodes: more claims than a stable order is promised for",
        [node_pool("default", requirement(CPU, "In", "1", "2"))],
        [deployment("a", 30, "900m"), deployment("b", 30, "700m", "512Mi"), deployment("c", 60, "100m", "64Mi")],
    ),
    Scenario(
        "batch-twenty-nodes",
        "between thirteen and forty-nine claims the order of equals is Karpenter's own",
        [node_pool("default", requirement(CPU, "In", "4"))],
        [deployment("a", 20, "2", affinity=pod_anti_affinity("a")), deployment("b", 31, "600m"), deployment("c", 23, "350m")],
    ),
    Scenario(
        "batch-five-hundred",
        "five hundred pods of ten shapes, three pools, two DaemonSets",
        [
            node_pool("general", weight=10),
            node_pool("spot", SPOT, weight=40, limits={"cpu": "200"}),
            node_pool("tainted", ON_DEMAND, taints=[taint("team", "ml")], weight=80),
        ],
        [
            daemon_set("log-of-batch", "100m", "128Mi", tolerations=[{"operator": "Exists"}]),
            daemon_set("net-of-batch", "50m", "64Mi"),
            deployment("web", 120, "250m", "256Mi", topologySpreadConstraints=[spread(ZONE, "web")]),
            deployment("api", 80, "500m", "1Gi"),
            deployment("cache", 30, "1", "8Gi"),
            deployment("batch", 60, "2", "2Gi", nodeSelector={CAPACITY_TYPE: "spot"}),
            deployment("ml", 20, "4", "16Gi", tolerations=[toleration("team")]),
            deployment("db", 10, "3", "12Gi", affinity=pod_anti_affinity("db"), nodeSelector={CAPACITY_TYPE: "on-demand"}),
            deployment("small", 100, "50m", "32Mi"),
            deployment("queue", 40, "700m", "700Mi", topologySpreadConstraints=[spread(HOSTNAME, "queue", 3)]),
            deployment("fast", 20, "1500m", "3Gi", affinity=node_affinity(requirement(FAMILY, "In", "c"))),
            deployment("near", 20, "300m", "300Mi", affinity=pod_affinity("near")),
        ],
        free="which of several equal zones a pod starts in is random, and decides what it shares a node with: Karpenter's own "
        "code gives six answers in thirty runs",
    ),
    Scenario(
        "batch-on-running-nodes",
        "a busy cluster grows in every workload at once",
        [
            node_pool("default", requirement(CPU, "In", "4", "8", "16")),
            node_pool("spot", SPOT, weight=20, limits={"cpu": "24"}),
        ],
        [
            Scale("Deployment", "a", 14),
            Scale("Deployment", "b", 10),
            Scale("Deployment", "c", 6),
            deployment("new", 8, "1700m", "3Gi"),
        ],
        phases=[
            [
                daemon_set("log-of-busy", "100m", "128Mi"),
                deployment("a", 6, "700m"),
                deployment("b", 5, "1200m", "2Gi", topologySpreadConstraints=[spread(ZONE, "b")]),
                deployment("c", 3, "500m", affinity=pod_anti_affinity("c")),
            ]
        ],
    ),
)
