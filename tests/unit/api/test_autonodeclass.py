"""The NodeClass of EKS Auto Mode, and what is different about NodePools that use it."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist import AutoNodeClass, EphemeralStorage, NodePool, SubnetSelectorTerm
from cutlist.api.read import read_objects
from cutlist.core.errors import InputError, Problems
from cutlist.core.labels import AUTO
from cutlist.core.quantity import Quantity
from cutlist.documents.parsing import parse_documents

SPEC = {
    "role": "NodeRole",
    "subnetSelectorTerms": [{"tags": {"karpenter.sh/discovery": "demo"}}],
    "securityGroupSelectorTerms": [{"tags": {"karpenter.sh/discovery": "demo"}}],
}


def manifest(name: str = "own", **spec: Any) -> dict[str, Any]:
    written = {k: v for k, v in {**SPEC, **spec}.items() if v != "left out"}
    return {"apiVersion": "eks.amazonaws.com/v1", "kind": "NodeClass", "metadata": {"name": name}, "spec": written}


def a_class(name: str = "own", **spec: Any) -> AutoNodeClass:
    return AutoNodeClass.from_manifest(manifest(name, **spec))


def refused(**spec: Any) -> str:
    with pytest.raises(InputError) as error:
        a_class(**spec)
    return str(error.value)


def a_pool(*requirements: dict[str, Any], **spec: Any) -> dict[str, Any]:
    ref = {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "own"}
    template = {"spec": {"nodeClassRef": ref, "requirements": list(requirements), **spec}}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "p"}, "spec": {"template": template}}


def wants(key: str, *values: str) -> dict[str, Any]:
    return {"key": key, "operator": "In", "values": list(values)}


def pool_refused(*requirements: dict[str, Any], **spec: Any) -> str:
    with pytest.raises(InputError) as error:
        NodePool.from_manifest(a_pool(*requirements, **spec))
    return str(error.value)


def test_defaults() -> None:
    """What is left out has the values that a cluster reads back."""
    # V-105 K-125
    c = a_class()
    storage = c.ephemeral_storage
    assert (str(storage.size), storage.iops, storage.throughput) == ("80Gi", 3000, 125)
    assert (c.snat_policy, c.network_policy, c.network_policy_event_logs) == ("Random", "DefaultAllow", "Disabled")


def test_built_in_python_it_is_the_same() -> None:
    """The constructor and the manifest give equal classes, and the manifest comes back."""
    made = AutoNodeClass(name="own", role="NodeRole", discovery="demo")
    assert made == a_class()
    assert made.manifest() == manifest()
    large = AutoNodeClass(name="own", role="NodeRole", discovery="demo", ephemeral_storage=EphemeralStorage(size="200Gi"))
    assert large.manifest()["spec"]["ephemeralStorage"] == {"size": "200Gi"}
    assert large != made


@pytest.mark.parametrize(
    ("field", "value", "instead"),
    [
        ("amiFamily", "AL2023", ""),
        ("amiSelectorTerms", [{"alias": "al2023@latest"}], ""),
        ("userData", "#!/bin/sh", ""),
        ("metadataOptions", {"httpTokens": "required"}, ""),
        ("kubelet", {"maxPods": 20}, ""),
        ("instanceStorePolicy", "RAID0", ""),
        ("detailedMonitoring", True, ""),
        ("context", "x", ""),
        ("blockDeviceMappings", [], "spec.ephemeralStorage"),
        ("ipPrefixCount", 1, "spec.advancedNetworking.networkInterfaces"),
    ],
)
def test_what_auto_mode_manages(field: str, value: Any, instead: str) -> None:
    """Fields of an EC2NodeClass are refused with the reason and, where there is one, the replacement."""
    # V-104
    text = refused(**{field: value})
    assert f"unknown field '{field}': Auto Mode manages this" in text
    assert instead in text


def test_identity_is_one_or_left_to_eks() -> None:
    """Role and instance profile together are refused; neither is what the user guide's own examples have."""
    # V-106
    assert "'role' and 'instanceProfile' are mutually exclusive" in refused(instanceProfile="profile")
    assert "role cannot be empty" in refused(role="")
    assert a_class(role="left out").role is None
    assert a_class(role="left out", instanceProfile="profile").instance_profile == "profile"


