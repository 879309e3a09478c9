"""How many volumes of pods a node of EC2 attaches."""

from __future__ import annotations

import pytest

from cutlist import AutoNodeClass, EC2NodeClass
from cutlist.catalog.embedded import load
from cutlist.providers.aws.attach_limits import attach_limits
from cutlist.providers.eks_auto import managed_class
from tests.unit.providers.aws.node_classes import node_class

MACHINES = load("us-east-1").machines
DATA = [{"deviceName": name, "ebs": {"volumeSize": "20Gi"}} for name in ("/dev/xvda", "/dev/xvdb", "/dev/xvdc")]
EBS = "ebs.csi.aws.com"


def limits(instance_type: str, of: EC2NodeClass | AutoNodeClass | None = None) -> dict[str, int]:
    return dict(attach_limits(of or node_class("al2023@v20260625"), MACHINES.get(instance_type)))


@pytest.mark.parametrize(
    ("instance_type", "volumes"),
    [
        ("m5.8xlarge", 26),  # 28 shared with interfaces, the first of which is one, less the system's disk
        ("c5d.24xlarge", 22),  # four local disks take places, too
        ("d3en.12xlarge", 2),
        ("m7i.large", 31),  # a limit of its own
        ("m7i.48xlarge", 127),
        ("t2.medium", 38),  # Xen
    ],
)
def test_the_nodes_own_disk_takes_a_place(instance_type: str, volumes: int) -> None:
    """Of what EC2 says that a type attaches, the disk of the system is one."""
    # VL-1, VL-2, VL-3
    assert limits(instance_type) == {EBS: volumes}


def test_each_block_device_takes_a_place() -> None:
    """Bottlerocket starts with two volumes, a class with mappings with as many."""
    # VL-2
    assert limits("m5.large", node_class("bottlerocket@v1.30.0")) == {EBS: 25}
    assert limits("m5.large", node_class("al2023@v20260625", blockDeviceMappings=DATA)) == {EBS: 24}


def test_a_node_of_auto_mode_has_a_disk_for_its_system_and_one_for_data() -> None:
    """And its driver has another name."""
    # VL-4
    assert limits("m5.large", managed_class()) == {"ebs.csi.eks.amazonaws.com": 25}


def test_what_ec2_does_not_describe_has_no_limit() -> None:
    """No number is made up."""
    assert limits("m99.large") == {}
