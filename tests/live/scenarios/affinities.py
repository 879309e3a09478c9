"""Pod affinity and anti-affinity in all forms."""

from __future__ import annotations

from typing import Any, Final

from tests.live.scenario import Scale, Scenario
from tests.live.scenarios.builders import (
    CAPACITY_TYPE,
    FOUR_CPU,
    HOSTNAME,
    ZONE,
    deployment,
    namespace,
    node_pool,
    pod_affinity,
    pod_anti_affinity,
    requirement,
    selector,
    spread,
)

_EITHER: Final = {"matchExpressions": [{"key": "app", "operator": "In", "values": ["db", "cache"]}]}


def _apart(key: str = ZONE, value: str = "db") -> dict[str, Any]:
    """Return a required anti-affinity towards all pods with the label `set`."""
    return pod_anti_affinity("", key, labelSelector={"matchLabels": {"set": value}})


def _other_tenants() -> dict[str, Any]:
    """Return a required anti-affinity towards pods of other tenants."""
    return pod_anti_affinity("", labelSelector={"matchLabels": {"shared": "yes"}}, mismatchLabelKeys=["tenant"])


def _away_from_db() -> dict[str, Any]:
    """Return two required anti-affinities: to the own workload by node, to another by node."""
    rules = [{"topologyKey": HOSTNAME, "labelSelector": selector(app)} for app in ("web", "db")]
    return {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": rules}}


SCENARIOS: Final = (
    Scenario(
        "affinities-anti-host", "one replica a node", [node_pool()], [deployment("db", 4, affinity=pod_anti_affinity("db"))]
    ),
    Scenario(
        "affinities-anti-zone",
        "five replicas, one a zone, and no zone named: one in a pass",
        [node_pool()],
        [deployment("db", 5, affinity=pod_anti_affinity("db", ZONE))],
    ),
    Scenario(
        "affinities-anti-named-zones",
        "one replica in each of two named zones",
        [node_pool()],
        [
            deployment("db-a", 1, labels={"set": "db"}, nodeSelector={ZONE: "test-zone-a"}, affinity=_apart()),
            deployment("db-b", 1, labels={"set": "db"}, nodeSelector={ZONE: "test-zone-b"}, affinity=_apart()),
            deployment("db-c", 1, labels={"set": "db"}, nodeSelector={ZONE: "test-zone-b"}, affinity=_apart()),
        ],
    ),
    Scenario(
        "affinities-anti-soft",
        "preferred anti-affinity by host",
        [node_pool()],
        [deployment("web", 4, affinity=pod_anti_affinity("web", weight=100))],
    ),
    Scenario(
        "affinities-anti-others",
        "pods that nobody asked are kept away by those that want to be alone",
        [node_pool()],
        [deployment("alone", 2, "1500m", affinity=pod_anti_affinity("plain")), deployment("plain", 3, "1200m")],
    ),
    Scenario(
        "affinities-anti-capacity-type",
        "anti-affinity by capacity type: one on spot, one on-demand",
        [node_pool("default", requirement(CAPACITY_TYPE, "In", "spot", "on-demand"))],
        [
            deployment("a", 1, labels={"set": "x"}, nodeSelector={CAPACITY_TYPE: "spot"}, affinity=_apart(CAPACITY_TYPE, "x")),
            deployment(
                "b",
                2,
                "900m",
                labels={"set": "x"},
                nodeSelector={CAPACITY_TYPE: "on-demand"},
                affinity=_apart(CAPACITY_TYPE, "x"),
            ),
        ],
    ),
    Scenario(
        "affinities-zone-of-another",
        "follows another workload by zone",
        [node_pool()],
        [
            deployment("db", 1, "2", nodeSelector={ZONE: "test-zone-c"}),
            deployment("web", 3, affinity=pod_affinity("db")),
        ],
    ),
    Scenario(
        "affinities-open-zone",
        "follows a workload whose zone stays open: not in this pass, but for what fits on its node",
        [node_pool()],
        [deployment("db", 1, "2"), deployment("web", 3, "5", affinity=pod_affinity("db"))],
    ),
    Scenario(
        "affinities-own-zone",
        "all replicas in one zone",
        [node_pool("default", FOUR_CPU)],
        [deployment("web", 4, "3", affinity=pod_affinity("web"))],
        free="Karpenter picks the first zone twice at random: where the picks differ the claim keeps both zones",
    ),
    Scenario(
        "affinities-own-host",
        "all replicas on one node, as far as it goes",
        [node_pool("default", FOUR_CPU)],
        [deployment("web", 4, "1500m", affinity=pod_affinity("web", HOSTNAME))],
    ),
    Scenario(
        "affinities-host-of-another",
        "each pod beside a certain other",
        [node_pool()],
        [
            deployment("db", 2, "2", affinity=pod_anti_affinity("db")),
            deployment("cache", 3, "1", affinity=pod_affinity("db", HOSTNAME)),
        ],
    ),
    Scenario(
        "affinities-chain",
        "a follows b, b follows c",
        [node_pool()],
        [
            deployment("a", 1, "500m", affinity=pod_affinity("b")),
            deployment("b", 1, "600m", affinity=pod_affinity("c")),
            deployment("c", 1, "700m", nodeSelector={ZONE: "test-zone-b"}),
        ],
    ),
    Scenario(
        "affinities-nobody-there",
        "affinity to a workload that does not exist, required and preferred",
        [node_pool()],
        [
            deployment("required", 1, affinity=pod_affinity("ghost")),
            deployment("preferred", 1, affinity=pod_affinity("ghost", weight=50)),
        ],
    ),
    Scenario(
        "affinities-soft",
        "preferred affinity and preferred anti-affinity of one pod",
        [node_pool()],
        [
            deployment("db", 1, "2", nodeSelector={ZONE: "test-zone-d"}),
            deployment(
                "web",
                3,
                affinity={**pod_affinity("db", weight=80), **pod_anti_affinity("web", weight=20)},
            ),
        ],
    ),
    Scenario(
        "affinities-namespace-labels",
        "anti-affinity towards namespaces by their labels",
        [namespace("other", team="x"), namespace("third", team="y"), node_pool()],
        [
            deployment("a", 2, "500m", namespace="other"),
            deployment("a", 1, "450m", namespace="third"),
            deployment(
                "b",
                2,
                "400m",
                affinity=pod_anti_affinity("a", namespaceSelector={"matchLabels": {"team": "x"}}),
            ),
        ],
    ),
    Scenario(
        "affinities-namespace-names",
        "anti-affinity towards a namespace by name, and towards all",
        [namespace("other"), node_pool()],
        [
            deployment("a", 1, "500m", namespace="other"),
            deployment("a", 1, "450m"),
            deployment("named", 1, "400m", affinity=pod_anti_affinity("a", namespaces=["other"])),
            deployment("every", 1, "350m", affinity=pod_anti_affinity("a", namespaceSelector={})),
            deployment("own", 1, "300m", affinity=pod_anti_affinity("a")),
        ],
    ),
    Scenario(
        "affinities-expressions",
        "a term that selects two workloads by an expression",
        [node_pool()],
        [
            deployment("db", 1, "1", nodeSelector={ZONE: "test-zone-a"}),
            deployment("cache", 1, "900m", nodeSelector={ZONE: "test-zone-b"}),
            deployment("web", 2, "800m", affinity=pod_anti_affinity("", ZONE, labelSelector=_EITHER)),
            deployment("api", 2, "700m", affinity=pod_affinity("", ZONE, labelSelector=_EITHER)),
        ],
    ),
    Scenario(
        "affinities-revisions",
        "matchLabelKeys: one pod of a revision a node; mismatchLabelKeys: away from other tenants",
        [node_pool()],
        [
            deployment("web", 3, "600m", affinity=pod_anti_affinity("web", matchLabelKeys=["pod-template-hash"])),
            deployment("blue", 2, "500m", labels={"tenant": "blue", "shared": "yes"}, affinity=_other_tenants()),
            deployment("green", 2, "400m", labels={"tenant": "green", "shared": "yes"}, affinity=_other_tenants()),
        ],
    ),
    Scenario(
        "affinities-two-terms",
        "two required anti-affinities of one pod",
        [node_pool()],
        [
            deployment("db", 2, "1", topologySpreadConstraints=[spread(ZONE, "db")]),
            deployment("web", 4, "800m", affinity=_away_from_db()),
        ],
    ),
    Scenario(
        "affinities-with-a-spread",
        "affinity to the own zone against a spread over zones",
        [node_pool()],
        [deployment("web", 4, affinity=pod_affinity("web"), topologySpreadConstraints=[spread(ZONE, "web", 2)])],
        free="Karpenter picks a zone for the affinity and one for the spread at random: where they differ no zone is left",
    ),
    Scenario(
        "affinities-more-replicas",
        "a workload of one replica a node grows beside another",
        [node_pool()],
        [Scale("Deployment", "db", 5)],
        phases=[[deployment("db", 3, "500m", affinity=pod_anti_affinity("db")), deployment("fill", 3, "300m")]],
    ),
    Scenario(
        "affinities-running-zone",
        "follows a workload that runs, by zone and by host",
        [node_pool("default", FOUR_CPU)],
        [
            deployment("zone", 3, "2", affinity=pod_affinity("db")),
            deployment("host", 2, "500m", affinity=pod_affinity("db", HOSTNAME)),
        ],
        phases=[[deployment("db", 1, "2", "2Gi")]],
    ),
    Scenario(
        "affinities-running-anti",
        "a pod that runs wants to be alone in its zone",
        [node_pool("default", FOUR_CPU)],
        [deployment("web", 3, "1500m")],
        phases=[[deployment("alone", 1, "1", nodeSelector={ZONE: "test-zone-a"}, affinity=pod_anti_affinity("web", ZONE))]],
    ),
)
