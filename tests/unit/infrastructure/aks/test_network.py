"""Networks and address ranges: what is made of them, what may not meet, and how many nodes they hold."""

from __future__ import annotations

from ipaddress import IPv4Network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist import AKSNodeClass
from cutlist.core.errors import Place
from cutlist.infrastructure.addresses import Block
from cutlist.infrastructure.aks.classes import check_classes
from cutlist.infrastructure.aks.network import (
    AdoptedNetwork,
    AdoptedSubnet,
    NetworkPlan,
    OwnNetwork,
    plan_adopted,
    plan_network,
)
from cutlist.infrastructure.aks.notes import AksNotes
from cutlist.infrastructure.aks.profile import NetworkProfile
from cutlist.infrastructure.aks.ranges import Ranges, check_network_apart, check_pods_room, check_room, dns_address, read_ranges
from tests.unit.infrastructure.aks.facts import SUBSCRIPTION, facts, mistakes

NETWORK = f"/subscriptions/{SUBSCRIPTION}/resourceGroups/rg-shop/providers/Microsoft.Network/virtualNetworks/shop"
OVERLAY, FLAT = NetworkProfile(), NetworkProfile(chosen_mode="none")


def planned(node_subnet: str = "nodes", **asked: object) -> tuple[NetworkPlan | None, AksNotes]:
    notes = AksNotes()
    return plan_network(OwnNetwork(**asked), facts(), node_subnet, notes), notes


def adopted(outbound_type: str = "loadBalancer", **reported: object) -> tuple[NetworkPlan | None, AksNotes]:
    notes = AksNotes()
    given = {"network_id": NETWORK, "subnets": {"nodes": AdoptedSubnet()}, **reported}
    return plan_adopted(AdoptedNetwork(**given), "nodes", outbound_type, notes), notes


def of_network(plan: NetworkPlan, ranges: Ranges, profile: NetworkProfile = OVERLAY) -> AksNotes:
    notes = AksNotes()
    check_network_apart(plan.blocks, read_ranges(ranges, profile, notes), notes)
    return notes


def test_a_network_without_wishes_meets_none_of_the_ranges_that_aks_takes():
    plan, notes = planned()
    assert mistakes(notes) == []
    assert plan.subnet_ids == {"nodes": f"{NETWORK}/subnets/nodes"}
    assert mistakes(of_network(plan, Ranges())) == []
    assert plan.outbound_types == ("loadBalancer", "none")


@pytest.mark.parametrize(("cidr", "nodes"), [("10.20.0.0/16", "10.20.0.0/18"), ("10.20.0.0/29", "10.20.0.0/29")])
def test_without_a_wish_nodes_have_the_first_quarter(cidr, nodes):
    plan, notes = planned(cidr=cidr)
    assert mistakes(notes) == []
    assert {name: str(block.network) for name, block in plan.subnets.items()} == {"nodes": nodes}


def test_each_pool_may_have_a_subnet_of_its_own():
    plan, _ = planned(cidr="10.20.0.0/16", subnets={"nodes": "10.20.0.0/20", "batch": "10.20.16.0/20"}, nat_gateway=True)
    assert list(plan.subnet_ids) == ["nodes", "batch"]
    assert plan.outbound_types == ("userAssignedNATGateway",)


BLOCKS = st.builds(
    lambda prefix, n: str(IPv4Network((0x0AE00000 + (n << (32 - prefix)), prefix))), st.integers(17, 24), st.integers(0, 1)
)


@given(st.dictionaries(st.sampled_from("abc"), BLOCKS, max_size=3), BLOCKS)
def test_whatever_is_planned_lies_in_its_network_and_apart(others, nodes):
    plan, notes = planned(subnets={"nodes": nodes, **others})
    assert (plan is None) == bool(mistakes(notes))
    if plan is not None:
        made = [block.network for block in plan.subnets.values()]
        assert all(one.subnet_of(plan.block.network) for one in made)
        assert not any(one.overlaps(other) for n, one in enumerate(made) for other in made[:n])


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            {"cidr": "10.20.0.0/16", "subnets": {"nodes": "10.224.0.0/18"}},
            "own.subnets.nodes: subnet nodes, 10.224.0.0/18, is not inside the network, 10.20.0.0/16; allowed: a block inside",
        ),
        (
            {"subnets": {"nodes": "10.224.0.0/20", "batch": "10.224.8.0/21"}},
            "own.subnets.batch: subnet batch, 10.224.8.0/21, overlaps",
        ),
        ({"subnets": {"nodes": "10.224.0.0/30"}}, "own.subnets.nodes: subnet nodes is a /30; allowed: /2 to /29"),
        ({"subnets": {"nodes": "10.224.0.1/20"}}, "own.subnets.nodes: '10.224.0.1/20' is not the beginning of its block"),
        (
            {"subnets": {"node": "10.224.0.0/20"}},
            "nodeSubnet: no subnet 'nodes' for the cluster's own nodes; allowed: node; did you mean node?",
        ),
        ({"peer_cidrs": ["10.224.128.0/17"]}, "own.peerCidrs[0]: the peer, 10.224.128.0/17, overlaps the network"),
        ({"subnets": {"nodes": "10.224.0.0/20", "a/b": "10.224.16.0/20"}}, "own.subnets.a/b: subnet name 'a/b'"),
    ],
)
def test_a_network_that_cannot_be_made_is_refused(asked, message):
    plan, notes = planned(**asked)
    assert plan is None
    [text] = mistakes(notes)
    assert text.startswith(message)


