"""Nodes that are used too little: deleted or replaced, one or several at a time (D-22, D-44 to D-62)."""

from __future__ import annotations

from typing import Any, Final

from tests.live.scenario import Object, Pause, Scale, Scenario
from tests.live.scenarios.builders import (
    CAPACITY_TYPE,
    CPU,
    FAMILY,
    FOUR_CPU,
    INSTANCE_TYPE,
    ON_DEMAND,
    ZONE,
    capacity_buffer,
    consolidating_pool,
    daemon_set,
    deployment,
    node_overlay,
    node_pool,
    pod_anti_affinity,
    pod_spec,
    pod_template,
    priority_class,
    requirement,
    spread,
)
from tests.live.scenarios.large_nodes import BIG, BIG_LEAVES, SMALL


def _pod_of_cost(number: int) -> dict[str, Any]:
    """Return a Deployment whose pod costs a little more to delete than that of the number before."""
    cost = {"controller.kubernetes.io/pod-deletion-cost": str(number * 10_000_000)}
    return deployment(f"pod-{number}", 1, "1200m", "512Mi", annotations=cost)


def _unmanaged_node(name: str, cpu: str, memory: str) -> Object:
    """Return a node that Karpenter has not made."""
    labels = {"kubernetes.io/hostname": name, "kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux", ZONE: "test-zone-a"}
    resources = {"cpu": cpu, "memory": memory, "pods": "110"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "status": {"capacity": resources, "allocatable": resources},
    }


