"""Capacity of instance types (spec: AWS 2)."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist.core.quantity import NANO, nanos
from cutlist.providers.aws import MemoryReport, Observed, discovered_memory
from tests.unit.providers.aws.node_classes import node_class, resolve


def capacity(
    name: str, resource: str, alias: str = "al2023@latest", region: str = "us-west-2", reserved_enis: int = 0, **spec: Any
) -> int:
    return resolve(node_class(alias, **spec), region=region, reserved_enis=reserved_enis)[name].capacity[resource]


def disk(device: str, size: str, **more: Any) -> dict[str, Any]:
    return {"deviceName": device, "ebs": {"volumeSize": size}, **more}


SIZELESS = {"deviceName": "/dev/xvda", "ebs": {"snapshotID": "snap-0123456789abcdef0"}}


def efa(card: int) -> list[dict[str, Any]]:
    first = {"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface"}
    return [first, {"networkCardIndex": card, "deviceIndex": 1, "interfaceType": "efa-only"}]


@pytest.mark.parametrize(
    ("name", "overhead", "memory"),
    [("m5.large", 0.075, "7577Mi"), ("m5.large", 0, "8192Mi"), ("t4g.small", 0.075, "1835Mi"), ("t4g.small", 0, "1984Mi")],
)
def test_memory(name: str, overhead: float, memory: str):
    """The hypervisor keeps a fraction, and 64 MiB more on Graviton."""
    assert resolve(vm_memory_overhead_percent=overhead)[name].capacity["memory"] == nanos(memory)


def test_all_resources_are_there_with_zero():
    """Eleven resources are always listed, those that the type lacks with 0."""
    m5 = resolve()["m5.large"].capacity
    assert len(m5) == 11
    assert {name for name, amount in m5.items() if amount == 0} == {
        "nvidia.com/gpu",
        "amd.com/gpu",
        "aws.amazon.com/neuron",
        "aws.amazon.com/neuroncore",
        "habana.ai/gaudi",
        "vpc.amazonaws.com/efa",
    }


@pytest.mark.parametrize(("name", "size"), [("m5d.large", 75 * 10**9), ("d2.xlarge", 6144 * 10**9), ("m5.large", 20 * 2**30)])
def test_raid0(name: str, size: int):
    """Local disks become the node's storage in decimal gigabytes, NVMe or not; a type without any keeps its volume."""
    assert capacity(name, "ephemeral-storage", instanceStorePolicy="RAID0") == size * NANO


@pytest.mark.parametrize(
    ("alias", "mappings", "size"),
    [
        ("al2023@latest", [disk("/dev/xvda", "50Gi"), disk("/dev/xvdb", "60Gi", rootVolume=True)], "60Gi"),
        ("al2023@latest", [disk("/dev/xvda", "100G")], "100G"),
        ("al2@latest", [disk("/dev/xvda", "50Gi")], "50Gi"),
        ("al2@latest", [disk("/dev/xvdb", "50Gi")], "20Gi"),
        ("bottlerocket@latest", [disk("/dev/xvda", "4Gi"), disk("/dev/xvdb", "80Gi")], "80Gi"),
        ("bottlerocket@latest", [disk("/dev/xvda", "50Gi")], "20Gi"),
        ("windows2022@latest", [disk("/dev/sda1", "90Gi")], "90Gi"),
        ("windows2022@latest", [], "50Gi"),
        ("al2023@latest", [], "20Gi"),
        ("al2023@latest", [disk("/dev/xvda", "50Gi"), disk("/dev/xvda", "90Gi")], "50Gi"),
        ("al2023@latest", [SIZELESS, disk("/dev/xvda", "90Gi")], "20Gi"),
        ("al2023@latest", [{**SIZELESS, "rootVolume": True}, disk("/dev/xvda", "90Gi")], "20Gi"),
        ("al2023@latest", [{**SIZELESS, "deviceName": "/dev/xvdb", "rootVolume": True}, disk("/dev/xvda", "90Gi")], "90Gi"),
    ],
)
def test_disk(alias: str, mappings: list[dict[str, Any]], size: str):
    """The root volume, else the family's own device, else the family's default decides; of one name the first mapping."""
    #
    assert capacity("m5.large", "ephemeral-storage", alias, blockDeviceMappings=mappings) == nanos(size)


