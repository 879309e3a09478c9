"""Node selectors and node affinity: which machines a pod accepts and which it prefers."""

from __future__ import annotations

from typing import Final

from tests.live.scenario import Scenario
from tests.live.scenarios.builders import (
    ARCH,
    CAPACITY_TYPE,
    CPU,
    FAMILY,
    INSTANCE_TYPE,
    ON_DEMAND,
    OS,
    SIZE,
    SPOT,
    ZONE,
    deployment,
    node_affinity,
    node_affinity_terms,
    node_pool,
    requirement,
    taint,
    toleration,
)

_NOWHERE: Final = requirement(ZONE, "In", "nowhere")

SCENARIOS: Final = (
    Scenario(
        "selectors-operators",
        "node affinity with In, NotIn, Gt, Lt and Exists",
        [node_pool()],
        [
            deployment("a", 2, affinity=node_affinity(requirement(FAMILY, "In", "c", "m"), requirement(CPU, "Gt", "3"))),
            deployment("b", 2, affinity=node_affinity(requirement(ZONE, "NotIn", "test-zone-a"), ON_DEMAND)),
            deployment("c", 1, affinity=node_affinity(requirement(CPU, "Lt", "9"), requirement(SIZE, "Exists"))),
        ],
    ),
    Scenario(
        "selectors-bounds-of-a-pool",
        "a pool with Gte and Lte, pods with Gt and Lt",
        [node_pool("default", requirement(CPU, "Gte", "4"), requirement(CPU, "Lte", "16"))],
        [
            deployment("any", 2, "500m"),
            deployment("above", 1, "600m", affinity=node_affinity(requirement(CPU, "Gt", "8"))),
            deployment("below", 1, "700m", affinity=node_affinity(requirement(CPU, "Lt", "4"))),
        ],
    ),
    Scenario(
        "selectors-two-terms",
        "two required terms, the first impossible",
        [node_pool()],
        [deployment("a", 2, affinity=node_affinity_terms([_NOWHERE], [requirement(ZONE, "In", "test-zone-d"), ON_DEMAND]))],
    ),
    Scenario(
        "selectors-first-term",
        "of two possible terms the first is taken, though the second is cheaper",
        [node_pool()],
        [deployment("a", 2, affinity=node_affinity_terms([ON_DEMAND, requirement(FAMILY, "In", "m")], [SPOT]))],
    ),
    Scenario(
        "selectors-no-term-left",
        "required terms are given up one by one, the last never",
        [node_pool()],
        [deployment("a", 1, affinity=node_affinity_terms([_NOWHERE], [requirement(CPU, "In", "3")]))],
    ),
    Scenario(
        "selectors-preferences",
        "preferences of three weights, the heaviest impossible",
        [node_pool()],
        [
            deployment(
                "a",
                3,
                affinity=node_affinity(
                    preferred=[
                        (50, [requirement(ZONE, "In", "test-zone-b")]),
                        (100, [_NOWHERE]),
                        (10, [ON_DEMAND]),
                    ]
                ),
            )
        ],
    ),
    Scenario(
        "selectors-preference-and-requirement",
        "a preference that contradicts what the pod requires",
        [node_pool()],
        [
            deployment("a", 2, affinity=node_affinity(SPOT, preferred=[(100, [ON_DEMAND])])),
            deployment("b", 2, "2", affinity=node_affinity(SPOT, preferred=[(100, [requirement(FAMILY, "In", "m")])])),
        ],
    ),
    Scenario(
        "selectors-ignored-preferences",
        "with the preference policy Ignore nothing soft counts",
        [node_pool()],
        [
            deployment("a", 2, affinity=node_affinity(preferred=[(100, [ON_DEMAND])])),
            deployment("b", 1, nodeSelector={FAMILY: "s"}),
        ],
        settings={"PREFERENCE_POLICY": "Ignore"},
    ),
    Scenario(
        "selectors-old-labels",
        "labels by their old names",
        [node_pool()],
        [
            deployment("zone", 1, nodeSelector={"failure-domain.beta.kubernetes.io/zone": "test-zone-b"}),
            deployment("arch", 1, "900m", nodeSelector={"beta.kubernetes.io/arch": "amd64", "beta.kubernetes.io/os": "linux"}),
            deployment("type", 1, "800m", nodeSelector={"beta.kubernetes.io/instance-type": "m-4x-amd64-linux"}),
        ],
    ),
    Scenario(
        "selectors-of-a-pool-and-a-type",
        "pods that name their NodePool, and pods that name their instance type",
        [node_pool("blue", ON_DEMAND), node_pool("green", weight=50)],
        [
            deployment("pool", 2, nodeSelector={"karpenter.sh/nodepool": "blue"}),
            deployment("type", 2, "1500m", nodeSelector={INSTANCE_TYPE: "s-8x-amd64-linux"}),
            deployment("neither", 1, nodeSelector={"karpenter.sh/nodepool": "red"}),
        ],
    ),
    Scenario(
        "selectors-custom-labels",
        "labels of a pool, with Exists, DoesNotExist and NotIn",
        [node_pool("blue", labels={"team": "blue"}), node_pool("free", requirement("tier", "Exists"), weight=5)],
        [
            deployment("a", 1, nodeSelector={"team": "blue"}),
            deployment("b", 1, nodeSelector={"tier": "gold"}),
            deployment("c", 1, affinity=node_affinity(requirement("team", "DoesNotExist"))),
            deployment("d", 1, affinity=node_affinity(requirement("team", "NotIn", "blue"))),
        ],
    ),
    Scenario(
        "selectors-values-of-a-custom-label",
        "a pool that leaves several values of a label open: pods of different values need different nodes",
        [node_pool("default", requirement("tier", "In", "gold", "silver", "bronze"))],
        [
            deployment("gold", 2, nodeSelector={"tier": "gold"}),
            deployment("silver", 2, "900m", nodeSelector={"tier": "silver"}),
            deployment("not-gold", 2, "300m", affinity=node_affinity(requirement("tier", "NotIn", "gold"))),
            deployment("any", 2, "200m"),
        ],
    ),
    Scenario(
        "selectors-contradiction",
        "a pod that requires two values of one label needs its absence",
        [node_pool("default", labels={"team": "blue"}), node_pool("plain", weight=1)],
        [
            deployment("a", 1, nodeSelector={"tier": "x"}, affinity=node_affinity(requirement("tier", "In", "y"))),
            deployment("b", 1),
        ],
    ),
    Scenario(
        "selectors-platforms",
        "a pool without any requirement: four platforms",
        [node_pool(platform=())],
        [
            deployment("any", 2),
            deployment("arm", 2, nodeSelector={ARCH: "arm64", OS: "linux"}),
            deployment("windows", 1, nodeSelector={OS: "windows"}),
        ],
    ),
    Scenario(
        "selectors-capacity-types",
        "pods that need spot, on-demand, or do not want reserved",
        [node_pool("default", requirement(CAPACITY_TYPE, "In", "spot", "on-demand"))],
        [
            deployment("spot", 2, nodeSelector={CAPACITY_TYPE: "spot"}),
            deployment("on-demand", 2, "900m", nodeSelector={CAPACITY_TYPE: "on-demand"}),
            deployment("either", 2, "500m", affinity=node_affinity(requirement(CAPACITY_TYPE, "NotIn", "reserved"))),
            deployment("reserved", 1, nodeSelector={CAPACITY_TYPE: "reserved"}),
        ],
    ),
    Scenario(
        "selectors-taints",
        "a tainted pool and one without taints",
        [
            node_pool(),
            node_pool("gpu", taints=[taint("team", "ml")], weight=50, labels={"team": "ml"}),
        ],
        [
            deployment("plain", 2),
            deployment("ml", 2, tolerations=[{"key": "team", "operator": "Equal", "value": "ml", "effect": "NoSchedule"}]),
            deployment("ml-only", 1, tolerations=[toleration("team")], nodeSelector={"team": "ml"}),
        ],
    ),
    Scenario(
        "selectors-tolerations",
        "which tolerations match which taints",
        [
            node_pool("keyed", requirement("pool", "In", "keyed"), taints=[taint("a", "1"), taint("b", "2", "NoExecute")]),
            node_pool("valueless", requirement("pool", "In", "valueless"), taints=[taint("a")]),
        ],
        [
            deployment("all", 1, "500m", nodeSelector={"pool": "keyed"}, tolerations=[{"operator": "Exists"}]),
            deployment("half", 1, "510m", nodeSelector={"pool": "keyed"}, tolerations=[toleration("a")]),
            deployment(
                "both",
                1,
                "520m",
                nodeSelector={"pool": "keyed"},
                tolerations=[toleration("a"), toleration("b", effect="NoExecute")],
            ),
            deployment(
                "wrong-effect",
                1,
                "530m",
                nodeSelector={"pool": "valueless"},
                tolerations=[toleration("a", effect="NoExecute")],
            ),
            deployment(
                "empty-value", 1, "540m", nodeSelector={"pool": "valueless"}, tolerations=[{"key": "a", "operator": "Equal"}]
            ),
        ],
    ),
    Scenario(
        "selectors-soft-taint",
        "a pool with PreferNoSchedule alone",
        [node_pool(taints=[taint("soft", "x", "PreferNoSchedule")])],
        [deployment("a", 2), deployment("b", 1, tolerations=[toleration("soft")])],
    ),
    Scenario(
        "selectors-soft-taint-and-another-pool",
        "PreferNoSchedule on the heavier of two pools",
        [node_pool("soft", taints=[taint("soft", "x", "PreferNoSchedule")], weight=80), node_pool("plain", ON_DEMAND)],
        [deployment("a", 2), deployment("b", 2, "700m", tolerations=[toleration("soft")])],
    ),
    Scenario(
        "selectors-startup-taints",
        "startup taints are no obstacle",
        [node_pool(startupTaints=[taint("cni", "wait", "NoExecute")])],
        [deployment("a", 2)],
    ),
)
