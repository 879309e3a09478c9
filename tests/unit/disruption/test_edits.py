"""What an edit does to nodes: all of them drift, some, or none, member by member."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist import AKSNodeClass, AutoNodeClass, EC2NodeClass, NodePool
from cutlist.disruption.edits import ObjectEdit, Reach, edits

POOL = {
    "apiVersion": "karpenter.sh/v1",
    "kind": "NodePool",
    "metadata": {"name": "general"},
    "spec": {
        "weight": 3,
        "disruption": {"consolidateAfter": "30s"},
        "template": {
            "metadata": {"labels": {"team": "a"}},
            "spec": {
                "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
                "requirements": [{"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot", "on-demand"]}],
                "taints": [{"key": "a", "effect": "NoSchedule"}, {"key": "b", "effect": "NoExecute"}],
                "expireAfter": "60m",
            },
        },
    },
}
TERMS = [{"tags": {"team": "a"}}]
CLASS = {
    "apiVersion": "karpenter.k8s.aws/v1",
    "kind": "EC2NodeClass",
    "metadata": {"name": "default"},
    "spec": {
        "role": "R",
        "amiSelectorTerms": [{"alias": "al2023@v20260625"}],
        "subnetSelectorTerms": TERMS,
        "securityGroupSelectorTerms": TERMS,
    },
}
AKS = {
    "apiVersion": "karpenter.azure.com/v1beta1",
    "kind": "AKSNodeClass",
    "metadata": {"name": "default"},
    "spec": {"osDiskSizeGB": 64, "tags": {"a": "b"}},
}
AUTO = {
    "apiVersion": "eks.amazonaws.com/v1",
    "kind": "NodeClass",
    "metadata": {"name": "own"},
    "spec": {"role": "R", "subnetSelectorTerms": TERMS, "securityGroupSelectorTerms": TERMS},
}
KINDS = {"NodePool": NodePool, "EC2NodeClass": EC2NodeClass, "AKSNodeClass": AKSNodeClass, "NodeClass": AutoNodeClass}


def changed(manifest: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The manifest with another value at a path; None takes the member away."""
    copied = copy.deepcopy(manifest)
    *parents, last = path.split(".")
    holder = copied
    for parent in parents:
        holder = holder.setdefault(parent, {})
    if value is None:
        del holder[last]
    else:
        holder[last] = value
    return copied


def read(manifest: dict[str, Any]) -> Any:
    return KINDS[manifest["kind"]].from_manifest(manifest)


def edit(before: dict[str, Any], after: dict[str, Any]) -> ObjectEdit | None:
    result = edits([read(before)], [read(after)])
    return result[0] if result else None


def members(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Reach]:
    edited = edit(before, after)
    return {m.path: m.reach for m in edited.members} if edited else {}


def only(manifest: dict[str, Any], path: str, value: Any) -> Reach:
    """The reach of an edit of one member, which has to be the only one reported."""
    listed = members(manifest, changed(manifest, path, value))
    assert list(listed) == [path]
    return listed[path]


# V-12, V-133
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("spec.template.metadata.labels", {"team": "b"}),
        ("spec.template.metadata.annotations", {"a": "b"}),
        ("spec.template.spec.taints", [{"key": "a", "effect": "NoSchedule"}]),
        ("spec.template.spec.startupTaints", [{"key": "c", "effect": "NoSchedule"}]),
        ("spec.template.spec.nodeClassRef", {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "other"}),
        ("spec.template.spec.expireAfter", "2h"),
        ("spec.template.spec.expireAfter", None),
        ("spec.template.spec.terminationGracePeriod", "1h"),
    ],
)
def test_members_of_a_template_drift_all_nodes(path, value):
    """What is hashed of a NodePool has all its nodes replaced."""
    assert only(POOL, path, value) is Reach.ALL


# V-133
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("spec.weight", 4),
        ("spec.limits", {"cpu": "10"}),
        ("spec.disruption", {"consolidateAfter": "1m"}),
        ("spec.template.spec.expireAfter", "1h"),
        ("spec.template.spec.taints", [{"key": "b", "effect": "NoExecute"}, {"key": "a", "effect": "NoSchedule"}]),
    ],
)
def test_what_is_not_hashed_of_a_pool_drifts_none(path, value):
    """Limits, weight and disruption drift no node; nor does another order or another spelling of a duration."""
    assert only(POOL, path, value) is Reach.NONE


def requirement(operator: str, *values: str, key: str = "karpenter.sh/capacity-type") -> dict[str, Any]:
    return {"key": key, "operator": operator, **({"values": list(values)} if values else {})}


