"""AKSNodeClasses and their NodePools, statement by statement, where each bound and each rule lies."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist import AKSNodeClass
from cutlist.api.aksnodeclass_hash import stored_hash
from cutlist.api.aksnodeclass_rules import AKS_NODE_CLASS
from cutlist.api.nodepool_rules import NODE_POOL
from cutlist.api.read import kind_of
from cutlist.api.validation import ObjectKind, validate
from cutlist.core.labels import AZURE_GROUP
from tests.conformance.next_aksnodeclass import NEXT_AKS_NODE_CLASS
from tests.unit.api.manifests import POOL


def at_fault(spec: dict[str, Any], kind: ObjectKind = AKS_NODE_CLASS) -> list[str]:
    """The paths of what is wrong with a class of this spec, without `spec.`."""
    manifest = {"apiVersion": "karpenter.azure.com/v1beta1", "kind": "AKSNodeClass", "metadata": {"name": "a"}, "spec": spec}
    return [finding.path.removeprefix("spec").removeprefix(".") for finding in validate(kind, manifest).findings]


# Z-15
def test_both_versions_are_one_class():
    """They are equal, and each is written back as it was."""
    old, new = (
        AKSNodeClass.from_manifest(
            {"apiVersion": f"{AZURE_GROUP}/{version}", "kind": "AKSNodeClass", "metadata": {"name": "a"}, "spec": {}}
        )
        for version in ("v1alpha2", "v1beta1")
    )
    assert old == new
    assert (old.manifest()["apiVersion"], kind_of(old)) == (f"{AZURE_GROUP}/v1alpha2", "AKSNodeClass")


# Z-16
def test_what_is_not_written_has_a_default():
    plain = AKSNodeClass(name="a")
    assert (plain.os_disk_size_gb, plain.image_family) == (128, "Ubuntu")
    assert AKSNodeClass.from_manifest(plain.manifest() | {"spec": {"gpu": {}}}).gpu.mode == "Driver"


# Z-16
@pytest.mark.parametrize(("size", "wrong"), [(29, True), (30, False), (2048, False), (2049, True)])
def test_disks_have_bounds(size, wrong):
    assert at_fault({"osDiskSizeGB": size}) == ["osDiskSizeGB"] * wrong


# Z-17
@pytest.mark.parametrize(
    ("spec", "paths"),
    [
        ({"maxPods": 9}, ["maxPods"]),
        ({"maxPods": 10}, []),
        ({"maxPods": 250}, []),
        ({"maxPods": 251}, ["maxPods"]),
        ({"kubelet": {"containerLogMaxFiles": 1}}, ["kubelet.containerLogMaxFiles"]),
        ({"kubelet": {"containerLogMaxFiles": 2}}, []),
        ({"kubelet": {"imageGCHighThresholdPercent": 80, "imageGCLowThresholdPercent": 79}}, []),
    ],
)
def test_pods_and_logs_have_bounds(spec, paths):
    assert at_fault(spec) == paths


# Z-17
@pytest.mark.parametrize("low", [80, 81])
def test_the_higher_threshold_is_above_the_lower_one(low):
    assert at_fault({"kubelet": {"imageGCHighThresholdPercent": 80, "imageGCLowThresholdPercent": low}})


# Z-18
@pytest.mark.parametrize(
    ("family", "refused", "refused_next"), [("Ubuntu2404", 1, 1), ("Ubuntu2204", 1, 1), ("Ubuntu", 0, 0), (None, 0, 0)]
)
def test_fips_is_not_for_every_image(family, refused, refused_next):
    """Without a family the default is filled in first."""
    spec = {"fipsMode": "FIPS", **({"imageFamily": family} if family else {})}
    assert [len(at_fault(spec, kind)) for kind in (AKS_NODE_CLASS, NEXT_AKS_NODE_CLASS)] == [refused, refused_next]


# Z-18
def test_the_next_release_takes_fips_with_trusted_launch():
    spec = {"fipsMode": "FIPS", "imageFamily": "Ubuntu2204", "security": {"trustedLaunch": {"vtpm": True}}}
    assert at_fault(spec, NEXT_AKS_NODE_CLASS) == []


def dns(zone: str, **other: Any) -> dict[str, Any]:
    return {
        "zone": zone,
        "queryLogging": "Error",
        "protocol": "PreferUDP",
        "forwardDestination": "ClusterCoreDNS" if zone == "cluster.local" else "VnetDNS",
        "forwardPolicy": "Random",
        "maxConcurrent": 1,
        "cacheDuration": "1h",
        "serveStaleDuration": "1h",
        "serveStale": "Immediate",
        **other,
    }


def with_dns(*vnet: dict[str, Any]) -> dict[str, Any]:
    whole = [dns("."), dns("cluster.local")]
    return {"localDNS": {"mode": "Required", "vnetDNSOverrides": list(vnet) or whole, "kubeDNSOverrides": whole}}


# Z-19
@pytest.mark.parametrize(
    ("vnet", "wrong"),
    [
        ([], False),
        ([dns(".")], True),
        ([dns("cluster.local")], True),
        ([dns("."), dns("cluster.local", serveStale="Verify", protocol="ForceTCP")], True),
        ([dns("."), dns("cluster.local", forwardDestination="VnetDNS")], True),
        ([dns(".", forwardDestination="ClusterCoreDNS"), dns("cluster.local")], True),
    ],
)
def test_a_dns_cache_needs_both_zones_and_asks_who_can_answer(vnet, wrong):
    assert bool(at_fault(with_dns(*vnet))) is wrong


# Z-20
@pytest.mark.parametrize(
    ("spec", "wrong"),
    [
        ({"linuxOSConfig": {"swapFileSize": "1Gi"}}, True),
        ({"linuxOSConfig": {"swapFileSize": "1Gi"}, "kubelet": {"failSwapOn": True}}, True),
        ({"linuxOSConfig": {"swapFileSize": "1Gi"}, "kubelet": {"failSwapOn": False}}, False),
        ({"linuxOSConfig": {"sysctls": {"netCoreRmemDefault": 300000, "netCoreRmemMax": 299999}}}, True),
        ({"linuxOSConfig": {"sysctls": {"netCoreRmemDefault": 300000, "netCoreRmemMax": 300000}}}, False),
        ({"linuxOSConfig": {"sysctls": {f"netIPv4NeighDefaultGcThresh{n}": 5000 - n for n in (1, 2, 3)}}}, True),
        ({"linuxOSConfig": {"sysctls": {f"netIPv4NeighDefaultGcThresh{n}": 5000 + n for n in (1, 2, 3)}}}, False),
    ],
)
def test_settings_of_the_system_go_together(spec, wrong):
    assert bool(at_fault(spec)) is wrong


def pool(requirement: str = "kubernetes.io/arch", **disruption: str) -> dict[str, Any]:
    reference = {"group": AZURE_GROUP, "kind": "AKSNodeClass", "name": "default"}
    terms = [{"key": requirement, "operator": "In", "values": ["amd64"]}]
    return {
        **POOL,
        "spec": {
            "template": {"spec": {"nodeClassRef": reference, "requirements": terms}},
            **({"disruption": disruption} if disruption else {}),
        },
    }


# Z-21
def test_an_expiry_where_the_guide_has_it_is_reported():
    """The API server would drop it, and 720h would count."""
    found = validate(NODE_POOL, pool(consolidateAfter="0s", expireAfter="Never"), provider=AZURE_GROUP).findings
    assert [finding.path for finding in found] == ["spec.disruption.expireAfter"]


# Z-23
@pytest.mark.parametrize(
    "key",
    [
        "karpenter.azure.com/zone",
        "karpenter.azure.com/sku-hyperv-generation",
        "karpenter.azure.com/sku-accelerator",
        "kubernetes.azure.com/agentpool",
        "agentpool",
    ],
)
def test_keys_that_are_gone_or_not_for_users_are_refused(key):
    found = validate(NODE_POOL, pool(key), provider=AZURE_GROUP).findings
    assert [finding.path for finding in found] == ["spec.template.spec.requirements[0].key"]


# Z-58
@pytest.mark.parametrize(
    ("change", "drifts"),
    [
        ({"tags": {"team": "shop"}}, False),
        ({"os_disk_size_gb": 256}, True),
        ({"image_family": "AzureLinux"}, True),
        (
            {
                "vnet_subnet_id": "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/g/providers/"
                "Microsoft.Network/virtualNetworks/n/subnets/s"
            },
            True,
        ),
    ],
)
def test_nodes_drift_with_their_class_but_not_with_its_tags(change, drifts):
    changed, plain = (stored_hash(AKSNodeClass(name="a", **fields).stored()["spec"]) for fields in (change, {}))
    assert (changed != plain) is drifts
