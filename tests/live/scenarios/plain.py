"""Pods of different sizes and nothing else that constrains them."""

from __future__ import annotations

from typing import Final

from tests.live.scenario import Scenario
from tests.live.scenarios.builders import FOUR_CPU, deployment, node_pool

SCENARIOS: Final = (
    Scenario("plain", "three replicas of one Deployment", [node_pool()], [deployment("web", 3)]),
    Scenario(
        "partly-full-nodes",
        "nodes that are partly full take some of the pods",
        [node_pool("default", FOUR_CPU)],
        [deployment("more", 6)],
        phases=[[deployment("web", 3, "2", "2Gi")]],
    ),
)
