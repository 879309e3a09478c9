"""What would help a pending pod: one change, tried before it is reported."""

from __future__ import annotations

import re

import pytest

from cutlist.planning.remedies import search
from cutlist.planning.remedies.trial import SpentError, TrialBudget
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, plan_of, pool

SMALL = f"[{ON_DEMAND}, {TYPES.format('m5.large')}]"


AMD64 = f"[{ON_DEMAND}, {{key: kubernetes.io/arch, operator: In, values: [amd64]}}]"
CATEGORY = "{{key: karpenter.k8s.aws/instance-category, operator: In, values: [{}]}}"
IN_A = f"[{ON_DEMAND}, {TYPES.format('m5.large')}, {{key: topology.kubernetes.io/zone, operator: In, values: [us-west-2a]}}]"


def requesting(requests: str, limits: str = "") -> str:
    """Return a Deployment of one pod with these requests, and limits of the same or of their own."""
    return f"""
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web}}
spec:
  replicas: 1
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec: {{containers: [{{name: c, image: x, resources: {{requests: {{{requests}}}, limits: {{{limits or requests}}}}}}}]}}
"""


def overlay(capacity: str) -> str:
    """Return a NodeOverlay for all nodes of NodePool general."""
    return f"""
apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata: {{name: pages}}
spec:
  requirements: [{{key: karpenter.sh/nodepool, operator: In, values: [general]}}]
  capacity: {{{capacity}}}
"""


def remedy(*documents: str) -> str:
    (pending,) = plan_of(*documents).pending
    return pending.remedy


@pytest.mark.parametrize(
    ("reported", "node_pool", "workload"),
    [
        (
            "with a toleration for team=a:NoSchedule it fits NodePool general",
            pool(requirements=SMALL, extra="taints: [{key: team, value: a, effect: NoSchedule}]"),
            deployment(),
        ),
        (
            "without its requirement on topology.kubernetes.io/zone it fits NodePool general, as it does with us-west-2b among "
            "the values of that label there",
            pool(requirements=IN_A),
            deployment(extra="nodeSelector: {topology.kubernetes.io/zone: us-west-2b}"),
        ),
        (
            "with arm64 among the values of kubernetes.io/arch in NodePool general it fits there",
            pool(requirements=AMD64),
            deployment(extra="nodeSelector: {kubernetes.io/arch: arm64}"),
        ),
        (
            "move node.cilium.io/agent-not-ready:NoExecute of NodePool general from taints to startupTaints: an agent removes "
            "it once it runs",
            pool(requirements=SMALL, extra="taints: [{key: node.cilium.io/agent-not-ready, effect: NoExecute}]"),
            deployment(),
        ),
        (
            "raise the limit on nodes of NodePool general by 1 (limits.nodes): the 3 pods that wait for it get a node, for "
            "$215 a month more",
            pool(requirements=SMALL, spec="limits: {nodes: 0}"),
            deployment(replicas=3, cpu="1500m"),
        ),
        (
            "with replicas: 3 and limits.nodes: 3, NodePool general has 3 nodes and room for them",
            pool(requirements=SMALL, spec="replicas: 1\n  limits: {nodes: 1}"),
            deployment(replicas=3, cpu="1500m"),
        ),
        (
            "with aws.amazon.com/neuron or aws.amazon.com/neuroncore in place of aws.amazon.com/neurondevice it fits NodePool "
            "general",
            pool(requirements=f"[{ON_DEMAND}, {TYPES.format('inf2.xlarge')}]"),
            requesting("aws.amazon.com/neurondevice: 1"),
        ),
        (
            "with a limit of nvidia.com/gpu: 1 in place of its resource claims it fits NodePool general",
            pool(requirements=f"[{ON_DEMAND}, {TYPES.format('g5.xlarge')}]"),
            deployment(extra="resourceClaims: [{name: g, resourceClaimTemplateName: gpu}]"),
        ),
        (
            "with instanceStorePolicy: RAID0 or a disk of 230Gi (/dev/xvda) in EC2NodeClass default it fits NodePool general",
            pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5d.4xlarge')}]"),
            requesting("ephemeral-storage: 200Gi"),
        ),
        (
            "with a disk of 230Gi (/dev/xvda) in EC2NodeClass default it fits NodePool general",
            pool(requirements=SMALL),
            requesting("ephemeral-storage: 200Gi"),
        ),
        (
            "with only 1Gi of hugepages-2Mi in NodeOverlay pages it fits NodePool general",
            pool(requirements=SMALL) + "---" + overlay("hugepages-2Mi: 8Gi"),
            requesting("hugepages-2Mi: 1Gi, memory: 1Gi", "hugepages-2Mi: 1Gi, memory: 1Gi"),
        ),
        (
            "with a NodeOverlay that gives its nodes hugepages-2Mi: 1Gi (feature gate NodeOverlay) it fits NodePool general",
            pool(requirements=SMALL),
            requesting("hugepages-2Mi: 1Gi, memory: 1Gi"),
        ),
        (
            "with a cpu request of at most 1930m it fits NodePool general, as it does with m5.xlarge among the values of "
            "node.kubernetes.io/instance-type there",
            pool(requirements=SMALL),
            deployment(cpu="3"),
        ),
        (
            "with a memory request of at most 2901105Mi it fits NodePool general, as it does with x among the values of "
            "karpenter.k8s.aws/instance-category there",
            pool(requirements=f"[{AMD64[1:-1]}, {CATEGORY.format('t, r')}]"),
            requesting("memory: 3500Gi, cpu: 1"),
        ),
        (
            "with us-west-2a in place of us-west-2aa as topology.kubernetes.io/zone it fits NodePool general",
            pool(requirements=IN_A),
            deployment(extra="nodeSelector: {topology.kubernetes.io/zone: us-west-2aa}"),
        ),
        (
            "with general in place of generl as karpenter.sh/nodepool it fits NodePool general",
            pool(requirements=SMALL),
            deployment(extra="nodeSelector: {karpenter.sh/nodepool: generl}"),
        ),
        (
            "with karpenter.k8s.aws/instance-category in place of node.kubernetes.io/instance-category it fits NodePool "
            "general",
            pool(requirements=SMALL),
            deployment(extra="nodeSelector: {node.kubernetes.io/instance-category: m}"),
        ),
        (
            "with us-west-2b among the values of topology.kubernetes.io/zone in NodePool general it fits there",
            pool(requirements=IN_A),
            deployment(
                replicas=2,
                extra="affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                "[{topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {app: web}}}]}}",
            ),
        ),
        (
            "with us-west-2a in place of us-west2a as topology.kubernetes.io/zone, NodePool general has instance types that "
            "fit",
            pool(requirements=IN_A.replace("us-west-2a", "us-west2a")),
            deployment(),
        ),
        (
            "raise the cpu limit of NodePool general by 1: the pod that waits for it gets a node, for $71.68 a month more",
            pool(requirements=SMALL, spec="limits: {cpu: 3}"),
            deployment(replicas=2, cpu="1500m"),
        ),
        (
            "without its pod affinity it fits NodePool general",
            pool(requirements=SMALL),
            deployment(
                extra="affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                "[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: nobody}}}]}}"
            ),
        ),
    ],
)
def test_one_change_that_helps(reported: str, node_pool: str, workload: str) -> None:
    """The change is named with the pool that would then take the pod."""
    assert remedy(node_pool, workload) == reported


