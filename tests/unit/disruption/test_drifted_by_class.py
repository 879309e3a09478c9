"""NodeClaims that drift once a node class is as a file has it."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist import EC2NodeClass
from cutlist.api.aksnodeclass_hash import HASH as AKS_HASH
from cutlist.api.aksnodeclass_hash import HASH_VERSION as AKS_HASH_VERSION
from cutlist.core.karpenter.baselines import DEFAULT, baseline_of
from cutlist.disruption.drifted_by_cloud import drifted_by_class
from cutlist.disruption.edits import edits
from cutlist.providers.aws.node_class_hash import HASH, HASH_VERSION
from tests.unit.disruption.test_edits import AKS, AUTO, CLASS, POOL, changed, read

STAMPED = {HASH: "1", HASH_VERSION: DEFAULT.ec2_node_class_hash}
BY_ID = changed(changed(CLASS, "spec.amiFamily", "AL2023"), "spec.amiSelectorTerms", [{"id": "ami-1"}])


def claim(name: str = "a", image: str = "ami-1", annotations: dict[str, str] | None = None, **labels: str) -> dict[str, Any]:
    """A claim of the pool, with the hash of its class as the controller stamps it."""
    return {
        "metadata": {
            "name": name,
            "labels": {"karpenter.sh/nodepool": "general", **labels},
            "annotations": STAMPED if annotations is None else annotations,
        },
        "status": {"imageID": image},
    }


def reported(
    before: dict[str, Any], after: dict[str, Any], *claims: dict[str, Any]
) -> list[tuple[str, str, tuple[str, ...], bool]]:
    """What an edit of the class does: claim, reason, members, and whether it is certain."""
    group = before["apiVersion"].partition("/")[0]
    reference = {"group": group, "kind": before["kind"], "name": before["metadata"]["name"]}
    pool = read(changed(POOL, "spec.template.spec.nodeClassRef", reference))
    old, new = read(before), read(after)
    drifted = drifted_by_class([pool], edits([old], [new]), [new], claims)
    return [(one.claim, str(one.reason), one.members, one.certain) for one in drifted]


# D-69
def test_what_is_hashed_of_a_class_drifts_the_nodes_that_carry_a_hash():
    """Claims without a hash, or with one of another version, are stamped again and not compared."""
    edited = changed(CLASS, "spec.tags", {"a": "b"})
    assert reported(CLASS, edited, claim()) == [("a", "NodeClassDrift", ("spec.tags",), True)]
    assert reported(CLASS, edited, claim(annotations={})) == []
    assert reported(CLASS, edited, claim(annotations={HASH: "1", HASH_VERSION: "v4"})) == []


# VA15-20 VA15-24
@pytest.mark.parametrize(("karpenter", "version"), [("1.14", "v5"), ("1.15", "v6")])
def test_a_claim_is_compared_when_its_hash_is_of_the_version_that_the_chosen_karpenter_writes(karpenter, version):
    """While the versions differ nothing drifts by the hash."""
    baseline = baseline_of(karpenter)
    old, new = (EC2NodeClass.from_manifest(m, baseline) for m in (CLASS, changed(CLASS, "spec.tags", {"a": "b"})))
    claims = [claim(v, annotations={HASH: "1", HASH_VERSION: v}) for v in ("v5", "v6")]
    drifted = drifted_by_class([read(POOL)], edits([old], [new]), [new], claims)
    assert [node.claim for node in drifted] == [version]


# D-70
@pytest.mark.parametrize(
    ("terms", "found"),
    [
        ([{"id": "ami-2"}], [True]),
        ([{"id": "ami-1"}, {"id": "ami-2"}], [False]),
        ([{"name": "mine"}], [False]),
        ([{"id": "ami-2"}, {"name": "mine"}], [False]),
    ],
)
def test_images_that_are_named_tell_which_nodes_go(terms, found):
    """A node on another image than the one named goes; where the account decides, it may."""
    before = changed(BY_ID, "spec.amiSelectorTerms", [{"id": "ami-1"}, {"id": "ami-3"}])
    assert [certain for *_, certain in reported(before, changed(BY_ID, "spec.amiSelectorTerms", terms), claim())] == found


def test_a_node_on_the_only_image_stays():
    """The terms found others before, and now only the one that the node started from."""
    assert reported(changed(BY_ID, "spec.amiSelectorTerms", [{"name": "mine"}]), BY_ID, claim()) == []


# D-70 K-116
@pytest.mark.parametrize(
    ("old", "new", "certain"),
    [("v20250228", "v20250304", True), ("v20250228", "latest", False), ("latest", "v20250304", False)],
)
def test_another_version_of_an_alias_is_another_image(old, new, certain):
    """Two fixed versions differ for certain; what latest is only the account knows."""
    before, after = (changed(CLASS, "spec.amiSelectorTerms", [{"alias": f"al2023@{v}"}]) for v in (old, new))
    assert reported(before, after, claim()) == [("a", "AMIDrift", ("spec.amiSelectorTerms",), certain)]


def test_other_terms_may_drift_nodes():
    """Which subnets and groups are found is not known; reservations matter only to nodes that run in one."""
    terms = [{"tags": {"team": "b"}}]
    edited = changed(CLASS, "spec.subnetSelectorTerms", terms)
    assert reported(CLASS, edited, claim()) == [("a", "SubnetDrift", ("spec.subnetSelectorTerms",), False)]
    edited = changed(CLASS, "spec.capacityReservationSelectorTerms", terms)
    reserved = claim("r", **{"karpenter.sh/capacity-type": "reserved"})
    assert reported(CLASS, edited, claim(), reserved) == [
        ("r", "CapacityReservationDrift", ("spec.capacityReservationSelectorTerms",), False)
    ]


def test_a_certain_reason_is_reported_before_a_possible_one():
    """The class changes its role and its subnets: the role drifts the node for certain."""
    edited = changed(changed(CLASS, "spec.role", "other"), "spec.subnetSelectorTerms", [{"id": "subnet-1"}])
    assert reported(CLASS, edited, claim()) == [("a", "NodeClassDrift", ("spec.role",), True)]


def test_classes_of_other_clouds_are_compared_in_their_own_way():
    """AKS has a hash of its own; what EKS Auto Mode compares is not published."""
    on_aks = claim(annotations={AKS_HASH: "1", AKS_HASH_VERSION: "v3"})
    drifted = reported(AKS, changed(AKS, "spec.osDiskSizeGB", 128), on_aks)
    assert drifted == [("a", "NodeClassDrift", ("spec.osDiskSizeGB",), True)]
    drifted = reported(AUTO, changed(AUTO, "spec.role", "S"), claim())
    assert drifted == [("a", "NodeClassDrift", ("spec.role",), False)]


def test_an_edit_that_counts_for_nothing_drifts_nothing():
    """Naming the family that the alias has anyway changes no hash."""
    assert reported(CLASS, changed(CLASS, "spec.amiFamily", "AL2023"), claim()) == []


def test_claims_of_other_pools_are_left_alone():
    """A claim belongs to a pool by its label."""
    foreign = claim(**{"karpenter.sh/nodepool": "other"})
    assert reported(CLASS, changed(CLASS, "spec.role", "other"), foreign) == []
