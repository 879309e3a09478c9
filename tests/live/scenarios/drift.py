"""Drift: what causes it, what does not, what keeps a node that drifted, and how many go at a time (D-25, D-67 to D-72)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.core.annotations import DO_NOT_DISRUPT
from tests.live.scenario import Patch, PatchNodes, Pause, Scale, Scenario
from tests.live.scenarios.builders import (
    CPU,
    FOUR_CPU,
    LINUX,
    ON_DEMAND,
    ZONE,
    consolidating_pool,
    deployment,
    node_class,
    node_pool,
    pod_anti_affinity,
    pod_disruption_budget,
    requirement,
    taint,
)

_ALL: Final = {"budgets": [{"nodes": "100%"}]}


def _patch(template: Mapping[str, Any]) -> Patch:
    """Return a change of the NodePool's template."""
    return Patch("NodePool", "default", {"spec": {"template": template}})


def _requirements(*requirements: Mapping[str, Any]) -> Patch:
    """Return a change of the NodePool's requirements, beside those of its platform."""
    return _patch({"spec": {"requirements": [*LINUX, *requirements]}})


def _drifts(name: str, about: str, change: Patch, **more: Any) -> Scenario:
    """Return a scenario of one node with a pod, whose NodePool changes."""
    return Scenario(
        name,
        about,
        [node_class("second"), node_pool("default", ON_DEMAND, requirement(CPU, "In", "4", "8"), disruption=_ALL)],
        [change],
        phases=[[deployment("web", 1, "3")]],
        kind="disruption",
        waits_for="Drifted",
        **more,
    )


def _stays(name: str, about: str, change: Patch) -> Scenario:
    """Return a scenario of one node with a pod, whose NodePool changes in a way that does not concern the node."""
    return Scenario(
        name,
        about,
        [node_pool("default", ON_DEMAND, requirement(CPU, "In", "4", "8"), disruption=_ALL)],
        [change, Pause(5)],
        phases=[[deployment("web", 1, "3")]],
        kind="disruption",
        is_quiet=True,
    )