def test_what_is_reported_does_help() -> None:
    """A request cut to what was reported is placed; a little more is not."""
    assert remedy(pool(requirements=SMALL), deployment(cpu="3")).startswith("with a cpu request of at most 1930m it fits")
    assert not plan_of(pool(requirements=SMALL), deployment(cpu="1930m")).pending
    assert plan_of(pool(requirements=SMALL), deployment(cpu="1931m")).pending


def test_where_two_things_are_wrong_nothing_is_promised() -> None:
    """A pod that lacks a toleration and is too large as well is not sent to add a toleration."""
    tainted = pool(requirements=SMALL, extra="taints: [{key: team, effect: NoSchedule}]")
    assert remedy(tainted, deployment(cpu="3")) == ""


def test_a_raised_limit_is_enough_for_all_pods() -> None:
    """Two nodes are missing, so the limit grows by both; with less, a pod stays pending."""
    limited = "limits: {{cpu: {}}}"
    pods = deployment(replicas=3, cpu="1500m")
    raised = "raise the cpu limit of NodePool general by 4: the 2 pods that wait for it get a node, for $143 a month more"
    assert remedy(pool(requirements=SMALL, spec=limited.format(2)), pods) == raised
    assert not plan_of(pool(requirements=SMALL, spec=limited.format(6)), pods).pending
    assert plan_of(pool(requirements=SMALL, spec=limited.format(5)), pods).pending


def test_what_a_raise_costs_is_no_more_exact_than_its_prices() -> None:
    """Prices of spot are estimates here, so two digits are shown."""
    on_spot = SMALL.replace("on-demand", "spot")
    raised = remedy(pool(requirements=on_spot, spec="limits: {cpu: 2}"), deployment(replicas=3, cpu="1500m"))
    assert re.search(r"get a node, for about \$\d\d a month more$", raised), raised


def test_pods_without_topology_rules_are_not_advised_to_drop_them() -> None:
    """A pod that others keep away with their anti-affinity has no rule of its own that it could drop."""
    away = (
        "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/arch, "
        "labelSelector: {matchLabels: {app: web}}}]}}"
    )
    planned = plan_of(pool(requirements=SMALL), deployment("first", cpu="1500m", extra=away), deployment(cpu="100m"))
    assert all("topology" not in pods.remedy for pods in planned.pending)


