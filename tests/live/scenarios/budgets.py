"""Budgets of a NodePool: reasons, windows, shares, and nodes that are not ready (D-26 to D-35)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tests.live.scenario import Scale, Scenario, SetNodeCondition
from tests.live.scenarios.builders import CPU, ON_DEMAND, consolidating_pool, deployment
from tests.live.scenarios.large_nodes import BIG, BIG_LEAVES, SMALL


def _with_budgets(name: str, about: str, budgets: Sequence[Mapping[str, object]], *, is_quiet: bool = False) -> Scenario:
    """Return a scenario of a large node with a small pod, whose NodePool has these budgets."""
    return Scenario(
        name,
        about,
        [consolidating_pool("default", ON_DEMAND, budgets=budgets)],
        BIG_LEAVES,
        phases=[[BIG, SMALL]],
        kind="disruption",
        is_quiet=is_quiet,
    )


SCENARIOS: Final = (
    _with_budgets(
        "budget-for-its-reason",
        "a budget of nothing for Underutilized keeps the node",
        [{"nodes": "0", "reasons": ["Underutilized"]}, {"nodes": "5"}],
        is_quiet=True,
    ),
    _with_budgets(
        "budget-for-another-reason",
        "a budget of nothing for Drifted and Empty does not concern consolidation",
        [{"nodes": "0", "reasons": ["Drifted", "Empty"]}, {"nodes": "1"}],
    ),
    _with_budgets(
        "budget-window-open-all-day",
        "a window of a day that starts each midnight keeps the node",
        [{"nodes": "0", "schedule": "@daily", "duration": "24h"}, {"nodes": "100%"}],
        is_quiet=True,
    ),
    _with_budgets(
        "budget-window-elsewhere",
        "a window that is not now says nothing",
        [{"nodes": "0", "schedule": "0 3 29 2 *", "duration": "30m"}, {"nodes": "1"}],
    ),
    _with_budgets(
        "budget-window-that-never-comes",
        "a window on 30 February is always there",
        [{"nodes": "0", "schedule": "0 0 30 2 *", "duration": "1h"}, {"nodes": "1"}],
        is_quiet=True,
    ),
    _with_budgets(
        "budget-with-a-broken-schedule",
        "one schedule that Karpenter cannot read closes the NodePool for every reason",
        [{"nodes": "100%"}, {"nodes": "5", "reasons": ["Drifted"], "schedule": "0 9 * * 7", "duration": "8h"}],
        is_quiet=True,
    ),
    Scenario(
        "budget-used-up-by-a-node-that-is-not-ready",
        "a node that is not ready takes the one disruption that the budget allows",
        [consolidating_pool("default", ON_DEMAND, budgets=[{"nodes": "1"}])],
        [SetNodeCondition("ill", "Ready", "False"), Scale("Deployment", "fill", 0)],
        phases=[
            [deployment("ill", 1, "3", nodeSelector={CPU: "4"})],
            [deployment("fill", 1, "6", nodeSelector={CPU: "8"}), deployment("stay", 1, "14", nodeSelector={CPU: "16"})],
        ],
        kind="disruption",
        is_quiet=True,
    ),
    Scenario(
        "budget-left-beside-a-node-that-is-not-ready",
        "of two disruptions a node that is not ready takes one",
        [consolidating_pool("default", ON_DEMAND, budgets=[{"nodes": "2"}])],
        [SetNodeCondition("ill", "Ready", "False"), Scale("Deployment", "fill-8", 0), Scale("Deployment", "fill-16", 0)],
        phases=[
            [deployment("ill", 1, "3", nodeSelector={CPU: "4"})],
            [deployment(f"fill-{n}", 1, str(n * 3 // 4), nodeSelector={CPU: str(n)}) for n in (8, 16)],
        ],
        kind="disruption",
    ),
)