SCENARIOS: Final = (
    _drifts("drift-by-a-label", "the template has another label", _patch({"metadata": {"labels": {"new": "label"}}})),
    _drifts(
        "drift-by-an-annotation",
        "the template has another annotation",
        _patch({"metadata": {"annotations": {"new": "annotation"}}}),
    ),
    _drifts(
        "drift-by-a-taint",
        "the template has a taint that the pod does not tolerate: the pod has nowhere to go",
        _patch({"spec": {"taints": [taint("team", "ml")]}}),
        is_quiet=True,
    ),
    _drifts(
        "drift-by-a-startup-taint",
        "the template has a startup taint",
        _patch({"spec": {"startupTaints": [taint("cni", "wait", "NoExecute")]}}),
    ),
    _drifts("drift-by-expire-after", "nodes of the template live for another time", _patch({"spec": {"expireAfter": "720h"}})),
    _drifts(
        "drift-by-termination-grace-period",
        "drains of the template end at a time",
        _patch({"spec": {"terminationGracePeriod": "1h"}}),
    ),
    _drifts(
        "drift-by-node-class", "the template names another node class", _patch({"spec": {"nodeClassRef": {"name": "second"}}})
    ),
    _drifts(
        "drift-by-a-requirement",
        "the requirements leave the node's size out",
        _requirements(ON_DEMAND, requirement(CPU, "In", "8")),
    ),
    _drifts(
        "drift-by-a-new-requirement",
        "the requirements name a label that the node has not",
        _requirements(ON_DEMAND, requirement(CPU, "In", "4", "8"), requirement("team", "In", "a")),
    ),
    _stays(
        "no-drift-by-settings",
        "weight, limits and consolidation change",
        Patch(
            "NodePool", "default", {"spec": {"weight": 7, "limits": {"cpu": "99"}, "disruption": {"consolidateAfter": "9m"}}}
        ),
    ),
    _stays(
        "no-drift-by-more-choice",
        "the requirements allow more than before",
        _requirements(ON_DEMAND, requirement(CPU, "In", "4", "8", "16"), requirement("team", "NotIn", "a")),
    ),
    _stays("no-drift-by-no-change", "expireAfter says Never in other words", _patch({"spec": {"expireAfter": "Never"}})),
    Scenario(
        "drift-by-hand",
        "somebody changes a label of the NodeClaim",
        [node_pool("default", ON_DEMAND, FOUR_CPU, requirement("team", "In", "a"), disruption=_ALL)],
        [PatchNodes("web", {"metadata": {"labels": {"team": "b"}}}, kind="NodeClaim")],
        phases=[[deployment("web", 1, "3")]],
        kind="disruption",
        waits_for="Drifted",
    ),
    Scenario(
        "drift-nodes-without-pods-first",
        "of two nodes that drifted the one without pods goes first",
        [node_pool("default", ON_DEMAND, FOUR_CPU, disruption={"budgets": [{"nodes": "1"}]})],
        [Scale("Deployment", "leaves", 0), _patch({"metadata": {"labels": {"new": "label"}}}), Pause(3)],
        phases=[[deployment("web", 1, "3"), deployment("leaves", 1, "3")]],
        kind="disruption",
        waits_for="Drifted",
    ),
    Scenario(
        "drift-oldest-first",
        "of two nodes the one that drifted earlier goes first",
        [node_pool("default", ON_DEMAND, disruption={"budgets": [{"nodes": "1"}]})],
        [
            _requirements(ON_DEMAND, requirement(CPU, "In", "4", "16")),
            Pause(4),
            _requirements(ON_DEMAND, requirement(CPU, "In", "16")),
            Pause(3),
        ],
        phases=[[deployment("late", 1, "3")], [deployment("early", 1, "6")]],
        kind="disruption",
        waits_for="Drifted",
    ),
    Scenario(
        "drift-two-at-a-time",
        "a budget of two: one node after the other, without waiting for the first",
        [node_pool("default", ON_DEMAND, disruption={"budgets": [{"nodes": "2"}]})],
        [
            _requirements(ON_DEMAND, requirement(CPU, "In", "8", "16", "32")),
            Pause(4),
            _requirements(ON_DEMAND, requirement(CPU, "In", "16", "32")),
            Pause(4),
            _requirements(ON_DEMAND, requirement(CPU, "In", "32")),
            Pause(3),
        ],
        phases=[[deployment(f"web-{n}", 1, str(n * 3 // 4))] for n in (4, 8, 16)],
        kind="disruption",
        waits_for="Drifted",
        commands=2,
    ),
    Scenario(
        "drift-into-three-nodes",
        "a node whose pods need three nodes of what the NodePool allows now",
        [node_pool("default", ON_DEMAND, requirement(CPU, "In", "8"), disruption=_ALL)],
        [_requirements(ON_DEMAND, requirement(CPU, "In", "2"))],
        phases=[[deployment("web", 3, "1500m")]],
        kind="disruption",
        waits_for="Drifted",
    ),
    Scenario(
        "drift-onto-another-node",
        "the pods of a node that drifted fit on another: no replacement",
        [node_pool("default", ON_DEMAND, disruption=_ALL)],
        [Scale("Deployment", "fill", 0), _requirements(ON_DEMAND, requirement(CPU, "In", "8"))],
        phases=[[deployment("web", 1, "3")], [deployment("fill", 1, "6", nodeSelector={CPU: "8"})]],
        kind="disruption",
        waits_for="Drifted",
    ),
    Scenario(
        "drift-with-nowhere-to-go",
        "the pods of a node that drifted fit on nothing that the NodePool allows now",
        [node_pool("default", ON_DEMAND, FOUR_CPU, disruption=_ALL)],
        [_requirements(ON_DEMAND, FOUR_CPU, requirement(ZONE, "In", "test-zone-b"))],
        phases=[[deployment("web", 1, "3", nodeSelector={ZONE: "test-zone-a"})]],
        kind="disruption",
        waits_for="Drifted",
        is_quiet=True,
    ),
    Scenario(
        "drift-kept-by-pods",
        "a PodDisruptionBudget keeps a node that drifted",
        [node_pool("default", ON_DEMAND, FOUR_CPU, disruption=_ALL), pod_disruption_budget("keep", "web", maxUnavailable=0)],
        [_patch({"metadata": {"labels": {"new": "label"}}})],
        phases=[[deployment("web", 1, "3")]],
        kind="disruption",
        waits_for="Drifted",
        is_quiet=True,
    ),
    Scenario(
        "drift-with-termination-grace-period",
        "with a terminationGracePeriod neither a PodDisruptionBudget nor do-not-disrupt of a pod keeps a node that drifted",
        [
            node_pool("default", ON_DEMAND, FOUR_CPU, disruption=_ALL, terminationGracePeriod="5m"),
            pod_disruption_budget("keep", "web", maxUnavailable=0),
        ],
        [_patch({"metadata": {"labels": {"new": "label"}}})],
        phases=[[deployment("web", 1, "2"), deployment("kept", 1, "1", annotations={DO_NOT_DISRUPT: "true"})]],
        kind="disruption",
        waits_for="Drifted",
    ),
    Scenario(
        "drift-kept-by-its-annotation",
        "do-not-disrupt of a node holds against drift even with a terminationGracePeriod",
        [node_pool("default", ON_DEMAND, FOUR_CPU, disruption=_ALL, terminationGracePeriod="5m")],
        [
            PatchNodes("web", {"metadata": {"annotations": {DO_NOT_DISRUPT: "true"}}}),
            _patch({"metadata": {"labels": {"new": "label"}}}),
        ],
        phases=[[deployment("web", 1, "3")]],
        kind="disruption",
        waits_for="Drifted",
        is_quiet=True,
    ),
    Scenario(
        "drift-closed-budget",
        "a budget for the reason Drifted alone keeps a node that drifted",
        [
            node_pool(
                "default", ON_DEMAND, FOUR_CPU, disruption={"budgets": [{"nodes": "0", "reasons": ["Drifted"]}, {"nodes": "9"}]}
            )
        ],
        [_patch({"metadata": {"labels": {"new": "label"}}})],
        phases=[[deployment("web", 1, "3")]],
        kind="disruption",
        waits_for="Drifted",
        is_quiet=True,
    ),
    Scenario(
        "drift-and-empty",
        "a node that drifted and is empty is removed as empty",
        [consolidating_pool("default", ON_DEMAND, FOUR_CPU)],
        [Scale("Deployment", "leaves", 0), _patch({"metadata": {"labels": {"new": "label"}}})],
        phases=[[deployment("web", 1, "3"), deployment("leaves", 1, "3")]],
        kind="disruption",
        waits_for="Drifted",
    ),
    Scenario(
        "drift-of-one-pod-a-node",
        "two nodes with anti-affinity drift together: each is replaced by one of its own",
        [node_pool("default", ON_DEMAND, FOUR_CPU, disruption=_ALL)],
        [_patch({"metadata": {"labels": {"new": "label"}}}), Pause(3)],
        phases=[[deployment("db", 2, "3", affinity=pod_anti_affinity("db"))]],
        kind="disruption",
        waits_for="Drifted",
        free="both nodes drift within the same second, so that either may go first",
        commands=2,
    ),
)
