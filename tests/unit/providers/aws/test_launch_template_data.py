"""What a launch template says to EC2 (spec: AWS 5.10, 6.3, 6.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cutlist import EC2NodeClass
from cutlist.core.labels import AWS_GROUP
from cutlist.providers.aws import Observed, PlacementGroup
from cutlist.providers.aws.launch.request import LaunchSettings
from tests.conformance.aws_template_data import template_request
from tests.unit.providers.aws.launches import (
    ANY,
    CLUSTER,
    ON_DEMAND,
    SPOT,
    SomeClaim,
    claim,
    node_class,
    reservation,
    reserving,
    said,
    sent,
)

GROUPS = ["sg-1", "sg-2"]


def data(
    of: EC2NodeClass | None = None,
    asked: SomeClaim | None = None,
    names: str = "m5.large",
    settings: LaunchSettings = CLUSTER,
    where: str = "us-west-2",
    **more: Any,
) -> dict[str, Any]:
    """The data of the only template of a launch."""
    chosen = of or node_class()
    request = sent(names, asked or claim(ON_DEMAND), chosen, settings, **more)
    (template,) = request.templates
    return template_request(template, request, chosen, settings, where)


@pytest.mark.parametrize(
    ("family", "disks"),
    [
        ("al2@latest", [("/dev/xvda", 20)]),
        ("al2023@latest", [("/dev/xvda", 20)]),
        ("bottlerocket@latest", [("/dev/xvda", 6), ("/dev/xvdb", 20)]),  # VA15-70
    ],
)
def test_disks_of_a_family(family, disks):
    """Without mappings the family's are sent, encrypted."""
    found = data(node_class(alias=family))["BlockDeviceMappings"]
    assert [(m["DeviceName"], m["Ebs"]["VolumeSize"]) for m in found] == disks
    assert all(m["Ebs"]["Encrypted"] is True and m["Ebs"]["VolumeType"] == "gp3" for m in found)


def test_own_disks_are_sent_as_written_in_whole_gibibytes():
    """100G are 94 GiB for EC2; what is not said is left out."""
    mappings = [
        {"deviceName": "/dev/xvda", "rootVolume": True, "ebs": {"volumeSize": "100G", "iops": 4000, "encrypted": True}},
        {"deviceName": "/dev/xvdb", "ebs": {"snapshotID": "snap-1"}},
    ]
    assert data(node_class(blockDeviceMappings=mappings))["BlockDeviceMappings"] == [
        {"DeviceName": "/dev/xvda", "Ebs": {"VolumeSize": 94, "Iops": 4000, "Encrypted": True}},
        {"DeviceName": "/dev/xvdb", "Ebs": {"SnapshotId": "snap-1"}},
    ]


def test_open_reservations_are_avoided():
    """Spot and on-demand launches do not use up reservations that happen to match."""
    assert data()["CapacityReservationSpecification"] == {"CapacityReservationPreference": "none"}
    assert "CapacityReservationSpecification" not in data(settings=replace(CLUSTER, reserved_capacity=False))


@pytest.mark.parametrize(
    ("kind", "market"),
    [
        ({}, None),
        ({"reservationType": "capacity-block"}, "capacity-block"),
        ({"interruptible": True}, "interruptible-capacity-reservation"),
    ],
)
def test_reserved_launches_name_their_reservation(kind, market):
    """The reservation is the target, and blocks and interruptible ones are markets of their own."""
    of = reserving(reservation("cr-1", "m5.large", **kind))
    content = data(of, claim(ANY), observed=Observed(reservations_remaining={"cr-1": 1}))
    assert content["CapacityReservationSpecification"] == {
        "CapacityReservationPreference": "capacity-reservations-only",
        "CapacityReservationTarget": {"CapacityReservationId": "cr-1"},
    }
    assert content.get("InstanceMarketOptions", {}).get("MarketType") == market


