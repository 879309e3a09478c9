"""Objects of v1beta1: what the API server of Karpenter 1.0 refused, and what it filled in."""

from __future__ import annotations

import pytest

from cutlist.api import v1beta1
from tests.conformance import v1beta1 as v1beta1_server
from tests.unit.api.convert.manifests import node_class, pool


def messages(manifest):
    return [f"{one.path}: {one.message}" for one in v1beta1.findings(manifest)]


def with_template(**spec):
    node_pool = pool()
    node_pool["spec"]["template"]["spec"] |= spec
    return node_pool


def with_requirement(**requirement):
    return with_template(requirements=[{"key": "example.com/team", "operator": "Exists", **requirement}])


def test_valid_objects_have_no_findings():
    """The smallest of each kind is taken."""
    assert messages(pool()) + messages(node_class()) == []


@pytest.mark.parametrize(
    ("disruption", "message"),
    [
        ({"consolidateAfter": "30s"}, "consolidateAfter cannot be combined with consolidationPolicy=WhenUnderutilized"),
        ({"consolidationPolicy": "WhenEmpty"}, "consolidateAfter must be specified with consolidationPolicy=WhenEmpty"),
    ],
)
def test_the_two_messages_on_consolidation(disruption, message):
    """They are v1beta1's own words, which users may quote."""
    assert messages(pool(disruption=disruption)) == [f"spec.disruption: {message}"]


@pytest.mark.parametrize(
    ("manifest", "place"),
    [
        (pool(disruption={"consolidationPolicy": "WhenEmptyOrUnderutilized"}), "spec.disruption.consolidationPolicy"),
        (pool(disruption={"budgets": [{"nodes": "1", "reasons": ["Drifted"]}]}), "spec.disruption.budgets[0].reasons"),
        (pool(disruption={"budgets": [{"nodes": "1", "schedule": "@daily"}]}), "spec.disruption.budgets[0]"),
        (pool(disruption={"expireAfter": "1d"}), "spec.disruption.expireAfter"),
        (with_template(expireAfter="1h"), "spec.template.spec.expireAfter"),
        (with_template(resources={"requests": {"cpu": "1"}}), "spec.template.spec.resources"),
        (with_template(nodeClassRef={"kind": "EC2NodeClass"}), "spec.template.spec.nodeClassRef.name"),
        (with_requirement(operator="Gte", values=["1"]), "spec.template.spec.requirements[0].operator"),
        (with_requirement(operator="In"), "spec.template.spec.requirements[0]"),
        (with_requirement(operator="Gt", values=["a"]), "spec.template.spec.requirements[0].values"),
        (with_requirement(operator="In", values=["a"], minValues=2), "spec.template.spec.requirements[0].minValues"),
        (with_requirement(key="kubernetes.io/foo"), "spec.template.spec.requirements[0].key"),
        (with_requirement(key="example.k8s.io/foo"), "spec.template.spec.requirements[0].key"),
        (with_requirement(key="mykarpenter.sh/foo"), "spec.template.spec.requirements[0].key"),
        (with_requirement(key="karpenter.k8s.aws/instance-tenancy"), "spec.template.spec.requirements[0].key"),
        (node_class(kubelet={"maxPods": 1}), "spec.kubelet"),
        (node_class(amiFamily="Windows2025"), "spec.amiFamily"),
        (node_class(amiFamily="Custom"), "spec"),
        (node_class(amiSelectorTerms=[]), "spec.amiSelectorTerms"),
        (node_class(amiSelectorTerms=[{"alias": "al2@latest", "name": "n"}]), "spec.amiSelectorTerms[0].alias"),
        (node_class(amiSelectorTerms=[{"id": "ami-1", "name": "n"}]), "spec.amiSelectorTerms[0]"),
        (node_class(subnetSelectorTerms=[{}]), "spec.subnetSelectorTerms[0]"),
        (node_class(subnetSelectorTerms=[]), "spec.subnetSelectorTerms"),
        (node_class(tags={"karpenter.sh/managed-by": "x"}), "spec.tags.karpenter.sh/managed-by"),
        (node_class(role=None), "spec"),
        (node_class(blockDeviceMappings=[{"ebs": {}}]), "spec.blockDeviceMappings[0].ebs"),
        (node_class(blockDeviceMappings=[{"rootVolume": True}, {"rootVolume": True}]), "spec.blockDeviceMappings"),
    ],
)
def test_what_that_release_refused(manifest, place):
    """Each breach of its schema and rules is reported at its place."""
    assert [one.path for one in v1beta1.findings(manifest)] == [place]


