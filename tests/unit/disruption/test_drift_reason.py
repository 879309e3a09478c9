"""Why a NodeClaim is no longer what its NodePool asks for, as far as no cloud is asked."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist import DoesNotExist, Exists, Gt, In, Lt, NotIn
from cutlist.api.nodepool_hash import HASH, HASH_VERSION
from cutlist.core.labels import CAPACITY_TYPE, INSTANCE_TYPE, RESERVED, ZONE
from cutlist.disruption.drift_reason import CoreDrift, drift_reason, hash_differs, is_on_offer, meets_requirements
from tests.unit.disruption.claims import HOUR, LABELS, NOON, claim
from tests.unit.scheduling.builders import MACHINES, REGISTRY, pool
from tests.unit.scheduling.builders import machine as instance_type

RESERVATION = "example.com/reservation-id"
RESERVING = REGISTRY.extended(well_known=(RESERVATION,), reservation_id=RESERVATION)


def stamp(value: str = "1", version: str = "v3") -> dict[str, str]:
    return {HASH: value, HASH_VERSION: version}


def reason(subject=None, types: Any = MACHINES, now: float = NOON, provider: str = "", **fields: Any) -> str:
    own = claim() if subject is None else subject
    return drift_reason(own, pool(**fields), types, now, registry=REGISTRY, provider_reason=provider)


def meets(labels: dict[str, str], **requirements: Any) -> bool:
    return meets_requirements(labels, pool(requirements=requirements), REGISTRY)


def test_a_claim_as_asked_for_has_not_drifted():
    """Nothing is wrong with it."""
    assert reason() == ""


def test_another_hash_of_the_same_version_is_drift():
    """The template has changed since the claim was made."""
    # D-67
    assert hash_differs(stamp("1"), stamp("2"))
    assert not hash_differs(stamp("1"), stamp("1"))


@pytest.mark.parametrize(
    ("of_pool", "of_claim"),
    [
        (stamp("1", "v3"), stamp("2", "v2")),
        ({HASH: "1"}, stamp("2")),
        (stamp("1"), {HASH: "2"}),
        ({HASH_VERSION: "v3"}, stamp("2")),
        ({}, stamp("2")),
        (stamp("1"), {}),
    ],
)
def test_hashes_count_only_where_their_versions_agree(of_pool, of_claim):
    """A missing hash or version, or another version, is no reason to replace a node."""
    # D-69
    assert not hash_differs(of_pool, of_claim)


def test_narrowed_requirements_drift_what_is_outside():
    """Widening them never does, and how many values they want does not matter."""
    # D-68
    assert meets({"kind": "a"}, kind=["a"])
    assert meets({"kind": "a"}, kind=["a", "b"])
    assert meets({"kind": "a"}, kind=In(["a", "b"], min_values=2))
    assert not meets({"kind": "a"}, kind=["b"])


@pytest.mark.parametrize(("wanted", "met"), [(In(["a"]), False), (Exists(), False), (Gt(1), False), (NotIn(["a"]), True)])
def test_a_requirement_on_a_label_that_the_claim_lacks(wanted, met):
    """Only one that a missing label satisfies is met."""
    # D-68
    assert meets({}, kind=wanted) is met
    assert meets({}, kind=DoesNotExist())


def test_bounds_are_compared_with_the_label():
    """A number inside them is well, one on or outside them has drifted."""
    # D-68
    assert meets({"size": "4"}, size=Gt(3))
    assert not meets({"size": "3"}, size=Gt(3))
    assert not meets({"size": "4"}, size=Lt(4))


def test_a_type_that_is_gone_is_drift_after_an_hour():
    """A claim of just one hour is not asked yet."""
    # D-71
    lost = claim(labels={INSTANCE_TYPE: "gone"}, created=NOON - HOUR)
    assert reason(lost) == ""
    assert reason(lost, now=NOON + 1) == CoreDrift.INSTANCE_TYPE_NOT_FOUND


def test_a_type_may_be_sold_out_but_not_withdrawn():
    """Offerings that are not available count; one of another zone does not."""
    # D-71
    assert is_on_offer(LABELS, [instance_type("two", 2, available=False)], REGISTRY)
    assert not is_on_offer({**LABELS, ZONE: "zone-x"}, MACHINES, REGISTRY)
    assert not is_on_offer(LABELS, [], REGISTRY)


def test_a_reserved_claim_may_be_on_offer_on_demand():
    """Its reservation may end, and then the machine goes on as an on-demand one."""
    reserved = {**LABELS, CAPACITY_TYPE: RESERVED, RESERVATION: "cr-1"}
    assert is_on_offer(reserved, MACHINES, RESERVING)
    assert not is_on_offer({**LABELS, CAPACITY_TYPE: "spot"}, MACHINES, RESERVING)


def test_reasons_come_in_order():
    """Hash, requirements, type, and the cloud's own reason last."""
    # D-67, D-68
    old = {"created": NOON - 2 * HOUR, "labels": {INSTANCE_TYPE: "gone"}}
    wants = {"requirements": {ZONE: ["zone-b"]}, "pool_annotations": stamp("1")}
    assert reason(claim(annotations=stamp("2"), **old), provider="AMIDrift", **wants) == CoreDrift.NODE_POOL
    assert reason(claim(annotations=stamp("1"), **old), provider="AMIDrift", **wants) == CoreDrift.REQUIREMENTS
    assert reason(claim(**old), provider="AMIDrift") == CoreDrift.INSTANCE_TYPE_NOT_FOUND
    assert reason(provider="AMIDrift") == "AMIDrift"
