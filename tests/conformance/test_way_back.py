"""The way back from v1 to v1beta1: what is lost on it is reported."""

from __future__ import annotations

import pytest

from cutlist import EC2NodeClass, NodePool
from tests.conformance.way_back import losses, to_v1beta1

REFERENCE = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}


def stored_pool(*, template=None, **spec):
    inner = {"nodeClassRef": REFERENCE, "requirements": [], **(template or {})}
    about = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "p"}}
    return NodePool.from_manifest({**about, "spec": {"template": {"spec": inner}, **spec}}).stored()


def stored_class(**spec):
    members = {
        "role": "r",
        "amiSelectorTerms": [{"alias": "al2023@v20250101"}],
        "subnetSelectorTerms": [{"id": "subnet-1"}],
        "securityGroupSelectorTerms": [{"id": "sg-1"}],
        **spec,
    }
    about = {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": "c"}}
    return EC2NodeClass.from_manifest({**about, "spec": members}).stored()


def disruption(**members):
    return {"disruption": {"consolidateAfter": "0s", **members}}


def with_requirement(**requirement):
    return {"template": {"requirements": [{"key": "karpenter.k8s.aws/instance-cpu", **requirement}]}}


def test_what_v1beta1_has_comes_back():
    """Nothing is lost of plain objects; the version of an alias is kept in an annotation."""
    assert [*losses(stored_pool()), *losses(stored_class())] == []
    assert to_v1beta1(stored_class())["metadata"]["annotations"] == {
        "compatibility.karpenter.k8s.aws/v1-alias-version": "v20250101"
    }


@pytest.mark.parametrize(
    ("stored", "path"),
    [
        (stored_pool(template={"terminationGracePeriod": "1h"}), "spec.template.spec.terminationGracePeriod"),
        (stored_pool(**disruption(budgets=[{"nodes": "1", "reasons": ["Empty"]}])), "spec.disruption.budgets[0].reasons"),
        (stored_pool(**disruption(budgets=[])), "spec.disruption.budgets"),
        (stored_pool(**disruption(consolidationPolicy="Balanced")), "spec.disruption.consolidationPolicy"),
        (stored_pool(**disruption(consolidateAfter="30s")), "spec.disruption.consolidateAfter"),
        (stored_pool(replicas=2), "spec.replicas"),
        (stored_pool(**with_requirement(operator="Gte", values=["4"])), "spec.template.spec.requirements[0].operator"),
        (
            stored_pool(template={"nodeClassRef": {**REFERENCE, "group": "karpenter.azure.com"}}),
            "spec.template.spec.nodeClassRef.group",
        ),
        (stored_class(kubelet={"maxPods": 1}), "spec.kubelet"),
        (stored_class(ipPrefixCount=1), "spec.ipPrefixCount"),
        (stored_class(amiFamily="Windows2025", amiSelectorTerms=[{"id": "ami-1"}]), "spec.amiFamily"),
    ],
)
def test_what_is_lost_is_named(stored, path):
    """Each field and each word that came with v1, and what the old policy could not say."""
    assert [change.old for change in losses(stored)] == [path]