def test_a_role_is_a_name() -> None:
    """An ARN is refused with the name in it."""
    assert "did you mean NodeRole?" in refused(role="arn:aws:iam::123456789012:role/NodeRole")


def test_pod_subnets_need_pod_security_groups() -> None:
    """One without the other is refused, both are accepted."""
    # V-106
    terms = [{"tags": {"for": "pods"}}]
    assert "must be set together with podSecurityGroupSelectorTerms" in refused(podSubnetSelectorTerms=terms)
    assert a_class(podSubnetSelectorTerms=terms, podSecurityGroupSelectorTerms=terms).has_pod_subnets


def test_the_name_default_is_taken() -> None:
    """A class of one's own cannot be called default; the one that EKS manages is read."""
    # V-107
    with pytest.raises(InputError, match="the class that EKS makes"):
        a_class("default")
    managed = manifest("default")
    managed["metadata"]["labels"] = {"app.kubernetes.io/managed-by": "eks"}
    assert AutoNodeClass.from_manifest(managed).is_managed


@pytest.mark.parametrize(
    ("storage", "text"),
    [
        ({"size": "60000Gi"}, "is not a volume size"),
        ({"size": "80"}, "is not a volume size"),
        ({"iops": 2999}, "at least 3000"),
        ({"iops": 16001}, "at most 16000"),
        ({"throughput": 124}, "at least 125"),
        ({"throughput": 1001}, "at most 1000"),
    ],
)
def test_ranges_of_the_storage(storage: dict[str, Any], text: str) -> None:
    """Sizes, IOPS and throughput outside the range are refused."""
    assert text in refused(ephemeralStorage=storage)


@pytest.mark.parametrize("size", ["1Gi", "59000Gi", "64000G", "58Ti", "64T"])
def test_the_ends_of_the_range_are_accepted(size: str) -> None:
    """The largest and smallest volumes can be asked for."""
    assert a_class(ephemeralStorage={"size": size}).ephemeral_storage.size == Quantity.parse(size)


@pytest.mark.parametrize(
    "tag",
    [
        "karpenter.sh/nodepool",
        "karpenter.sh/nodeclaim",
        "karpenter.sh/managed-by",
        "karpenter.sh/provisioner-name",
        "eks.amazonaws.com/nodeclass",
        "kubernetes.io/cluster/demo",
    ],
)
def test_restricted_tags(tag: str) -> None:
    """Tags that the controller sets are refused; others are not."""
    assert "restricted tag" in refused(tags={tag: "x"})
    assert a_class(tags={"team": "x"}).tags == {"team": "x"}


def test_reservations_have_an_owner() -> None:
    """The account of a reservation is `owner`; the spelling of EC2NodeClass is refused with that hint."""
    assert "here it is owner" in refused(capacityReservationSelectorTerms=[{"tags": {"a": "b"}, "ownerID": "123456789012"}])
    (term,) = a_class(
        capacityReservationSelectorTerms=[{"tags": {"a": "b"}, "owner": "123456789012"}]
    ).capacity_reservation_selector_terms
    assert term.owner == "123456789012"


def test_empty_selector_terms() -> None:
    """A term that would match everything is refused, and so is a list without terms."""
    assert "expected at least one, got none, ['tags', 'id']" in refused(subnetSelectorTerms=[{"tags": {}}])
    assert "subnetSelectorTerms cannot be empty" in refused(subnetSelectorTerms=[])


def test_network_interfaces() -> None:
    """A first interface is needed, addresses are counted in one way and never on efa-only ones."""
    first = {"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface"}
    efa = {"networkCardIndex": 0, "deviceIndex": 1, "interfaceType": "efa-only"}
    fine = a_class(advancedNetworking={"networkInterfaces": [{**first, "secondaryIPv4PrefixCount": 2}, efa]})
    assert fine.advanced_networking.network_interfaces[0].secondary_ipv4_prefix_count == 2
    both = {**first, "secondaryIPv4Count": 1, "secondaryIPv4PrefixCount": 1}
    assert "mutually exclusive" in refused(advancedNetworking={"networkInterfaces": [both]})
    assert "never on an efa-only" in refused(
        advancedNetworking={"networkInterfaces": [first, {**efa, "secondaryIPv4Count": 1}]}
    )
    assert "must include a primary" in refused(advancedNetworking={"networkInterfaces": [efa]})
    public = {"networkInterfaces": [first, efa], "associatePublicIPAddress": True}
    assert "more than one network interface" in refused(advancedNetworking=public)


