"""Capacity reservations: offerings of which there are so many."""

from __future__ import annotations

from typing import Any, Final

from tests.live.scenario import Scenario
from tests.live.scenarios.builders import (
    CAPACITY_TYPE,
    HOSTNAME,
    INSTANCE_TYPE,
    ON_DEMAND,
    RESERVATION,
    ZONE,
    deployment,
    instance_type,
    node_affinity,
    node_pool,
    offering,
    pod_anti_affinity,
    requirement,
    spread,
)

_RESERVED: Final = requirement(CAPACITY_TYPE, "In", "reserved")


def _types(*small: dict[str, Any], large: tuple[dict[str, Any], ...] = ()) -> list[dict[str, Any]]:
    """Return two types that are on demand in two zones, with further offerings of each."""
    zones = ("test-zone-a", "test-zone-b")
    return [
        instance_type("r-small", "4", "16Gi", *(offering(zone, "on-demand", 0.2) for zone in zones), *small),
        instance_type("r-large", "8", "32Gi", *(offering(zone, "on-demand", 0.4) for zone in zones), *large),
    ]


def _reserved(zone: str, name: str, capacity: int, price: float = 0.01) -> dict[str, Any]:
    return offering(f"test-zone-{zone}", "reserved", price, reservation=name, capacity=capacity)


_TWO: Final = _types(_reserved("a", "cr-small", 2))
_ONE_EACH: Final = _types(_reserved("a", "cr-small", 1), large=(_reserved("b", "cr-large", 1, 0.02),))

SCENARIOS: Final = (
    Scenario(
        "reservations-two-of-three",
        "a reservation of two, and three pods that need a node each",
        [node_pool()],
        [deployment("a", 3, "2", affinity=pod_anti_affinity("a"))],
        instance_types=_TWO,
    ),
    Scenario(
        "reservations-one-each",
        "a reservation of one on each of two types: the first node holds both until it is launched",
        [node_pool()],
        [deployment("a", 3, "2", affinity=pod_anti_affinity("a"))],
        instance_types=_ONE_EACH,
    ),
    Scenario(
        "reservations-released",
        "a pod that only the large type can take gives the other reservation back",
        [node_pool()],
        [deployment("large", 1, "6"), deployment("small", 1, "3", affinity=pod_anti_affinity("large"))],
        instance_types=_ONE_EACH,
    ),
    Scenario(
        "reservations-not-wanted",
        "pods that name their capacity type",
        [node_pool()],
        [
            deployment("paid", 2, "2", affinity=node_affinity(ON_DEMAND)),
            deployment("reserved", 1, "1500m", affinity=node_affinity(_RESERVED)),
        ],
        instance_types=_TWO,
    ),
    Scenario(
        "reservations-keep-a-lighter-pool-away",
        "reservations that are used up in a pass: the pod waits rather than open a node in another pool",
        [node_pool("reserving", weight=50), node_pool("other", ON_DEMAND)],
        [deployment("a", 3, "2", affinity=pod_anti_affinity("a"))],
        instance_types=_types(_reserved("a", "cr-small", 1)),
    ),
    Scenario(
        "reservations-by-id",
        "pods that name the reservation",
        [node_pool()],
        [
            deployment("named", 1, "1", nodeSelector={RESERVATION: "cr-b"}),
            deployment("any", 1, "3"),
        ],
        instance_types=_types(_reserved("a", "cr-a", 1), _reserved("b", "cr-b", 1, 0.03)),
    ),
    Scenario(
        "reservations-and-a-spread",
        "a reservation in one zone, and a spread over two",
        [node_pool()],
        [deployment("a", 4, "3", topologySpreadConstraints=[spread(ZONE, "a"), spread(HOSTNAME, "a")])],
        instance_types=_TWO,
    ),
    Scenario(
        "reservations-full",
        "a reservation that is listed with none left: 1.14 waits for it, 1.15 does not",
        [node_pool()],
        [deployment("a", 2, "2", affinity=pod_anti_affinity("a"))],
        instance_types=_types(_reserved("a", "cr-small", 0)),
    ),
    Scenario(
        "reservations-only-full",
        "a full reservation and nothing else that the pod accepts",
        [node_pool("reserving", _RESERVED, weight=50), node_pool("other", ON_DEMAND)],
        [deployment("a", 1, "2"), deployment("reserved", 1, "1", affinity=node_affinity(_RESERVED))],
        instance_types=_types(_reserved("a", "cr-small", 0)),
    ),
    Scenario(
        "reservations-gate-off",
        "without the feature gate a reservation is an offering like others",
        [node_pool()],
        [deployment("a", 3, "2", affinity=pod_anti_affinity("a"))],
        instance_types=_TWO,
        gates={"ReservedCapacity": False},
    ),
    Scenario(
        "reservations-and-min-values",
        "two types at least, one of them reserved",
        [node_pool("default", requirement(INSTANCE_TYPE, "Exists", min_values=2))],
        [deployment("a", 1, "2"), deployment("large", 1, "6")],
        instance_types=_TWO,
    ),
)
