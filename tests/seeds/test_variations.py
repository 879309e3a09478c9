"""Further inputs like those of the seeds on managed services: EKS Auto Mode (R1) and AKS (R5), each with one thing changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from cutlist.core.errors import InputError
from cutlist.core.quantity import NANO
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.plan.answer import plan
from tests.seeds.aks import R5
from tests.seeds.steps import Seed

R1 = Seed("r1-eks-auto-mode", "ap-northeast-1", "acd")
OF_R1 = ("manifests/06-nodepool-default.yaml", "manifests/08-deployment-nginx-spot.yaml")
OF_R5 = ("converted/05-nodepool-my-node.yaml", "converted/06-nodepool-my-node-comp.yaml")
POD = "manifests/04-pod-test.yaml"
SELECTING = "manifests/07-pod-test-comp.yaml"
OVERLAY = """
---
apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata: {name: cheap}
spec: {requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}], price: "0.001"}
"""
AUTOMATIC = {"apiVersion": "cutlist/v1", "kind": "Figures", "aks": {"sku": "Automatic"}}


def inputs_of(seed: Seed, files: tuple[str, ...], edits: Mapping[str, str], more: str = "", **settings: Any) -> PlanInputs:
    """Return the inputs of a seed's files with texts replaced, each of which is there."""
    text = "\n---\n".join((seed.folder / file).read_text() for file in files) + more
    for old, new in edits.items():
        assert old in text
        text = text.replace(old, new)
    zones = [f"{seed.region}{zone}" for zone in "acd"] if seed is R1 else []
    return read_inputs(["-"], region=seed.region, stdin=text, zones=zones, **settings)


def reasons(made: Plan) -> str:
    return "; ".join(pending.reason for pending in made.pending)


@pytest.mark.parametrize(
    ("edits", "capacity_type", "most_vcpus", "pending"),
    [
        ({}, "spot", 8, ""),
        ({"replicas: 2": "replicas: 40"}, "spot", 8, ""),
        ({"        karpenter.sh/capacity-type: spot\n": ""}, "spot", 8, ""),
        ({"karpenter.sh/capacity-type: spot": "karpenter.sh/capacity-type: on-demand"}, "on-demand", 8, ""),
        ({'["amd64"]': '["arm64"]'}, "spot", 8, ""),
        ({'["2", "4", "8"]': '["2"]', "replicas: 2": "replicas: 9"}, "spot", 2, ""),
        ({"karpenter.sh/nodepool: default": "eks.amazonaws.com/compute-type: auto"}, "spot", 8, ""),
        ({'["on-demand", "spot"]': '["on-demand"]'}, "", 0, "karpenter.sh/capacity-type"),
        ({'cpu: "0.5"': 'cpu: "9"'}, "", 0, "cpu"),
        ({'["c", "m", "r"]': '["p"]'}, "", 0, ""),
    ],
)
def test_an_own_pool_of_auto_mode(edits, capacity_type, most_vcpus, pending):
    """With other pods, other requirements, and what no node can be for."""  # K-82, K-139
    made = plan(inputs_of(R1, OF_R1, edits))
    assert [service.name for service in made.services] == ["EKS Auto Mode"]  # V-142
    assert {node.capacity_type for node in made.nodes} == ({capacity_type} if capacity_type else set())
    assert all(node.allocatable["cpu"] <= most_vcpus * NANO for node in made.nodes)
    assert bool(made.pending) == (not capacity_type)
    assert pending in reasons(made)


def test_an_overlay_means_nothing_to_auto_mode():
    made = plan(inputs_of(R1, OF_R1, {}, OVERLAY))
    assert all(node.overlay_price is None for node in made.nodes)  # V-142
    assert any(note.text.startswith("EKS Auto Mode runs without the feature gate NodeOverlay") for note in made.warnings)


def test_a_label_of_self_managed_karpenter_is_refused_in_an_own_pool():
    with pytest.raises(InputError, match="instance-category is restricted"):
        inputs_of(R1, OF_R1, {"eks.amazonaws.com/instance-category": "karpenter.k8s.aws/instance-category"})


@pytest.mark.parametrize(
    ("files", "edits", "figures", "pool", "least_vcpus"),
    [
        ((*OF_R5, POD), {}, None, "my-node", 8),
        ((*OF_R5, SELECTING), {}, None, "my-node-comp", 8),
        ((*OF_R5, POD), {"- '8'": "- '16'"}, None, "my-node", 16),
        ((*OF_R5, POD), {"  weight: 10\n": ""}, None, "my-node-comp", 8),
        ((*OF_R5, POD), {"- '8'": "- '7'"}, None, "my-node-comp", 8),
        ((*OF_R5, SELECTING), {'sku-memory: "131072"': 'sku-cpu: "8"'}, None, "my-node", 8),
        ((POD,), {}, None, "default", 2),
        ((POD,), {}, AUTOMATIC, "default", 4),
        ((POD,), {"spec:": "spec:\n  nodeSelector: {kubernetes.azure.com/mode: user}"}, None, "default", 2),
        (
            (POD,),
            {
                "spec:": "spec:\n  nodeSelector: {kubernetes.azure.com/mode: system}\n"
                "  tolerations: [{key: CriticalAddonsOnly, operator: Exists}]"
            },
            None,
            "system-surge",
            2,
        ),
    ],
)
def test_pods_on_aks(files, edits, figures, pool, least_vcpus):
    """Own pools by weight and label, and AKS's own pools, in a cluster of either SKU."""  # K-188, Z-66, Z-75, Z-76
    manifests = [] if figures is None else [figures]
    made = plan(inputs_of(R5, files, edits, built_in_pools=["default", "system-surge"], manifests=manifests))
    (node,) = made.nodes
    assert (made.karpenter, made.pending) == ("1.14.1", ())  # Z-73
    assert node.node_pool == pool
    assert node.allocatable["cpu"] > (least_vcpus - 1) * NANO


@pytest.mark.parametrize(
    "selector", ["kubernetes.azure.com/mode: system", 'karpenter.azure.com/sku-memory: "1"', "karpenter.sh/nodepool: none"]
)
def test_pods_that_get_no_node_on_aks(selector):
    """Among them those of the system, for which AKS's default pool makes no node."""  # Z-75
    edits = {"spec:": f"spec:\n  nodeSelector: {{{selector}}}"}
    made = plan(inputs_of(R5, (POD,), edits, built_in_pools=["default"]))
    assert (made.nodes, len(made.pending)) == ((), 1)
    assert selector.partition(":")[0] in reasons(made)
