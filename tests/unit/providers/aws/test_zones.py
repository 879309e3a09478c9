"""Which zones a NodeClass can use (spec: AWS 1.1, 1.3)."""

from __future__ import annotations

import pytest

from cutlist.catalog.embedded import load
from cutlist.core.errors import InputError
from cutlist.providers.aws import ZoneSource, instance_types, usable_zones
from tests.unit.providers.aws.node_classes import SUBNETS, available, node_class, resolve, values


def test_subnets_come_first():
    """Resolved subnets decide, whatever zones are given."""
    usable = usable_zones(node_class(), load("us-west-2"), ["us-west-2d"])
    assert (usable.source, usable.names) == (ZoneSource.SUBNETS, ("us-west-2a", "us-west-2b"))


def test_given_zones_take_the_ids_of_the_catalogue():
    """Without subnets the zones given count, with the ids that the catalogue knows for them."""
    usable = usable_zones(node_class(subnets=()), load("us-west-2"), ["us-west-2c", "us-west-2a"])
    assert usable.source is ZoneSource.GIVEN
    assert usable.zones == (("us-west-2a", "usw2-az2"), ("us-west-2c", "usw2-az3"))


def test_else_the_whole_region_is_assumed():
    """With neither, every zone of the region is taken, which the plan says."""
    usable = usable_zones(node_class(subnets=()), load("us-west-2"))
    assert (usable.source, len(usable.zones)) == (ZoneSource.REGION, 4)


def test_given_zones_are_where_types_are_available():
    """The zones argument reaches the offerings."""
    found = {t.name: t for t in instance_types(node_class(subnets=()), load("us-west-2"), zones=["us-west-2c"])}
    assert {zone for zone, _ in available(found["m5.large"])} == {"us-west-2c"}


def test_unknown_zones_are_all_named():
    """Each zone that the region lacks is reported, with the nearest and what there is."""
    with pytest.raises(InputError) as caught:
        usable_zones(node_class(subnets=()), load("us-west-2"), ["us-west-2e", "us-west-2a", "eu-west-1a"])
    assert len(caught.value.problems) == 2
    assert "zone 'us-west-2e' is not in us-west-2; allowed: us-west-2a, us-west-2b" in str(caught.value)


def test_subnets_without_zone_ids_are_one_group():
    """Only the first one's zone is usable, under an empty id."""
    nameless = tuple({"id": s["id"], "zone": s["zone"]} for s in SUBNETS)
    m5 = resolve(node_class(subnets=nameless))["m5.large"]
    assert values(m5, "topology.kubernetes.io/zone") == {"us-west-2a"}
    assert values(m5, "topology.k8s.aws/zone-id") == {""}


def test_several_subnets_of_a_zone_are_one():
    """A zone counts once, however many subnets it has."""
    twice = (*SUBNETS, {"id": "subnet-0c", "zone": "us-west-2a", "zoneID": "usw2-az2"})
    assert usable_zones(node_class(subnets=twice), load("us-west-2")).names == ("us-west-2a", "us-west-2b")


def test_zone_names_follow_the_account():
    """What is sold in a zone is known by id: under another account's names the offerings move with the id."""
    catalog = load("us-west-2")
    (name,) = [z.name for z in catalog.zones if z.zone_id == "usw2-az4"]
    machine = next(
        n for n, zones in catalog.offered.items() if name not in zones and n in catalog.on_demand and len(zones) == 3
    )
    moved = node_class(subnets=({"id": "subnet-0a", "zone": "us-west-2a", "zoneID": "usw2-az4"},))
    found = resolve(moved)
    assert name == "us-west-2d"
    assert not available(found[machine])
    assert {zone for zone, _ in available(found["m5.large"])} == {"us-west-2a"}
    assert values(found["m5.large"], "topology.k8s.aws/zone-id") == {"usw2-az4"}