def test_all_mistakes_are_reported_together() -> None:
    """Structure and rules are reported in one go."""
    text = refused(kubelet={}, snatPolicy="random", tags={"karpenter.sh/nodepool": "x"}, ephemeralStorage={"iops": 1})
    assert "Auto Mode manages this" in text
    assert "did you mean Random?" in text
    assert "at least 3000" in text


def test_old_versions_are_named() -> None:
    """A version that is not served is refused with the one that is."""
    with pytest.raises(InputError, match=r"not served as 'eks.amazonaws.com/v1beta1'.*eks.amazonaws.com/v1"):
        AutoNodeClass.from_manifest({**manifest(), "apiVersion": "eks.amazonaws.com/v1beta1"})


def test_other_kinds_of_the_group_are_left_alone() -> None:
    """An IngressClassParams of Auto Mode is not a mistake and goes to the rest."""
    text = "apiVersion: eks.amazonaws.com/v1\nkind: IngressClassParams\nmetadata: {name: alb}\n"
    problems = Problems()
    objects = read_objects(parse_documents(text, "a.yaml", problems), problems)
    assert problems.found == []
    assert [d.kind for d in objects.rest] == ["IngressClassParams"]


def test_a_pool_brings_its_class() -> None:
    """A NodePool built with an AutoNodeClass refers to it and uses the labels of Auto Mode."""
    made = NodePool(name="p", node_class=AutoNodeClass(name="own", role="NodeRole", discovery="demo"))
    ref = made.node_class_ref
    assert (ref.group, ref.kind, ref.name) == ("eks.amazonaws.com", "NodeClass", "own")
    assert made.registry is AUTO


def test_lifetimes_of_auto_mode_by_default() -> None:
    """Nodes live 14 days and get a day to leave, unless the pool says otherwise."""
    # K-125
    pool = NodePool.from_manifest(a_pool())
    assert (pool.expire_after, pool.termination_grace_period) == ("336h", "24h")
    own = NodePool.from_manifest(a_pool(expireAfter="100h", terminationGracePeriod="1h"))
    assert (own.expire_after, own.termination_grace_period) == ("100h", "1h")


@pytest.mark.parametrize(("expire", "grace"), [("480h", "24h"), ("500h", "4h"), ("504h", "0s")])
def test_21_days_are_allowed(expire: str, grace: str) -> None:
    """Up to 21 days together with the grace period."""
    # V-111
    assert NodePool.from_manifest(a_pool(expireAfter=expire, terminationGracePeriod=grace)).expire_after == expire


@pytest.mark.parametrize("expire", ["481h", "Never", "720h"])
def test_more_than_21_days_are_not(expire: str) -> None:
    """Longer lives, counted with the default grace period, are refused in the words of Auto Mode, at the template's spec."""
    # V-111 I-74
    text = "the sum of expireAfter and terminationGracePeriod (defaulted to 24h) may not exceed 21 days"
    said = f"spec.template.spec: {text} (rule: refused at apply); allowed: expireAfter up to 480h"
    assert said in pool_refused(expireAfter=expire)


@pytest.mark.parametrize("field", ["expireAfter", "terminationGracePeriod"])
def test_what_is_no_duration_is_refused_as_that(field: str) -> None:
    """Nobody can add days to it."""
    assert f"spec.template.spec.{field}: '1d' is not valid here" in pool_refused(**{field: "1d"})


def test_self_managed_pools_may_live_longer() -> None:
    """The limit is Auto Mode's alone."""
    pool = a_pool(expireAfter="Never")
    pool["spec"]["template"]["spec"]["nodeClassRef"] = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "own"}
    assert NodePool.from_manifest(pool).expire_after == "Never"


@pytest.mark.parametrize("key", ["eks.amazonaws.com/foo", "ai.eks.amazonaws.com/foo"])
def test_unknown_keys_of_the_domain(key: str) -> None:
    """The API server compares the end of the domain."""
    # V-109
    assert 'label domain "eks.amazonaws.com" is restricted' in pool_refused(wants(key, "x"))


