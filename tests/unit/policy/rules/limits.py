"""For every setting of a rule that is a number: what is just right by it, and what is one step beyond."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from cutlist.core.annotations import DO_NOT_DISRUPT
from tests.unit.policy.rules import subjects as s
from tests.unit.policy.rules.cases import EBS, TEMPLATE, Stack
from tests.unit.policy.rules.subjects import put


@dataclass(frozen=True, slots=True)
class Limit:
    """What keeps a rule at a setting's limit, what breaks it one step beyond, and the setting that lets that pass, too.

    `limit` is the setting, the rule's default where it has one; `others` are those of the rule that are not looked at.
    """

    keeps: Stack
    breaks: Stack
    limit: Any
    moved: Any
    others: Mapping[str, Any] = field(default_factory=dict)


AUTO_POOL = put(s.POOL, f"{TEMPLATE}.nodeClassRef.group", "eks.amazonaws.com")
IN_ONE_ZONE = put(s.PLAN, "measures.zones", {"us-west-2a": 3})
ON_SPOT = put(put(s.PLAN, "measures.newNodes", 100), "measures.zones", {"us-west-2a": 50, "us-west-2b": 50})
LIMITED = f"{s.GENERAL}.mostPerHour"
WITHOUT_SPOT = put(s.PLAN, f"{s.GENERAL}.spotTypes", 0)
ZONES = ({"id": "subnet-1", "zone": "us-west-2a"}, {"id": "subnet-2", "zone": "us-west-2b"})
WARNINGS = put(s.QUEUE, "name", "karpenter")
SPREAD = put(s.PLAN, "measures.newNodes", 100)


def by_value(subject: s.Resource, path: str, keeps: Any, breaks: Any, moved: Any, limit: Any = None, **others: Any) -> Limit:
    """Return a subject whose value at a path is the setting's, and one step beyond."""
    return Limit((put(subject, path, keeps),), (put(subject, path, breaks),), keeps if limit is None else limit, moved, others)


def nodes_of_group(count: int) -> dict[str, int]:
    """Return the scaling of a node group of so many nodes."""
    return {"minSize": count, "desiredSize": count}


def busy_until(duration: str) -> Stack:
    """Return a NodePool that lets none go in busy hours, for so long from their begin."""
    quiet = {"nodes": "0", "schedule": "0 8 * * mon-fri", "duration": duration}
    return (put(s.POOL, "spec.disruption.budgets", [{"nodes": "100%"}, quiet]),)


def closed_for(duration: str) -> Stack:
    """Return a NodePool that lets none go for so long, once a year."""
    return (put(s.POOL, "spec.disruption.budgets", [{"nodes": "0", "schedule": "0 0 1 3 *", "duration": duration}]),)


def closed_weekly(duration: str) -> Stack:
    """Return a NodePool that lets none go for so long of each week."""
    return (put(s.POOL, "spec.disruption.budgets", [{"nodes": "0", "schedule": "0 3 * * sun", "duration": duration}]),)


HELD = "metadata.annotations"
DEFAULT_CEILING = {"cpu": "10k", "memory": "40Ti", "nodes": "1k"}

