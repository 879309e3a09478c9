"""EBS volumes of nodes: which a class has, and what an hour of them costs."""

from __future__ import annotations

import pytest

from cutlist import AutoNodeClass
from cutlist.catalog.ebs import Volume
from cutlist.catalog.embedded import load
from cutlist.catalog.prices import Price
from cutlist.providers.aws.volumes import volumes, volumes_price
from tests.unit.providers.aws.node_classes import node_class

MONTH = 730
US_WEST_2 = load("us-west-2").service_price


def mapping(device: str = "/dev/xvda", **ebs: object) -> dict[str, object]:
    return {"deviceName": device, "ebs": ebs}


def per_month(volume: Volume) -> float:
    price = volume.price(US_WEST_2)
    assert price is not None
    return price.usd_per_hour * MONTH


@pytest.mark.parametrize(
    ("volume", "usd"),
    [
        (Volume("gp3", 100), 8.0),
        (Volume("gp3", 100, iops=3000, throughput=125), 8.0),  # the baseline is free
        (Volume("gp3", 100, iops=4000, throughput=225), 8.0 + 1000 * 0.005 + 100 * 0.04),
        (Volume("gp2", 100, iops=300), 10.0),
        (Volume("io1", 100, iops=1000), 12.5 + 65.0),
        (Volume("io2", 100, iops=32_000), 12.5 + 32_000 * 0.065),
        (Volume("io2", 100, iops=70_000), 12.5 + 32_000 * 0.065 + 32_000 * 0.0455 + 6_000 * 0.03185),
        (Volume("st1", 500), 22.5),
    ],
)
def test_a_volume_costs_its_size_and_what_goes_beyond_the_baseline(volume: Volume, usd: float):
    assert per_month(volume) == pytest.approx(usd)


def test_a_volume_without_a_known_figure_has_no_price():
    assert Volume("gp3", 20).price(lambda item: None) is None
    only_size = {"ebs-gp3": Price(0.0001, "a list")}
    assert Volume("gp3", 20, iops=4000).price(only_size.get) is None
    assert Volume("gp3", 20, iops=3000).price(only_size.get) == Price(20 * 0.0001, "a list")


@pytest.mark.parametrize(
    ("family", "expected"),
    [
        ("AL2023", [Volume("gp3", 20)]),
        ("AL2", [Volume("gp3", 20)]),
        ("Bottlerocket", [Volume("gp3", 4), Volume("gp3", 20)]),
        ("Windows2022", [Volume("gp3", 50)]),
    ],
)
def test_without_mappings_a_node_has_the_volumes_of_its_ami_family(family: str, expected: list[Volume]):
    """As Karpenter's families fill them in."""
    assert volumes(node_class(amiFamily=family, amiSelectorTerms=[{"id": "ami-1"}])) == tuple(expected)


def test_volumes_that_only_the_image_knows_are_unknown():
    assert volumes(node_class(amiFamily="Custom", amiSelectorTerms=[{"id": "ami-1"}])) is None
    of_snapshot = node_class(blockDeviceMappings=[mapping(snapshotID="snap-1")])
    assert volumes(of_snapshot) is None
    assert volumes_price(of_snapshot, US_WEST_2) is None


def test_mappings_replace_the_volumes_of_the_family():
    """Sizes are whole GiB, rounded up; the first mapping of a device counts; without a type it is gp2."""
    two = node_class(
        blockDeviceMappings=[
            mapping(volumeSize="100G", volumeType="gp3", iops=5000, throughput=300),
            mapping(volumeSize="1Ti", volumeType="io2"),
            mapping("/dev/xvdb", volumeSize="50Gi"),
        ]
    )
    assert volumes(two) == (Volume("gp3", 94, 5000, 300), Volume("gp2", 50))
    price = volumes_price(two, US_WEST_2)
    assert price is not None
    assert price.usd_per_hour * MONTH == pytest.approx(94 * 0.08 + 2000 * 0.005 + 175 * 0.04 + 5.0)
    assert price.provenance == "AWS price page for EBS, 2024-07-18"


def test_a_node_of_auto_mode_has_a_data_volume():
    """The volume of its operating system is not published."""
    auto = AutoNodeClass(
        name="own", role="NodeRole", discovery="demo", ephemeral_storage={"size": "160Gi", "iops": 3000, "throughput": 250}
    )
    assert volumes(auto) == (Volume("gp3", 160, 3000, 250),)
