"""Tests of capacity reservations that no NodePool of their class can use."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutlist.planning.traps.reservations import NOT_ALLOWED, OUT_OF_REACH
from tests.unit.planning.traps.inputs import deployment, planned, requirement, validated

CAPACITY, ZONE, TYPE = "karpenter.sh/capacity-type", "topology.kubernetes.io/zone", "node.kubernetes.io/instance-type"
ID = "karpenter.k8s.aws/capacity-reservation-id"
FOUND = "cr-0123456789abcdef0"
CLASS = """
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {{name: held}}
spec:
  role: nodes
  amiSelectorTerms: [{{alias: al2023@v20260625}}]
  subnetSelectorTerms: [{{tags: {{a: b}}}}]
  securityGroupSelectorTerms: [{{tags: {{a: b}}}}]
  {terms}
status:
  capacityReservations: {found}
"""
TERMS = "capacityReservationSelectorTerms: [{tags: {a: b}}]"


def reservation(type_: str = "m7i.large", zone: str = "us-west-2a", free: str = "") -> str:
    count = f", availableInstanceCount: {free}" if free else ""
    return (
        f"{{id: {FOUND}, availabilityZone: {zone}, instanceType: {type_}, ownerID: '111122223333', "
        f"instanceMatchCriteria: targeted, reservationType: default, state: active{count}}}"
    )


def held(*found: str, terms: str = TERMS) -> str:
    """Return a class with reservations that a controller found."""
    return CLASS.format(terms=terms, found=f"[{', '.join(found)}]")


def pool_of(*requirements: str, name: str = "held") -> str:
    """Return a NodePool of that class."""
    return f"""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: {name}}}
spec:
  template:
    spec:
      nodeClassRef: {{group: karpenter.k8s.aws, kind: EC2NodeClass, name: held}}
      requirements: [{", ".join((requirement("kubernetes.io/arch", "amd64"), *requirements))}]
"""


ON_DEMAND, RESERVED = requirement(CAPACITY, "on-demand"), requirement(CAPACITY, "reserved", "on-demand")


def test_a_class_with_reservations_whose_pools_exclude_reserved_capacity_is_named(tmp_path: Path) -> None:
    """It is known without a status already."""
    (said,) = validated(tmp_path, held(), pool_of(ON_DEMAND))[NOT_ALLOWED]
    assert said == (
        "EC2NodeClass held selects capacity reservations, and NodePool held excludes them: karpenter.sh/capacity-type In "
        "[on-demand]; add reserved to the values of karpenter.sh/capacity-type, or drop the selector terms"
    )
    assert NOT_ALLOWED in planned(tmp_path, held(), pool_of(ON_DEMAND), deployment())


@pytest.mark.parametrize(
    "manifests",
    [
        (held(), pool_of(RESERVED)),
        (held(), pool_of()),
        (held(), pool_of(ON_DEMAND), pool_of(RESERVED, name="other")),
        (held(terms=""), pool_of(ON_DEMAND)),
    ],
    ids=["allowed", "not restricted", "allowed by another pool", "none selected"],
)
def test_reserved_capacity_that_a_pool_allows_is_no_trap(tmp_path: Path, manifests: tuple[str, ...]) -> None:
    assert not {NOT_ALLOWED, OUT_OF_REACH} & validated(tmp_path, *manifests).keys()


@pytest.mark.parametrize(
    "excluding",
    [
        requirement(TYPE, "c7i.large"),
        requirement(ZONE, "us-west-2b"),
        requirement("karpenter.k8s.aws/instance-category", "c"),
        requirement(ID, "cr-1123456789abcdef0"),
    ],
)
def test_a_reservation_that_the_requirements_exclude_is_named(tmp_path: Path, excluding: str) -> None:
    (said,) = validated(tmp_path, held(reservation()), pool_of(RESERVED, excluding))[OUT_OF_REACH]
    assert said == (
        f"EC2NodeClass held: NodePool held cannot use the reservation {FOUND} (m7i.large in us-west-2a), because the "
        "requirements exclude it; allow its instance type and zone in a NodePool, or let no selector term match it"
    )


@pytest.mark.parametrize("free", ["", "0", "2"])
def test_a_reservation_is_in_reach_however_many_instances_are_free(tmp_path: Path, free: str) -> None:
    manifests = held(reservation(free=free)), pool_of(requirement(CAPACITY, "reserved"))
    assert not {NOT_ALLOWED, OUT_OF_REACH} & validated(tmp_path, *manifests).keys()


def test_in_a_plan_the_reservation_of_one_of_two_types_is_named(tmp_path: Path) -> None:
    other = reservation("c7i.large").replace(FOUND, "cr-9999999999abcdef0")
    manifests = held(reservation(free="2"), other), pool_of(RESERVED, requirement(TYPE, "m7i.large")), deployment()
    (said,) = planned(tmp_path, *manifests)[OUT_OF_REACH]
    assert "cr-9999999999abcdef0 (c7i.large in us-west-2a)" in said


def test_of_a_type_that_is_not_known_nothing_is_said(tmp_path: Path) -> None:
    assert OUT_OF_REACH not in validated(tmp_path, held(reservation("x99.large")), pool_of(RESERVED))
