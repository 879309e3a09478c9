"""Topology spread constraints."""

from __future__ import annotations

from typing import Final

from tests.live.scenario import Scale, Scenario
from tests.live.scenarios.builders import (
    ARCH,
    CAPACITY_TYPE,
    FOUR_CPU,
    HOSTNAME,
    ON_DEMAND,
    OS,
    SPOT,
    ZONE,
    deployment,
    node_affinity,
    node_pool,
    requirement,
    spread,
    taint,
)

_TWO_ZONES: Final = requirement(ZONE, "In", "test-zone-a", "test-zone-b")
_EVERY_APP: Final = {"matchExpressions": [{"key": "app", "operator": "In", "values": ["a", "b"]}]}

SCENARIOS: Final = (
    Scenario(
        "spreads-zones",
        "six replicas over zones",
        [node_pool()],
        [deployment("web", 6, topologySpreadConstraints=[spread(ZONE, "web")])],
    ),
    Scenario(
        "spreads-two-zones",
        "a pool of two zones",
        [node_pool("default", _TWO_ZONES)],
        [deployment("web", 5, topologySpreadConstraints=[spread(ZONE, "web")])],
    ),
    Scenario(
        "spreads-wide-skew",
        "seven replicas over zones with a skew of three",
        [node_pool()],
        [deployment("web", 7, topologySpreadConstraints=[spread(ZONE, "web", 3)])],
    ),
    Scenario(
        "spreads-hosts",
        "two replicas a node",
        [node_pool()],
        [deployment("web", 5, topologySpreadConstraints=[spread(HOSTNAME, "web", 2)])],
    ),
    Scenario(
        "spreads-zones-and-hosts",
        "minDomains and two constraints",
        [node_pool()],
        [deployment("web", 7, topologySpreadConstraints=[spread(ZONE, "web", minDomains=4), spread(HOSTNAME, "web", 2)])],
    ),
    Scenario(
        "spreads-too-few-zones",
        "more domains are wanted than the pool has: one replica a zone",
        [node_pool("default", _TWO_ZONES)],
        [deployment("web", 4, topologySpreadConstraints=[spread(ZONE, "web", minDomains=3)])],
    ),
    Scenario(
        "spreads-soft",
        "soft constraints over zones and hosts",
        [node_pool()],
        [
            deployment(
                "web",
                6,
                topologySpreadConstraints=[
                    spread(ZONE, "web", when="ScheduleAnyway"),
                    spread(HOSTNAME, "web", when="ScheduleAnyway"),
                ],
            )
        ],
    ),
    Scenario(
        "spreads-soft-given-up",
        "a soft constraint that one zone cannot satisfy is given up",
        [node_pool("default", requirement(ZONE, "In", "test-zone-a"))],
        [deployment("web", 4, "1500m", topologySpreadConstraints=[spread(ZONE, "web", when="ScheduleAnyway")])],
    ),
    Scenario(
        "spreads-soft-ignored",
        "with the preference policy Ignore soft constraints do not count",
        [node_pool()],
        [deployment("web", 6, topologySpreadConstraints=[spread(HOSTNAME, "web", when="ScheduleAnyway")])],
        settings={"PREFERENCE_POLICY": "Ignore"},
    ),
    Scenario(
        "spreads-capacity-types",
        "half spot, half on-demand",
        [node_pool("default", requirement(CAPACITY_TYPE, "In", "spot", "on-demand"))],
        [deployment("web", 6, topologySpreadConstraints=[spread(CAPACITY_TYPE, "web")])],
    ),
    Scenario(
        "spreads-own-label",
        "a label of the pools as topology",
        [node_pool("od", ON_DEMAND, labels={"tier": "a"}), node_pool("sp", SPOT, labels={"tier": "b"})],
        [deployment("web", 5, topologySpreadConstraints=[spread("tier", "web")])],
    ),
    Scenario(
        "spreads-unknown-label",
        "a topology that no pool has: these pods stay, others do not",
        [node_pool()],
        [deployment("web", 2, topologySpreadConstraints=[spread("rack", "web")]), deployment("fine", 1)],
    ),
    Scenario(
        "spreads-platforms",
        "spread over architectures",
        [node_pool(platform=[requirement(OS, "In", "linux")])],
        [deployment("web", 4, topologySpreadConstraints=[spread(ARCH, "web")])],
    ),
    Scenario(
        "spreads-selected-zone",
        "a node selector leaves one zone: all replicas go there",
        [node_pool()],
        [deployment("web", 3, nodeSelector={ZONE: "test-zone-c"}, topologySpreadConstraints=[spread(ZONE, "web")])],
    ),
    Scenario(
        "spreads-affinity-ignored",
        "nodeAffinityPolicy Ignore counts the zones that the pod cannot use",
        [node_pool()],
        [
            deployment(
                "web",
                3,
                affinity=node_affinity(_TWO_ZONES),
                topologySpreadConstraints=[spread(ZONE, "web", nodeAffinityPolicy="Ignore")],
            )
        ],
    ),
    Scenario(
        "spreads-taints-honored",
        "nodeTaintsPolicy Honor leaves out a zone that only a tainted pool has",
        [
            node_pool("plain", _TWO_ZONES),
            node_pool("tainted", requirement(ZONE, "In", "test-zone-c"), taints=[taint("t")]),
        ],
        [
            deployment("honor", 4, "900m", topologySpreadConstraints=[spread(ZONE, "honor", nodeTaintsPolicy="Honor")]),
            deployment("ignore", 4, topologySpreadConstraints=[spread(ZONE, "ignore", nodeTaintsPolicy="Ignore")]),
        ],
    ),
    Scenario(
        "spreads-revisions",
        "matchLabelKeys: a rollout is spread on its own",
        [node_pool()],
        [
            deployment(
                "web",
                6,
                topologySpreadConstraints=[spread(ZONE, "web", matchLabelKeys=["pod-template-hash"], nodeTaintsPolicy="Honor")],
            )
        ],
    ),
    Scenario(
        "spreads-of-two-workloads",
        "one constraint that counts the pods of both",
        [node_pool()],
        [
            deployment("a", 3, topologySpreadConstraints=[spread(ZONE, "", labelSelector=_EVERY_APP)]),
            deployment("b", 3, "900m", topologySpreadConstraints=[spread(ZONE, "", labelSelector=_EVERY_APP)]),
        ],
    ),
    Scenario(
        "spreads-of-others",
        "pods that do not match their own selector pack freely",
        [node_pool()],
        [deployment("web", 4, topologySpreadConstraints=[spread(ZONE, "somebody-else")]), deployment("fill", 1, "300m")],
    ),
    Scenario(
        "spreads-more-replicas",
        "replicas join those that run, and even them out",
        [node_pool("default", FOUR_CPU)],
        [Scale("Deployment", "web", 7)],
        phases=[[deployment("web", 3, "2500m", topologySpreadConstraints=[spread(ZONE, "web")])]],
    ),
    Scenario(
        "spreads-beside-full-nodes",
        "nodes that run are full: a spread over zones opens others",
        [node_pool("default", FOUR_CPU)],
        [deployment("more", 6, topologySpreadConstraints=[spread(ZONE, "more")])],
        phases=[[deployment("web", 2, "3", "2Gi", topologySpreadConstraints=[spread(ZONE, "web")])]],
    ),
)
