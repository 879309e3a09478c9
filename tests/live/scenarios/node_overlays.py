"""NodeOverlays: other prices and further resources of instance types."""

from __future__ import annotations

from typing import Final

from tests.live.scenario import Scenario
from tests.live.scenarios.builders import (
    CAPACITY_TYPE,
    CPU,
    FAMILY,
    FOUR_CPU,
    INSTANCE_TYPE,
    ON_DEMAND,
    SPOT,
    ZONE,
    deployment,
    node_overlay,
    node_pool,
    requirement,
)

_GATE: Final = {"NodeOverlay": True}
_SLOT: Final = "example.com/slot"

SCENARIOS: Final = (
    Scenario(
        "overlays-price",
        "a price that makes a family the cheapest",
        [node_overlay("cheap", requirement(FAMILY, "In", "m"), price="0.001"), node_pool()],
        [deployment("a", 2, "2", "2Gi")],
        gates=_GATE,
    ),
    Scenario(
        "overlays-adjustment",
        "a discount on on-demand and a surcharge on spot",
        [
            node_overlay("discount", ON_DEMAND, priceAdjustment="-60%"),
            node_overlay("surcharge", SPOT, requirement(FAMILY, "In", "c"), priceAdjustment="+0.05"),
            node_pool(),
        ],
        [deployment("a", 2, "2", "2Gi"), deployment("b", 1, "900m", nodeSelector={CAPACITY_TYPE: "spot"})],
        gates=_GATE,
    ),
    Scenario(
        "overlays-one-zone",
        "a price in one zone only",
        [
            node_overlay("zonal", requirement(ZONE, "In", "test-zone-b"), requirement(CPU, "Lt", "9"), price="0.002"),
            node_pool(),
        ],
        [deployment("a", 1, "2"), deployment("b", 1, "1", nodeSelector={ZONE: "test-zone-c"})],
        gates=_GATE,
    ),
    Scenario(
        "overlays-capacity",
        "a resource that only an overlay gives",
        [
            node_overlay("slots", requirement(FAMILY, "In", "s"), capacity={_SLOT: "4"}),
            node_pool(),
        ],
        [
            deployment("slot", 3, requests={"cpu": "500m", _SLOT: "2"}, limits={_SLOT: "2"}),
            deployment("plain", 1, "600m"),
        ],
        gates=_GATE,
    ),
    Scenario(
        "overlays-weights",
        "two overlays of one offering: the heavier one's price; their resources add up",
        [
            node_overlay("light", requirement(FAMILY, "In", "c"), weight=10, price="9", capacity={_SLOT: "1"}),
            node_overlay("heavy", requirement(FAMILY, "In", "c"), weight=20, price="0.003", capacity={"example.com/key": "2"}),
            node_pool("default", FOUR_CPU),
        ],
        [
            deployment(
                "a", 2, requests={"cpu": "1", _SLOT: "1", "example.com/key": "1"}, limits={_SLOT: "1", "example.com/key": "1"}
            )
        ],
        gates=_GATE,
    ),
    Scenario(
        "overlays-conflict",
        "two overlays of equal weight and different prices: one of them does not count",
        [
            node_overlay("alpha", requirement(FAMILY, "In", "c"), weight=10, price="0.002"),
            node_overlay("beta", requirement(INSTANCE_TYPE, "In", "c-4x-amd64-linux"), weight=10, price="5"),
            node_pool(),
        ],
        [deployment("a", 1, "3")],
        gates=_GATE,
    ),
    Scenario(
        "overlays-of-a-pool",
        "an overlay for one NodePool, by its name and by a label of its",
        [
            node_overlay("named", requirement("karpenter.sh/nodepool", "In", "blue"), priceAdjustment="-50%"),
            node_overlay("labelled", requirement("team", "In", "red"), capacity={_SLOT: "1"}),
            node_pool("blue", ON_DEMAND, FOUR_CPU),
            node_pool("red", ON_DEMAND, FOUR_CPU, labels={"team": "red"}),
        ],
        [
            deployment("any", 2, "3"),
            deployment("slot", 1, requests={"cpu": "1", _SLOT: "1"}, limits={_SLOT: "1"}),
        ],
        gates=_GATE,
    ),
    Scenario(
        "overlays-gate-off",
        "an overlay without its feature gate",
        [node_pool()],
        [deployment("a", 1, "2"), deployment("slot", 1, requests={"cpu": "1", _SLOT: "1"}, limits={_SLOT: "1"})],
        phases=[[node_overlay("cheap", requirement(FAMILY, "In", "m"), price="0.001", capacity={_SLOT: "1"})]],
    ),
)