def test_the_last_mapping_counts_for_custom():
    """A Custom NodeClass has no device of its own: the last mapping is taken."""
    spec = {"amiFamily": "Custom", "blockDeviceMappings": [disk("/dev/xvda", "50Gi"), disk("/dev/sdz", "70Gi")]}
    assert capacity("m5.large", "ephemeral-storage", **spec) == nanos("70Gi")


@pytest.mark.slow
@pytest.mark.parametrize(("card", "pods"), [(None, 394), (0, 345), (1, 394)])
def test_pods_by_interfaces(card: int | None, pods: int):
    """Interfaces of the default card carry pods; one that is efa-only there does not."""
    spec = {} if card is None else {"networkInterfaces": efa(card)}
    assert capacity("m6idn.32xlarge", "pods", **spec) == pods * NANO


@pytest.mark.parametrize(("reserved", "pods"), [(0, 35), (1, 24), (1_000_000, 0)])
def test_reserved_interfaces(reserved: int, pods: int):
    """Reserved interfaces take their pods; with none left there are no pods at all."""
    assert capacity("t3.large", "pods", reserved_enis=reserved) == pods * NANO


@pytest.mark.parametrize(
    ("alias", "kubelet", "pods"),
    [
        ("al2023@latest", {"maxPods": 110}, 110),
        ("al2023@latest", {"maxPods": 5}, 5),
        ("al2023@latest", {"podsPerCore": 10}, 20),
        ("al2023@latest", {"podsPerCore": 100}, 29),
        ("al2023@latest", {"podsPerCore": 0}, 29),
        ("al2023@latest", {"maxPods": 50, "podsPerCore": 3}, 6),
        ("bottlerocket@latest", {"podsPerCore": 10}, 29),
        ("bottlerocket@latest", {"maxPods": 110}, 110),
        ("windows2022@latest", {}, 110),
    ],
)
def test_pods_by_kubelet(alias: str, kubelet: dict[str, int], pods: int):
    """maxPods overrides, podsPerCore lowers, Bottlerocket ignores the latter, Windows takes 110."""
    assert capacity("m5.large", "pods", alias, kubelet=kubelet) == pods * NANO


def test_windows_addresses():
    """Windows nodes have addresses to hand out, on amd64."""
    found = resolve(node_class("windows2022@latest"))
    assert found["m5.large"].capacity["vpc.amazonaws.com/PrivateIPv4Address"] == 9 * NANO
    assert "vpc.amazonaws.com/PrivateIPv4Address" not in found["m6g.large"].capacity


def test_efa():
    """EC2's maximum, or what the NodeClass configures, the same for every type."""
    assert capacity("m6idn.32xlarge", "vpc.amazonaws.com/efa") == 2 * NANO
    assert capacity("m6idn.32xlarge", "vpc.amazonaws.com/efa", networkInterfaces=efa(1)) == 1 * NANO
    assert capacity("m5.large", "vpc.amazonaws.com/efa", networkInterfaces=efa(0)) == 1 * NANO


def test_branch_interfaces():
    """Types that the table of limits lacks have none, even where a later table has them."""
    assert capacity("m5.large", "vpc.amazonaws.com/pod-eni") == 9 * NANO
    assert capacity("r9g.large", "vpc.amazonaws.com/pod-eni") == 0
    assert capacity("c9g.large", "vpc.amazonaws.com/pod-eni", region="us-east-1") == 0


def test_neuron():
    """Devices are counted, and their cores."""
    assert capacity("inf2.24xlarge", "aws.amazon.com/neuron") == 6 * NANO
    assert capacity("inf2.24xlarge", "aws.amazon.com/neuroncore") == 12 * NANO


def test_memory_that_nodes_report_replaces_the_estimate():
    """The smallest report of a node with a present image counts; others do not."""
    reports = [
        MemoryReport("m5.large", nanos(m), image)
        for m, image in (("7900Mi", "ami-1"), ("7800Mi", "ami-1"), ("7000Mi", "ami-9"))
    ]
    memory = discovered_memory(reports, {"ami-1", "ami-2"})
    assert memory == {"m5.large": nanos("7800Mi")}
    found = resolve(observed=Observed(node_memory=memory))
    assert found["m5.large"].capacity["memory"] == nanos("7800Mi")
    assert found["m5.xlarge"].capacity["memory"] == nanos("15155Mi")