@pytest.mark.parametrize(
    ("ranges", "message"),
    [
        (Ranges(services="10.224.0.0/20"), "own.cidr: the network, 10.224.0.0/16, overlaps the range of services"),
        (Ranges(pods="10.192.0.0/10"), "own.cidr: the network, 10.224.0.0/16, overlaps the range of pods"),
        (Ranges(pods="10.0.0.0/16"), "network.podCidr: the range of pods, 10.0.0.0/16, overlaps the range of services"),
        (Ranges(services="10.0.0.0/8"), "network.serviceCidr: the range of services is a /8; allowed: /12 to /31"),
        (
            Ranges(pods="172.30.0.0/16"),
            "network.podCidr: the range of pods, 172.30.0.0/16, overlaps 172.30.0.0/16, which AKS uses",
        ),
        (Ranges(dns_service_ip="10.1.0.10"), "network.dnsServiceIp: 10.1.0.10 is not in the range of services, 10.0.0.0/16"),
        (Ranges(dns_service_ip="10.0.0.1"), "network.dnsServiceIp: 10.0.0.1 is the address of the Kubernetes API itself"),
        (Ranges(dns_service_ip="dns"), "network.dnsServiceIp: 'dns' is not an address"),
        (Ranges(services="10.0.0.0/29"), "network.dnsServiceIp: 10.0.0.0/29 has no tenth address"),
    ],
)
def test_ranges_that_meet_or_cannot_be_are_refused(ranges, message):
    plan, _ = planned()
    texts = mistakes(of_network(plan, ranges))
    assert any(text.startswith(message) for text in texts), texts


def test_without_overlay_there_is_no_range_of_pods():
    plan, _ = planned()
    assert mistakes(of_network(plan, Ranges(), FLAT)) == []
    [text] = mistakes(of_network(plan, Ranges(pods="10.244.0.0/16"), FLAT))
    assert text.startswith("network.podCidr: a range of pods, where pods have addresses of the nodes' subnet")


@given(st.integers(12, 27), st.data())
def test_the_name_service_is_the_tenth_of_the_services(prefix, data):
    base = data.draw(st.integers(0, (1 << prefix) - 1)) << (32 - prefix)
    services = IPv4Network((base, prefix))
    assert dns_address(Ranges(services=str(services))) == str(services[10])
    assert dns_address(Ranges(services=str(services), dns_service_ip="10.0.0.53")) == "10.0.0.53"


def room(prefix: int, nodes: int, pods: int, profile: NetworkProfile) -> tuple[str, ...]:
    notes = AksNotes()
    check_room(Block(IPv4Network((0x0A000000, prefix)), Place(path="nodes"), "subnet nodes"), nodes, pods, profile, notes)
    return notes.texts


def test_nodes_whose_pods_live_in_their_subnet_need_an_address_for_each_of_them():  # Z-12
    """A /24 has 251 addresses: eight nodes of 1 + 30, and not nine."""
    assert room(24, 8, 30, FLAT) == ()
    assert room(24, 9, 30, FLAT) == (
        "nodes: subnet nodes has 251 addresses, and 9 nodes, each with 30 pods, need 279; "
        "allowed: a larger subnet, or at most 8 nodes",
    )


def test_in_an_overlay_each_node_needs_one_address():  # Z-12
    assert room(24, 251, 250, OVERLAY) == ()
    assert room(24, 252, 250, OVERLAY) == (
        "nodes: subnet nodes has 251 addresses, and 252 nodes need 252; allowed: a larger subnet, or at most 251 nodes",
    )


