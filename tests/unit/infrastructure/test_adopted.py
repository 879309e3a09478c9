"""A VPC that already exists: for what it will not do, by what is known of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.core.errors import Problems
from cutlist.infrastructure.adopted import AdoptedNetwork, AdoptedSubnet, AdoptingCluster, check_adopted
from cutlist.infrastructure.discovery import DISCOVERY, DiscoveryStyle
from cutlist.infrastructure.endpoints import REQUIRED

ONE = AdoptedSubnet("subnet-0a", "eu-west-1a")
TWO = AdoptedSubnet("subnet-0b", "eu-west-1b")
VPC = AdoptedNetwork("vpc-01", (ONE, TWO))
AROUND = AdoptingCluster(
    "shop", "eu-west-1", DiscoveryStyle.TAG, (), {"eu-west-1a": "euw1-az1", "eu-west-1b": "euw1-az2", "eu-west-1c": "euw1-az3"}
)


def mistakes(network: AdoptedNetwork, around: AdoptingCluster = AROUND) -> dict[str, str]:
    problems = Problems()
    check_adopted(network, around, problems)
    return {problem.place.path: str(problem) for problem in problems.found}


def with_first(**facts: object) -> AdoptedNetwork:
    return replace(VPC, private=(replace(ONE, **facts), TWO))


def test_ids_and_zones_are_enough():
    assert mistakes(VPC) == {}


@pytest.mark.parametrize(
    ("network", "path", "found"),
    [
        (replace(VPC, vpc_id="shop"), "adopted.vpcId", "'shop' is not the id of a VPC"),
        (with_first(id="subnet-x!"), "adopted.privateSubnets[0].id", "not the id of a subnet"),
        (with_first(zone="eu-west-2a"), "adopted.privateSubnets[0].zone", "zone 'eu-west-2a' is not in eu-west-1"),
        (with_first(zone_id="use1-az1"), "adopted.privateSubnets[0].zoneId", "zone id 'use1-az1' is not in eu-west-1"),
        (with_first(zone="eu-west-1b"), "adopted.privateSubnets", "subnets in one zone, eu-west-1b"),
        (with_first(cidr="10.0.0.0/31"), "adopted.privateSubnets[0].cidr", "is a /31; allowed: /16 to /28"),
        (with_first(cidr="10.0.0.0/26"), "adopted.privateSubnets[0]", "59 free addresses for nodes and their pods"),
        (with_first(free_addresses=63), "adopted.privateSubnets[0]", "63 free addresses"),
        (with_first(maps_public_ips=True), "adopted.privateSubnets[0].mapsPublicIps", "gives every node a public address"),
        (with_first(has_default_route=False), "adopted.endpoints", "these endpoints are missing: ec2 ("),
        (replace(VPC, dns_support=False), "adopted.dnsSupport", "dnsSupport of vpc-01 is off"),
        (replace(VPC, dns_hostnames=False), "adopted.dnsHostnames", "dnsHostnames of vpc-01 is off"),
        (replace(VPC, endpoints=("sqqs",)), "adopted.endpoints[0]", "did you mean sqs?"),
        (replace(VPC, control_plane=(ONE, TWO)), "adopted.controlPlaneSubnets[1].id", "subnet-0b is listed already"),
        (replace(VPC, control_plane=(replace(TWO, id="subnet-0c"),)), "adopted.controlPlaneSubnets", "in one zone, eu-west-1b"),
    ],
)  # fmt: skip
def test_what_will_not_do_is_reported_with_its_path(network, path, found):
    assert found in mistakes(network)[path]


def test_what_is_allowed_is_no_mistake():
    """Public addresses, a lower floor, and no way out but with every endpoint."""
    assert mistakes(replace(with_first(maps_public_ips=True), allow_public_ips=True)) == {}
    assert mistakes(replace(with_first(free_addresses=20), free_addresses_at_least=16)) == {}
    assert mistakes(replace(with_first(has_default_route=False), endpoints=tuple(e.name for e in REQUIRED))) == {}


def test_the_control_plane_needs_six_addresses_in_each_subnet():
    """A /28 has eleven, which is enough; what is left may not be."""
    small = tuple(
        AdoptedSubnet(f"subnet-0{letter}x", f"eu-west-1{letter}", cidr=f"10.0.9.{n}/28") for n, letter in ((0, "a"), (16, "b"))
    )
    assert mistakes(replace(VPC, control_plane=small)) == {}
    crowded = replace(VPC, control_plane=(replace(small[0], free_addresses=5), small[1]))
    assert "5 free addresses for the control plane" in mistakes(crowded)["adopted.controlPlaneSubnets[0]"]


def test_subnets_do_not_overlap_each_other_or_the_services():
    network = replace(VPC, private=(replace(ONE, cidr="10.0.0.0/20"), replace(TWO, cidr="10.0.8.0/21")))
    problems = mistakes(network, replace(AROUND, service_cidr="10.0.0.0/24"))
    assert "overlaps the range of services" in problems["adopted.privateSubnets[0].cidr"]
    assert "subnet subnet-0b, 10.0.8.0/21, overlaps subnet subnet-0a" in problems["adopted.privateSubnets[1].cidr"]


def test_another_clusters_discovery_tag_is_an_error_with_both_names():  # I-13
    reported = mistakes(with_first(tags={DISCOVERY: "bank"}))["adopted.privateSubnets[0].tags"]
    assert "karpenter.sh/discovery: bank, which is another cluster than shop" in reported


@pytest.mark.parametrize(("style", "fine"), [("tag", False), ("shared-tag", True), ("id", True)])
def test_a_cluster_that_shares_the_subnets_keeps_its_tag(style, fine):  # I-13
    """By its name it is known, and what it has written is left alone: only the same key cannot hold both."""
    around = replace(AROUND, style=DiscoveryStyle(style), shared_with=("bank",))
    assert (mistakes(with_first(tags={DISCOVERY: "bank"}), around) == {}) is fine


def test_the_clusters_own_tag_is_no_foreign_one():  # I-13
    assert mistakes(with_first(tags={DISCOVERY: "shop"})) == {}


@pytest.mark.parametrize("kind", ["public", "control_plane"])
def test_tags_for_nodes_on_other_subnets_are_refused(kind):  # I-46
    """Karpenter would launch nodes there."""
    others = tuple(replace(s, id=f"{s.id}9", tags={DISCOVERY: "shop"}) for s in (ONE, TWO))
    problems = mistakes(replace(VPC, **{kind: others}))
    assert len(problems) == 2
    assert all("is not for nodes, but tagged karpenter.sh/discovery: shop" in text for text in problems.values())


def test_all_mistakes_are_reported_together():
    network = replace(with_first(cidr="10/8", tags={DISCOVERY: "bank"}, zone="mars"), vpc_id="", dns_support=False)
    assert len(mistakes(network)) == 5
