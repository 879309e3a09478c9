"""Sizes that are not listed: never, or not under a class."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist import AKSNodeClass
from cutlist.api.aksnodeclass_fields import ArtifactStreaming, Gpu, NextSecurity, Security, TrustedLaunch
from cutlist.catalog.embedded import all_sizes, load_location
from cutlist.catalog.sizes import read_size
from cutlist.providers.azure.exclusions import class_refusal, name_refusal, refusal, starts
from cutlist.providers.azure.gpus import registered
from cutlist.providers.azure.local_dns import has_local_dns
from cutlist.providers.azure.profile import NodeProfile
from cutlist.providers.azure.settings import AzureSettings
from tests.unit.providers.azure.sizes import node_class, size, types


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("E4-2s_v3", "constrained vCPUs"),
        ("DC2s_v2", "confidential"),
        ("EC4as_v5", "confidential"),
        ("NCC40ads_H100_v5", "GPUs are not among"),
        ("B1ms", "2 vCPUs and 3.5 GiB"),
        ("F1s", "2 vCPUs and 3.5 GiB"),
        ("E64i_v3", "AKS does not take it"),
        ("NP10s", "GPUs are not among"),
        ("NV4as_v4", "GPUs are not among"),
    ],
)
def test_some_sizes_are_never_used(name, why):
    """Each with its reason, which is reported where a NodePool names it."""  # Z-44
    record = {"type": f"Standard_{name}", "vcpus": "2", "memory_gib": "8", "architecture": "x64"}
    found = all_sizes().get(f"Standard_{name}") or read_size(record)
    assert why in refusal(found)


@pytest.mark.parametrize("name", ["B2s", "E80is_v4", "HB120rs_v3", "NG8ads_V620_v1"])
def test_others_are_used(name):
    """Burstable and isolated sizes, those of H and L and M, and NG, whose GPUs are unknown."""  # Z-44
    assert refusal(size(name)) == ""


def test_what_a_location_sells_and_is_never_used_is_not_listed():
    """The list of a class has none of these."""  # Z-44
    listed, sold = types(catalog=load_location("eastus")), load_location("eastus").machines
    assert "Standard_E4-2s_v3" in sold
    assert not {"E4-2s_v3", "DC2s_v2", "F1s", "B1ms"} & set(listed)


def test_an_unknown_architecture_is_no_architecture():
    """A size of which Azure does not say it is dropped, as is one whose name has no known form."""
    assert "architecture" in refusal(replace(size("D8_v4"), architecture=""))
    assert "no form" in name_refusal("m5.large")


def why(name: str, **fields: object) -> str:
    return class_refusal(size(name), NodeProfile.of(node_class(**fields), AzureSettings()))


def test_amd_gpus_need_a_class_without_drivers():
    """On Ubuntu alone: AzureLinux has no images for them."""  # Z-46
    for name in ("NV4ads_V710_v5", "ND96isr_MI300X_v5"):
        assert "no driver for AMD" in why(name)
        assert why(name, gpu=Gpu(mode="None")) == ""
        assert "AzureLinux" in why(name, gpu=Gpu(mode="None"), image_family="AzureLinux")
    assert why("NC6s_v3", image_family="AzureLinux") == ""
    assert "AzureLinux" in why("NV12s_v3", image_family="AzureLinux")


def test_encryption_at_host_drops_what_has_none():
    assert "encryption at host" in why("D2_v4", security=Security(encryption_at_host=True))  # Z-47
    assert why("D2s_v5", security=Security(encryption_at_host=True)) == ""


def test_trusted_launch_drops_first_generations_and_old_arm():
    """As releases after 1.14 have it."""  # Z-47
    profile = replace(NodeProfile.of(node_class(), AzureSettings()), trusted_launch=True)
    assert [bool(class_refusal(size(name), profile)) for name in ("D2_v4", "D16plds_v5", "D2s_v5")] == [True, True, False]
    trusting = replace_security(NextSecurity(trusted_launch=TrustedLaunch(vtpm=True)))
    assert NodeProfile.of(trusting, AzureSettings()).trusted_launch


def replace_security(security: NextSecurity):
    found = node_class()
    object.__setattr__(found, "security", security)  # a class of 1.14 cannot be built with it
    return found


def override(zone: str, destination: str) -> dict[str, object]:
    """Return how names of a zone are resolved, as a manifest has it."""
    return {
        "zone": zone,
        "queryLogging": "Error",
        "protocol": "PreferUDP",
        "forwardDestination": destination,
        "forwardPolicy": "Sequential",
        "maxConcurrent": 1000,
        "cacheDuration": "3600s",
        "serveStaleDuration": "3600s",
        "serveStale": "Immediate",
    }


def with_dns(mode: str, state: str = "", version: str = "", fips: str = "") -> AKSNodeClass:
    """Return a class with LocalDNS, and what its status says of it."""
    dns = {
        "mode": mode,
        "vnetDNSOverrides": [override(".", "VnetDNS"), override("cluster.local", "ClusterCoreDNS")],
        "kubeDNSOverrides": [override(".", "ClusterCoreDNS"), override("cluster.local", "ClusterCoreDNS")],
    }
    return AKSNodeClass.from_manifest(
        {
            "apiVersion": "karpenter.azure.com/v1beta1",
            "kind": "AKSNodeClass",
            "metadata": {"name": "dns"},
            "spec": {**({"localDNS": dns} if mode else {}), **({"fipsMode": fips} if fips else {})},
            "status": {"localDNSState": state, "kubernetesVersion": version},
        }
    )


@pytest.mark.parametrize(
    ("mode", "state", "version", "is_on"),
    [
        ("Required", "", "", True),  # as in a repository, where no class has a status
        ("Required", "Disabled", "1.33.2", True),  # before the controller has looked at the new mode
        ("Disabled", "Enabled", "", False),
        ("", "Enabled", "", False),
        ("Preferred", "", "", False),
        ("Preferred", "Disabled", "1.36.0", False),
        ("Preferred", "Enabled", "1.33.2", True),  # it stays on
        ("Preferred", "", "1.99.0", True),
    ],
)
def test_the_mode_decides_whether_local_dns_needs_four_vcpus(mode, state, version, is_on):
    """As the provider's controller writes the status."""  # Z-47, Z-70
    listed = types(with_dns(mode, state, version))
    assert ("D2_v4" not in listed) == is_on
    assert "D4_v4" in listed


