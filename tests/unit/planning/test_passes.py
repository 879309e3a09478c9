"""Pods that wait for others: several passes, each on the nodes of the one before."""

from __future__ import annotations

from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, plan_of, pool

LARGE = f"[{ON_DEMAND}, {TYPES.format('m5.2xlarge')}]"


def apart(key: str) -> str:
    """Pods of the app keep away from each other by a topology key."""
    return (
        "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
        f"[{{topologyKey: {key}, labelSelector: {{matchLabels: {{app: web}}}}}}]}}}}"
    )


def with_app(app: str, key: str) -> str:
    """Pods go where pods of another app are."""
    return (
        "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
        f"[{{topologyKey: {key}, labelSelector: {{matchLabels: {{app: {app}}}}}}}]}}}}"
    )


def test_pods_apart_by_zone_take_a_pass_each_while_their_zone_is_open() -> None:
    """A claim that may start in any zone holds them all, until it has become a node in one of them."""
    # S-103, S-105
    made = plan_of(pool(requirements=LARGE), deployment(replicas=3, extra=apart("topology.kubernetes.io/zone")))
    assert made.passes == 3
    assert made.totals.nodes == 3
    assert not made.pending
    assert "passes" in {n.code for n in made.assumptions}


def test_there_are_no_more_passes_than_bring_something() -> None:
    """The fifth pod finds no zone: four passes place four pods, and the last one says why it stays."""
    made = plan_of(pool(requirements=LARGE), deployment(replicas=5, extra=apart("topology.kubernetes.io/zone")))
    assert (made.passes, made.totals.nodes, made.totals.pending) == (4, 4, 1)
    assert "no domain of topology.kubernetes.io/zone satisfies the pod anti-affinity rule" in made.pending[0].reason


def test_a_pod_joins_the_node_of_another_once_its_zone_is_known() -> None:
    """Affinity by zone to a pod whose zone is open is met in the next pass, on the very node if there is room."""
    # S-100
    follower = deployment("sidekick", cpu="500m", extra=with_app("web", "topology.kubernetes.io/zone"))
    made = plan_of(pool(requirements=LARGE), deployment(cpu="2"), follower)
    (node,) = made.nodes
    assert [(s.workload, s.count) for s in node.pods] == [("deployment/sidekick", 1), ("deployment/web", 1)]
    assert made.passes == 2
    assert node.requests["cpu"] == 2_500 * 10**6


def test_pods_apart_by_host_need_one_pass() -> None:
    """Every claim is a host of its own at once."""
    made = plan_of(pool(requirements=LARGE), deployment(replicas=3, extra=apart("kubernetes.io/hostname")))
    assert (made.passes, made.totals.nodes) == (1, 3)


def test_a_pod_whose_companion_does_not_exist_is_not_waited_for() -> None:
    """A pass that brings nothing is not counted."""
    # S-101
    made = plan_of(pool(requirements=LARGE), deployment(extra=with_app("nobody", "topology.kubernetes.io/zone")))
    assert made.passes == 1
    assert made.totals.pending == 1
