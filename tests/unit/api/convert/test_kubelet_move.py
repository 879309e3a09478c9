"""The kubelet of pools and their classes."""

from __future__ import annotations

import json

from cutlist.api.convert.notes import KUBELET
from tests.unit.api.convert.manifests import REFERENCE, conversion, converted, node_class, pool, refused, said

FEW, MANY = {"maxPods": 10}, {"maxPods": 110}


def kubelets(objects):
    return {one["metadata"]["name"]: one["spec"].get("kubelet") for one in objects if one["kind"] == "EC2NodeClass"}


def classes(objects):
    templates = {one["metadata"]["name"]: one["spec"]["template"]["spec"] for one in objects if one["kind"] == "NodePool"}
    return {name: template["nodeClassRef"]["name"] for name, template in templates.items()}


# V-125, K-100
def test_a_kubelet_moves_to_the_class():
    """The pool has none any longer, and the report says that the nodes of the class drift."""
    objects = pool(kubelet=FEW), node_class()
    made = converted(*objects)
    assert kubelets(made) == {"default": FEW}
    assert "kubelet" not in made[0]["spec"]["template"]["spec"]
    assert any("drift" in one.change.text for one in said(conversion(*objects), "changes meaning"))


def test_pools_with_the_same_kubelet_share_their_class():
    """Nothing has to be split."""
    conversion = converted(pool("a", kubelet=FEW), pool("b", kubelet=dict(FEW)), node_class())
    assert kubelets(conversion) == {"default": FEW}
    assert classes(conversion) == {"a": "default", "b": "default"}


# V-125
def test_different_kubelets_split_the_class():
    """Two kubelets give two classes, named after the first pool of each, and a report of the split."""
    objects = pool("a", kubelet=FEW), pool("c", kubelet=MANY), pool("b", kubelet=MANY), node_class()
    made = converted(*objects)
    assert kubelets(made) == {"default-a": FEW, "default-b": MANY}
    assert classes(made) == {"a": "default-a", "b": "default-b", "c": "default-b"}
    (split,) = [one for one in said(conversion(*objects), "changes meaning") if "a class for each" in one.change.text]
    assert "default-a for NodePool a, default-b for NodePool b, c" in split.change.text


def test_a_pool_without_a_kubelet_keeps_the_class():
    """Only what differs gets a class of its own."""
    conversion = converted(pool("a"), pool("b", kubelet=FEW), node_class())
    assert kubelets(conversion) == {"default": None, "default-b": FEW}
    assert classes(conversion) == {"a": "default", "b": "default-b"}


def test_the_kubelet_of_a_pool_wins_over_that_of_a_class_in_v1():
    """As in Karpenter 1.0; the report says so."""
    (of_v1,) = converted(node_class())
    of_v1["spec"]["kubelet"] = MANY
    made = converted(pool(kubelet=FEW), of_v1)
    assert kubelets(made) == {"default": FEW}
    assert any("takes the place" in one.change.text for one in conversion(pool(kubelet=FEW), of_v1).changes)


def test_a_kubelet_without_its_class_is_refused():
    """It could only be lost, so the class has to be in the input."""
    (problem,) = refused(pool(kubelet=FEW))
    assert "the kubelet moves to the node class default" in problem
    assert "add the EC2NodeClass to the input" in problem


def test_an_empty_kubelet_is_left_out():
    """It says nothing, so the class stays as it is."""
    conversion = converted(pool(kubelet={}), node_class())
    assert kubelets(conversion) == {"default": None}


def test_the_note_of_the_webhook_is_the_kubelet_of_a_pool_in_v1():
    """Karpenter 1.1 ignores the annotation, so its kubelet moves to the class and the annotation goes."""
    of_v1, its_class = converted(pool(), node_class())
    of_v1["metadata"]["annotations"] = {KUBELET: json.dumps(FEW)}
    conversion = converted(of_v1, its_class)
    assert kubelets(conversion) == {"default": FEW}
    assert "annotations" not in conversion[0]["metadata"]


def test_a_note_that_cannot_be_read_is_refused():
    """It is somebody's kubelet, and must not go silently."""
    of_v1, its_class = converted(pool(), node_class())
    of_v1["metadata"]["annotations"] = {KUBELET: "{"}
    assert "is not the JSON of a kubelet block" in refused(of_v1, its_class)[0]


def test_a_name_that_is_taken_is_refused():
    """A class that already exists is not overwritten."""
    found = refused(pool("a"), pool("b", kubelet=FEW), node_class(), node_class("default-b"))
    assert "would be called default-b, which is taken" in found[0]


def test_the_kubelet_of_a_pool_on_azure_is_refused():
    """An AKSNodeClass has other settings, so it is for people to say what they want."""
    reference = {**REFERENCE, "apiVersion": "karpenter.azure.com/v1alpha2", "kind": "AKSNodeClass"}
    assert "which is not an EC2NodeClass" in refused(pool(reference=reference, kubelet=FEW))[0]
