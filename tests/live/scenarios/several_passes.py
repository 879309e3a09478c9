"""Pods that one pass cannot place: what the cluster comes to once no further pass changes anything."""

from __future__ import annotations

from typing import Final

from tests.live.scenario import Scenario
from tests.live.scenarios.builders import (
    CAPACITY_TYPE,
    CPU,
    HOSTNAME,
    ON_DEMAND,
    ZONE,
    daemon_set,
    deployment,
    node_pool,
    pod_affinity,
    pod_anti_affinity,
    requirement,
    spread,
)

SCENARIOS: Final = (
    Scenario(
        "passes-limit",
        "each node counts as the largest until it is launched: a limit of sixteen processors is filled in several passes",
        [node_pool("default", requirement(CPU, "Lt", "9"), limits={"cpu": "16"})],
        [deployment("a", 6, "3", affinity=pod_anti_affinity("a"))],
        is_lived_out=True,
    ),
    Scenario(
        "passes-limit-and-another-pool",
        "what does not fit a limit in the first pass is bought from another pool, not waited for",
        [node_pool("first", requirement(CPU, "Lt", "9"), limits={"cpu": "16"}, weight=50), node_pool("second", ON_DEMAND)],
        [deployment("a", 5, "3", affinity=pod_anti_affinity("a"))],
        is_lived_out=True,
    ),
    Scenario(
        "passes-limit-of-memory",
        "a limit of memory with a DaemonSet on every node",
        [node_pool("default", requirement(CPU, "In", "2", "4"), limits={"memory": "40Gi"})],
        [daemon_set("log-limited", "200m", "256Mi"), deployment("a", 7, "1500m", "2Gi", affinity=pod_anti_affinity("a"))],
        is_lived_out=True,
    ),
    Scenario(
        "passes-two-limits",
        "two pools with limits of their own, filled one after the other",
        [
            node_pool("heavy", requirement(CPU, "In", "4", "8"), limits={"cpu": "12"}, weight=50),
            node_pool("light", requirement(CPU, "In", "2", "4"), limits={"cpu": "8"}),
        ],
        [deployment("a", 9, "1800m", affinity=pod_anti_affinity("a"))],
        is_lived_out=True,
    ),
    Scenario(
        "passes-one-a-zone",
        "one replica a zone: a pass a zone, and the fifth stays",
        [node_pool()],
        [deployment("db", 5, affinity=pod_anti_affinity("db", ZONE))],
        is_lived_out=True,
    ),
    Scenario(
        "passes-open-zone",
        "a pod follows another by zone once its node is launched",
        [node_pool("default", requirement(CPU, "In", "4"))],
        [deployment("db", 1, "3500m"), deployment("web", 3, "3", affinity=pod_affinity("db"))],
        is_lived_out=True,
    ),
    Scenario(
        "passes-chain",
        "three workloads that follow each other, none of whose zones is named",
        [node_pool("default", requirement(CPU, "In", "2"))],
        [
            deployment("a", 1, "1100m", affinity=pod_affinity("b")),
            deployment("b", 1, "1200m", affinity=pod_affinity("c")),
            deployment("c", 1, "1300m"),
        ],
        is_lived_out=True,
    ),
    Scenario(
        "passes-spread-and-limit",
        "a spread over hosts within a limit of nodes' processors",
        [node_pool("default", requirement(CPU, "In", "4", "8"), limits={"cpu": "20"})],
        [deployment("a", 8, "1", topologySpreadConstraints=[spread(HOSTNAME, "a")])],
        is_lived_out=True,
        free="the kube-scheduler binds all pods to the nodes that are ready first: it counts the least over nodes there are, "
        "Karpenter counts zero (S-91)",
    ),
    Scenario(
        "passes-nothing-left",
        "pods that no pass can place stay; the others are placed by the first",
        [node_pool("default", limits={"cpu": "64"})],
        [
            deployment("huge", 1, "300"),
            deployment("fine", 3, "1", affinity=pod_anti_affinity("fine")),
            deployment("nowhere", 1, nodeSelector={CAPACITY_TYPE: "reserved"}),
        ],
        is_lived_out=True,
    ),
)
