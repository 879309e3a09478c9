"""What removes nodes without asking budgets: expiry, node repair, static pools that shrink, deletion (D-35, D-74 to D-77)."""

from __future__ import annotations

from typing import Final

from tests.live.scenario import Patch, Pause, Scale, Scenario, SetNodeCondition
from tests.live.scenarios.builders import (
    CPU,
    FOUR_CPU,
    INSTANCE_TYPE,
    ON_DEMAND,
    consolidating_pool,
    deployment,
    node_pool,
    pod_disruption_budget,
    requirement,
)

_CLOSED: Final = {"budgets": [{"nodes": "0"}]}
_STATIC: Final = {"StaticCapacity": True}
_ONE_TYPE: Final = requirement(INSTANCE_TYPE, "In", "c-4x-amd64-linux")
"""The KWOK provider launches no NodeClaim that names no instance types, and Karpenter names none for static NodePools."""
_REPAIR: Final = {"NodeRepair": True}
_LABEL: Final = Patch("NodePool", "default", {"spec": {"template": {"metadata": {"labels": {"new": "label"}}}}})

SCENARIOS: Final = (
    Scenario(
        "expiry",
        "two nodes end 100 s after they were made, though no budget allows it; a third lives longer",
        [
            node_pool("short", ON_DEMAND, FOUR_CPU, disruption=_CLOSED, expireAfter="100s", labels={"team": "short"}),
            node_pool("long", ON_DEMAND, FOUR_CPU, disruption=_CLOSED, expireAfter="9h", labels={"team": "long"}),
        ],
        phases=[
            [
                deployment("brief", 2, "3", nodeSelector={"team": "short"}),
                deployment("lasting", 1, "3", nodeSelector={"team": "long"}),
            ]
        ],
        while_held=[Pause(90)],
        kind="disruption",
        commands=0,
    ),
    Scenario(
        "repair-one-of-three",
        "one of three nodes has not been ready for eleven minutes",
        [node_pool("default", ON_DEMAND, FOUR_CPU, disruption=_CLOSED)],
        phases=[[deployment("ill", 1, "3"), deployment("well", 2, "3")]],
        while_held=[SetNodeCondition("ill", "Ready", "False", seconds_ago=660)],
        gates=_REPAIR,
        versions=("1.14",),
        kind="disruption",
        commands=0,
    ),
    Scenario(
        "repair-not-yet",
        "a node that has not been ready for five minutes is left alone",
        [node_pool("default", ON_DEMAND, FOUR_CPU, disruption=_CLOSED)],
        phases=[[deployment("ill", 1, "3"), deployment("well", 2, "3")]],
        while_held=[SetNodeCondition("ill", "Ready", "Unknown", seconds_ago=300)],
        gates=_REPAIR,
        versions=("1.14",),
        kind="disruption",
        is_quiet=True,
    ),
    Scenario(
        "repair-too-many",
        "two of three nodes have not been ready for eleven minutes: none is repaired",
        [node_pool("default", ON_DEMAND, FOUR_CPU, disruption=_CLOSED)],
        phases=[[deployment("ill", 2, "3"), deployment("well", 1, "3")]],
        while_held=[SetNodeCondition("ill", "Ready", "False", seconds_ago=660)],
        gates=_REPAIR,
        versions=("1.14",),
        kind="disruption",
        is_quiet=True,
    ),
    Scenario(
        "repair-as-a-method",
        "1.15 replaces a node that its provider calls unhealthy, within the budget",
        [node_pool("default", ON_DEMAND, FOUR_CPU, disruption={"budgets": [{"nodes": "1"}]})],
        [SetNodeCondition("ill", "KWOKUnhealthy", "True"), Pause(31)],
        phases=[[deployment("ill", 1, "3"), deployment("well", 2, "3")]],
        gates=_REPAIR,
        versions=("1.15",),
        kind="disruption",
    ),
    Scenario(
        "repair-by-reboot",
        "1.15 reboots a node with a fault that a reboot clears",
        [node_pool("default", ON_DEMAND, FOUR_CPU, disruption={"budgets": [{"nodes": "1"}]})],
        [SetNodeCondition("ill", "KWOKRebootRequired", "True"), Pause(31)],
        phases=[[deployment("ill", 1, "3"), deployment("well", 2, "3")]],
        gates=_REPAIR,
        versions=("1.15",),
        kind="disruption",
    ),
    Scenario(
        "repair-closed-budget",
        "1.15 repairs nothing where a budget closes the reason Unhealthy",
        [
            node_pool(
                "default",
                ON_DEMAND,
                FOUR_CPU,
                disruption={"budgets": [{"nodes": "0", "reasons": ["Unhealthy"]}, {"nodes": "9"}]},
            )
        ],
        [SetNodeCondition("ill", "KWOKUnhealthy", "True"), Pause(31)],
        phases=[[deployment("ill", 1, "3"), deployment("well", 2, "3")]],
        gates=_REPAIR,
        versions=("1.15",),
        kind="disruption",
        is_quiet=True,
    ),
    Scenario(
        "static-drift",
        "a static NodePool drifts: a node at a time, replaced first",
        [node_pool("default", ON_DEMAND, _ONE_TYPE, replicas=2, disruption={"budgets": [{"nodes": "1"}]})],
        [_LABEL, Pause(3)],
        phases=[[Pause(8)]],
        gates=_STATIC,
        kind="disruption",
        waits_for="Drifted",
        free="both nodes are alike, so that either may go first",
    ),
    Scenario(
        "static-drift-at-its-limit",
        "a static NodePool at its limit of nodes has no room for a replacement",
        [
            node_pool(
                "default", ON_DEMAND, _ONE_TYPE, replicas=2, limits={"nodes": "2"}, disruption={"budgets": [{"nodes": "1"}]}
            )
        ],
        [_LABEL, Pause(3)],
        phases=[[Pause(8)]],
        gates=_STATIC,
        kind="disruption",
        waits_for="Drifted",
        is_quiet=True,
        free="both nodes are alike, so that either may be the one that is not replaced",
    ),
    Scenario(
        "static-scale-in",
        "a static NodePool shrinks from three to two: the node without pods goes",
        [node_pool("default", ON_DEMAND, _ONE_TYPE, replicas=3, disruption=_CLOSED)],
        phases=[[deployment("web", 2, "3")]],
        while_held=[Scale("NodePool", "default", 2)],
        gates=_STATIC,
        kind="disruption",
        commands=0,
    ),
    Scenario(
        "static-nodes-stay-empty",
        "empty nodes of a static NodePool stay",
        [
            node_pool(
                "default",
                ON_DEMAND,
                _ONE_TYPE,
                replicas=2,
                disruption={"consolidateAfter": "0s", "budgets": [{"nodes": "100%"}]},
            )
        ],
        [Pause(1)],
        phases=[[Pause(8)]],
        gates=_STATIC,
        kind="disruption",
        is_quiet=True,
    ),
    Scenario(
        "expiry-beside-consolidation",
        "a node ends by its age while another is consolidated",
        [
            node_pool("old", ON_DEMAND, FOUR_CPU, disruption=_CLOSED, expireAfter="100s", labels={"team": "old"}),
            consolidating_pool("default", ON_DEMAND, labels={"team": "new"}),
        ],
        [Scale("Deployment", "big", 0)],
        phases=[
            [
                deployment("aged", 1, "3", nodeSelector={"team": "old"}),
                deployment("big", 1, "14", nodeSelector={"team": "new", CPU: "16"}),
                deployment("small", 1, "1", nodeSelector={"team": "new"}),
            ]
        ],
        while_held=[Pause(90)],
        kind="disruption",
    ),
    Scenario(
        "expiry-and-a-budget-of-pods",
        "a node ends by its age; its pod, which a PodDisruptionBudget keeps, holds the drain up to the terminationGracePeriod",
        [
            node_pool("default", ON_DEMAND, FOUR_CPU, disruption=_CLOSED, expireAfter="100s", terminationGracePeriod="20s"),
            pod_disruption_budget("keep", "web", maxUnavailable=0),
        ],
        phases=[[deployment("web", 1, "3")]],
        while_held=[Pause(90)],
        kind="disruption",
        commands=0,
    ),
)