@pytest.mark.parametrize(
    ("old", "new", "reach"),
    [
        ([requirement("In", "spot")], [requirement("In", "spot", "on-demand")], Reach.NONE),
        ([requirement("In", "spot", "on-demand")], [requirement("In", "on-demand")], Reach.SOME),
        ([requirement("In", "spot")], [], Reach.NONE),
        ([], [requirement("In", "spot")], Reach.SOME),
        ([requirement("Gt", "4", key="example.com/n")], [requirement("Gt", "3", key="example.com/n")], Reach.NONE),
        ([requirement("Gt", "3", key="example.com/n")], [requirement("Gt", "4", key="example.com/n")], Reach.SOME),
        ([requirement("In", "5", key="example.com/n")], [requirement("Gt", "4", key="example.com/n")], Reach.NONE),
        ([requirement("NotIn", "a", key="example.com/n")], [requirement("Exists", key="example.com/n")], Reach.SOME),
        ([requirement("In", "a", key="example.com/n")], [requirement("Exists", key="example.com/n")], Reach.NONE),
        ([{**requirement("Exists"), "minValues": 1}], [{**requirement("Exists"), "minValues": 2}], Reach.NONE),
    ],
)
def test_requirements_drift_nodes_that_no_longer_fit(old, new, reach):
    """Widening drifts no node, narrowing those outside; minimum numbers of values do not matter."""
    before, after = (changed(POOL, "spec.template.spec.requirements", given) for given in (old, new))
    assert members(before, after) == {"spec.template.spec.requirements": reach}


# V-134
@pytest.mark.parametrize(
    ("path", "value", "reach"),
    [
        ("spec.tags", {"a": "b"}, Reach.ALL),
        ("spec.userData", "#!/bin/sh\n", Reach.ALL),
        ("spec.role", "S", Reach.ALL),
        ("spec.kubelet", {"maxPods": 20}, Reach.ALL),
        ("spec.metadataOptions", {"httpTokens": "optional"}, Reach.ALL),
        ("spec.amiSelectorTerms", [{"alias": "al2023@v20250301"}], Reach.SOME),
        ("spec.amiSelectorTerms", [{"alias": "bottlerocket@v1.30.0"}], Reach.ALL),
        ("spec.amiFamily", "AL2023", Reach.NONE),
        ("spec.subnetSelectorTerms", [{"id": "subnet-1"}], Reach.SOME),
        ("spec.securityGroupSelectorTerms", [{"id": "sg-1"}], Reach.SOME),
        ("spec.capacityReservationSelectorTerms", [{"id": "cr-1"}], Reach.SOME),
        ("spec.ipPrefixCount", 2, Reach.NONE),
    ],
)
def test_members_of_an_ec2_node_class(path, value, reach):
    """Hashed members drift all nodes, terms those that they no longer find, the number of prefixes none."""
    assert only(CLASS, path, value) is reach


def test_two_members_that_decide_together_are_both_told():
    """A family that was written hides the one of the alias; when both change, the nodes drift by both."""
    before = changed(CLASS, "spec.amiFamily", "AL2023")
    after = changed(CLASS, "spec.amiSelectorTerms", [{"alias": "bottlerocket@v1.30.0"}])
    assert members(before, after) == {"spec.amiFamily": Reach.ALL, "spec.amiSelectorTerms": Reach.ALL}


@pytest.mark.parametrize(
    ("path", "value", "reach"),
    [("spec.osDiskSizeGB", 128, Reach.ALL), ("spec.imageFamily", "AzureLinux", Reach.ALL), ("spec.tags", None, Reach.NONE)],
)
def test_members_of_an_aks_node_class(path, value, reach):
    """Everything but the tags counts, which are changed in place."""
    assert only(AKS, path, value) is reach


def test_of_auto_mode_nothing_is_known():
    """EKS does not publish what its hash is made of, so neither yes nor no is said."""
    assert only(AUTO, "spec.tags", {"a": "b"}) is Reach.UNKNOWN


def test_a_default_that_is_written_out_is_no_edit():
    """Objects are compared as an API server stores them."""
    assert (
        members(changed(POOL, "spec.template.spec.expireAfter", "720h"), changed(POOL, "spec.template.spec.expireAfter", None))
        == {}
    )


def test_objects_that_come_or_go_are_no_edits():
    """Only what is there before and after can be edited."""
    other = changed(POOL, "metadata.name", "other")
    assert edits([read(POOL)], [read(other)]) == []


def test_an_edit_reaches_as_far_as_its_members():
    """The widest reach is that of the object."""
    after = changed(changed(CLASS, "spec.ipPrefixCount", 2), "spec.subnetSelectorTerms", [{"id": "subnet-1"}])
    assert edit(CLASS, after).reach is Reach.SOME


_TAINTS = st.lists(st.sampled_from("abc"), unique=True).map(lambda keys: [{"key": key, "effect": "NoSchedule"} for key in keys])
_LABELS = st.dictionaries(st.sampled_from(["x", "y"]), st.sampled_from(["1", "2"]))
_TEMPLATES = st.tuples(_TAINTS, _LABELS, st.sampled_from(["1h", "60m", "Never"]), st.integers(1, 3))


def pool_of(taints: Any, labels: Any, expiry: str, weight: int) -> dict[str, Any]:
    edited_pool = changed(changed(POOL, "spec.template.spec.taints", taints), "spec.template.metadata.labels", labels)
    return changed(changed(edited_pool, "spec.template.spec.expireAfter", expiry), "spec.weight", weight)


@given(_TEMPLATES, _TEMPLATES)
def test_all_nodes_drift_exactly_when_the_hash_differs(before, after):
    """Some member reaches all nodes if and only if the hashes of the two pools differ."""
    from tests.nodepool_hash import nodepool_hash

    old, new = read(pool_of(*before)), read(pool_of(*after))
    result = edits([old], [new])
    reach = result[0].reach if result else Reach.NONE
    assert (reach is Reach.ALL) == (nodepool_hash(old) != nodepool_hash(new))
