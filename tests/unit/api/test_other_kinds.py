"""NodeClaim, NodeOverlay, CapacityBuffer and AKSNodeClass: built in Python as in a manifest, refused in the same words."""

from __future__ import annotations

import pytest

from cutlist import AKSNodeClass, CapacityBuffer, Gt, NodeClaim, NodeClassRef, NodeOverlay
from cutlist.api.aksnodeclass_fields import AksKubelet, DnsOverride, LinuxOsConfig, LocalDns, Sysctls
from cutlist.api.capacitybuffer_fields import ScalableRef
from cutlist.api.read import read_objects
from cutlist.core.errors import InputError, Problems
from cutlist.core.quantity import Quantity
from cutlist.core.taints import Taint
from cutlist.documents.parsing import parse_documents
from tests.unit.api.manifests import said

REFERENCE = NodeClassRef(group="karpenter.k8s.aws", kind="EC2NodeClass", name="default")
WEB = ScalableRef(api_group="apps", kind="Deployment", name="web")


def problems(kind, **arguments) -> list[str]:
    """What is wrong with an object built of these arguments, each as `path: message`."""
    with pytest.raises(InputError) as error:
        kind(name="a", **arguments)
    return [said(problem).partition(" ")[2] for problem in error.value.problems]


def test_a_claim_from_python():
    """Its requirements, requests and taints are written as the API has them."""
    claim = NodeClaim(
        name="general-1",
        node_class_ref=REFERENCE,
        requirements={"karpenter.sh/nodepool": "general", "karpenter.k8s.aws/instance-cpu": Gt(3)},
        requests={"cpu": "1500m", "pods": 3},
        taints=[Taint("dedicated", "NoSchedule", "web")],
    )
    assert (claim.expire_after, claim.requests["cpu"]) == ("720h", Quantity.parse("1500m"))
    assert claim.manifest()["spec"]["resources"] == {"requests": {"cpu": "1500m", "pods": 3}}
    assert NodeClaim.from_manifest(claim.manifest()) == claim


def test_an_overlay_from_python():
    """V-118: NotIn needs values here."""
    overlay = NodeOverlay(name="a", requirements={"example.com/x": "y"}, price_adjustment="-10%", capacity={"example.com/d": 4})
    assert (overlay.weight, overlay.price, overlay.capacity) == (0, None, {"example.com/d": Quantity.parse("4")})
    assert NodeOverlay.from_manifest(overlay.manifest()) == overlay
    assert overlay.stored()["spec"] == overlay.manifest()["spec"]


@pytest.mark.parametrize("change", ["+10%", "-10%", "-100%", "+250%", "-0.5", "+.5"])
def test_changes_of_a_price(change):
    """V-116"""
    assert NodeOverlay(name="a", price_adjustment=change).price_adjustment == change


@pytest.mark.parametrize("change", ["10%", "-101%", "0.5", "+", "", "+1e3"])
def test_wrong_changes_of_a_price(change):
    """V-116: with what would be right."""
    (found,) = problems(NodeOverlay, price_adjustment=change)
    assert found.startswith(
        f"spec.priceAdjustment: {change!r} is not valid here; allowed: an amount with its sign such as +0.5"
    )


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"price": "-1"}, "spec.price: '-1' is not valid here"),
        ({"price": "1", "price_adjustment": "+1"}, "spec: cannot set both 'price' and 'priceAdjustment'"),
        ({"capacity": {"cpu": 1}}, "spec.capacity.cpu: invalid resource restricted"),
        ({"capacity": {"vpc.amazonaws.com/efa": 1}}, "spec.capacity.vpc.amazonaws.com/efa: invalid capacity"),
        ({"weight": 0}, "spec.weight: found 0; allowed: at least 1"),
        ({"requirements": {"karpenter.k8s.aws/instance-tenancy": "default"}}, "spec.requirements[0].key: label domain"),
    ],
)
def test_what_is_refused_in_overlays(arguments, text):
    """V-115, V-116, V-117"""
    (found,) = problems(NodeOverlay, **arguments)
    assert found.startswith(text)


def test_a_buffer_from_python():
    """It follows a workload, or a template with a number of replicas."""
    buffer = CapacityBuffer(name="a", namespace="web", scalable_ref=WEB, percentage=25)
    assert (buffer.namespace, buffer.keeps_room, buffer.limits) == ("web", True, None)
    assert CapacityBuffer.from_manifest(buffer.manifest()) == buffer
    assert buffer.stored()["spec"]["provisioningStrategy"] == "buffer.x-k8s.io/active-capacity"
    assert CapacityBuffer(name="a", pod_template="t", replicas=2).namespace == "default"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"pod_template": "t"}, "spec: If podTemplateRef is set, replicas or limits must also be set"),
        (
            {"pod_template": "t", "replicas": 1, "scalable_ref": WEB},
            "spec: You must define either PodTemplateRef or ScalableRef",
        ),
        ({}, "spec: has neither podTemplateRef nor scalableRef"),
        ({"scalable_ref": WEB, "percentage": -1}, "spec.percentage: found -1; allowed: at least 0"),
    ],
)
def test_what_is_refused_in_buffers(arguments, text):
    """V-120"""
    (found,) = problems(CapacityBuffer, **arguments)
    assert found.startswith(text)


