"""What a pack reads of a resource: its outputs, or what it was asked to be where an engine knows no outputs yet."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from cutlist_policies.gates import reader_of
from cutlist_policies.reading import Read
from pulumi_policy.proxy import UNKNOWN_ARRAY_VALUE, unknown_checking_proxy

from cutlist.policy.rules import UNKNOWN
from cutlist.policy.rules.findings import Violation
from cutlist.policy.rules.objects.validity import accepted

POOL = "kubernetes:karpenter.sh/v1:NodePool"
ASKED = {"metadata": {"name": "general"}, "spec": {"weight": 10.0}}


def shown(props: dict[str, Any]) -> Any:
    """A resource as an engine shows it."""
    return SimpleNamespace(
        resource_type=POOL,
        name="eks-nodes-general",
        urn="urn:pulumi:x",
        props=props,
        opts=SimpleNamespace(protect=False, ignore_changes=[]),
    )


def test_an_object_of_a_cluster_to_come_is_what_it_was_asked_to_be():
    """In the first preview nothing is known of its provider, so the engine has no outputs."""
    [resource] = Read(shown({}), ASKED).resources
    assert (resource.name, resource.data["spec"]) == ("general", {"weight": 10})


@pytest.mark.parametrize("asked", [None, ASKED])
def test_outputs_go_before(asked):
    [resource] = Read(shown({"metadata": {"name": "batch"}}), asked).resources
    assert (resource.name, "spec" in resource.data) == ("batch", False)


# IF-22
@pytest.mark.parametrize(
    ("asked", "ingress"),
    [({"name": "a"}, None), ({"name": "a", "ingress": [{"fromPort": 22}]}, UNKNOWN), (None, UNKNOWN)],
)
def test_what_nobody_asks_for_and_only_the_cloud_decides_is_left_out(asked, ingress):
    """A group that is still to be made has unknown inbound rules, which no program has written."""
    outputs = unknown_checking_proxy({"name": "a", "ingress": UNKNOWN_ARRAY_VALUE, "egress": []})
    read = Read(shown(outputs), None if asked is None else unknown_checking_proxy(asked))
    [resource] = read.resources
    assert (resource.data.get("ingress"), resource.data["egress"]) == (ingress, [])
    assert len(read.unknown) == (ingress is UNKNOWN)


def test_an_input_that_is_unknown_stays_so():
    asked = unknown_checking_proxy({"ingress": UNKNOWN_ARRAY_VALUE})
    [resource] = Read(shown(asked), asked).resources
    assert resource.data == {"ingress": UNKNOWN}


def test_nothing_is_nothing():
    [resource] = Read(shown({})).resources
    assert (resource.name, resource.data) == ("eks-nodes-general", {})


CLASS = {
    "apiVersion": "karpenter.k8s.aws/v1",
    "kind": "EC2NodeClass",
    "metadata": {"name": "default"},
    "spec": {
        "role": "nodes",
        "amiSelectorTerms": [{"alias": "al2023@v20260625"}],
        "subnetSelectorTerms": [{"id": "subnet-1"}],
        "securityGroupSelectorTerms": [{"id": "sg-1"}],
    },
}
LATER_KEY = {"topologyManagerPolicy": "best-effort"}
EXPRESSION = {"maxPods": "vcpus * 10"}
WITH_CEL = '"charts": {"awsFeatureGates": {"nodeClassCel": true}}'


# VA15-1 VA15-9
@pytest.mark.parametrize(
    ("config", "kubelet", "words"),
    [
        ({}, LATER_KEY, []),
        ({"karpenterVersion": "1.15"}, LATER_KEY, []),
        ({"karpenterVersion": "1.14"}, LATER_KEY, ["unknown field 'topologyManagerPolicy'"]),
        ({"karpenterCluster": '{"karpenterVersion": "1.14.3"}'}, LATER_KEY, ["unknown field 'topologyManagerPolicy'"]),
        ({"karpenterCluster": '{"karpenterVersion": "1.12.0"}'}, LATER_KEY, ["unknown field 'topologyManagerPolicy'"]),
        ({"karpenterCluster": '{"karpenterVersion": "1.15.1"}'}, LATER_KEY, []),
        ({"karpenterCluster": '{"karpenterVersion": "1.15.1"}'}, EXPRESSION, ["NodeClassCEL feature gate is disabled"]),
        ({"karpenterCluster": f'{{"karpenterVersion": "1.15.1", {WITH_CEL}}}'}, EXPRESSION, []),
        ({"karpenterCluster": f'{{"karpenterVersion": "1.14.3", {WITH_CEL}}}'}, EXPRESSION, ["a whole number"]),
        ({"awsFeatureGates": '{"nodeClassCEL": true}'}, EXPRESSION, []),
        ({"awsFeatureGates": '{"nodeClassCEL": false}'}, EXPRESSION, ["NodeClassCEL feature gate is disabled"]),
        ({"awsFeatureGates": "[", "karpenterVersion": "seven", "karpenterCluster": "[]"}, LATER_KEY, []),
    ],
)
def test_objects_are_read_for_the_karpenter_of_the_stack(config, kubelet, words):
    """By its version and its feature gates; what is mistaken in them the program reports."""
    node_class = shown({**CLASS, "spec": {**CLASS["spec"], "kubelet": kubelet}})
    node_class.resource_type = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"
    [resource] = reader_of({f"cutlist:{key}": value for key, value in config.items()}, "cutlist").read(node_class).resources
    findings = list(accepted.findings(resource, {}))
    assert len(findings) == len(words)
    for finding, text in zip(findings, words, strict=True):
        assert isinstance(finding, Violation)
        assert text in finding.found
