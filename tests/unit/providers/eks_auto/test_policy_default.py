"""The consolidation policy of NodePools of EKS Auto Mode that say none: Balanced since Kubernetes 1.37."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist import NodePool, read_inputs
from cutlist.providers.eks_auto import newest_version, with_default_policies

AUTO = {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default"}
OWN = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}


def manifest(reference: dict[str, str], **spec: Any) -> dict[str, Any]:
    arch = {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}
    template = {"spec": {"nodeClassRef": reference, "requirements": [arch]}}
    metadata = {"name": "general"}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": metadata, "spec": {"template": template, **spec}}


def policy(kubernetes: str, reference: dict[str, str] = AUTO, **spec: Any) -> str:
    [pool] = with_default_policies([NodePool.from_manifest(manifest(reference, **spec))], kubernetes)
    return pool.disruption.consolidation_policy


@pytest.mark.parametrize(
    ("kubernetes", "expected"),
    [
        ("1.37", "Balanced"),
        ("v1.37.1-eks-1a2b3c4", "Balanced"),
        ("1.40", "Balanced"),
        ("1.36", "WhenEmptyOrUnderutilized"),
        ("1.4", "WhenEmptyOrUnderutilized"),
        ("", "WhenEmptyOrUnderutilized"),
        ("latest", "WhenEmptyOrUnderutilized"),
    ],
)
def test_the_default_follows_the_version(kubernetes, expected):
    """EKS says so of 1.37."""
    assert policy(kubernetes) == expected


@pytest.mark.parametrize("written", ["WhenEmpty", "WhenEmptyOrUnderutilized"])
def test_a_policy_that_is_written_stays(written):
    """As does the rest of what is said on disruption."""
    assert policy("1.37", disruption={"consolidateAfter": "5m", "consolidationPolicy": written}) == written
    pool = NodePool.from_manifest(manifest(AUTO, disruption={"consolidateAfter": "5m", "budgets": [{"nodes": "2"}]}))
    [stored] = with_default_policies([pool], "1.37")
    assert (stored.disruption.consolidate_after, stored.disruption.budgets[0].nodes) == ("5m", "2")
    assert stored.at("spec.template") == pool.at("spec.template")


def test_karpenter_of_ones_own_has_its_own_default():
    assert policy("1.37", OWN) == "WhenEmptyOrUnderutilized"


def test_the_newest_of_the_nodes_counts():
    assert newest_version(["v1.36.4-eks-a", "v1.37.0-eks-b", "odd", "v1.9.1"]) == "v1.37.0-eks-b"
    assert newest_version(["odd"]) == newest_version([]) == ""


@pytest.mark.parametrize(
    ("beside", "expected"),
    [
        ([], "WhenEmptyOrUnderutilized"),
        ([{"apiVersion": "cutlist/v1", "kind": "Figures", "eks": {"kubernetesVersion": "1.37"}}], "Balanced"),
        (
            [
                {
                    "apiVersion": "v1",
                    "kind": "Node",
                    "metadata": {"name": "i-0"},
                    "status": {"nodeInfo": {"kubeletVersion": "v1.37.0-eks-b"}},
                }
            ],
            "Balanced",
        ),
    ],
)
def test_the_version_is_that_of_the_figures_or_of_the_nodes(beside, expected):
    inputs = read_inputs([], region="us-west-2", manifests=[manifest(AUTO), *beside], external_classes=["default"])
    assert [pool.disruption.consolidation_policy for pool in inputs.node_pools] == [expected]
