"""Labels of sizes as Karpenter's Azure provider makes them."""

from __future__ import annotations

import pytest

from cutlist.catalog.embedded import load_location
from cutlist.catalog.sizes import read_size
from cutlist.core import labels
from cutlist.core.labels import AKS_GROUP, AZURE, AZURE_GROUP
from cutlist.core.requirement import Expression
from cutlist.core.requirements import Requirements
from cutlist.providers.azure.labels import cluster_label, size_labels
from cutlist.providers.azure.settings import AzureSettings
from tests.unit.providers.azure.sizes import label, node_class, size, types

TYPES = types()
LABELS = (
    "sku-family",
    "sku-series",
    "sku-version",
    "sku-cpu",
    "sku-memory",
    "sku-gpu-count",
    "sku-networking-accelerated",
    "sku-storage-premium-capable",
    "sku-storage-ephemeralos-maxsize",
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("D8_v4", ("D", "D_v4", "4", "8", "32768", "0", "true", "false", None)),  # Z-25
        ("E16as_v5", ("E", "Eas_v5", "5", "16", "131072", "0", "true", "true", None)),  # Z-26
        ("D16plds_v5", ("D", "Dplds_v5", "5", "16", "32768", "0", "true", "true", "429")),  # Z-27
    ],
)
def test_a_size_says_what_it_is(name, expected):
    """Family is the first letter alone; memory is in MiB; what a size has not got is not a label."""
    assert tuple(label(TYPES[name], key) for key in LABELS) == expected
    assert label(TYPES[name], "sku-name") == f"Standard_{name}"


def test_arm_sizes_say_so():
    """Architecture and operating system are Kubernetes' own labels."""  # Z-27
    assert TYPES["D16plds_v5"].requirements[labels.ARCH].values == {"arm64"}
    assert TYPES["D8_v4"].requirements[labels.ARCH].values == {"amd64"}
    assert TYPES["D8_v4"].requirements[labels.OS].values == {"linux"}


def reported(name: str) -> tuple[str | None, ...]:
    of_size = Requirements(size_labels(size(name)))
    keys = ("sku-gpu-manufacturer", "sku-gpu-name", "sku-gpu-count")
    return tuple(next(iter(of_size[f"{AZURE_GROUP}/{key}"].values), None) for key in keys)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("NC24ads_A100_v4", ("nvidia", "A100", "1")),  # Z-28
        ("NC8ads_A10_v4", ("nvidia", "A10", "1")),
        ("NC6s_v3", ("nvidia", None, "1")),  # Z-29
        ("NV4ads_V710_v5", ("amd", "V710", "0")),
        ("NG8ads_V620_v1", (None, None, "0")),
        ("D8_v4", (None, None, "0")),
    ],
)
def test_gpus_of_the_registry_are_labels(name, expected):
    """Their maker, their name where the size's name has it, and their number, which parts of a GPU do not raise."""
    assert reported(name) == expected


def test_a_series_leaves_the_accelerator_out():
    """Two sizes of one series may have different GPUs."""  # Z-28
    series = {Requirements(size_labels(size(n)))[f"{AZURE_GROUP}/sku-series"] for n in ("NC24ads_A100_v4", "NC8ads_A10_v4")}
    assert [r.values for r in series] == [{"NCads_v4"}]


def test_a_name_without_version_has_version_1():
    """But no version in its series; sizes of family B are not sold as spot."""  # Z-30
    b2s = TYPES["B2s"]
    assert [label(b2s, key) for key in ("sku-version", "sku-series")] == ["1", "Bs"]
    assert [label(b2s, key) for key in ("sku-storage-premium-capable", "sku-networking-accelerated")] == ["true", "false"]
    assert {o.capacity_type for o in b2s.offerings if o.available} == {"on-demand"}
    assert b2s.requirements[labels.CAPACITY_TYPE].values == {"on-demand"}


def test_memory_is_said_in_mib_without_anything_kept():
    """A part of a GiB counts, other than in what the node is thought to have."""  # Z-31
    of_size = Requirements(size_labels(size("M8ms")))
    assert of_size[f"{AZURE_GROUP}/sku-memory"].values == of_size[f"{AKS_GROUP}/sku-memory"].values == {"224000"}


