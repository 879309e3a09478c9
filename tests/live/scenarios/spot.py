"""Consolidation of spot nodes (D-48 to D-52)."""

from __future__ import annotations

from typing import Final

from tests.live.scenario import Scale, Scenario
from tests.live.scenarios.builders import CAPACITY_TYPE, CPU, SPOT, consolidating_pool, deployment, requirement
from tests.live.scenarios.large_nodes import BIG, BIG_LEAVES, SMALL

_SPOT_TO_SPOT: Final = {"SpotToSpotConsolidation": True}

SCENARIOS: Final = (
    Scenario(
        "spot-without-the-gate",
        "a spot node is not replaced by a spot node",
        [consolidating_pool("default", SPOT)],
        BIG_LEAVES,
        phases=[[BIG, SMALL]],
        kind="disruption",
        is_quiet=True,
    ),
    Scenario(
        "spot-deletes-without-the-gate",
        "a spot node whose pod fits on another is deleted",
        [consolidating_pool("default", SPOT)],
        [Scale("Deployment", "fill", 0)],
        phases=[
            [deployment("fill", 1, "3", nodeSelector={CPU: "4"}), deployment("tiny", 1, "500m", "256Mi")],
            [deployment("stay", 1, "5", nodeSelector={CPU: "8"})],
        ],
        kind="disruption",
    ),
    Scenario(
        "spot-to-spot",
        "with the gate a spot node is replaced by one of the 15 cheapest types",
        [consolidating_pool("default", SPOT)],
        BIG_LEAVES,
        phases=[[deployment("big", 1, "60", "100Gi"), deployment("small", 1, "500m", "512Mi")]],
        gates=_SPOT_TO_SPOT,
        kind="disruption",
    ),
    Scenario(
        "spot-with-too-few-types",
        "with the gate a spot node stays where fewer than 15 types are cheaper",
        [consolidating_pool("default", SPOT)],
        BIG_LEAVES,
        phases=[[deployment("big", 1, "6", "10Gi"), deployment("small", 1, "500m", "512Mi")]],
        gates=_SPOT_TO_SPOT,
        kind="disruption",
        is_quiet=True,
    ),
    Scenario(
        "three-spot-nodes-become-one",
        "with the gate several spot nodes are replaced without the rule of 15 types",
        [consolidating_pool("default", SPOT, requirement(CPU, "In", "4", "16"))],
        BIG_LEAVES,
        phases=[[deployment("big", 3, "14", "20Gi"), deployment("small", 3, "1200m", "512Mi")]],
        gates=_SPOT_TO_SPOT,
        kind="disruption",
    ),
    Scenario(
        "spot-and-on-demand-become-spot",
        "a spot node and an on-demand node become one spot node without the gate",
        [consolidating_pool("default")],
        [Scale("Deployment", "fill", 0), Scale("Deployment", "fill-od", 0)],
        phases=[
            [deployment("fill-od", 1, "6", nodeSelector={CAPACITY_TYPE: "on-demand"}), deployment("a", 1, "700m", "512Mi")],
            [deployment("fill", 1, "6", nodeSelector={CAPACITY_TYPE: "spot"}), deployment("b", 1, "1200m", "512Mi")],
        ],
        kind="disruption",
    ),
)
