"""NodeConfiguration: objects that become ready in order, and are deleted before what serves their deletion."""

from __future__ import annotations

import copy
import re
from pathlib import Path

import pytest
from pulumi.runtime import rpc
from pulumi_cutlist.kubernetes.node_configuration import deletion_minutes
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording

from cutlist import NodePool
from cutlist.core.errors import InputError
from tests.infrastructure.program import run
from tests.infrastructure.unknowns import has_unknowns

POOL = "kubernetes:karpenter.sh/v1:NodePool"
CLASS = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"
BODY = 'kubernetes.NodeConfiguration("nodes", given)'


def pool(name: str = "general", reference: str = "default", **spec: object) -> dict:
    of_class = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": reference}
    template = {"spec": {"nodeClassRef": of_class, "requirements": [], **spec}}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": name}, "spec": {"template": template}}


def node_class(name: str = "default") -> dict:
    terms = [{"tags": {"karpenter.sh/discovery": "shop"}}]
    spec = {
        "role": "KarpenterNodeRole-shop",
        "amiSelectorTerms": [{"alias": "al2023@v20260625"}],
        "subnetSelectorTerms": terms,
        "securityGroupSelectorTerms": terms,
    }
    return {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": name}, "spec": spec}


def auto(name: str, kind: str, group: str, version: str, spec: dict) -> dict:
    return {"apiVersion": f"{group}/{version}", "kind": kind, "metadata": {"name": name}, "spec": spec}


@pytest.fixture
def nodes(tmp_path: Path):
    def make(mode: Mode = Mode.PREVIEW, body: str = BODY, **given: object) -> Recording:
        return run(tmp_path, body, {"node_pools": [pool()], "node_classes": [node_class()], **given}, mode)

    return make


# I-35 I-56
@pytest.mark.parametrize("mode", Mode)
def test_pools_come_after_their_class(nodes, mode):
    recording = nodes(mode, node_pools=[pool("a"), pool("b", "other")], node_classes=[node_class(), node_class("other")])
    classes = {one.inputs["metadata"]["name"]: one.urn for one in recording.of_type(CLASS)}
    waits = {one.inputs["metadata"]["name"]: one.request.dependencies for one in recording.of_type(POOL)}
    assert classes["default"] in waits["a"]
    assert classes["other"] in waits["b"]
    assert not any(has_unknowns(one) for one in (*recording.of_type(POOL), *recording.of_type(CLASS)))


# I-35
def test_both_are_waited_for_until_ready(nodes):
    recording = nodes(ready_minutes=12)
    for one in (*recording.of_type(POOL), *recording.of_type(CLASS)):
        annotations = one.inputs["metadata"]["annotations"]
        assert annotations["pulumi.com/waitFor"] == "condition=Ready"
        assert annotations["pulumi.com/timeoutSeconds"] == "720"
        assert one.request.customTimeouts.create == "12m"
        assert one.request.customTimeouts.update == "12m"


# I-57
def test_deletion_is_foreground_and_has_time(nodes):
    """Half an hour, or ten minutes more than the nodes are given to end; a class waits as long as the slowest pool."""
    recording = nodes(node_pools=[pool("a"), pool("b", terminationGracePeriod="2h")])
    by_name = {one.inputs["metadata"]["name"]: one for one in (*recording.of_type(POOL), *recording.of_type(CLASS))}
    assert {name: one.request.customTimeouts.delete for name, one in by_name.items()} == {
        "a": "30m",
        "b": "130m",
        "default": "130m",
    }
    for one in by_name.values():
        assert one.inputs["metadata"]["annotations"]["pulumi.com/deletionPropagationPolicy"] == "foreground"
        assert not one.request.retainOnDelete
        assert not one.request.deletedWith


# I-57
@pytest.mark.parametrize(("grace", "minutes"), [(None, 30), ("20m", 30), ("20m1s", 31), ("24h", 1450)])
def test_time_for_deletion_follows_the_grace_of_nodes(grace, minutes):
    assert deletion_minutes(NodePool(name="a", node_class="default", termination_grace_period=grace)) == minutes


# I-57
@pytest.mark.parametrize("annotation", [{"pulumi.com/deletionPropagationPolicy": "orphan"}, {"pulumi.com/skipAwait": "true"}])
def test_annotations_by_which_nobody_would_wait_are_refused(nodes, annotation):
    wrong = pool()
    wrong["metadata"]["annotations"] = annotation
    with pytest.raises(InputError, match="would let a destroy finish while nodes still run"):
        nodes(node_pools=[wrong])


# I-33 I-35
def test_the_identity_hash_is_an_annotation_of_classes_alone(nodes):
    recording = nodes(identity_hash="abc")
    [of_class], [of_pool] = recording.of_type(CLASS), recording.of_type(POOL)
    assert of_class.inputs["metadata"]["annotations"]["cutlist/identity-hash"] == "abc"
    assert "cutlist/identity-hash" not in of_pool.inputs["metadata"]["annotations"]


# I-35
def test_an_identity_hash_that_is_known_late_leaves_the_spec_known(nodes):
    recording = nodes(body='kubernetes.NodeConfiguration("nodes", {**given, "identity_hash": Thing("identity").late})')
    [of_class] = recording.of_type(CLASS)
    assert has_unknowns(of_class)
    assert of_class.inputs["spec"] == node_class()["spec"]
    assert not has_unknowns(recording.of_type(POOL)[0])


# I-56
def test_what_the_component_waits_for_the_objects_wait_for(nodes):
    """So the controller is there before them, and goes after them."""
    recording = nodes(body='kubernetes.NodeConfiguration("nodes", given, pulumi.ResourceOptions(depends_on=[Thing("gate")]))')
    [gate] = recording.of_type("test:index:Thing")
    assert all(gate.urn in one.request.dependencies for one in (*recording.of_type(POOL), *recording.of_type(CLASS)))


def test_all_mistakes_are_reported_before_anything_is_registered(nodes):
    """A missing class, a wrong operator, an object in the wrong list, two of one name."""
    wrong = pool("bad")
    wrong["spec"]["template"]["spec"]["requirements"] = [{"key": "kubernetes.io/arch", "operator": "Inn", "values": ["arm64"]}]
    listed = [pool("a", "defualt"), wrong, pool("twice"), pool("twice"), node_class("x")]
    with pytest.raises(InputError) as caught:
        nodes(node_pools=listed)
    reported = "\n".join(str(problem) for problem in caught.value.problems)
    assert "NodePool a refers to the EC2NodeClass 'defualt', which is not in the input" in reported
    assert "did you mean default?" in reported
    assert "node_pools[1] spec.template.spec.requirements[0].operator" in reported
    assert "NodePool twice is defined twice" in reported
    assert "node_pools[4] kind: EC2NodeClass is not one of the node_pools" in reported


def test_a_missing_class_can_be_added_where_the_component_takes_classes(nodes):
    """It has no input for classes that are elsewhere, so none is suggested."""
    with pytest.raises(InputError) as caught:
        nodes(node_pools=[pool("a", "shared")], node_classes=[])
    assert [problem.allowed for problem in caught.value.problems] == ["add the EC2NodeClass to node_classes"]


def test_classes_of_every_cloud_are_taken(nodes):
    """The managed class of Auto Mode needs no object; a pool of it waits for nothing."""
    of_auto = auto("spot", "NodeClass", "eks.amazonaws.com", "v1", {"role": "r", **_terms()})
    of_azure = auto("azure", "AKSNodeClass", "karpenter.azure.com", "v1beta1", {})
    managed = copy.deepcopy(pool("managed"))
    managed["spec"]["template"]["spec"]["nodeClassRef"] = {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default"}
    recording = nodes(node_pools=[managed], node_classes=[of_auto, of_azure])
    assert recording.of_type("kubernetes:eks.amazonaws.com/v1:NodeClass")
    assert recording.of_type("kubernetes:karpenter.azure.com/v1beta1:AKSNodeClass")
    [made] = recording.of_type(POOL)
    assert list(made.request.dependencies) == []


def test_typed_objects_are_taken_and_names_come_out(nodes):
    body = """
        from cutlist import EC2NodeClass, NodePool
        default = EC2NodeClass(name="default", role="r", ami="al2023@latest", discovery="shop")
        nodes = kubernetes.NodeConfiguration(
            "nodes", {"node_pools": [NodePool(name="web", node_class=default)], "node_classes": [default]}
        )
        pulumi.export("pools", nodes.node_pool_names)
        pulumi.export("classes", nodes.node_class_names)
    """
    assert nodes(body=body).exports == {"pools": ["web"], "classes": ["default"]}


# VA15-1 VA15-9
@pytest.mark.parametrize(
    ("kubelet", "chosen", "words"),
    [
        ({"maxPods": "vcpus * 10"}, {"aws_feature_gates": {"node_class_cel": True}}, ""),
        ({"maxPods": "vcpus * 10"}, {}, "NodeClassCEL feature gate is disabled"),
        ({"maxPods": "vcpus * 10"}, {"karpenter_version": "1.14.3"}, "a whole number is needed"),
        ({"topologyManagerPolicy": "none"}, {"karpenter_version": "1.15.1"}, ""),
        ({"topologyManagerPolicy": "none"}, {"karpenter_version": "1.12.0"}, "unknown field 'topologyManagerPolicy'"),
        ({}, {"karpenter_version": "9.9"}, "karpenter_version: Karpenter 9.9 is not supported"),
        ({}, {"karpenter_version": "newest"}, "karpenter_version: 'newest' names no version of Karpenter"),
    ],
)
def test_objects_are_for_the_karpenter_that_is_named(nodes, kubelet, chosen, words):
    """With its feature gates; of a version before 1.14 the oldest known rules count."""
    of_kubelet = node_class()
    of_kubelet["spec"]["kubelet"] = kubelet
    alone = 'kubernetes.EC2NodeClass("default", {"manifest": given["node_classes"][0], **given["chosen"]})'
    for body in ('chosen = given.pop("chosen")\n' + BODY.replace("given", "{**given, **chosen}"), alone):
        if words:
            with pytest.raises(InputError, match=re.escape(words)):
                nodes(body=body, node_classes=[of_kubelet], chosen=chosen)
        else:
            assert nodes(body=body, node_classes=[of_kubelet], chosen=chosen).of_type(CLASS)


def test_no_value_is_made_a_secret(nodes):
    recording = nodes(identity_hash="abc")
    for one in (*recording.of_type(POOL), *recording.of_type(CLASS)):
        assert not any(rpc.is_rpc_secret(value) for value in one.inputs.values())


def _terms() -> dict:
    return {"subnetSelectorTerms": [{"id": "subnet-1234"}], "securityGroupSelectorTerms": [{"id": "sg-1234"}]}