def test_spot_requests_are_tagged_too():
    """The tags go on the network interface and, for spot, on the request."""
    tagged = data(asked=claim(SPOT), spot={"m5.large": 0.03})["TagSpecifications"]
    assert [t["ResourceType"] for t in tagged] == ["network-interface", "spot-instances-request"]
    assert [t["ResourceType"] for t in data()["TagSpecifications"]] == ["network-interface"]


def test_one_plain_interface_with_all_security_groups():
    """EFA is not set up unless it is asked for."""
    assert data(names="c5n.18xlarge")["NetworkInterfaces"] == [{"DeviceIndex": 0, "Groups": GROUPS}]


def test_asking_for_efa_sets_up_all_interfaces_of_the_type():
    """One each card; device 0 on the first, 1 on the others."""
    content = data(asked=claim(ON_DEMAND, requests={"vpc.amazonaws.com/efa": "1"}), names="p4d.24xlarge")
    assert [(i["NetworkCardIndex"], i["DeviceIndex"], i["InterfaceType"]) for i in content["NetworkInterfaces"]] == [
        (0, 0, "efa"),
        (1, 1, "efa"),
        (2, 1, "efa"),
        (3, 1, "efa"),
    ]


def test_own_interfaces_are_sent_as_written():
    """Interfaces that carry EFA only get no addresses."""
    written = [
        {"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface"},
        {"networkCardIndex": 1, "deviceIndex": 1, "interfaceType": "efa-only"},
    ]
    of = node_class(networkInterfaces=written, associatePublicIPAddress=True, ipPrefixCount=3)
    content = data(of, claim(ON_DEMAND, requests={"nvidia.com/gpu": "8"}), names="p4d.24xlarge")
    plain = {"NetworkCardIndex": 0, "DeviceIndex": 0, "InterfaceType": "interface", "Groups": GROUPS}
    assert content["NetworkInterfaces"] == [
        {**plain, "AssociatePublicIpAddress": True, "Ipv4PrefixCount": 3},
        {"NetworkCardIndex": 1, "DeviceIndex": 1, "InterfaceType": "efa-only", "Groups": GROUPS},
    ]


def test_addresses_of_an_ipv6_cluster():
    """Such a cluster is known by the address of its DNS."""
    six = replace(CLUSTER, dns_ip="fd4b:121b:812b::a")
    (found,) = data(node_class(ipPrefixCount=1), settings=six)["NetworkInterfaces"]
    assert found == {"DeviceIndex": 0, "Groups": GROUPS, "PrimaryIpv6": True, "Ipv6AddressCount": 1, "Ipv6PrefixCount": 1}


def test_connection_tracking_and_cpu_options():
    """Set only where the NodeClass sets them."""
    tracked = data(node_class(connectionTracking={"udpTimeout": 40}))["NetworkInterfaces"][0]
    assert tracked["ConnectionTrackingSpecification"] == {"UdpTimeout": 40}
    nested = data(node_class(cpuOptions={"nestedVirtualization": "enabled"}), names="m8i.large", on_demand={"m8i.large": 0.1})
    assert nested["CpuOptions"] == {"NestedVirtualization": "enabled"}
    assert "CpuOptions" not in data()


def test_metadata_options():
    """Tags in the metadata stay off, and some regions know no IPv6 endpoint."""
    assert data()["MetadataOptions"] == {
        "HttpEndpoint": "enabled",
        "HttpProtocolIpv6": "disabled",
        "HttpPutResponseHopLimit": 1,
        "HttpTokens": "required",
        "InstanceMetadataTags": "disabled",
    }
    assert "HttpProtocolIpv6" not in data(where="us-iso-east-1")["MetadataOptions"]


def test_placement():
    """Tenancy always, group and partition where there are any."""
    assert data()["Placement"] == {"Tenancy": "default"}
    group = PlacementGroup("pg-1", "team", "partition", 12)
    of = node_class(placementGroupSelector={"name": "team"})
    named = claim(ON_DEMAND, said(f"{AWS_GROUP}/placement-group-partition", "2", "10"))
    content = data(of, named, observed=Observed(placement_groups=(group,)))
    assert content["Placement"] == {"Tenancy": "default", "GroupId": "pg-1", "PartitionNumber": 10}
