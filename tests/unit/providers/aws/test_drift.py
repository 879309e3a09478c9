"""Why a node is no longer what its EC2NodeClass asks for."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist import EC2NodeClass
from cutlist.disruption.drift_reason import Drift
from cutlist.providers.aws import PlacementGroup
from cutlist.providers.aws.node_class_hash import HASH, HASH_VERSION
from tests.conformance.aws_drift import ClaimState, DriftUnknownError, Instance, drift
from tests.unit.providers.aws.node_classes import node_class, resolve

AMIS = [
    {"id": "ami-0a", "requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}]},
    {"id": "ami-0b", "requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}]},
    {"id": "ami-0c", "requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["arm64"]}]},
]
VERSIONED = {HASH: "1", HASH_VERSION: "v5"}


def known(annotations: dict[str, str] | None = None, spec: dict[str, Any] | None = None, **status: Any) -> EC2NodeClass:
    """A NodeClass that a cluster has looked at."""
    manifest = node_class(**(spec or {})).manifest()
    manifest["metadata"]["annotations"] = annotations or {}
    manifest["status"] |= {"amis": AMIS, "securityGroups": [{"id": "sg-1"}], **status}
    return EC2NodeClass.from_manifest(manifest)


TYPES = [resolve(known())[name] for name in ("m5.large", "c6g.large")]


def reason(of=None, instance_type="m5.large", annotations=None, image="ami-0a", labels=None, groups=(), **instance):
    claim = ClaimState({"node.kubernetes.io/instance-type": instance_type, **(labels or {})}, annotations or {}, image)
    found = {"subnet_id": "subnet-0a", "security_group_ids": frozenset({"sg-1"}), **instance}
    return drift(of or known(), claim, Instance(**found), TYPES, groups)


def test_a_node_as_asked_for_is_not_drifted():
    """Nothing has changed."""
    assert reason() is None


def test_another_hash_of_the_same_version_is_drift():
    """Hashes count only where both objects carry one of one version."""
    # V-137
    assert reason(known(VERSIONED), annotations={**VERSIONED, HASH: "2"}) == Drift.NODE_CLASS
    assert reason(known(VERSIONED), annotations={HASH: "2", HASH_VERSION: "v4"}) is None
    assert reason(known(VERSIONED), annotations={HASH: "2"}) is None
    assert reason(known(), annotations=VERSIONED) is None


def test_only_the_first_image_that_fits_counts():
    """A node from another image is drifted, also when that image is still listed or of another architecture."""
    # A-60, D-70
    assert reason(image="ami-0b") == Drift.AMI
    assert reason(image="ami-0c") == Drift.AMI
    assert reason(image="ami-0c", instance_type="c6g.large") is None


def test_security_groups_are_compared_as_sets():
    """One too few and one too many are drift."""
    # D-70
    assert reason(security_group_ids=frozenset()) == Drift.SECURITY_GROUP
    assert reason(security_group_ids=frozenset({"sg-1", "sg-2"})) == Drift.SECURITY_GROUP


def test_reasons_come_in_order():
    """Security groups are looked at before subnets, images before both."""
    assert reason(subnet_id="subnet-x") == Drift.SUBNET
    assert reason(subnet_id="subnet-x", security_group_ids=frozenset()) == Drift.SECURITY_GROUP
    assert reason(image="ami-x", subnet_id="subnet-x") == Drift.AMI


def test_a_reservation_that_is_no_longer_selected_is_drift():
    """An instance outside of reservations is not looked at."""
    assert reason(reservation_id="cr-1") == Drift.CAPACITY_RESERVATION
    kept = {"id": "cr-1", "availabilityZone": "us-west-2a", "instanceType": "m5.large"}
    assert reason(known(capacityReservations=[kept]), reservation_id="cr-1") is None


def test_placement_groups():
    """The group of the node and the one that the class selects must be the same, or both none."""
    label = {"karpenter.k8s.aws/placement-group-id": "pg-01"}
    groups = (PlacementGroup("pg-01", "team", "cluster"),)
    selecting = known(spec={"placementGroupSelector": {"name": "team"}})
    assert reason(selecting, labels=label, groups=groups) is None
    assert reason(selecting, groups=groups) == Drift.PLACEMENT_GROUP
    assert reason(labels=label) == Drift.PLACEMENT_GROUP


@pytest.mark.parametrize(
    ("status", "more", "said"),
    [
        ({"subnets": []}, {}, "no subnets"),
        ({"amis": []}, {}, "no images"),
        ({"securityGroups": []}, {}, "no security groups"),
        ({}, {"image": ""}, "which image"),
        ({}, {"instance_type": "m5.24xlarge"}, "m5.24xlarge"),
    ],
)
def test_what_is_undetermined_is_said(status, more, said):
    """Karpenter gives an error and tries again; here it is one that names what is missing."""
    with pytest.raises(DriftUnknownError, match=said):
        reason(known(**status), **more)