SCENARIOS: Final = (
    Scenario(
        "delete-one",
        "the pod of one node fits on the other",
        [consolidating_pool("default", ON_DEMAND)],
        [Scale("Deployment", "fill", 0)],
        phases=[
            [deployment("fill", 1, "3", nodeSelector={CPU: "4"}), deployment("tiny", 1, "500m", "256Mi")],
            [deployment("stay", 1, "5", nodeSelector={CPU: "8"})],
        ],
        kind="disruption",
    ),
    Scenario(
        "replace-one",
        "a large node with a small pod is replaced by a cheaper one",
        [consolidating_pool("default", ON_DEMAND)],
        BIG_LEAVES,
        phases=[[BIG, SMALL]],
        kind="disruption",
    ),
    Scenario(
        "replace-three-by-one",
        "three large nodes with one pod each become one",
        [consolidating_pool("default", ON_DEMAND, requirement(CPU, "In", "4", "16"))],
        BIG_LEAVES,
        phases=[[deployment("big", 3, "14", "20Gi"), deployment("small", 3, "1200m", "512Mi")]],
        kind="disruption",
    ),
    Scenario(
        "delete-five-of-eight",
        "eight nodes with a pod each: the search over prefixes ends at five",
        [consolidating_pool("default", ON_DEMAND, requirement(INSTANCE_TYPE, "In", "c-4x-amd64-linux"))],
        [Scale("Deployment", "fill", 0)],
        phases=[[deployment("fill", 8, "2500m"), *(_pod_of_cost(number) for number in range(8))]],
        kind="disruption",
    ),
    Scenario(
        "on-demand-becomes-spot",
        "an on-demand node whose pods no longer ask for it is replaced by spot only",
        [consolidating_pool("default")],
        [Scale("Deployment", "fill", 0)],
        phases=[
            [deployment("fill", 1, "3", nodeSelector={CAPACITY_TYPE: "on-demand"}), deployment("small", 1, "700m", "512Mi")]
        ],
        kind="disruption",
    ),
    Scenario(
        "cheaper-pods-move-first",
        "of two nodes alike the one whose pod has no priority goes",
        [priority_class("high", 100_000_000), consolidating_pool("default", ON_DEMAND, FOUR_CPU)],
        [Scale("Deployment", "fill", 0)],
        phases=[
            [
                deployment("fill", 2, "2500m"),
                deployment("precious", 1, "1100m", priorityClassName="high", affinity=pod_anti_affinity("plain")),
                deployment("plain", 1, "1100m"),
            ],
            [deployment("stay", 1, "2800m", priorityClassName="high", affinity=pod_anti_affinity("fill"))],
        ],
        kind="disruption",
    ),
    Scenario(
        "one-pod-a-node",
        "anti-affinity between pods keeps their nodes, which are as small as they get",
        [consolidating_pool("default", ON_DEMAND)],
        phases=[[deployment("db", 2, "500m", "512Mi", affinity=pod_anti_affinity("db"))]],
        kind="disruption",
        is_quiet=True,
    ),
    Scenario(
        "soft-spread-keeps-nodes",
        "a spread that kube-scheduler only prefers keeps two nodes",
        [consolidating_pool("default", ON_DEMAND)],
        phases=[
            [deployment("web", 2, "500m", "512Mi", topologySpreadConstraints=[spread(ZONE, "web", when="ScheduleAnyway")])]
        ],
        kind="disruption",
        is_quiet=True,
    ),
    Scenario(
        "soft-anti-affinity-keeps-nodes",
        "a preferred anti-affinity keeps two nodes",
        [consolidating_pool("default", ON_DEMAND)],
        phases=[[deployment("web", 2, "500m", "512Mi", affinity=pod_anti_affinity("web", weight=100))]],
        kind="disruption",
        is_quiet=True,
    ),
    Scenario(
        "preferences-ignored",
        "with PREFERENCE_POLICY Ignore a preferred anti-affinity keeps no node",
        [consolidating_pool("default", ON_DEMAND, FOUR_CPU)],
        [Scale("Deployment", "fill", 0)],
        phases=[
            [
                deployment("fill", 2, "2500m"),
                deployment("web", 2, "1200m", "512Mi", affinity=pod_anti_affinity("web", weight=100)),
            ]
        ],
        settings={"PREFERENCE_POLICY": "Ignore"},
        kind="disruption",
        free="both nodes are alike, so that either may go",
    ),
    Scenario(
        "heavier-pool-is-more-expensive",
        "a NodePool of more weight takes the replacement, which then is not cheaper",
        [consolidating_pool("default", ON_DEMAND, requirement(FAMILY, "In", "c"))],
        [
            consolidating_pool("heavy", ON_DEMAND, requirement(CPU, "In", "32"), weight=50),
            Scale("Deployment", "big", 0),
        ],
        phases=[[BIG, SMALL]],
        kind="disruption",
        is_quiet=True,
    ),
    Scenario(
        "too-few-types-are-cheaper",
        "minValues counts what is left once the more expensive types are out",
        [consolidating_pool("default", ON_DEMAND, requirement(INSTANCE_TYPE, "Exists", min_values=8))],
        [Scale("Deployment", "fill", 0)],
        phases=[[deployment("fill", 1, "3", nodeSelector={CPU: "4"}), deployment("small", 1, "500m", "512Mi")]],
        kind="disruption",
        is_quiet=True,
    ),
    Scenario(
        "daemons-and-spread",
        "three nodes in three zones with a daemon; one pod is left",
        [consolidating_pool("default", ON_DEMAND, FOUR_CPU)],
        [Scale("Deployment", "web", 1)],
        phases=[
            [
                daemon_set("log", "100m", "64Mi"),
                deployment("web", 3, "3", topologySpreadConstraints=[spread(ZONE, "web")]),
                deployment("tiny", 1, "200m", "64Mi"),
            ]
        ],
        kind="disruption",
    ),
    Scenario(
        "destination-under-consolidate-after",
        "a node that received a pod a moment ago takes none: the pod gets a node of its own",
        [consolidating_pool("default", ON_DEMAND, after="70s")],
        [Scale("Deployment", "big", 0), Pause(50), Scale("Deployment", "more", 2)],
        phases=[
            [BIG, SMALL],
            [deployment("stay", 1, "5", nodeSelector={CPU: "8"}), deployment("more", 1, "200m", nodeSelector={CPU: "8"})],
        ],
        kind="disruption",
        waits_for="Consolidatable",
    ),
    Scenario(
        "unmanaged-destination",
        "a node that is not Karpenter's takes the pods",
        [consolidating_pool("default", ON_DEMAND)],
        [_unmanaged_node("by-hand", "4", "8Gi"), Pause(2), Scale("Deployment", "big", 0)],
        phases=[[BIG, SMALL]],
        kind="disruption",
    ),
    Scenario(
        "static-destination",
        "a node of a static NodePool takes the pods and is never consolidated itself",
        [
            node_pool(
                "static", ON_DEMAND, requirement(INSTANCE_TYPE, "In", "c-4x-amd64-linux"), replicas=1, labels={"team": "static"}
            ),
            consolidating_pool("default", ON_DEMAND),
        ],
        BIG_LEAVES,
        phases=[[deployment("first", 1, "1500m", "1Gi", nodeSelector={"team": "static"})], [BIG, SMALL]],
        gates={"StaticCapacity": True},
        kind="disruption",
    ),
    Scenario(
        "pending-pods-within-limits",
        "a pod that its NodePool's limit keeps pending has a say in what replaces a node",
        [consolidating_pool("default", ON_DEMAND, limits={"cpu": "20"})],
        [Scale("Deployment", "big", 0), deployment("waits", 1, "15800m", "1Gi")],
        phases=[[BIG, SMALL], [deployment("stay", 1, "3", nodeSelector={CPU: "4"})]],
        kind="disruption",
    ),
    Scenario(
        "buffer-takes-the-room",
        "a pod would fit on the other node, were it not for the virtual pod of a CapacityBuffer",
        [consolidating_pool("default", ON_DEMAND)],
        [Scale("Deployment", "fill", 0)],
        phases=[
            [deployment("fill", 1, "3", nodeSelector={CPU: "4"}), deployment("tiny", 1, "500m", "256Mi")],
            [deployment("stay", 1, "5", nodeSelector={CPU: "8"})],
            [
                pod_template("chunk", pod_spec("2500m", "1Gi")),
                capacity_buffer("spare", podTemplateRef={"name": "chunk"}, replicas=1),
                Pause(8),
            ],
        ],
        gates={"CapacityBuffer": True},
        kind="disruption",
    ),
    Scenario(
        "overlay-makes-it-cheaper",
        "a NodeOverlay takes 60% off one type's price",
        [consolidating_pool("default", ON_DEMAND, FOUR_CPU)],
        [node_overlay("rebate", requirement(INSTANCE_TYPE, "In", "m-4x-amd64-linux"), priceAdjustment="-60%")],
        phases=[[deployment("web", 1, "3")]],
        gates={"NodeOverlay": True},
        kind="disruption",
    ),
    Scenario(
        "overlay-makes-it-more-expensive",
        "a NodeOverlay doubles the price of all that would be cheaper",
        [consolidating_pool("default", ON_DEMAND, requirement(CPU, "In", "4", "8"))],
        [
            node_overlay("surcharge", requirement(CPU, "In", "4"), priceAdjustment="+150%"),
            Scale("Deployment", "fill", 0),
        ],
        phases=[[deployment("fill", 1, "5"), deployment("small", 1, "1")]],
        gates={"NodeOverlay": True},
        kind="disruption",
        is_quiet=True,
    ),
    Scenario(
        "balanced-approves",
        "policy Balanced: a replacement that saves three quarters of a node's price",
        [consolidating_pool("default", ON_DEMAND, policy="Balanced")],
        [Scale("Deployment", "fill", 0)],
        phases=[
            [deployment("fill", 1, "5", nodeSelector={CPU: "8"}), deployment("small", 1, "1500m")],
            [deployment("stay", 2, "7", "8Gi", affinity=pod_anti_affinity("stay"))],
        ],
        kind="disruption",
    ),
    Scenario(
        "balanced-rejects",
        "policy Balanced: a replacement that saves too little for what it disrupts",
        [consolidating_pool("default", ON_DEMAND, requirement(CPU, "In", "8"), policy="Balanced")],
        [Scale("Deployment", "fill", 0)],
        phases=[
            [deployment("fill", 1, "2", nodeSelector={FAMILY: "s"}), deployment("small", 1, "5")],
            [deployment("stay", 2, "7", "8Gi", affinity=pod_anti_affinity("stay"))],
        ],
        kind="disruption",
        is_quiet=True,
    ),
)
