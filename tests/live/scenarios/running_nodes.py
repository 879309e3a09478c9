"""Nodes that run already, with the placements of the real kube-scheduler on them."""

from __future__ import annotations

from typing import Any, Final

from tests.live.scenario import Patch, PatchNodes, Pause, Scale, Scenario
from tests.live.scenarios.builders import (
    CAPACITY_TYPE,
    FOUR_CPU,
    HOSTNAME,
    INSTANCE_TYPE,
    ON_DEMAND,
    SPOT,
    ZONE,
    daemon_set,
    deployment,
    node_affinity,
    node_pool,
    pod_anti_affinity,
    requirement,
    spread,
    stateful_set,
    taint,
    toleration,
)

_STATIC: Final = {"StaticCapacity": True}
_OWN_TAINT: Final = {"spec": {"taints": [{"key": "maintenance", "effect": "NoSchedule"}]}}


def _own_node(name: str, cpu: str, **labels: str) -> dict[str, Any]:
    """Return a Node that somebody else made."""
    amounts = {"cpu": cpu, "memory": "8Gi", "pods": "20", "ephemeral-storage": "20Gi"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "labels": {HOSTNAME: name, "kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux", **labels},
        },
        "spec": {"providerID": f"own://{name}"},
        "status": {"capacity": amounts, "allocatable": amounts},
    }