def test_preferred_local_dns_stays_off_where_it_cannot_run():
    """On Ubuntu 20.04, and without a network plugin."""  # Z-70
    assert "D2_v4" in types(with_dns("Preferred", version="1.99.0", fips="FIPS"))
    without_plugin = AzureSettings(network_plugin="none", network_plugin_mode="")
    assert not has_local_dns(with_dns("Preferred", version="1.99.0"), without_plugin)
    assert has_local_dns(with_dns("Preferred"), AzureSettings(kubernetes_version="1.99"))


def test_artifacts_are_not_streamed_to_arm():
    assert "not streamed" in why("D16plds_v5", artifact_streaming=ArtifactStreaming(enabled=True))  # Z-47
    assert why("D16plds_v5", artifact_streaming=ArtifactStreaming(enabled=False)) == ""


def test_the_registry_of_gpus():
    """A promotion counts as its size; case does not matter."""
    assert registered("standard_nc6_promo") == registered("Standard_NC6")
    assert registered("Standard_D8_v4") is None


def test_images_fit_a_machine_or_not():
    """FIPS is for amd64 of generation 2 alone; else arm64 is served, too, and first generations are."""
    plain, fips = (NodeProfile.of(node_class(fips_mode=mode), AzureSettings()) for mode in (None, "FIPS"))
    assert [starts(size(n), plain) for n in ("D2_v4", "D2s_v5", "D2pls_v5")] == [True, True, True]
    assert [starts(size(n), fips) for n in ("D2_v4", "D2s_v5", "D2pls_v5")] == [False, True, False]
