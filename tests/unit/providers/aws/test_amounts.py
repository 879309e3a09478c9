"""Amounts as columns are those of the types themselves, and node classes share what they do not change."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from cutlist.catalog.embedded import load
from cutlist.providers.aws import AwsSettings, instance_types
from cutlist.providers.type_list import TypeList
from tests.unit.providers.aws.node_classes import node_class

REGION = load("us-west-2")
FEW = replace(REGION, machines=dict(islice(REGION.machines.items(), 0, None, 40)))
DISK = {"deviceName": "/dev/xvda", "ebs": {"volumeSize": "77Gi"}}
EFA = {"networkCardIndex": 0, "deviceIndex": 1, "interfaceType": "efa-only"}


def _types(alias: str = "al2023@latest", settings: AwsSettings | None = None, **spec: Any) -> TypeList:
    found = instance_types(node_class(alias, **spec), FEW, settings or AwsSettings())
    assert isinstance(found, TypeList)
    return found


@pytest.mark.parametrize(
    "types",
    [
        _types(),
        _types(settings=AwsSettings(reserved_enis=1, vm_memory_overhead_percent=0.1)),
        _types(kubelet={"maxPods": 5}),
        _types(kubelet={"podsPerCore": 2}, instanceStorePolicy="RAID0"),
        _types(kubelet={"maxPods": 30, "podsPerCore": 2, "systemReserved": {"cpu": "99m", "memory": "300Mi"}}),
        _types(kubelet={"kubeReserved": {"cpu": "137m", "memory": "700Mi", "ephemeral-storage": "3Gi"}}),
        _types(kubelet={"evictionHard": {"memory.available": "5%", "nodefs.available": "3Gi"}}),
        _types(kubelet={"evictionHard": {"memory.available": "100%"}}, instanceStorePolicy="RAID0"),
        _types(blockDeviceMappings=[DISK], kubelet={"evictionHard": {"nodefs.available": "7%"}}),
        _types("al2@latest", kubelet={"maxPods": 5}),
        _types("bottlerocket@latest"),
        _types("windows2022@latest", kubelet={"maxPods": 20}),
        _types("windows2022@latest", kubelet={"podsPerCore": 3}),
        _types(networkInterfaces=[{**EFA, "deviceIndex": 0, "interfaceType": "interface"}, EFA]),
    ],
)
def test_columns_are_the_amounts_of_the_types(types):
    amounts = types.amounts
    assert {name for t in types for name in t.capacity} <= set(amounts.resources((1 << len(types)) - 1))
    for resource in (*amounts.resources((1 << len(types)) - 1), "example.com/none"):
        assert list(amounts.capacity(resource).by_type()) == [t.capacity.get(resource, 0) for t in types]
        assert list(amounts.allocatable(resource).by_type()) == [t.allocatable().get(resource, 0) for t in types]
    assert types.sold.names == tuple(t.name for t in types)
    assert types.sold.labels == tuple(t.requirements for t in types)
    assert types.sold.offerings == tuple(t.offerings for t in types)


def test_classes_that_differ_in_figures_share_columns():
    """Of each class only a number is its own: the pods, and the memory and the disk that these settings take off."""
    one = _types(kubelet={"maxPods": 20}, blockDeviceMappings=[DISK])
    other = _types(kubelet={"maxPods": 40, "systemReserved": {"memory": "1Gi"}}, tags={"team": "other"})
    assert one is not other
    assert one.sold is other.sold
    for resource in one.amounts.resources((1 << len(one)) - 1):
        assert one.amounts.allocatable(resource).column is other.amounts.allocatable(resource).column


def test_a_type_is_made_once():
    types = _types(kubelet={"maxPods": 21})
    assert types[3] is types[3] is list(types)[3]
    assert types[-1] is types[len(types) - 1]
    assert types[1:3] == (types[1], types[2])
    with pytest.raises(IndexError):
        types[len(types)]