def test_keys_of_kubernetes_are_restricted() -> None:
    """Auto Mode keeps the older rules, but for the domains that these leave open."""
    # V-43 V-44
    assert "label example.kubernetes.io/team is restricted; specify" in pool_refused(wants("example.kubernetes.io/team", "x"))
    for key in ("node.kubernetes.io/foo", "node-restriction.kubernetes.io/foo", "kops.k8s.io/foo", "example.com/foo"):
        assert NodePool.from_manifest(a_pool(wants(key, "x"))).requirements[0].key == key


def test_a_restricted_label_of_the_template() -> None:
    """As a label the same key is reported in the words for labels."""
    pool = a_pool()
    pool["spec"]["template"]["metadata"] = {"labels": {"karpenter.k8s.aws/instance-family": "c5"}}
    with pytest.raises(InputError) as error:
        NodePool.from_manifest(pool)
    start = (
        'invalid key name "karpenter.k8s.aws/instance-family" in labels, label karpenter.k8s.aws/instance-family is restricted'
    )
    assert start in str(error.value)
    assert "did you mean eks.amazonaws.com/instance-family?" in str(error.value)


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("karpenter.k8s.aws/instance-category", "eks.amazonaws.com/instance-category"),
        ("karpenter.k8s.aws/ec2nodeclass", "eks.amazonaws.com/nodeclass"),
        ("eks.amazonaws.com/instance-familly", "eks.amazonaws.com/instance-family"),
        ("eks.amazonaws.com/capacityType", "karpenter.sh/capacity-type"),
    ],
)
def test_the_right_key_is_proposed(key: str, hint: str) -> None:
    """The key of Auto Mode that means the same, or the nearest."""
    # V-108
    assert f"did you mean {hint}?" in pool_refused(wants(key, "x"))


def test_every_listed_key_is_accepted() -> None:
    """All well-known keys but the pool's own name can be required."""
    keys = sorted(AUTO.well_known - {"karpenter.sh/nodepool", "karpenter.sh/capacity-type"})
    assert len(NodePool.from_manifest(a_pool(*(wants(key, "x") for key in keys))).requirements) == len(keys)


def test_terms_built_in_python() -> None:
    """Terms can be given instead of a discovery tag."""
    made = AutoNodeClass(
        name="own",
        role="NodeRole",
        discovery="demo",
        subnet_selector_terms=[SubnetSelectorTerm(id="subnet-1")],
    )
    assert made.manifest()["spec"]["subnetSelectorTerms"] == [{"id": "subnet-1"}]


@pytest.mark.parametrize(
    "compute",
    [
        {"kubelet": {"maxPods": 40, "evictionHard": {"memory.available": "1Gi"}}},
        {"kernel": {"sysctl": {"vm.max_map_count": 262144}}, "hugepages": {"2Mi": 512}},
        {},
    ],
)
def test_settings_of_kubelet_and_kernel_are_an_open_object(compute: dict[str, Any]) -> None:
    """AWS has published what they are for, and not their schema: whatever is written stays as it is."""
    # V-148
    c = a_class(advancedCompute=compute)
    assert c.manifest()["spec"].get("advancedCompute") == compute
    assert c.max_pods == compute.get("kubelet", {}).get("maxPods")


@pytest.mark.parametrize(
    ("compute", "why"),
    [
        ([], "spec.advancedCompute"),
        ({"kubelet": 3}, "spec.advancedCompute.kubelet"),
        ({"kernel": "x"}, "spec.advancedCompute.kernel"),
        ({"kubelet": {"maxPods": "40"}}, "'40' is not a number of pods"),
        ({"kubelet": {"maxPods": 0}}, "0 is not a number of pods"),
        ({"kubelet": {"maxPods": True}}, "True is not a number of pods"),
    ],
)
def test_what_cannot_be_such_settings_is_refused(compute: Any, why: str) -> None:
    # V-148
    assert why in refused(advancedCompute=compute)


def test_a_role_is_a_name_of_64_characters_at_most() -> None:
    # V-147
    assert "role cannot be empty" in refused(role="")
    assert a_class(role="r" * 64).role == "r" * 64
    assert "spec.role" in refused(role="r" * 65)


def test_a_kubelet_outside_of_advanced_compute_is_refused_with_its_place() -> None:
    # V-104
    assert "spec.advancedCompute.kubelet" in refused(kubelet={"maxPods": 40})