@pytest.mark.parametrize(
    "manifest",
    [
        with_requirement(key="node.kubernetes.io/foo"),
        with_requirement(key="kops.k8s.io/foo"),
        with_requirement(key="karpenter.k8s.aws/instance-cpu"),
        with_requirement(key="beta.kubernetes.io/instance-type"),
        node_class(tags={"eks:eks-cluster-name": "x"}),
        node_class(amiSelectorTerms=[{"id": "ami-1", "name": "n"}, {"id": "ami-2"}]),
        node_class(blockDeviceMappings=[{"ebs": {"volumeSize": "1Gi"}}]),
        node_class(subnetSelectorTerms=[{"id": "xx-subnet-1"}]),
    ],
)
def test_what_that_release_took(manifest):
    """An object that was stored once must still be read, strict as v1's model may be."""
    assert messages(manifest) == []


def test_defaults_are_those_of_that_release():
    """A block that is missing as a whole may have other defaults than a member of it."""
    assert v1beta1_server.stored(pool())["spec"]["disruption"] == {
        "consolidationPolicy": "WhenUnderutilized",
        "expireAfter": "720h",
        "budgets": [{"nodes": "10%"}],
    }
    assert v1beta1_server.stored(pool(disruption={"budgets": [{}]}))["spec"]["disruption"]["budgets"] == [{"nodes": "10%"}]
    limits = [
        v1beta1_server.stored(node_class(metadataOptions=options))["spec"]["metadataOptions"]["httpPutResponseHopLimit"]
        for options in (None, {}, {"httpPutResponseHopLimit": 5})
    ]
    assert limits == [1, 2, 5]


def test_unknown_fields_are_left_out_of_what_is_known():
    """As by an API server that does not look at them."""
    node_pool = pool(kubelet={"containerRuntime": "containerd", "maxPods": 1}, replicas=3)
    assert v1beta1_server.known(node_pool) == pool(kubelet={"maxPods": 1})


@pytest.mark.parametrize(("key", "is_right"), [("Example.com/Team", True), ("a b", False), ("a/b/c", False)])
def test_annotations_have_names(key, is_right):
    """Their keys are qualified names in any case of letters."""
    made = node_class()
    made["metadata"]["annotations"] = {key: "x"}
    assert [one.path for one in v1beta1.findings(made)] == ([] if is_right else [f"metadata.annotations.{key}"])


@pytest.mark.parametrize(
    ("kind", "path"),
    [("NodePool", "spec.disruption.terminationGracePeriod"), ("NodeClaim", "spec.terminationGracePeriod")],
)
def test_a_grace_period_in_v1beta1_is_meant_as_v1(kind, path):
    """Writers of old examples put it where it never was; the message says where it is."""
    *parents, last = path.split(".")
    manifest = {"apiVersion": "karpenter.sh/v1beta1", "kind": kind, "metadata": {"name": "a"}}
    holder = manifest
    for parent in parents:
        holder = holder.setdefault(parent, {})
    holder[last] = "24h"
    [said] = [finding.message for finding in v1beta1.findings(manifest) if finding.path == path]
    assert "it came with v1" in said


def test_a_class_without_a_spec_was_taken():
    """Karpenter 1.0 accepted it, as useless as it is."""
    made = {key: value for key, value in node_class().items() if key != "spec"}
    assert messages(made) == []
    assert "spec" not in v1beta1_server.stored(made)
