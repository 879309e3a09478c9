"""Which NodePool a pending pod's reason is about, where several refuse it."""

from __future__ import annotations

from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, plan_of, pool

AMD64 = f"[{ON_DEMAND}, {{key: kubernetes.io/arch, operator: In, values: [amd64]}}]"
SMALL = f"[{ON_DEMAND}, {TYPES.format('m5.large')}]"
GPU = f"[{ON_DEMAND}, {TYPES.format('g5.xlarge')}]"
GPU_TAINT = "taints: [{key: nvidia.com/gpu, effect: NoSchedule}]"


def pending(*documents: str) -> tuple[str, str]:
    (pods,) = plan_of(*documents).pending
    return pods.reason, pods.remedy


def test_the_taint_of_a_pool_for_others_does_not_hide_the_architecture() -> None:
    """A pool whose taint the pod does not tolerate was not meant while another one is open to it."""
    reason, remedy = pending(
        pool("gpu", GPU, extra=GPU_TAINT), pool("a", AMD64), deployment(extra="nodeSelector: {kubernetes.io/arch: arm64}")
    )
    assert reason == "NodePool a: the pod wants kubernetes.io/arch In [arm64] where the NodePool has In [amd64]"
    assert remedy == "with arm64 among the values of kubernetes.io/arch in NodePool a it fits there"


def test_a_pod_that_asks_for_a_gpu_means_the_pool_that_has_some() -> None:
    """The pool without GPUs is open to it, but could never run it."""
    gpu = deployment().replace("resources: {", 'resources: {limits: {nvidia.com/gpu: "1"}, ')
    reason, remedy = pending(pool("gpu", GPU, extra=GPU_TAINT), pool("a", SMALL), gpu)
    assert reason == "NodePool gpu: the pod does not tolerate nvidia.com/gpu:NoSchedule"
    assert remedy == "with a toleration for nvidia.com/gpu:NoSchedule it fits NodePool gpu"


def test_a_pod_that_selects_a_label_of_a_pool_means_that_pool() -> None:
    """Its taint is the reason, although the other pool has none."""
    team = pool("team", SMALL, extra="taints: [{key: team, value: a, effect: NoSchedule}]").replace(
        "  template:\n", "  template:\n    metadata: {labels: {team: a}}\n"
    )
    other = pool("other", SMALL).replace("  template:\n", "  template:\n    metadata: {labels: {team: b}}\n")
    reason, remedy = pending(team, other, deployment(extra="nodeSelector: {team: a}"))
    assert reason == "NodePool team: the pod does not tolerate team=a:NoSchedule"
    assert remedy == "with a toleration for team=a:NoSchedule it fits NodePool team"


def test_of_two_open_pools_the_one_that_a_single_edit_opens_is_named() -> None:
    """In one pool the request is too large and the zone is wrong; in the other only the zone is."""
    zone = "{{key: topology.kubernetes.io/zone, operator: In, values: [{}]}}"
    a = pool("a", f"[{ON_DEMAND}, {TYPES.format('m5.large')}, {zone.format('us-west-2b')}]")
    b = pool("b", f"[{ON_DEMAND}, {TYPES.format('m5.2xlarge')}, {zone.format('us-west-2b')}]")
    reason, remedy = pending(a, b, deployment(cpu="4", extra="nodeSelector: {topology.kubernetes.io/zone: us-west-2a}"))
    assert reason.startswith("NodePool b: the pod wants topology.kubernetes.io/zone In [us-west-2a]")
    assert remedy.startswith("without its requirement on topology.kubernetes.io/zone it fits NodePool b")


def test_a_pod_that_selects_a_static_pool_is_pending_because_that_is_static() -> None:
    """The other pool is dynamic, but not what the pod selects."""
    static = pool("kept", SMALL, spec="replicas: 1")
    selecting = deployment(replicas=2, cpu="1500m", extra="nodeSelector: {karpenter.sh/nodepool: kept}")
    reason, remedy = pending(static, pool("other", SMALL), selecting)
    assert reason == "NodePool kept: it is static and keeps 1 node (spec.replicas); it launches none for pending pods"
    assert remedy == "with replicas: 2, NodePool kept has 2 nodes and room for them"


def test_a_static_pool_that_its_limit_keeps_small_says_so() -> None:
    """Its replicas would be enough."""
    static = pool("kept", SMALL, spec="replicas: 3\n  limits: {nodes: 1}")
    reason, remedy = pending(static, deployment(replicas=3, cpu="1500m"))
    assert reason.startswith("NodePool kept: it is static, and limits.nodes: 1 lets it have only 1 of its 3 replicas")
    assert remedy == "with replicas: 3 and limits.nodes: 3, NodePool kept has 3 nodes and room for them"
