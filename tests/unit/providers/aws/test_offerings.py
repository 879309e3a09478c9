"""Offerings: zones, capacity types, prices, what closes them (spec: AWS 4)."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from cutlist import EC2NodeClass
from cutlist.catalog.embedded import load
from cutlist.catalog.prices import Price
from cutlist.core.karpenter.baselines import BASELINES
from cutlist.providers.aws import Observed, PlacementGroup, Unavailable, instance_types
from cutlist.providers.instance_types import InstanceType
from tests.unit.providers.aws.node_classes import SUBNETS, available, node_class, resolve, values

EVERYWHERE = {(zone, kind) for zone in ("us-west-2a", "us-west-2b") for kind in ("on-demand", "spot")}
RESERVATION = {
    "id": "cr-1",
    "instanceType": "m5.large",
    "availabilityZone": "us-west-2a",
    "reservationType": "default",
    "interruptible": False,
    "state": "active",
    "ownerID": "111122223333",
    "instanceMatchCriteria": "targeted",
}
FREE = Observed(reservations_remaining={"cr-1": 3})


def reserved(found: InstanceType) -> Any:
    (offering,) = (o for o in found.offerings if o.capacity_type == "reserved")
    return offering


def test_an_offering_for_every_zone_of_the_region():
    """Zones without a subnet are listed too, closed and without a zone id."""
    m5 = resolve()["m5.large"]
    assert len(m5.offerings) == 8
    assert available(m5) == EVERYWHERE
    closed = [o for o in m5.offerings if not o.available]
    assert {o.zone for o in closed} == {"us-west-2c", "us-west-2d"}
    assert all(values(o, "topology.k8s.aws/zone-id") is None for o in closed)
    assert all(values(o, "karpenter.k8s.aws/capacity-reservation-id") == frozenset() for o in m5.offerings)


def test_prices_carry_their_source():
    """Each offering has the price and says where it is from."""
    offerings = {o.capacity_type: o for o in resolve()["m5.large"].offerings if o.zone == "us-west-2a"}
    assert offerings["on-demand"].price == 0.096
    assert offerings["on-demand"].basis.provenance == "AWS public price list, 2026-02-17"
    assert offerings["spot"].basis.provenance == (
        "estimate: on-demand price x what spot is of it by region, size, CPU maker and kind; half of 117 are within 12%, "
        "nine of ten within 42%, 2026-02"
    )


def test_a_type_without_a_price_has_no_open_offering():
    """No price is not a zero: the type is listed and cannot be bought."""
    p5e = resolve()["p5e.48xlarge"]
    assert not available(p5e)
    assert {offering.price for offering in p5e.offerings} == {None}


def test_a_spot_price_missing_in_one_zone_closes_that_zone():
    """Once spot prices are known, a zone without one is not available."""
    catalog = load("us-west-2")
    spot = {"m5.large": {"us-west-2a": Price(0.03, "seen")}}
    (m5,) = (t for t in instance_types(node_class(), replace(catalog, spot=spot)) if t.name == "m5.large")
    assert available(m5) == EVERYWHERE - {("us-west-2b", "spot")}


def test_a_reservation():
    """A reservation is an offering of its own, at a ten-millionth of the on-demand price."""
    m5 = resolve(node_class(reservations=[RESERVATION]), FREE)["m5.large"]
    offering = reserved(m5)
    assert (offering.available, offering.reservation_capacity, offering.price) == (True, 3, pytest.approx(9.6e-9))
    assert values(offering, "karpenter.k8s.aws/capacity-reservation-id") == {"cr-1"}
    assert values(m5, "karpenter.sh/capacity-type") == {"on-demand", "spot", "reserved"}
    assert values(m5, "karpenter.k8s.aws/capacity-reservation-interruptible") == {"false"}


@pytest.mark.parametrize(
    ("change", "observed"),
    [
        ({}, Observed()),
        ({}, Observed(reservations_remaining={"cr-1": 0})),
        ({"state": "expiring"}, FREE),
        ({"availabilityZone": "us-west-2c"}, FREE),
    ],
)
def test_a_reservation_that_cannot_be_used(change: dict[str, Any], observed: Observed):
    """Nothing left, about to end, or in a zone without a subnet: listed, closed."""
    m5 = resolve(node_class(reservations=[RESERVATION | change]), observed)["m5.large"]
    assert not reserved(m5).available


def test_reservations_can_be_switched_off():
    """Without the feature gate there is no reserved offering."""
    m5 = resolve(node_class(reservations=[RESERVATION]), FREE, reserved_capacity=False)["m5.large"]
    assert {o.capacity_type for o in m5.offerings} == {"on-demand", "spot"}


def test_missing_capacity_hides_one_pool():
    """A remembered capacity error closes one type in one zone for one capacity type."""
    entry = Unavailable(capacity_type="spot", instance_type="m5.large", zone="us-west-2a")
    found = resolve(observed=Observed(unavailable=(entry,)))
    assert available(found["m5.large"]) == EVERYWHERE - {("us-west-2a", "spot")}
    assert available(found["c5.large"]) == EVERYWHERE


def test_a_capacity_type_can_be_missing_altogether():
    """Without the right to use spot, all spot offerings are closed."""
    found = resolve(observed=Observed(unavailable=(Unavailable(capacity_type="spot"),)))
    assert {kind for each in found.values() for _, kind in available(each)} == {"on-demand"}


@pytest.mark.parametrize(("subnets", "left"), [(("subnet-0a",), EVERYWHERE), (("subnet-0a", "subnet-0c"), None)])
def test_a_zone_is_closed_when_all_its_subnets_are_full(subnets: tuple[str, ...], left: set[tuple[str, str]] | None):
    """One full subnet of two leaves the zone open."""
    two_in_a = (*SUBNETS, {"id": "subnet-0c", "zone": "us-west-2a", "zoneID": "usw2-az2"})
    full = Observed(unavailable=tuple(Unavailable(subnet=name) for name in subnets))
    expected = {pair for pair in EVERYWHERE if pair[0] == "us-west-2b"} if left is None else left
    assert available(resolve(node_class(subnets=two_in_a), full)["m5.large"]) == expected


def test_a_shifted_zone_is_closed():
    """A zone that is zonally shifted takes nothing new."""
    found = resolve(observed=Observed(shifted_zone_ids=frozenset({"usw2-az1"})))
    assert {zone for zone, _ in available(found["m5.large"])} == {"us-west-2a"}


@pytest.mark.parametrize(("alias", "runs"), [("al2023@latest", False), ("bottlerocket@latest", True), ("al2@latest", True)])
def test_a1_needs_another_image_than_al2023(alias: str, runs: bool):
    """AL2023 does not run on a1."""
    assert bool(available(resolve(node_class(alias))["a1.large"])) is runs


def test_connection_tracking_needs_nitro():
    """Xen and metal types cannot have it set."""
    found = resolve(node_class(connectionTracking={"tcpEstablishedTimeout": 600}))
    assert [bool(available(found[name])) for name in ("m5.large", "m4.large", "m5.metal")] == [True, False, False]


@pytest.mark.slow
def test_nested_virtualization_needs_the_feature():
    """Only types with the feature stay available."""
    found = resolve(node_class(cpuOptions={"nestedVirtualization": "enabled"}))
    catalog = load("us-west-2").machines
    assert not available(found["m5.large"])
    assert any(available(each) for each in found.values())
    assert all("nested-virtualization" in catalog[name].cpu_features for name, each in found.items() if available(each))


@pytest.mark.slow
def test_classes_that_differ_in_a_feature_do_not_share_availability():
    """Whichever is resolved first."""  # VA15-68
    plain = node_class().manifest()
    options = ({}, {"cpuOptions": {"nestedVirtualization": "enabled"}}, {"enclaveOptions": {"enabled": True}})
    classes = [EC2NodeClass.from_manifest({**plain, "spec": {**plain["spec"], **more}}, BASELINES[-1]) for more in options]
    every, nested, enclaves = ({n for n, each in resolve(of).items() if available(each)} for of in classes)
    assert nested < every
    assert enclaves < every
    assert nested != enclaves


def test_network_interfaces_must_fit():
    """A card or device that the type lacks, or more efa-only interfaces than it takes, closes it."""
    plain = {"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface"}
    second_card = resolve(node_class(networkInterfaces=[plain, plain | {"networkCardIndex": 1, "deviceIndex": 1}]))
    assert available(second_card["m6idn.32xlarge"])
    assert not available(second_card["m5.large"])
    efa = resolve(node_class(networkInterfaces=[plain, plain | {"deviceIndex": 1, "interfaceType": "efa-only"}]))
    assert available(efa["m6idn.32xlarge"])
    assert not available(efa["m5.24xlarge"])


def test_partitions_multiply_offerings():
    """Each offering is repeated for each partition of the group, at the same price."""
    group = Observed(placement_groups=(PlacementGroup("pg-01", "team", "partition", 3),))
    m5 = resolve(node_class(placementGroupSelector={"name": "team"}), group)["m5.large"]
    assert len(m5.offerings) == 24
    assert {next(iter(values(o, "karpenter.k8s.aws/placement-group-partition") or ())) for o in m5.offerings} == {"1", "2", "3"}


def test_a_strategy_must_be_supported():
    """Burstable types do not go into cluster groups."""
    group = Observed(placement_groups=(PlacementGroup("pg-01", "team", "cluster"),))
    found = resolve(node_class(placementGroupSelector={"id": "pg-01"}), group)
    assert available(found["m5.large"])
    assert not available(found["t3.large"])


def test_missing_capacity_of_another_group_does_not_matter():
    """An entry made for a placement group hides nothing of NodeClasses without it; one for a partition hides nothing at all."""
    entry = Unavailable(capacity_type="spot", instance_type="m5.large", zone="us-west-2a", placement_group="pg-01")
    found = resolve(observed=Observed(unavailable=(entry, replace(entry, placement_group="", partition="1"))))
    assert available(found["m5.large"]) == EVERYWHERE


def test_requirement_sets_of_offerings_are_shared():
    """What is sold in one zone under one capacity type has one requirement set, whatever the type."""
    found = resolve()
    assert found["m5.large"].offerings[0].requirements is found["c5.large"].offerings[0].requirements


def test_what_is_computed_late_is_computed_once_and_copied():
    """Offerings and amounts of a type are made when something reads them; copies have them."""
    m5 = resolve(node_class(tags={"late": "yes"}))["m5.large"]
    assert m5.offerings is m5.offerings
    assert (m5.capacity["cpu"] > m5.overhead["cpu"] > 0, m5.reserved) == (True, ())
    assert all(copied == m5 and copied.offerings == m5.offerings for copied in (copy.copy(m5), replace(m5, name=m5.name)))
    with pytest.raises(AttributeError, match="no attribute 'colour'"):
        m5.colour  # noqa: B018


def test_reserved_offerings_are_found_among_all():
    m5 = resolve(node_class(reservations=[RESERVATION]), FREE)["m5.large"]
    assert m5.reserved == (reserved(m5),)
