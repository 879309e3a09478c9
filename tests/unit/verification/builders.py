"""Plans and clusters of a few nodes, for what is compared between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from cutlist.catalog.prices import Price
from cutlist.core.quantity import amounts
from cutlist.planning.model import LOWEST_PRICE, CandidateType, Plan, PlannedNode, PodShare, PodSize
from cutlist.verification.deviations import Aspect
from cutlist.verification.evidence import Declared, LogEvidence
from cutlist.verification.live import LiveCluster, LiveNode, LivePool
from cutlist.verification.situation import Situation
from cutlist.verification.verdicts import ExplainedDeviation, NodeVerdict, Verification, verdicts

ZONES = ("us-west-2a", "us-west-2b")
PRICES = {"m5.large": 0.1, "m5a.large": 0.1, "m6i.large": 0.11, "m5.xlarge": 0.2}
SIZE = amounts({"cpu": "500m", "memory": "1Gi"})
ALLOCATABLE = amounts({"cpu": "1930m", "memory": "7Gi", "pods": "29"})
AT = 1767614400.0  # 2026-01-05T12:00:00Z


def planned(pods: Mapping[str, int], count: int = 1, **changes: Any) -> PlannedNode:
    """Nodes for some pods of 500m and 1Gi each: the m5.large on spot, or one of three others."""
    number = sum(pods.values())
    node = PlannedNode(
        node_pool="general",
        count=count,
        instance_type="m5.large",
        certainty=LOWEST_PRICE,
        capacity_type="spot",
        capacity_types=("spot", "on-demand"),
        zones=ZONES,
        price=Price(PRICES["m5.large"], "a list"),
        requests={name: number * amount for name, amount in SIZE.items()},
        allocatable=ALLOCATABLE,
        pods=tuple(PodShare(workload, n) for workload, n in sorted(pods.items())),
        candidates=tuple(CandidateType(name, Price(price, ""), "spot", ZONES) for name, price in PRICES.items()),
        requirements=(),
    )
    return replace(node, **changes)


def plan(*nodes: PlannedNode, **changes: Any) -> Plan:
    workloads = sorted({share.workload for node in nodes for share in node.pods})
    made = Plan("us-west-2", nodes, karpenter="1.15.0", pod_sizes=tuple(PodSize(name, SIZE) for name in workloads))
    return replace(made, **changes)


def live(name: str, pods: Mapping[str, int] | None = None, **changes: Any) -> LiveNode:
    """A node as `planned` has it, whose pods came with it."""
    node = LiveNode(
        name=name,
        claim=f"general-{name}",
        node_pool="general",
        instance_type="m5.large",
        capacity_type="spot",
        zone="us-west-2a",
        provider="aws",
        created=AT,
        pods=pods or {},
        pods_since={workload: (AT,) * count for workload, count in (pods or {}).items()},
        allocatable=ALLOCATABLE,
        capacity=amounts({"memory": "8Gi"}),
    )
    return replace(node, **changes)


def cluster(
    *nodes: LiveNode, waiting: Mapping[str, int] | None = None, pools: Mapping[str, LivePool] | None = None
) -> LiveCluster:
    return LiveCluster(
        nodes, waiting or {}, pools if pools is not None else {"general": LivePool()}, frozenset({"us-west-2"}), AT
    )


def verified(
    of: Plan, there: LiveCluster, log: LogEvidence | None = None, declared: Declared | None = None, **more: Any
) -> Verification:
    return verdicts(Situation.of(of, there, log=log, declared=declared, **more))


def findings(verification: Verification, aspect: Aspect) -> list[ExplainedDeviation]:
    return [finding for finding in verification.findings if finding.deviation.aspect is aspect]


def causes(verification: Verification, aspect: Aspect) -> list[str]:
    """The causes of the only difference in an aspect."""
    (finding,) = findings(verification, aspect)
    return [named.cause.id for named in finding.causes]


def outcomes(verdicts_: Iterable[NodeVerdict]) -> list[tuple[str, str]]:
    """What happened to each node, by name of the cluster's node or number of the planned one."""
    return [
        (str(v.outcome), v.node.name if v.node is not None else f"#{v.slot.number}" if v.slot is not None else "")
        for v in verdicts_
    ]