def test_nobody_is_advised_to_tolerate_the_taint_of_add_ons() -> None:
    """The reason is the pool that was meant, which needs the architecture, and not the one for add-ons."""
    add_ons = pool("system", SMALL, extra="taints: [{key: CriticalAddonsOnly, effect: NoSchedule}]")
    assert remedy(add_ons, deployment()) == ""
    (pending,) = plan_of(
        add_ons, pool(requirements=AMD64), deployment(extra="nodeSelector: {kubernetes.io/arch: arm64}")
    ).pending
    assert pending.reason.startswith("NodePool general: the pod wants kubernetes.io/arch In [arm64]")
    assert pending.remedy.endswith("in NodePool general it fits there")


def test_no_overlay_makes_a_gpu() -> None:
    """Some types have GPUs; a NodeOverlay on the others would promise what no device plugin finds."""
    assert remedy(pool(requirements=SMALL), requesting("nvidia.com/gpu: 1")) == ""


@pytest.mark.parametrize("resource", ["amd.com/gpu", "vpc.amazonaws.com/efa", "example.com/gpu"])
def test_what_another_vendor_has_or_the_same_for_another_purpose_is_no_slip(resource: str) -> None:
    """The pool has GPUs of NVIDIA and interfaces for security groups."""
    both = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('g4dn.xlarge, m5.large')}]")
    assert "in place of" not in remedy(both, requesting(f"{resource}: 1, cpu: 1"))
    assert "with nvidia.com/gpu in place of" in remedy(both, requesting("nvidia.com/gpus: 1, cpu: 1"))
    assert "with nvidia.com/gpu in place of" in remedy(both, requesting("nvidia.con/gpu: 1, cpu: 1"))


def test_a_numeric_label_gets_no_guess_at_another_number() -> None:
    """Where no type has 1 cpu, the numbers that types have are named."""
    planned = plan_of(pool(requirements="[{key: karpenter.k8s.aws/instance-cpu, operator: In, values: ['5']}]"), deployment())
    (pending,) = planned.pending
    (why,) = [note.text for note in planned.warnings if "allows no instance type" in note.text]
    assert pending.reason == why.replace("NodePool general allows", "NodePool general: it allows")
    assert pending.remedy == (
        "without its requirement on karpenter.k8s.aws/instance-cpu, NodePool general has instance types that fit"
    )
    assert why.endswith("none has karpenter.k8s.aws/instance-cpu In [5], they have 4 and 8, but not 5")


TAINTED = pool(requirements=SMALL, extra="taints: [{key: team, value: a, effect: NoSchedule}]")


def many(count: int, **fields: str) -> list[str]:
    """Return Deployments of as many different pods, which differ in what they request."""
    return [deployment(name=f"web-{n}", cpu=f"{100 + n}m", **fields) for n in range(count)]


def test_pods_of_one_shape_are_tried_together_where_there_are_very_many(monkeypatch: pytest.MonkeyPatch):
    """One trial is enough for all that differ in amounts alone."""
    monkeypatch.setattr(search, "TRIALS", 1)
    pending = plan_of(TAINTED, *many(search._APART + 20)).pending
    assert {p.remedy for p in pending} == {"with a toleration for team=a:NoSchedule it fits NodePool general"}


def test_what_is_too_large_in_a_shape_has_another_remedy():
    """No node takes three of the pods: they are another group, with an answer of their own."""
    large = [deployment(name=f"large-{n}", cpu=f"{8 + n}") for n in range(3)]
    plan = plan_of(pool(requirements=SMALL, spec="limits: {cpu: 0}"), *many(search._APART + 5), *large)
    remedies = {p.workload: p.remedy for p in plan.pending}
    assert "raise the cpu limit" in remedies["deployment/web-0"]
    assert "cpu request of at most" in remedies["deployment/large-2"] or not remedies["deployment/large-2"]
    assert remedies["deployment/large-2"] != remedies["deployment/web-0"]


def test_a_plan_says_for_whom_no_trial_was_left(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(search, "TRIALS", 1)
    second = pool("other", requirements=SMALL, extra="taints: [{key: b, effect: NoSchedule}]")
    plan = plan_of(TAINTED, second, deployment(), deployment(name="api", cpu="300m"))
    (note,) = [note for note in plan.warnings if note.code == "remedies"]
    unknown = [p.workload for p in plan.pending if not p.remedy]
    assert unknown
    assert "after 1 trial of what would help" in note.text
    assert "1 workload with pending pods" in note.text
    assert unknown[0] in note.text


def test_a_trial_among_many_nodes_counts_as_several() -> None:
    budget = TrialBudget(12)
    for nodes in (0, 99, 950):
        budget.spend(nodes)
    assert (budget.left, budget.made) == (0, 3)
    with pytest.raises(SpentError):
        budget.spend(0)


def test_a_label_that_karpenter_refuses_is_named_without_all_that_it_would_accept() -> None:
    planned = plan_of(pool(requirements=SMALL), deployment(extra="nodeSelector: {karpenter.sh/instance-size: large}"))
    (pending,) = planned.pending
    refused = "using label karpenter.sh/instance-size is not allowed as it might interfere with the internal provisioning logic"
    assert pending.reason == f"Karpenter skips it: {refused}; did you mean karpenter.k8s.aws/instance-size?"
    assert any("write karpenter.k8s.aws/instance-size" in note.text for note in planned.warnings)