def test_zones_and_scope_are_those_of_open_offerings():
    """A location without zones has the zone 0 alone."""  # Z-32
    d8 = TYPES["D8_v4"].requirements
    assert d8[labels.ZONE].values == {"japaneast-1", "japaneast-2", "japaneast-3", "0"}
    assert d8[f"{AZURE_GROUP}/placement-scope"].values == {"zonal", "regional"}
    west = types(catalog=load_location("westus"))["D8_v4"].requirements
    assert west[labels.ZONE].values == {"0"}
    assert west[f"{AZURE_GROUP}/placement-scope"].values == {"regional"}


def test_a_disk_in_no_zone_is_in_zone_0():
    """As volumes of the CSI driver for disks write it."""  # Z-33
    key = "topology.disk.csi.azure.com/zone"
    nowhere, second = ((Expression(key, "In", (value,)),) for value in ("", "japaneast-2"))
    assert Requirements.of_expressions(nowhere, AZURE)[labels.ZONE].values == {"0"}
    assert Requirements.of_expressions(second, AZURE)[labels.ZONE].values == {"japaneast-2"}
    both = Requirements.of_labels({key: "", labels.ZONE: "0"}, AZURE)
    assert both[labels.ZONE].values == {"0"}


@pytest.mark.parametrize(("priority", "capacity_type"), [("regular", "on-demand"), ("spot", "spot")])
@pytest.mark.parametrize("key", ["priority", "scalesetpriority"])
def test_a_priority_stands_for_a_capacity_type(key, priority, capacity_type):
    """Both keys that AKS has for it."""  # Z-34
    wanted = Requirements.of_labels({f"{AKS_GROUP}/{key}": priority}, AZURE)
    offerings = [o for o in TYPES["D8_v4"].offerings if wanted.compatible(o.requirements, AZURE.well_known)]
    assert {o.capacity_type for o in offerings} == {capacity_type}


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        ("MC_a_(b)_x", "MC_a_-b-_x"),
        ("x" * 70, "x" * 63),
        ("MC_a_", "MC_a_z"),
        ("MC_a(b)", "MC_a-b-z"),
        ("x" * 62 + "_tail", "x" * 62 + "z"),
        ("", ""),
    ],
)
def test_the_cluster_is_named_by_its_node_resource_group(group, expected):
    """Made into a label's value."""  # Z-35
    assert cluster_label(group) == expected


def test_the_class_adds_labels_of_its_own():
    """Operating system and FIPS; the cluster's where its node resource group is known."""
    settings = AzureSettings(node_resource_group="MC_a_b_japaneast")
    plain = types(settings=settings)["D8_v4"].requirements
    hardened = types(node_class(image_family="AzureLinux", fips_mode="FIPS"))["D8_v4"].requirements
    assert plain[f"{AKS_GROUP}/cluster"].values == {"MC_a_b_japaneast"}
    assert f"{AKS_GROUP}/cluster" not in hardened
    assert [r[f"{AKS_GROUP}/os-sku"].values for r in (plain, hardened)] == [{"Ubuntu"}, {"AzureLinux"}]
    assert [r[f"{AKS_GROUP}/fips_enabled"].values for r in (plain, hardened)] == [frozenset(), {"true"}]


def test_every_label_is_well_known_or_the_providers_secret():
    """Scheduling treats them alike; only the generation of Hyper-V may not be asked for."""
    unknown = {key for key in TYPES["D8_v4"].requirements if key not in AZURE.well_known}
    assert unknown == {f"{AZURE_GROUP}/sku-hyperv-generation"}


def test_a_size_whose_name_is_not_understood_has_no_family():
    """What was read of it stays."""
    odd = read_size({"type": "Standard_d8", "vcpus": "8", "memory_gib": "32", "architecture": "x64"})
    assert f"{AZURE_GROUP}/sku-family" not in Requirements(size_labels(odd))