def test_buffers_of_one_name_in_two_namespaces():
    """Are two buffers."""
    texts = (CapacityBuffer(name="a", namespace=n, scalable_ref=WEB, replicas=1).manifest() for n in ("x", "y"))
    noted = Problems()
    objects = read_objects(parse_documents("\n---\n".join(map(str, texts)), "all.yaml", noted), noted)
    assert ([b.namespace for b in objects.capacity_buffers], noted.found) == (["x", "y"], [])


def test_a_class_on_azure_from_python():
    """Defaults are those of the API server, within the parts that are there."""
    node_class = AKSNodeClass(
        name="a", kubelet=AksKubelet(fail_swap_on=False), linux_os_config=LinuxOsConfig(swap_file_size="1Gi")
    )
    assert (node_class.image_family, node_class.os_disk_size_gb, node_class.tags) == ("Ubuntu", 128, {})
    assert node_class.stored()["spec"]["kubelet"] == {
        "failSwapOn": False,
        "cpuManagerPolicy": "none",
        "cpuCFSQuota": True,
        "cpuCFSQuotaPeriod": "100ms",
        "topologyManagerPolicy": "none",
        "containerLogMaxSize": "50Mi",
        "containerLogMaxFiles": 5,
    }
    assert AKSNodeClass.from_manifest(node_class.manifest()) == node_class


def override(zone: str) -> DnsOverride:
    return DnsOverride(
        zone=zone,
        query_logging="Error",
        protocol="PreferUDP",
        forward_destination="VnetDNS",
        forward_policy="Random",
        max_concurrent=1,
        cache_duration="1h",
        serve_stale_duration="1h",
        serve_stale="Disable",
    )


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"image_family": "Debian"}, "spec.imageFamily: found the text 'Debian'; allowed: Ubuntu, Ubuntu2204"),
        ({"max_pods": 251}, "spec.maxPods: found 251; allowed: at most 250"),
        ({"fips_mode": "FIPS", "image_family": "Ubuntu2204"}, "spec.fipsMode: FIPS is not yet supported for Ubuntu2204"),
        ({"vnet_subnet_id": "subnet-1"}, "spec.vnetSubnetID: 'subnet-1' is not valid here; allowed: the whole id of a subnet"),
        (
            {"linux_os_config": LinuxOsConfig(swap_file_size="1Gi")},
            "spec.linuxOSConfig.swapFileSize: kubelet.failSwapOn must be",
        ),
        (
            {"linux_os_config": LinuxOsConfig(sysctls=Sysctls(net_core_rmem_default=300_000, net_core_rmem_max=212_992))},
            "spec.linuxOSConfig.sysctls.netCoreRmemDefault: netCoreRmemDefault must be <= netCoreRmemMax",
        ),
        ({"tags": {"a<b": "c"}}, "spec.tags.a<b: tags keys must not contain '<'"),
        (
            {
                "local_dns": LocalDns(
                    mode="Required", vnet_dns_overrides=[], kube_dns_overrides=[override("."), override("x.io")]
                )
            },
            "spec.localDNS.kubeDNSOverrides: must contain required zones '.' and 'cluster.local'",
        ),
    ],
)
def test_what_is_refused_in_classes_on_azure(arguments, text):
    """In the words of the CRD, at the very field, with what would be right."""
    assert problems(AKSNodeClass, **arguments)[0].startswith(text)


def test_the_older_version_of_a_class_on_azure():
    """It is read, and written back as it was."""
    manifest = {"apiVersion": "karpenter.azure.com/v1alpha2", "kind": "AKSNodeClass", "metadata": {"name": "a"}, "spec": {}}
    assert AKSNodeClass.from_manifest(manifest).manifest() == manifest


def test_a_field_of_the_next_release_is_named_as_such():
    """Karpenter 1.14 does not know it."""
    manifest = AKSNodeClass(name="a").manifest() | {"spec": {"security": {"trustedLaunch": {"vtpm": True}}}}
    with pytest.raises(InputError, match="it comes with the release after"):
        AKSNodeClass.from_manifest(manifest)


@pytest.mark.parametrize("member", ["labels", "annotations"])
def test_a_label_without_a_value_is_an_empty_text(member):
    """So an API server stores the null of an object's own label; the null of any other member it drops."""
    manifest = {
        "apiVersion": "karpenter.azure.com/v1beta1",
        "kind": "AKSNodeClass",
        "metadata": {"name": "a", member: {"team": None}, "finalizers": None},
        "spec": {"tags": {"a": None}},
    }
    made = AKSNodeClass.from_manifest(manifest)
    assert getattr(made, member) == {"team": ""}
    assert made.stored()["metadata"] == {"name": "a", member: {"team": ""}}
    assert made.tags == {}
