"""What a preview says of the services that run Karpenter for a stack's clusters."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from pulumi_cutlist.recorded.recording import Recording
from pulumi_cutlist.recorded.services import services_of

from cutlist.core.services import AddedByService
from cutlist.verbs.preview.services import render_services, services_markdown

AKS = "azure-native:containerservice:ManagedCluster"
EKS = "aws:eks/cluster:Cluster"


def added(type_: str, **inputs: Any) -> tuple[AddedByService, ...]:
    """Return what services add to a program with one cluster."""
    resource = SimpleNamespace(type=type_, name="shop", inputs=inputs)
    return services_of(cast("Recording", SimpleNamespace(resources={"urn": resource})))


def names(found: tuple[AddedByService, ...], what: str) -> list[str]:
    (one,) = found
    return [addition.name for addition in one.additions if addition.what == what]


@pytest.mark.parametrize("type_", [AKS, "azure-native:containerservice/v20250901:ManagedCluster"])
def test_a_cluster_of_aks_names_version_gates_pools_and_classes(type_):
    """Each with its source and date; the pools and classes are those that AKS makes by default."""  # Z-73, Z-75, Z-76
    found = added(type_, nodeProvisioningProfile={"mode": "Auto"}, sku={"name": "Automatic"})
    assert names(found, "nodepool") == ["default", "system-surge"]
    assert names(found, "class") == ["default", "system-surge"]
    assert "NodeOverlay" in names(found, "gate")
    text = render_services(found)
    assert "Karpenter: core 1.14.0, provider 1.14.0 (AKS release notes, 2026-07-17)" in text
    assert "node class default: AzureLinux, LocalDNS Required" in text
    assert all(addition.source and addition.date for addition in found[0].additions)


def test_without_pools_of_its_own_aks_adds_none():
    found = added(AKS, nodeProvisioningProfile={"mode": "Auto", "defaultNodePools": "None"})
    assert (names(found, "nodepool"), names(found, "class")) == ([], [])  # Z-2
    assert not added(AKS, nodeProvisioningProfile={"mode": "Manual"})
    assert not added(AKS)


def test_a_cluster_of_auto_mode_names_the_pools_that_are_on():
    """Which version of Karpenter runs there is not published."""  # V-142
    found = added(EKS, computeConfig={"enabled": True, "nodePools": ["system"]})
    assert (names(found, "nodepool"), names(found, "class")) == (["system"], ["default"])
    assert "Karpenter: not published" in render_services(found)
    assert any("SpotToSpotConsolidation" in line for line in services_markdown(found))
    assert not added(EKS, computeConfig={"enabled": False})
    assert not added("aws:s3/bucket:Bucket")
    assert render_services(()) == ""