@pytest.mark.parametrize(
    ("cidr", "nodes", "warned"), [("10.244.0.0/16", 256, False), ("10.244.0.0/16", 257, True), ("10.244.0.0/25", 1, True)]
)
def test_each_node_of_an_overlay_takes_a_part_of_the_pods_range(cidr, nodes, warned):
    notes = AksNotes()
    check_pods_room(read_ranges(Ranges(pods=cidr), OVERLAY, notes).pods, nodes, notes)
    assert bool(notes.texts) is warned


def test_a_network_that_is_there_is_taken_by_its_id():
    plan, notes = adopted()
    assert mistakes(notes) == []
    assert plan.subnet_ids == {"nodes": f"{NETWORK}/subnets/nodes"}


@pytest.mark.parametrize(
    ("reported", "message"),
    [
        ({"network_id": "vnet-shop"}, "adopted.networkId: 'vnet-shop' is not the id of a virtual network"),
        ({"subnets": {}}, "nodeSubnet: no subnet 'nodes'"),
        ({"outbound_type": "loadbalancer"}, "adopted.outboundType: unknown value 'loadbalancer'; allowed: loadBalancer, "),
        (
            {"subnets": {"nodes": AdoptedSubnet(delegations=["Microsoft.Web/serverFarms"])}},
            "adopted.subnets.nodes.delegations: subnet nodes is given over to Microsoft.Web",
        ),
        (
            {"subnets": {"nodes": AdoptedSubnet("10.1.0.0/20"), "b": AdoptedSubnet("10.1.8.0/21")}},
            "adopted.subnets.b.cidr: subnet b, 10.1.8.0/21, overlaps",
        ),
        (
            {"outbound_type": "userDefinedRouting", "subnets": {"nodes": AdoptedSubnet(route_table=False)}},
            "adopted.subnets.nodes.routeTable: subnet nodes has none",
        ),
        (
            {"outbound_type": "userAssignedNATGateway", "subnets": {"nodes": AdoptedSubnet(nat_gateway=False)}},
            "adopted.subnets.nodes.natGateway",
        ),
    ],
)
def test_a_network_that_would_not_do_is_refused(reported, message):
    plan, notes = adopted(**reported)
    assert plan is None
    [text] = mistakes(notes)
    assert text.startswith(message)


def of_classes(
    subnet: str | None, network: NetworkPlan | None, nodes: int | None = None, profile: NetworkProfile = FLAT, **more: int
) -> AksNotes:
    notes = AksNotes()
    check_classes([AKSNodeClass(name="batch", vnet_subnet_id=subnet, **more)], network, profile, nodes, notes)
    return notes


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        (NETWORK.replace(SUBSCRIPTION, "99999999-2222-3333-4444-555555555555"), "subscription 99999999"),
        (NETWORK.replace("rg-shop", "rg-other"), "resource group rg-other"),
        (NETWORK.replace("/shop", "/Shop"), "network Shop"),
    ],
)
def test_a_class_with_a_subnet_elsewhere_is_reported(changed, what):  # Z-11
    """Names are compared as they are written: `Shop` is not `shop`."""
    plan, _ = planned()
    [text] = mistakes(of_classes(f"{changed}/subnets/nodes", plan))
    assert text.startswith(f"AKSNodeClass/batch spec.vnetSubnetID: class batch names a subnet in {what}")
    assert mistakes(of_classes(f"{NETWORK}/subnets/nodes", plan)) == []


def test_a_class_with_any_subnet_is_reported_where_aks_makes_the_network():  # Z-11
    [text] = mistakes(of_classes(f"{NETWORK}/subnets/nodes", None))
    assert "the cluster is in a network that AKS makes" in text
    assert mistakes(of_classes(None, None)) == []


def test_a_subnet_that_nobody_told_of_is_warned_of():
    plan, _ = planned()
    assert of_classes(f"{NETWORK}/subnets/other", plan).texts == (
        "AKSNodeClass/batch spec.vnetSubnetID: class batch names subnet other, which is not one of those given; allowed: nodes",
    )


def test_a_class_is_warned_of_when_its_subnet_is_too_small_for_its_pods():  # Z-12
    """A /24 holds two nodes of 1 + 110, and eight of 1 + 30, which is what a class without a number has."""
    plan, _ = planned(subnets={"nodes": "10.224.0.0/18", "batch": "10.224.64.0/24"})
    subnet = f"{NETWORK}/subnets/batch"
    assert of_classes(subnet, plan, nodes=2, max_pods=110).texts == ()
    [text] = of_classes(subnet, plan, nodes=3, max_pods=110).texts
    assert "subnet batch of class batch has 251 addresses, and 3 nodes, each with 110 pods, need 333" in text
    assert of_classes(subnet, plan, nodes=8).texts == ()
    assert len(of_classes(subnet, plan, nodes=9).texts) == 1
