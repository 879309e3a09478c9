"""Why pods stay pending, in words."""

from __future__ import annotations

from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, plan_of, pool

SMALL = f"[{ON_DEMAND}, {TYPES.format('m5.large')}]"


def reason(*documents: str) -> str:
    (pending,) = plan_of(*documents).pending
    return pending.reason


def test_too_large_a_pod_is_told_what_the_largest_type_has() -> None:
    """The shortfall is a number."""
    # S-73, K-144
    said = reason(pool(requirements=SMALL), deployment(cpu="3"))
    assert said == "NodePool general: the pod needs 3 cpu and the largest allowed instance type has 1930m"


def test_daemons_that_take_the_room_are_named_as_such() -> None:
    """A pod that would fit an empty node is told what DaemonSets take."""
    daemon = deployment("agent", cpu="500m").replace("Deployment", "DaemonSet").replace("  replicas: 1\n", "")
    said = reason(pool(requirements=SMALL), deployment(cpu="1500m"), daemon)
    assert said == (
        "NodePool general: the pod needs 2 cpu (500m of it for DaemonSets) and the largest allowed instance type has 1930m"
    )


def test_a_taint_without_toleration() -> None:
    """The taint is written as kubectl writes it."""
    said = reason(pool(requirements=SMALL, extra="taints: [{key: team, value: a, effect: NoSchedule}]"), deployment())
    assert said == "NodePool general: the pod does not tolerate team=a:NoSchedule"


def test_a_label_that_no_node_has_comes_with_the_nearest_one() -> None:
    """A misspelt well-known label is recognised."""
    # S-26
    said = reason(pool(requirements=SMALL), deployment(extra="nodeSelector: {topology.kubernetes.io/zoone: us-west-2a, a: b}"))
    assert "no label" in said
    zone = reason(pool(requirements=SMALL), deployment(extra="nodeSelector: {zone: us-west-2a}"))
    assert zone.endswith("no label zone, which the pod requires; did you mean topology.kubernetes.io/zone?")


def test_contradicting_requirements_show_both_sides() -> None:
    """What the pod wants and what the pool has stand side by side."""
    said = reason(pool(requirements=SMALL), deployment(extra="nodeSelector: {karpenter.sh/capacity-type: spot}"))
    assert said == (
        "NodePool general: the pod wants karpenter.sh/capacity-type In [spot] where the NodePool has In [on-demand]"
    )


def test_a_requirement_that_no_type_has_is_pointed_out() -> None:
    """Of several requirements the one that excludes every type is named."""
    said = reason(pool(requirements=SMALL), deployment(extra="nodeSelector: {kubernetes.io/arch: arm64}"))
    assert said == "NodePool general: no instance type that it allows satisfies the pod's kubernetes.io/arch In [arm64]"


def test_a_limit_that_is_used_up_says_what_is_left() -> None:
    """Limits are met when claims are opened, with the largest type each may become."""
    # S-67, K-91
    said = reason(pool(requirements=SMALL, spec="limits: {cpu: 3}"), deployment(replicas=2, cpu="1500m"))
    assert said == "NodePool general: every instance type is larger than what its limits still allow (1 cpu left)"


def test_a_pod_that_would_not_fit_anyway_is_not_sent_to_raise_the_limit() -> None:
    """Where a limit is used up and the pod contradicts the pool as well, the contradiction is the reason."""
    made = plan_of(
        pool(requirements=SMALL, spec="limits: {cpu: 2}"),
        deployment("first", cpu="1500m"),
        deployment("second", extra="nodeSelector: {kubernetes.io/arch: arm64}"),
    )
    (pending,) = made.pending
    assert pending.workload == "deployment/second"
    assert "arm64" in pending.reason


def test_the_nearest_miss_of_several_pools_is_the_reason_and_all_are_listed() -> None:
    """A pool that only lacks room explains more than one that was never meant for the pod."""
    # S-56
    made = plan_of(
        pool("tainted", SMALL, extra="taints: [{key: team, effect: NoSchedule}]"), pool("open", SMALL), deployment(cpu="3")
    )
    (pending,) = made.pending
    assert pending.reason.startswith("NodePool open: the pod needs 3 cpu")
    assert [name for name, _ in pending.by_node_pool] == ["tainted", "open"]


def test_a_pod_that_karpenter_passes_over_says_why() -> None:
    """Pods that forbid NodePools are not Karpenter's."""
    # S-41
    affinity = (
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
        "[{matchExpressions: [{key: karpenter.sh/nodepool, operator: DoesNotExist}]}]}}}"
    )
    assert reason(pool(), deployment(extra=affinity)).startswith("Karpenter passes it over: configured to not run")
