"""Overhead and allocatable (spec: AWS 3)."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist.core.quantity import NANO, nanos
from cutlist.providers.aws import Observed
from cutlist.providers.aws.overhead import kube_reserved_cpu
from cutlist.providers.instance_types import InstanceType
from tests.unit.providers.aws.node_classes import amounts, given, node_class, resolve

SHOWN = ("cpu", "memory", "pods", "ephemeral-storage", "vpc.amazonaws.com/pod-eni")
AL2, AL2023, BOTTLEROCKET, WINDOWS = ("al2@latest", "al2023@latest", "bottlerocket@latest", "windows2022@latest")


def m5_large(alias: str = AL2023, reserved_enis: int = 0, **spec: Any) -> InstanceType:
    return resolve(node_class(alias, **spec), reserved_enis=reserved_enis)["m5.large"]


@pytest.mark.parametrize(
    ("vcpus", "millicores"),
    [(1, 60), (2, 70), (4, 80), (8, 90), (16, 110), (36, 160), (96, 310), (192, 550), (448, 1190), (896, 2310)],
)
def test_reserved_cpu(vcpus: int, millicores: int):
    """The kubelet keeps a share of each core, less of later ones."""
    assert kube_reserved_cpu(vcpus) == millicores * NANO // 1000


#
@pytest.mark.parametrize(
    ("name", "alias", "spec", "reserved_enis", "expected"),
    [
        ("m5.large", AL2, {}, 0, ("1930m", "6903Mi", "29", "17Gi", "9")),
        ("m5.large", AL2023, {}, 0, ("1930m", "6903Mi", "29", "17Gi", "9")),
        ("c5a.2xlarge", AL2, {}, 0, ("7910m", "14162Mi", "58", "17Gi", "38")),
        ("c5a.2xlarge", AL2023, {}, 0, ("7910m", "14162Mi", "58", "17Gi", "38")),
        ("a1.medium", AL2, {}, 0, ("940m", "1392Mi", "8", "17Gi", "10")),
        ("t4g.small", AL2023, {}, 0, ("1930m", "1359Mi", "11", "17Gi", "0")),
        ("p5.48xlarge", AL2023, {}, 0, ("191450m", "1938410Mi", "100", "17Gi", "120")),
        ("m5.large", AL2, {"kubelet": {"maxPods": 110}}, 0, ("1930m", "6903Mi", "110", "17Gi", "9")),
        ("m5.large", BOTTLEROCKET, {"kubelet": {"maxPods": 110}}, 0, ("1930m", "6012Mi", "110", "17Gi", "9")),
        ("m5.large", AL2, {}, 1, ("1930m", "6903Mi", "20", "17Gi", "9")),
        ("m5.large", BOTTLEROCKET, {}, 1, ("1930m", "7002Mi", "20", "17Gi", "9")),
        ("m5.large", AL2, {"kubelet": {"podsPerCore": 10}}, 0, ("1930m", "6903Mi", "20", "17Gi", "9")),
        ("m5.large", WINDOWS, {}, 0, ("1930m", "6012Mi", "110", "44Gi", "9")),
        (
            "m5.large",
            AL2,
            {"kubelet": {"evictionHard": {"memory.available": "5%"}}},
            0,
            ("1930m", "6945924710", "29", "17Gi", "9"),
        ),
        ("m5d.large", AL2023, {"instanceStorePolicy": "RAID0"}, 0, ("1930m", "6903Mi", "29", "66426258176", "9")),
    ],
)
def test_worked_example(name: str, alias: str, spec: dict[str, Any], reserved_enis: int, expected: tuple[str, ...]):
    """Allocatable of the worked examples of the spec's section 3.5."""
    assert amounts(resolve(node_class(alias, **spec), reserved_enis=reserved_enis)[name], *SHOWN) == given(*expected)


def test_devices_are_allocatable_whole():
    """GPUs and interfaces are not reserved."""
    assert amounts(resolve()["p5.48xlarge"], "nvidia.com/gpu", "vpc.amazonaws.com/efa") == given("8", "32")


def test_reserving_one_resource_keeps_the_defaults_of_others():
    """kubeReserved replaces key by key."""
    assert amounts(m5_large(kubelet={"kubeReserved": {"cpu": "200m"}}), *SHOWN[:4]) == given("1800m", "6903Mi", "29", "17Gi")


def test_system_reserved_adds_up():
    """systemReserved comes on top; resources that the type lacks change nothing."""
    reserved = {"cpu": "100m", "memory": "1Gi", "pid": "1000"}
    found = m5_large(kubelet={"systemReserved": reserved})
    assert amounts(found, "cpu", "memory") == given("1830m", "5879Mi")
    assert "pid" not in found.allocatable()


@pytest.mark.parametrize(("threshold", "kept"), [("500Mi", "500Mi"), ("5%", "397253018"), ("100%", "0"), ("0%", "0")])
def test_memory_eviction(threshold: str, kept: str):
    """A threshold is an amount, or a share of memory rounded up; all of it means none."""
    found = m5_large(kubelet={"evictionHard": {"memory.available": threshold}})
    assert found.overhead["memory"] == nanos("574Mi") + nanos(kept)


def test_soft_eviction_reserves_nothing():
    """evictionSoft leaves the default hard thresholds as they are; an evictionHard of as much does not."""  # A-41, V-95
    of_one_gi = {"memory.available": "1Gi"}
    soft = m5_large(kubelet={"evictionSoft": of_one_gi, "evictionSoftGracePeriod": {"memory.available": "1m"}})
    hard = m5_large(kubelet={"evictionHard": of_one_gi})
    assert soft.overhead == m5_large().overhead
    assert hard.overhead["memory"] - soft.overhead["memory"] == nanos("1Gi") - nanos("100Mi")


def test_disk_eviction():
    """15% of 20Gi and the kubelet's 1Gi leave 16Gi."""
    found = m5_large(kubelet={"evictionHard": {"nodefs.available": "15%"}})
    assert amounts(found, "ephemeral-storage") == given("16Gi")


def test_percentages_are_of_the_estimate():
    """A memory threshold in percent does not follow the memory that nodes report."""
    of = node_class(kubelet={"evictionHard": {"memory.available": "5%"}})
    estimated = resolve(of)["m5.large"]
    discovered = resolve(of, Observed(node_memory={"m5.large": nanos("7000Mi")}))["m5.large"]
    assert discovered.capacity["memory"] == nanos("7000Mi")
    assert discovered.overhead == estimated.overhead


def test_allocatable_may_be_negative():
    """Reserving more than there is leaves a negative amount, which nothing fits."""
    (memory,) = amounts(m5_large(kubelet={"systemReserved": {"memory": "16Gi"}}), "memory")
    assert memory < 0
