"""Names of Azure VM sizes, and what follows from them."""

from __future__ import annotations

import csv

import pytest

from cutlist.catalog import size_capabilities, size_hardware
from cutlist.catalog.embedded import all_sizes
from cutlist.catalog.size_names import SizeName, size_name
from tests.recorded import FACTS


def parts(name: str) -> SizeName:
    found = size_name(name)
    assert found is not None
    return found


def known_rows() -> list[dict[str, str]]:
    """The sizes that the provider's list names, as the shared table has them."""
    with (FACTS / "azure-vm-sizes.csv").open() as file:  # type: ignore[operator]
        return [row for row in csv.DictReader(file) if row["known_sku"] == "true"]


@pytest.mark.parametrize(
    ("name", "series", "accelerator"),
    [
        ("Standard_D2_v4", "D_v4", ""),
        ("Standard_DS2_v2", "DS_v2", ""),
        ("Standard_D16plds_v5", "Dplds_v5", ""),
        ("Standard_NC24ads_A100_v4", "NCads_v4", "A100"),
        ("Standard_NV4ads_V710_v5", "NVads_v5", "V710"),
        ("Standard_M416s_8_v2", "Ms_v2", ""),
        ("Standard_B2s", "Bs", ""),
        ("Standard_D64s_V3", "Ds_v3", ""),
        ("Standard_NC72ds_xl_RTXPRO6000BSE_v6", "NCds_v6", "RTXPRO6000BSE"),
    ],
)
def test_a_name_is_taken_apart(name: str, series: str, accelerator: str) -> None:
    """Number, constraint and accelerator are no part of the series; `_V3` is a version and no accelerator."""
    assert (parts(name).series, parts(name).accelerator) == (series, accelerator)


def test_a_constrained_size_has_two_numbers() -> None:
    assert (parts("Standard_E4-2s_v3").number, parts("Standard_E4-2s_v3").constrained) == (4, 2)


@pytest.mark.parametrize("name", ["m5.large", "Standard_", "Standard_d2_v4", "D2_v4", "Standard_SQLG7_NVME"])
def test_what_is_no_size_has_no_parts(name: str) -> None:
    assert size_name(name) is None


# Z-45
def test_every_known_name_has_this_form() -> None:
    """All 1,502 names of the provider's list."""
    names = [row["size"] for row in known_rows()]
    assert len(names) == 1502
    assert [name for name in names if size_name(name) is None] == []


# Z-60
def test_vcpus_memory_and_architecture_follow_from_the_name() -> None:
    """Of every size of the families that Karpenter uses and that a list describes."""
    odd = []
    for row in known_rows():
        name = parts(row["size"])
        if not row["vcpus"] or name.constrained is not None or name.letters in ("DC", "EC") or name.family in "MNHP":
            continue
        derived = (size_hardware.vcpus(name), size_hardware.memory_gib(name), "Arm64" if name.is_arm else "x64")
        if derived != (int(row["vcpus"]), float(row["memory_gib"]), row["arch"]):
            odd.append(row["size"])
    assert odd == []


# Z-60
@pytest.mark.parametrize(
    ("name", "memory", "gpus"),
    [
        ("Standard_NC16as_T4_v3", 110, 1),
        ("Standard_NC96ads_A100_v4", 880, 4),
        ("Standard_ND96asr_v4", 900, 8),
        ("Standard_ND96is_MI300X_v5", 1850, 0),
        ("Standard_ND96isr_MI300X_v5", 1850, 8),
        ("Standard_NV36adms_A10_v5", 880, 1),
        ("Standard_NV4ads_V710_v5", 16, 0),
        ("Standard_M8ms", 218.75, 0),
        ("Standard_M416s_9_v2", 8568, 0),
        ("Standard_M96ds_1_v3", 974, 0),
        ("Standard_E64i_v3", 432, 0),
        ("Standard_E192is_v6", 1832, 0),
    ],
)
def test_memory_and_gpus_of_odd_sizes_follow_from_tables(name: str, memory: float, gpus: int) -> None:
    assert (size_hardware.memory_gib(parts(name)), size_hardware.gpus(parts(name))) == (memory, gpus)


# Z-61
@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("Standard_D8s_v5", "standardDSv5Family"),
        ("Standard_D8as_v6", "standardDav6Family"),
        ("Standard_E112iads_v5", "standardEIADSv5Family"),
        ("Standard_B2s", "standardBSFamily"),
        ("Standard_B2pls_v2", "standardBpsv2Family"),
        ("Standard_E80ids_v4", "standardXEIDSv4Family"),
        ("Standard_NC24ads_A100_v4", ""),
    ],
)
def test_the_quota_family_follows_from_the_name(name: str, family: str) -> None:
    assert size_capabilities.quota_family(parts(name)) == family


# Z-61
def test_the_quota_family_is_that_of_the_list() -> None:
    """For all sizes but confidential ones, which Karpenter does not use."""
    odd = [
        row["size"]
        for row in known_rows()
        if (name := parts(row["size"])).letters not in ("DC", "EC")
        and (derived := size_capabilities.quota_family(name))
        and derived.lower() != row["family"].lower()
    ]
    assert odd == []


def test_capabilities_of_recorded_sizes_follow_from_their_names() -> None:
    """All twenty sizes of which there is a whole record: premium disks, network, generations, spot, encryption, trust."""
    with (FACTS / "azure-sku-samples.csv").open() as file:  # type: ignore[operator]
        records: dict[str, dict[str, str]] = {}
        for row in csv.DictReader(file):
            records.setdefault(row["size"], {})[row["key"]] = row["value"]
    assert len(records) == 20
    for size, record in records.items():
        name = parts(size)
        generations = size_capabilities.generations(name)
        assert generations == tuple(g.removeprefix("V") for g in record["HyperVGenerations"].split(",")), size
        reported = {
            "PremiumIO": name.is_premium,
            "AcceleratedNetworkingEnabled": size_capabilities.accelerated_networking(name),
            "LowPriorityCapable": size_capabilities.spot(name),
            "EncryptionAtHostSupported": size_capabilities.encryption_at_host(name),
        }
        assert reported == {key: record[key] == "True" for key in reported}, size
        assert size_capabilities.trusted_launch(name, generations) == (
            "V2" in record["HyperVGenerations"] and record.get("TrustedLaunchDisabled") != "True"
        ), size


def test_the_embedded_sizes_hold_what_is_known() -> None:
    """Every row can be read, and nothing is called derived that a record tells."""
    sizes = all_sizes()
    assert len(sizes) == 1492
    assert all(size.vcpus > 0 and size.memory_gib > 0 for size in sizes.values())
    assert "disks" not in sizes["Standard_D16plds_v5"].derived
    assert "disks" in sizes["Standard_D16ads_v5"].derived
