"""Nodes without pods that have to stay."""

from __future__ import annotations

from typing import Final

from tests.live.scenario import Scale, Scenario
from tests.live.scenarios.builders import FOUR_CPU, consolidating_pool, deployment

SCENARIOS: Final = (
    Scenario(
        "empty-node",
        "one of three nodes is empty",
        [consolidating_pool("default", FOUR_CPU)],
        [Scale("Deployment", "b", 0)],
        phases=[[deployment("a", 1, "3"), deployment("b", 1, "3"), deployment("c", 1, "3")]],
        kind="disruption",
    ),
)