LIMITS: Mapping[tuple[str, str], tuple[Limit, ...]] = {
    ("NP-01", "ceiling"): (
        by_value(s.POOL, "spec.limits.cpu", "10k", "10000001m", {"cpu": "10000001m"}, DEFAULT_CEILING),
        by_value(s.POOL, "spec.limits.memory", "40Ti", str(40 * 2**40 + 1), {"memory": 40 * 2**40 + 1}, DEFAULT_CEILING),
        by_value(s.STATIC_POOL, "spec.limits.nodes", "1k", "1001", {"nodes": 1001}, DEFAULT_CEILING),
    ),
    ("NP-03", "shortest"): (by_value(s.POOL, f"{TEMPLATE}.expireAfter", "24h", "23h59m59s", "23h59m59s"),),
    ("NP-03", "longest"): (by_value(s.POOL, f"{TEMPLATE}.expireAfter", "720h", "720h1s", "720h1s"),),
    ("NP-03", "longestAutoMode"): (by_value(AUTO_POOL, f"{TEMPLATE}.expireAfter", "504h", "504h1s", "504h1s"),),
    ("NP-04", "longest"): (by_value(s.POOL, f"{TEMPLATE}.terminationGracePeriod", "24h", "24h1s", "24h1s"),),
    ("NP-07", "longest"): (Limit(closed_for("1440h"), closed_for("1440h1m"), "1440h", "1441h"),),
    ("NP-07", "share"): (Limit(closed_weekly("167h"), closed_weekly("167h10m"), 0.5, 0.49),),
    ("NP-16", "longest"): (by_value(s.NODE, HELD, {DO_NOT_DISRUPT: "168h"}, {DO_NOT_DISRUPT: "169h"}, "169h", "168h"),),
    ("NP-21", "perMonth"): (
        Limit(
            (put(s.PLAN, LIMITED, 5), put(replace(s.plan_of("b"), name="other"), "measures.pools.b.mostPerHour", 5)),
            (put(s.PLAN, LIMITED, 5), put(replace(s.plan_of("b"), name="other"), "measures.pools.b.mostPerHour", 6)),
            7300,
            8030,
        ),
    ),
    ("NP-21", "perHour"): (
        Limit(
            (s.PLAN, replace(s.PLAN, name="other")),
            (s.PLAN, put(replace(s.PLAN, name="other"), "measures.pricePerHour", 2.0)),
            2,
            3,
        ),
    ),
    ("NP-20", "machines"): (by_value(replace(s.NODE_GROUP, name="large"), "scalingConfig.maxSize", 100, 101, 101),),
    ("NP-18", "vcpus"): (by_value(s.INSTANCE, "instanceType", "m7i.16xlarge", "m7i.24xlarge", 96, 64),),
    ("NP-18", "machines"): (by_value(s.NODE_GROUP, "scalingConfig.maxSize", 20, 21, 21),),
    ("NP-19", "percent"): (by_value(s.PLAN, f"{s.GENERAL}.loweredBy", 30, 30.5, 31),),
    ("NP-08", "most"): (
        by_value(s.POOL, "spec.disruption.budgets", [{"nodes": "20%"}], [{"nodes": "21%"}], 21, 20),
        by_value(s.POOL, "spec.disruption.budgets", [{"nodes": "20"}], [{"nodes": "21"}], 21, 20),
    ),
    ("NP-08", "busyFor"): (Limit(busy_until("10h"), busy_until("9h59m"), "10h", "9h59m"),),
    ("NP-09", "shortest"): (by_value(s.POOL, "spec.disruption.consolidateAfter", "30s", "29s", "29s"),),
    ("NP-02", "perMonth"): (by_value(s.PLAN, LIMITED, 10.0, 10.01, 7308, 7300),),
    ("PL-07", "perMonth"): (by_value(s.PLAN, LIMITED, 10.0, 10.01, 7308, 7300),),
    ("NP-05", "spot"): (by_value(s.PLAN, f"{s.GENERAL}.spotTypes", 15, 14, 14),),
    ("NP-05", "onDemand"): (by_value(WITHOUT_SPOT, f"{s.GENERAL}.types", 5, 4, 4),),
    ("NP-06", "families"): (by_value(s.PLAN, f"{s.GENERAL}.families", 3, 2, 2),),
    ("NP-06", "zones"): (by_value(s.PLAN, f"{s.GENERAL}.zones", ["us-west-2a", "us-west-2b"], ["us-west-2a"], 1, 2),),
    ("NP-12", "newerThan"): (by_value(s.PLAN, f"{s.GENERAL}.oldestGeneration", 5, 4, 3, 4),),
    ("PL-01", "perHour"): (by_value(s.PLAN, "measures.pricePerHour", 2, 2.0001, 2.0001),),
    ("PL-02", "nodes"): (by_value(s.PLAN, "measures.nodes", 10, 11, 11, vcpus=None),),
    ("PL-02", "vcpus"): (by_value(s.PLAN, "measures.vcpus", 100, 101, 101, nodes=None),),
    ("PL-03", "pods"): (by_value(s.PLAN, "measures.pending", {}, {"job/train": "no GPU"}, 1, 0),),
    ("PL-04", "most"): (
        by_value(SPREAD, "measures.zones", {"us-west-2a": 60, "us-west-2b": 40}, {"us-west-2a": 61, "us-west-2b": 39}, 61, 60),
    ),
    ("PL-04", "from"): (
        Limit(
            (put(put(s.PLAN, "measures.newNodes", 2), "measures.zones", {"us-west-2a": 2}),),
            (put(put(s.PLAN, "measures.newNodes", 3), "measures.zones", {"us-west-2a": 3}),),
            3,
            4,
        ),
    ),
    ("PL-05", "most"): (by_value(ON_SPOT, "measures.spotNodes", 80, 81, 81),),
    ("PL-05", "from"): (
        Limit(
            (put(put(s.PLAN, "measures.newNodes", 2), "measures.spotNodes", 2),),
            (put(put(s.PLAN, "measures.newNodes", 3), "measures.spotNodes", 3),),
            3,
            4,
        ),
    ),
    ("PL-06", "percent"): (by_value(put(s.PLAN, "measures.before", 1.0), "measures.pricePerHour", 1.4, 1.41, 41, 40),),
    ("NC-01", "hops"): (by_value(s.CLASS, "spec.metadataOptions.httpPutResponseHopLimit", 1, 2, 2),),
    ("NC-02", "rootGiB"): (by_value(s.CLASS, f"{EBS}.volumeSize", "20Gi", "19Gi", 19, 20),),
    ("NC-06", "zones"): (by_value(s.CLASS, "status.subnets", list(ZONES), list(ZONES[:1]), 1, 2),),
    ("IF-09", "nodes"): (by_value(s.NODE_GROUP, "scalingConfig", nodes_of_group(2), nodes_of_group(1), 1, 2),),
    ("IF-09", "subnets"): (by_value(s.NODE_GROUP, "subnetIds", ["subnet-1", "subnet-2"], ["subnet-1"], 1, 2),),
    ("IF-10", "shortestDays"): (by_value(s.LOG_GROUP, "retentionInDays", 30, 29, 29),),
    ("IF-10", "longestDays"): (by_value(s.LOG_GROUP, "retentionInDays", 365, 366, 366),),
    ("IF-28", "hops"): (by_value(s.METADATA_DEFAULTS, "httpPutResponseHopLimit", 2, 3, 3),),
    ("IF-26", "daysAhead"): (by_value(s.CLUSTER, "version", "1.35", "1.34", 89, 90, day=date(2026, 9, 3)),),
    ("IF-25", "shortest"): (by_value(WARNINGS, "messageRetentionSeconds", 120, 119, "1m", "2m"),),
    ("IF-25", "delay"): (by_value(WARNINGS, "delaySeconds", 10, 11, "11s", "10s"),),
    ("IF-25", "receives"): (by_value(WARNINGS, "redrivePolicy", {"maxReceiveCount": 2}, {"maxReceiveCount": 1}, 1, 2),),
    ("AK-12", "daysAhead"): (by_value(s.AKS, "kubernetesVersion", "1.35", "1.34", 89, 90, day=date(2026, 9, 1)),),
    ("AK-02", "nodes"): (by_value(s.AKS, "agentPoolProfiles[0].count", 2, 1, 1),),
    ("AK-05", "hours"): (
        Limit(
            (s.AKS, put(s.WINDOW, "maintenanceWindow.durationHours", 4)),
            (s.AKS, put(s.WINDOW, "maintenanceWindow.durationHours", 3)),
            4,
            3,
        ),
    ),
}
