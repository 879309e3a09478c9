"""Capacity and allocatable amounts of EKS Auto Mode, against the two nodes that were seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist import AutoNodeClass, EphemeralStorage, SecurityGroupSelectorTerm, SubnetSelectorTerm
from cutlist.api.autonodeclass_fields import AdvancedNetworking, AutoNetworkInterface
from cutlist.catalog.embedded import load
from cutlist.core.errors import InputError
from cutlist.core.quantity import MEBI, NANO, amounts, nanos
from cutlist.providers.eks_auto import AutoSettings, instance_types, managed_class, overhead_profile
from cutlist.providers.eks_auto.capacity import NodeShape, capacity
from cutlist.providers.instance_types import InstanceType

CATALOG = load("us-west-2")
ESTIMATE, NODE = AutoSettings(), AutoSettings(overhead_profile="2025-node")


def a_class(**members) -> AutoNodeClass:
    return AutoNodeClass(name="own", role="NodeRole", discovery="demo", **members)


def a_type(name: str, node_class: AutoNodeClass | None = None, settings: AutoSettings = ESTIMATE) -> InstanceType:
    return next(t for t in instance_types(node_class or managed_class(), CATALOG, settings) if t.name == name)


def shown(found: dict[str, int]) -> dict[str, int]:
    return {r: found[r] for r in ("cpu", "memory", "ephemeral-storage", "pods")}


def test_the_published_node_claim() -> None:
    """A c5a.large holds and offers what the published NodeClaim says."""
    # V-113 K-151
    c5a = a_type("c5a.large")
    assert shown(dict(c5a.capacity)) == amounts({"cpu": "2", "memory": "3788Mi", "ephemeral-storage": "80Gi", "pods": "27"})
    expected = {"cpu": "1480m", "memory": "2699Mi", "ephemeral-storage": "71Gi", "pods": "27"}
    assert shown(c5a.allocatable()) == amounts(expected)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("m5.large", {"cpu": "1480m", "memory": "6488Mi", "ephemeral-storage": "71Gi", "pods": "27"}),
        ("m5.2xlarge", {"cpu": "7460m", "memory": "28902Mi", "ephemeral-storage": "71Gi", "pods": "56"}),
    ],
)
def test_the_worked_checks(name: str, expected: dict[str, str]) -> None:
    """More types under the profile 2024-estimate."""
    # V-113
    assert shown(a_type(name).allocatable()) == amounts(expected)


def test_the_node_that_was_seen() -> None:
    """8 vCPU, 56 pods and 51134Mi of disk under the profile 2025-node: cpu, memory and storage to the byte."""
    # V-113
    disk = nanos("51134Mi")
    overhead = overhead_profile("2025-node").overhead(8, 56, disk)
    assert overhead["cpu"] == nanos("240m")
    assert overhead["memory"] == 1046 * MEBI
    assert disk - overhead["ephemeral-storage"] == 47_182_354_762 * NANO


def test_the_profile_changes_what_two_vcpus_offer() -> None:
    """Under 2025-node two vCPUs offer 1780m."""
    assert a_type("c5a.large", settings=NODE).allocatable()["cpu"] == nanos("1780m")


def test_an_unknown_profile() -> None:
    """An unknown profile is refused with the known ones and the nearest."""
    with pytest.raises(
        InputError, match=r"'2025-nodes' is not known; allowed: 2024-estimate, 2025-node; did you mean 2025-node\?"
    ):
        AutoSettings(overhead_profile="2025-nodes")


def test_never_more_than_110_pods() -> None:
    """Interfaces of a large machine have addresses for more."""
    assert a_type("m5.24xlarge").capacity["pods"] == 110 * NANO


def test_pod_subnets_cost_an_interface() -> None:
    """With subnets for pods the first interface carries none: 2 x 9 instead of 3 x 9."""
    of_pods = a_class(
        pod_subnet_selector_terms=[SubnetSelectorTerm(tags={"for": "pods"})],
        pod_security_group_selector_terms=[SecurityGroupSelectorTerm(tags={"for": "pods"})],
    )
    assert a_type("c5a.large", of_pods).capacity["pods"] == 18 * NANO


@pytest.mark.parametrize(
    ("name", "most", "pods"), [("c5a.large", 20, 20), ("c5a.large", 50, 27), ("m5.24xlarge", 200, 110), ("m5.24xlarge", 90, 90)]
)
def test_the_kubelets_limit_lowers_the_number_of_pods(name: str, most: int, pods: int) -> None:
    # V-143
    tuned = a_class(advanced_compute={"kubelet": {"maxPods": most}, "kernel": {"sysctl": {"vm.max_map_count": 262144}}})
    assert a_type(name, tuned).capacity["pods"] == pods * NANO


@pytest.mark.parametrize(
    ("counted", "pods"), [({"secondary_ipv4_prefix_count": 1}, 16), ({"secondary_ipv4_count": 8}, 8), ({}, 0)]
)
def test_listed_interfaces_have_the_addresses_of_launch_alone(counted: dict[str, int], pods: int) -> None:
    # V-144
    first = AutoNetworkInterface(network_card_index=0, device_index=0, interface_type="interface", **counted)
    fabric = AutoNetworkInterface(network_card_index=0, device_index=1, interface_type="efa-only")
    listed = a_class(advanced_networking=AdvancedNetworking(network_interfaces=[first, fabric]))
    amounts = a_type("m5n.24xlarge", listed).capacity
    assert (amounts["pods"], amounts["vpc.amazonaws.com/efa"]) == (pods * NANO, NANO)


def test_local_disks_larger_than_what_is_asked_for() -> None:
    """The 118 GB of a c6id.large are the storage where 80Gi are asked for, and not where 200Gi are."""
    machine = CATALOG.machines["c6id.large"]
    large = a_class(ephemeral_storage=EphemeralStorage(size="200Gi"))
    assert capacity(machine, NodeShape.of(managed_class()))["ephemeral-storage"] == 118 * 10**9 * NANO
    assert capacity(machine, NodeShape.of(large))["ephemeral-storage"] == nanos("200Gi")


def test_a_local_disk_smaller_than_what_is_asked_for() -> None:
    """The 50 GB of a c5d.large leave the volume of 80Gi in place."""
    assert a_type("c5d.large").capacity["ephemeral-storage"] == nanos("80Gi")


def test_pods_on_branch_interfaces_are_not_offered() -> None:
    """Unlike self-managed Karpenter, Auto Mode shows no pod-eni; GPUs it does."""
    assert "vpc.amazonaws.com/pod-eni" not in a_type("m5.large").capacity
    assert a_type("g5.xlarge").capacity["nvidia.com/gpu"] == NANO


def test_a_profile_is_a_value() -> None:
    """A profile of one's own figures can be made from a known one."""
    mine = replace(overhead_profile("2025-node"), agents_cpu=0)
    assert mine.overhead(2, 27, 0)["cpu"] == nanos("70m")