SCENARIOS: Final = (
    Scenario(
        "running-late-daemon",
        "a DaemonSet that came after the nodes",
        [node_pool("default", FOUR_CPU)],
        [daemon_set("late-small", "500m", "256Mi"), deployment("more", 5)],
        phases=[[daemon_set("early", "250m", "128Mi"), deployment("web", 2, "2", "2Gi")]],
    ),
    Scenario(
        "running-late-daemon-without-room",
        "a DaemonSet that came late and does not fit on the nodes that run",
        [node_pool("default", FOUR_CPU)],
        [daemon_set("late-large", "1500m", "256Mi"), deployment("more", 3, "700m")],
        phases=[[deployment("web", 2, "3", "2Gi")]],
    ),
    Scenario(
        "running-late-daemon-before-pods",
        "a DaemonSet took the room on the nodes before the pods came",
        [node_pool("default", FOUR_CPU)],
        [deployment("more", 3, "1200m")],
        phases=[
            [deployment("web", 2, "2", "2Gi", affinity=pod_anti_affinity("web"))],
            [daemon_set("late-settled", "800m", "256Mi"), Pause(3)],
        ],
    ),
    Scenario(
        "running-not-registered",
        "nodes that were launched and have not joined yet",
        [node_pool("default", requirement("karpenter.kwok.sh/instance-cpu", "In", "8"))],
        [deployment("more", 4)],
        phases=[[deployment("web", 2, "3", "2Gi")]],
        nodes_join_late=True,
    ),
    Scenario(
        "running-scaled-in",
        "room that a smaller workload left",
        [node_pool("default", FOUR_CPU)],
        [deployment("more", 12, "1200m")],
        phases=[[deployment("web", 4, "3", "2Gi")], [Scale("Deployment", "web", 1), Pause(3)]],
    ),
    Scenario(
        "running-mixed-sizes",
        "the kube-scheduler spreads pods of three sizes; more of each arrive",
        [node_pool("default", requirement("karpenter.kwok.sh/instance-cpu", "In", "4", "8"))],
        [Scale("Deployment", "a", 6), Scale("Deployment", "b", 5), Scale("Deployment", "c", 9)],
        phases=[[deployment("a", 3, "1500m"), deployment("b", 2, "2500m"), deployment("c", 4, "300m")]],
    ),
    Scenario(
        "running-before-weights",
        "nodes of a light pool that run come before a heavier pool",
        [node_pool("light", FOUR_CPU), node_pool("heavy", ON_DEMAND, weight=90, taints=[taint("heavy")])],
        [deployment("more", 3, tolerations=[toleration("heavy")])],
        phases=[[deployment("web", 1, "1500m")]],
    ),
    Scenario(
        "running-cordoned",
        "a node that is cordoned takes nothing",
        [node_pool("default", FOUR_CPU)],
        [deployment("more", 2)],
        phases=[
            [deployment("web", 1, "1"), deployment("other", 1, "3")],
            [PatchNodes("web", {"spec": {"unschedulable": True}}), Pause(3)],
        ],
    ),
    Scenario(
        "running-tainted-later",
        "a taint that an operator put on a node, and a pod that tolerates it",
        [node_pool("default", FOUR_CPU)],
        [deployment("plain", 1, "700m"), deployment("tolerates", 1, "600m", tolerations=[toleration("maintenance")])],
        phases=[[deployment("web", 1, "1")], [PatchNodes("web", _OWN_TAINT), Pause(2)]],
    ),
    Scenario(
        "running-startup-taint-again",
        "a startup taint on a node that was ready repels",
        [node_pool("default", FOUR_CPU, startupTaints=[taint("cni", "wait")])],
        [deployment("more", 1, "700m")],
        phases=[[deployment("web", 1, "1", tolerations=[toleration("cni")])]],
    ),
    Scenario(
        "running-host-ports",
        "a port that is taken on one of two nodes",
        [node_pool("default", FOUR_CPU)],
        [deployment("port", 2, "300m", ports=[{"containerPort": 80, "hostPort": 8080}])],
        phases=[
            [
                stateful_set("db", 1, "2", ports=[{"containerPort": 80, "hostPort": 8080}], affinity=pod_anti_affinity("web")),
                deployment("web", 1, "1900m"),
            ]
        ],
    ),
    Scenario(
        "running-custom-label",
        "nodes that got one of several values of a label",
        [node_pool("default", FOUR_CPU, requirement("tier", "In", "gold", "silver"))],
        [
            deployment("gold", 1, "500m", nodeSelector={"tier": "gold"}),
            deployment("silver", 1, "600m", nodeSelector={"tier": "silver"}),
            deployment("unknown", 1, "400m", affinity=node_affinity(requirement("rack", "NotIn", "r1"))),
        ],
        phases=[[deployment("web", 1, "1", nodeSelector={"tier": "gold"})]],
    ),
    Scenario(
        "running-well-known-label-missing",
        "a well-known label that a node does not have: a new node may, one that runs may not",
        [node_pool("default", FOUR_CPU)],
        [
            deployment(
                "region", 1, "500m", affinity=node_affinity(requirement("topology.kubernetes.io/region", "In", "somewhere"))
            )
        ],
        phases=[[deployment("web", 1, "1")]],
    ),
    Scenario(
        "running-own-nodes",
        "nodes that Karpenter did not make take pods as well",
        [node_pool(), _own_node("own-a", "4", pool="own"), _own_node("own-b", "2")],
        [deployment("a", 4, "1500m"), deployment("own", 2, "400m", nodeSelector={"pool": "own"})],
        phases=[[Pause(3)]],
    ),
    Scenario(
        "running-own-nodes-and-spread",
        "a node without a zone beside a spread over zones",
        [node_pool(), _own_node("own-a", "4")],
        [deployment("web", 4, "500m", topologySpreadConstraints=[spread(ZONE, "web")])],
        phases=[[Pause(3)]],
    ),
    Scenario(
        "running-no-pool-left",
        "no pool can be used: pods that fit on nodes that run are placed, others are not",
        [node_pool("default", FOUR_CPU)],
        [
            Patch(
                "NodePool",
                "default",
                {"spec": {"template": {"spec": {"requirements": [requirement(INSTANCE_TYPE, "In", "none")]}}}},
            ),
            deployment("small", 1, "500m"),
            deployment("large", 1, "3"),
        ],
        phases=[[deployment("web", 1, "2")]],
    ),
    Scenario(
        "running-spread-by-capacity-type",
        "pods that run on one capacity type, and a spread over both",
        [node_pool("default", FOUR_CPU, requirement(CAPACITY_TYPE, "In", "spot", "on-demand"))],
        [Scale("Deployment", "web", 6)],
        phases=[[deployment("web", 2, "1500m", topologySpreadConstraints=[spread(CAPACITY_TYPE, "web")])]],
    ),
    Scenario(
        "static-pool-with-room",
        "nodes of a static pool take pods before new ones are made",
        [
            node_pool("static", requirement(INSTANCE_TYPE, "In", "c-4x-amd64-linux"), SPOT, replicas=2),
            node_pool("dynamic", ON_DEMAND),
        ],
        [deployment("a", 9, "900m")],
        phases=[[Pause(6)]],
        gates=_STATIC,
    ),
    Scenario(
        "static-pool-alone",
        "a static pool alone: nothing is placed, not even where there is room",
        [node_pool("static", requirement(INSTANCE_TYPE, "In", "c-4x-amd64-linux"), replicas=1)],
        [deployment("a", 1, "5")],
        phases=[[Pause(6)]],
        gates=_STATIC,
    ),
    Scenario(
        "static-pool-gate-off",
        "a static pool makes no nodes without its feature gate",
        [
            node_pool("static", requirement(INSTANCE_TYPE, "In", "c-4x-amd64-linux"), replicas=2),
            node_pool("dynamic", ON_DEMAND),
        ],
        [deployment("a", 2, "900m")],
    ),
)
