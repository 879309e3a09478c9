"""What keeps a node that Karpenter would like to remove: annotations and PodDisruptionBudgets (D-4 to D-12)."""

from __future__ import annotations

from typing import Final

from cutlist.core.annotations import DO_NOT_DISRUPT
from tests.live.scenario import PatchNodes, Scale, Scenario
from tests.live.scenarios.builders import (
    CPU,
    ON_DEMAND,
    consolidating_pool,
    daemon_set,
    deployment,
    pod_disruption_budget,
    pod_spec,
    workload,
)
from tests.live.scenarios.large_nodes import BIG, BIG_LEAVES, SMALL

SCENARIOS: Final = (
    Scenario(
        "kept-by-a-budget-of-pods",
        "a PodDisruptionBudget that allows nothing keeps the node",
        [consolidating_pool("default", ON_DEMAND), pod_disruption_budget("keep", "small", maxUnavailable=0)],
        BIG_LEAVES,
        phases=[[BIG, SMALL]],
        kind="disruption",
        is_quiet=True,
    ),
    Scenario(
        "kept-by-two-budgets-of-pods",
        "two PodDisruptionBudgets for one pod keep the node, however much they allow",
        [
            consolidating_pool("default", ON_DEMAND),
            pod_disruption_budget("one", "small", maxUnavailable=1),
            pod_disruption_budget("other", "small", minAvailable=0),
        ],
        BIG_LEAVES,
        phases=[[BIG, SMALL]],
        kind="disruption",
        is_quiet=True,
    ),
    Scenario(
        "budget-of-pods-allows-one",
        "a PodDisruptionBudget that allows one pod lets a node with three of them go",
        [consolidating_pool("default", ON_DEMAND), pod_disruption_budget("one", "small", maxUnavailable=1)],
        BIG_LEAVES,
        phases=[[BIG, deployment("small", 3, "300m", "256Mi")]],
        kind="disruption",
    ),
    Scenario(
        "kept-by-a-pod",
        "a pod that must not be disrupted keeps its node",
        [consolidating_pool("default", ON_DEMAND)],
        BIG_LEAVES,
        phases=[[BIG, deployment("small", 1, "500m", "512Mi", annotations={DO_NOT_DISRUPT: "true"})]],
        kind="disruption",
        is_quiet=True,
    ),
    Scenario(
        "kept-by-a-pod-for-a-time",
        "do-not-disrupt for ten minutes keeps a node, for one second no longer",
        [consolidating_pool("default", ON_DEMAND)],
        [Scale("Deployment", "fill-8", 0), Scale("Deployment", "fill-16", 0)],
        phases=[
            [
                deployment("fill-8", 1, "6", nodeSelector={CPU: "8"}),
                deployment("long", 1, "500m", annotations={DO_NOT_DISRUPT: "10m"}),
            ],
            [
                deployment("fill-16", 1, "14", nodeSelector={CPU: "16"}),
                deployment("brief", 1, "1900m", annotations={DO_NOT_DISRUPT: "1s"}),
            ],
        ],
        kind="disruption",
    ),
    Scenario(
        "kept-by-a-daemon",
        "a DaemonSet's pod that must not be disrupted keeps its node",
        [
            consolidating_pool("default", ON_DEMAND),
            workload("DaemonSet", "log", None, pod_spec("100m", "64Mi"), annotations={DO_NOT_DISRUPT: "true"}),
        ],
        BIG_LEAVES,
        phases=[[BIG, SMALL]],
        kind="disruption",
        is_quiet=True,
    ),
    Scenario(
        "kept-by-its-annotation",
        "a node that must not be disrupted stays; another value than true says nothing",
        [consolidating_pool("default", ON_DEMAND)],
        [
            PatchNodes("fill-8", {"metadata": {"annotations": {DO_NOT_DISRUPT: "true"}}}),
            PatchNodes("fill-16", {"metadata": {"annotations": {DO_NOT_DISRUPT: "1h"}}}),
            Scale("Deployment", "fill-8", 0),
            Scale("Deployment", "fill-16", 0),
        ],
        phases=[
            [deployment("fill-8", 1, "6", nodeSelector={CPU: "8"}), deployment("a", 1, "500m")],
            [deployment("fill-16", 1, "14", nodeSelector={CPU: "16"}), deployment("b", 1, "1900m")],
        ],
        kind="disruption",
    ),
    Scenario(
        "pods-that-tolerate-disruption",
        "pods that tolerate Karpenter's taint are moved all the same",
        [consolidating_pool("default", ON_DEMAND), pod_disruption_budget("keep", "small", maxUnavailable=0)],
        BIG_LEAVES,
        phases=[[BIG, deployment("small", 1, "500m", "512Mi", tolerations=[{"operator": "Exists"}])]],
        kind="disruption",
    ),
    Scenario(
        "annotation-of-another-word",
        "do-not-disrupt with a word that is no duration keeps nothing",
        [consolidating_pool("default", ON_DEMAND)],
        BIG_LEAVES,
        phases=[[BIG, deployment("small", 1, "500m", "512Mi", annotations={DO_NOT_DISRUPT: "yes"})]],
        kind="disruption",
    ),
    Scenario(
        "daemons-of-a-small-node",
        "daemons take part in what the replacement has to hold",
        [consolidating_pool("default", ON_DEMAND)],
        BIG_LEAVES,
        phases=[[daemon_set("log", "600m", "1Gi"), BIG, deployment("small", 1, "600m", "512Mi")]],
        kind="disruption",
    ),
)
