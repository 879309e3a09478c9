"""Nodes without pods: which go together, in which order, and what keeps them (D-20, D-37, D-38)."""

from __future__ import annotations

from typing import Final

from cutlist.core.annotations import DO_NOT_DISRUPT
from tests.live.scenario import PatchNodes, Pause, Scale, Scenario
from tests.live.scenarios.builders import (
    CPU,
    FOUR_CPU,
    ON_DEMAND,
    capacity_buffer,
    consolidating_pool,
    daemon_set,
    deployment,
    node_pool,
    pod_spec,
    pod_template,
)
from tests.live.scenarios.large_nodes import BIG, SMALL

_FOUR_SIZES: Final = [deployment(f"fill-{n}", 1, str(n * 3 // 4), nodeSelector={CPU: str(n)}) for n in (2, 4, 8, 16)]
_EMPTIED: Final = [Scale("Deployment", f"fill-{n}", 0) for n in (2, 4, 8, 16)]

SCENARIOS: Final = (
    Scenario(
        "empty-node",
        "one of three nodes is empty",
        [consolidating_pool("default", FOUR_CPU)],
        [Scale("Deployment", "b", 0)],
        phases=[[deployment("a", 1, "3"), deployment("b", 1, "3"), deployment("c", 1, "3")]],
        kind="disruption",
    ),
    Scenario(
        "empty-nodes-together",
        "three of four nodes are empty: one command",
        [consolidating_pool("default", FOUR_CPU)],
        [Scale("Deployment", "a", 0)],
        phases=[[deployment("a", 3, "3"), deployment("stay", 1, "3")]],
        kind="disruption",
    ),
    Scenario(
        "empty-nodes-most-expensive-first",
        "four empty nodes of four sizes, two at a time",
        [consolidating_pool("default", ON_DEMAND, budgets=[{"nodes": "2"}])],
        _EMPTIED,
        phases=[[*_FOUR_SIZES, deployment("stay", 1, "3", nodeSelector={CPU: "4"})]],
        kind="disruption",
        commands=2,
    ),
    Scenario(
        "empty-nodes-share-rounds-up",
        "30% of five nodes are two",
        [consolidating_pool("default", ON_DEMAND, budgets=[{"nodes": "30%"}])],
        _EMPTIED,
        phases=[[*_FOUR_SIZES, deployment("stay", 1, "3", nodeSelector={CPU: "4"})]],
        kind="disruption",
    ),
    Scenario(
        "empty-nodes-of-two-pools",
        "one command takes what each NodePool's own budget allows",
        [
            consolidating_pool("first", ON_DEMAND, budgets=[{"nodes": "1"}], labels={"team": "first"}),
            consolidating_pool("second", ON_DEMAND, budgets=[{"nodes": "100%"}], labels={"team": "second"}),
        ],
        [Scale("Deployment", f"{team}-{n}", 0) for team in ("first", "second") for n in (4, 8)],
        phases=[
            [
                deployment(f"{team}-{n}", 1, str(n * 3 // 4), nodeSelector={CPU: str(n), "team": team})
                for team in ("first", "second")
                for n in (4, 8)
            ]
        ],
        kind="disruption",
    ),
    Scenario(
        "empty-nodes-closed-budget",
        "a budget for the reason Empty alone keeps an empty node",
        [consolidating_pool("default", FOUR_CPU, budgets=[{"nodes": "0", "reasons": ["Empty"]}, {"nodes": "100%"}])],
        [Scale("Deployment", "b", 0)],
        phases=[[deployment("a", 1, "3"), deployment("b", 1, "3")]],
        kind="disruption",
        is_quiet=True,
    ),
    Scenario(
        "empty-by-deletion-cost",
        "a node whose only pods cost nothing to delete is empty",
        [consolidating_pool("default", FOUR_CPU, ON_DEMAND)],
        phases=[
            [
                deployment("cheap", 1, "3", annotations={"controller.kubernetes.io/pod-deletion-cost": "-2147483648"}),
                deployment("stay", 1, "3"),
            ]
        ],
        kind="disruption",
    ),
    Scenario(
        "empty-when-empty",
        "policy WhenEmpty: the empty node goes, the large one with a small pod stays",
        [consolidating_pool("default", ON_DEMAND, policy="WhenEmpty")],
        [Scale("Deployment", "big", 0), Scale("Deployment", "other", 0)],
        phases=[
            [BIG, SMALL],
            [deployment("other", 1, "30", "20Gi")],
        ],
        kind="disruption",
    ),
    Scenario(
        "empty-but-for-daemons",
        "a node that only holds pods of DaemonSets is empty",
        [consolidating_pool("default", FOUR_CPU)],
        [Scale("Deployment", "b", 0)],
        phases=[[daemon_set("log"), deployment("a", 1, "3"), deployment("b", 1, "3")]],
        kind="disruption",
    ),
    Scenario(
        "empty-for-long-enough",
        "two empty nodes, one of them for less than consolidateAfter",
        [consolidating_pool("default", FOUR_CPU, after="60s")],
        [Scale("Deployment", "early", 0), Pause(45), Scale("Deployment", "late", 0)],
        phases=[[deployment("early", 1, "3"), deployment("late", 1, "3"), deployment("stay", 1, "3")]],
        kind="disruption",
        waits_for="Consolidatable",
    ),
    Scenario(
        "empty-but-do-not-disrupt",
        "of two empty nodes one has the annotation do-not-disrupt",
        [consolidating_pool("default", FOUR_CPU)],
        [
            PatchNodes("kept", {"metadata": {"annotations": {DO_NOT_DISRUPT: "true"}}}),
            Scale("Deployment", "kept", 0),
            Scale("Deployment", "free", 0),
        ],
        phases=[[deployment("kept", 1, "3"), deployment("free", 1, "3"), deployment("stay", 1, "3")]],
        kind="disruption",
    ),
    Scenario(
        "empty-but-never",
        "consolidateAfter Never keeps an empty node",
        [node_pool("default", FOUR_CPU)],
        [Scale("Deployment", "b", 0)],
        phases=[[deployment("a", 1, "3"), deployment("b", 1, "3")]],
        kind="disruption",
        is_quiet=True,
    ),
    Scenario(
        "empty-but-a-buffer",
        "a CapacityBuffer's virtual pods keep one of two empty nodes",
        [
            pod_template("chunk", pod_spec("3", "1Gi")),
            capacity_buffer("spare", podTemplateRef={"name": "chunk"}, replicas=1),
            consolidating_pool("default", FOUR_CPU, ON_DEMAND),
        ],
        [Scale("Deployment", "a", 0)],
        phases=[[deployment("a", 1, "3"), deployment("stay", 1, "3")]],
        gates={"CapacityBuffer": True},
        kind="disruption",
    ),
)
