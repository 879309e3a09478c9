"""AksNodeProvisioning: a whole cluster with its NodePools out of plain settings, checked together, undone in order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.protection import HOW_TO_LIFT
from pulumi_cutlist.recorded.recording import Log, Recording

from cutlist import AKSNodeClass, NodeClassRef, NodePool
from cutlist.core.errors import InputError
from tests.infrastructure.azure_stand_in import (
    ASSIGNMENT,
    CLUSTER,
    DEFINITION,
    DISK_KEYS,
    GROUP,
    MANAGED,
    NETWORK,
    NETWORK_ID,
    SUBNET,
    VAULT_ID,
    one,
    run,
)
from tests.infrastructure.graph import Graph, unguarded
from tests.infrastructure.unknowns import has_unknowns

PROGRAM = """
from pulumi_cutlist.azure import AksNodeProvisioning

nodes = AksNodeProvisioning("shop", args)
pulumi.export("pools", nodes.node_pool_names)
pulumi.export("subnets", nodes.subnet_ids)
pulumi.export("issuer", nodes.oidc_issuer)
"""
POOL = "kubernetes:karpenter.sh/v1:NodePool"
CLASS = "kubernetes:karpenter.azure.com/v1beta1:AKSNodeClass"
RESOURCE_GROUP = "azure-native:resources:ResourceGroup"
TWO_SUBNETS = {"own": {"subnets": {"nodes": "10.224.0.0/20", "batch": "10.224.16.0/24"}}}
CLOSED = {"authorized_ip_ranges": ["198.51.100.0/24"]}


def pool(name: str = "general", node_class: str = "general") -> dict[str, Any]:
    reference = NodeClassRef(group="karpenter.azure.com", kind="AKSNodeClass", name=node_class)
    return NodePool(name=name, node_class=reference, requirements=[]).manifest()


def node_class(name: str = "general", **spec: Any) -> dict[str, Any]:
    return AKSNodeClass(name=name, **spec).manifest()


def warnings(recording: Recording) -> list[Log]:
    return [log for log in recording.logs if log.severity == "warning"]


OBJECTS = {"node_pools": [pool()], "node_classes": [node_class()]}


@pytest.fixture
def record(tmp_path: Path):
    def make(mode: Mode = Mode.UPDATE, **args: Any) -> Recording:
        given = {"cluster": CLUSTER, **OBJECTS, **args, "settings": {**CLOSED, **args.get("settings", {})}}
        return run(tmp_path, PROGRAM, mode, args=given)

    return make


def refused(record: Any, **args: Any) -> list[str]:
    with pytest.raises(InputError) as caught:
        record(**args)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize("mode", Mode)
def test_names_and_objects_are_all_that_it_takes(record, mode):  # Z-1, Z-9
    recording = record(mode)
    assert len(recording.of_type(RESOURCE_GROUP)) == len(recording.of_type(NETWORK)) == len(recording.of_type(SUBNET)) == 1
    cluster = one(recording, MANAGED).inputs
    assert cluster["nodeProvisioningProfile"] == {"mode": "Auto", "defaultNodePools": "None"}
    assert cluster["agentPoolProfiles"][0]["vnetSubnetID"] == f"{NETWORK_ID}/subnets/nodes"
    assert recording.exports["pools"] == ["general"]
    assert recording.exports["subnets"] == {"nodes": f"{NETWORK_ID}/subnets/nodes"}
    assert [log for log in recording.logs if log.severity != "info"] == []
    if mode is Mode.UPDATE:
        assert [r.urn for r in recording.resources.values() if has_unknowns(r)] == []
    assert not any(has_unknowns(r) for token in (POOL, CLASS, MANAGED) for r in recording.of_type(token))


@pytest.mark.parametrize("mode", Mode)
def test_everything_is_made_in_order(record, mode):  # Z-7
    recording = record(mode, network=TWO_SUBNETS, class_subnets={"general": "batch"})
    graph, cluster = Graph.of(recording), one(recording, MANAGED)
    assert graph.reaches(cluster, recording.of_type(ASSIGNMENT))
    assert graph.reaches(cluster, one(recording, SUBNET, "shop-network-nodes"))
    assert graph.reaches([*recording.of_type(POOL), *recording.of_type(CLASS)], [cluster, *recording.of_type(SUBNET)])
    assert graph.reaches(one(recording, POOL), one(recording, CLASS))
    group = one(recording, RESOURCE_GROUP)
    azure = [r for r in recording.resources.values() if r.type.startswith("azure-native:") and r is not group]
    assert graph.reaches(azure, group)


def test_everything_is_undone_in_order(record):
    """Pools, classes, the cluster, then what it lives in; the resource group goes last of all."""
    recording = record(network=TWO_SUBNETS, disk_key={"vault_id": VAULT_ID, "key_url": "https://vault/keys/disks"})
    steps = Graph.of(recording).deletions()
    step_of = {urn: number for number, step in enumerate(steps) for urn in step}

    def when(token: str) -> int:
        return max(step_of[r.urn] for r in recording.of_type(token))

    assert when(POOL) < when(CLASS) < when(MANAGED) < when(SUBNET) < when(NETWORK) < when(RESOURCE_GROUP)
    first = min(step_of[r.urn] for token in (ASSIGNMENT, DISK_KEYS) for r in recording.of_type(token))
    assert when(MANAGED) < first


KEY = {"vault_id": VAULT_ID, "key_url": "https://vault/keys/disks"}


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("production", [True, False])
@pytest.mark.parametrize(
    "more",
    [
        {"network": TWO_SUBNETS, "disk_key": KEY, "own_kubelet_identity": True},
        {"network": {"own": {"nat_gateway": True}, "rights_on_subnets_alone": True}, "own_resource_group": False},
        {"network": TWO_SUBNETS, "node_pools": [], "node_classes": []},
        {"network": {"made_by_aks": True}, "node_pools": [], "node_classes": []},
    ],
)
def test_a_destroy_meets_the_protection_before_all_that_there_is(record, production, more):
    """An engine deletes what nothing depends on first; so while it is protected, NodePools, classes and rights stay as well."""
    windows = {"nodeImages": {"start_time": "02:00", "day_of_week": "Sunday"}}
    recording = record(settings={"production": production, "windows": windows}, **more)
    protection = one(recording, "cutlist:index:Protection", f"shop-protection{HOW_TO_LIFT}")
    assert protection.request.protect == production
    assert unguarded(recording, protection) == []
    protected = {r.name for r in recording.resources.values() if r.request.protect}
    assert protected == (
        {"shop-cluster", f"shop-cluster-protection{HOW_TO_LIFT}", f"shop-protection{HOW_TO_LIFT}"} if production else set()
    )


@pytest.mark.parametrize("mode", Mode)
def test_a_class_lives_in_the_subnet_that_it_is_given(record, mode):  # Z-11
    classes = [node_class(), node_class("batch")]
    pools = [pool(), pool("batch", "batch")]
    recording = record(mode, network=TWO_SUBNETS, class_subnets={"batch": "batch"}, node_classes=classes, node_pools=pools)
    specs = {r.inputs["metadata"]["name"]: r.inputs["spec"] for r in recording.of_type(CLASS)}
    assert specs["batch"]["vnetSubnetID"] == f"{NETWORK_ID}/subnets/batch"
    assert "vnetSubnetID" not in specs["general"]


def test_a_network_of_others_is_used_with_rights_on_its_subnets_alone(record):
    hub = f"{GROUP.replace('rg-shop', 'rg-hub')}/providers/Microsoft.Network/virtualNetworks/hub"
    reported = {"network_id": hub, "subnets": {"a": {"cidr": "10.1.0.0/20"}}, "outbound_type": "userDefinedRouting"}
    recording = record(network={"adopted": reported, "node_subnet": "a", "rights_on_subnets_alone": True})
    cluster = one(recording, MANAGED).inputs
    assert cluster["agentPoolProfiles"][0]["vnetSubnetID"] == f"{hub}/subnets/a"
    assert cluster["networkProfile"]["outboundType"] == "userDefinedRouting"
    assert recording.of_type(NETWORK) == []
    assert one(recording, ASSIGNMENT).inputs["scope"] == f"{hub}/subnets/a"
    assert len(recording.of_type(DEFINITION)) == 1


def test_the_way_out_need_not_be_said_twice(record):
    nat = {"own": {"nat_gateway": True}}
    recording = record(network=nat)
    assert one(recording, MANAGED).inputs["networkProfile"]["outboundType"] == "userAssignedNATGateway"
    [text] = refused(record, network=nat, settings={"network": {"outbound_type": "loadBalancer"}})
    assert text.startswith("settings.network.outbound_type: loadBalancer, and the network is made for userAssignedNATGateway")
    [text] = refused(record, settings={"network": {"outbound_type": "userDefinedRouting"}})
    assert text.startswith(
        "settings.network.outbound_type: userDefinedRouting, and the network is made for loadBalancer or none"
    )


def test_aks_may_make_the_network(record):
    recording = record(network={"made_by_aks": True})
    assert recording.of_type(NETWORK) == recording.of_type(ASSIGNMENT) == []
    assert "vnetSubnetID" not in one(recording, MANAGED).inputs["agentPoolProfiles"][0]
    assert recording.exports["subnets"] == {}


def test_keys_and_identities_of_ones_own_are_wired(record):
    key = {"vault_id": VAULT_ID, "key_url": "https://vault/keys/disks"}
    zone = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/privateDnsZones/z"
    private = {"authorized_ip_ranges": [], "private": {"dns_zone": zone}}
    recording = record(disk_key=key, own_kubelet_identity=True, settings=private, tags={"team": "shop"})
    cluster = one(recording, MANAGED).inputs
    assert cluster["diskEncryptionSetID"].endswith("/diskEncryptionSets/shop-disks")
    assert cluster["identityProfile"]["kubeletidentity"]["objectId"] == "principal-shop-identity-kubelet"
    assert cluster["tags"] == one(recording, NETWORK).inputs["tags"] == {"team": "shop"}
    scopes = {r.inputs["scope"] for r in recording.of_type(ASSIGNMENT)}
    assert {zone, VAULT_ID, NETWORK_ID} <= scopes
    assert len(scopes) == 5


@pytest.mark.parametrize(
    "planned",
    [
        "azure.network.network.plan_aks_network",
        "azure.identity.identity.plan_aks_identity",
        "azure.identity.disk_keys.plan_aks_disk_keys",
        "azure.cluster.cluster.plan_aks_cluster",
        "kubernetes.node_configuration.plan_configuration",
    ],
)
def test_no_part_is_planned_again_when_it_is_made(record, monkeypatch, planned):
    """Mistakes of all parts are found together, before the first of them is registered."""

    def again(*_: Any) -> None:
        raise AssertionError(planned)

    monkeypatch.setattr(f"pulumi_cutlist.{planned}", again)
    assert len(record(disk_key=KEY).of_type(DISK_KEYS)) == 1


def test_typed_objects_are_taken_as_well(tmp_path):
    body = """
from cutlist import AKSNodeClass, NodeClassRef, NodePool
from pulumi_cutlist.azure import AksNodeProvisioning

general = AKSNodeClass(name="general")
reference = NodeClassRef(group="karpenter.azure.com", kind="AKSNodeClass", name="general")
pool = NodePool(name="general", node_class=reference, requirements=[])
AksNodeProvisioning("shop", {"cluster": names, "node_pools": [pool], "node_classes": [general]})
"""
    recording = run(tmp_path, body, names=CLUSTER)
    assert len(recording.of_type(POOL)) == len(recording.of_type(CLASS)) == 1


STACK_FILE = """
cluster: {name: shop, resourceGroup: rg-shop, location: japaneast, subscription: 11111111-2222-3333-4444-555555555555}
network:
  own: {natGateway: true, subnets: {nodes: 10.224.0.0/20, gpu_nodes: 10.224.16.0/20}}
settings:
  kubernetesVersion: "1.35"
  authorizedIpRanges: [198.51.100.0/24]
  pools: [{vmSize: Standard_D4s_v5}]
  windows:
    nodeImages: {startTime: "02:00", dayOfWeek: Sunday}
classSubnets: {general: gpu_nodes}
"""


def test_a_stack_file_says_the_same_in_camel_case(tmp_path):
    body = """
from pulumi_cutlist.azure import AksNodeProvisioning

AksNodeProvisioning("shop", {**settings, **objects})
"""
    objects = {"nodePools": [pool()], "nodeClasses": [node_class()]}
    recording = run(tmp_path, body, settings=yaml.safe_load(STACK_FILE), objects=objects)
    cluster = one(recording, MANAGED).inputs
    assert (cluster["kubernetesVersion"], cluster["agentPoolProfiles"][0]["vmSize"]) == ("1.35", "Standard_D4s_v5")
    assert one(recording, CLASS).inputs["spec"]["vnetSubnetID"] == f"{NETWORK_ID}/subnets/gpu_nodes"


def test_a_misspelt_setting_of_a_stack_file_is_reported_with_its_path(tmp_path):
    body = """
from pulumi_cutlist.azure import AksNodeProvisioning

AksNodeProvisioning("shop", settings)
"""
    settings = yaml.safe_load(STACK_FILE.replace("natGateway", "natGatway"))
    with pytest.raises(InputError, match=r"network\.own\.natGatway: unknown input 'natGatway'.*did you mean natGateway"):
        run(tmp_path, body, settings=settings | {"classSubnets": {}})


def test_mistakes_in_every_part_are_reported_together_and_nothing_is_made(record):  # Z-4, Z-5, Z-11
    bad_pool = pool()
    bad_pool["spec"]["template"]["spec"]["requirements"] = [{"key": "agentpool", "operator": "In", "values": ["x"]}]
    elsewhere = f"{NETWORK_ID.replace('rg-shop', 'rg-other')}/subnets/nodes"
    texts = refused(
        record,
        cluster={**CLUSTER, "subscription": "mine"},
        network={"own": {"cidr": "10.0.0.0/16"}},
        settings={
            "network": {"policy": "calico"},
            "pools": [{"auto_scaling": True, "min_count": 1, "max_count": 5, "zones": ["4"]}],
        },
        node_pools=[bad_pool],
        node_classes=[node_class(vnet_subnet_id=elsewhere)],
        class_subnets={"genral": "nodes"},
    )
    places = sorted({text.partition(":")[0] for text in texts})
    assert places == [
        "class_subnets.genral",
        "cluster.subscription",
        "network.own.cidr",
        "node_classes[0] spec.vnetSubnetID",
        "node_pools[0] spec.template.spec.requirements[0].key",
        "settings.network.policy",
        "settings.pools[0].auto_scaling",
        "settings.pools[0].zones[0]",
    ]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            {"settings": {"node_provisioning": "Manual"}},
            "node_pools: NodePools, which nothing reads without node provisioning",
        ),
        (
            {"settings": {"default_node_pools": "Auto"}, "node_pools": [pool("default")]},
            "node_pools[0] metadata.name: NodePool default is AKS's own with default_node_pools Auto",
        ),
        (
            {"node_pools": [pool(node_class="default")]},
            "node_pools[0] spec.template.spec.nodeClassRef.name: class default is made by AKS with default_node_pools Auto",
        ),
        (
            {"node_pools": [pool(node_class="genral")]},
            "node_pools[0] spec.template.spec.nodeClassRef.name: NodePool general refers",
        ),
        ({"settings": {"node_provisioning": "Aut"}}, "settings.node_provisioning: unknown value 'Aut'; allowed: Auto, Manual"),
        (
            {"disk_key": {"vault_id": "shop", "key_url": "https://shop.vault.azure.net/keys/disks"}},
            "disk_key.vault_id: 'shop' is not the id of a key vault; allowed: /subscriptions/ID/",
        ),
        (
            {"class_subnets": {"general": "nods"}},
            "class_subnets.general: no subnet 'nods'; allowed: nodes; did you mean nodes?",
        ),
        ({"network": {"made_by_aks": True}, "class_subnets": {"general": "nodes"}}, "class_subnets.general: no subnet 'nodes'"),
        (
            {"network": {"own": {"cidr": "10.0.0.0/33"}}, "class_subnets": {"general": "nodes"}},
            "network.own.cidr: '10.0.0.0/33' is not an address block",
        ),
        ({"network": {"made_by_aks": True, "own": {}}}, "network.own: own, and AKS makes the network"),
        (
            {"network": {"made_by_aks": True}, "node_classes": [node_class(vnet_subnet_id=f"{NETWORK_ID}/subnets/nodes")]},
            "node_classes[0] spec.vnetSubnetID: class general names a subnet, and the cluster is in a network that AKS makes",
        ),
    ],
)
def test_parts_that_do_not_fit_each_other_are_refused(record, args, message):  # Z-2, Z-11, K-189
    [text] = refused(record, **args)
    assert text.startswith(message)


def test_objects_of_another_cloud_are_refused(record):
    reference = NodeClassRef(group="karpenter.k8s.aws", kind="EC2NodeClass", name="default")
    terms = [{"tags": {"a": "b"}}]
    spec = {
        "role": "nodes",
        "amiSelectorTerms": [{"alias": "al2023@v20260625"}],
        "subnetSelectorTerms": terms,
        "securityGroupSelectorTerms": terms,
    }
    other = {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": "default"}, "spec": spec}
    pools = [NodePool(name="other", node_class=reference, requirements=[]).manifest()]
    texts = refused(record, node_pools=pools, node_classes=[other])
    assert [text.partition(";")[0] for text in texts] == [
        "node_classes[0] kind: EC2NodeClass default, of which nodes of AKS are not made",
        "node_pools[0] spec.template.spec.nodeClassRef.kind: NodePool other refers to the kind EC2NodeClass",
    ]


def test_pools_of_aks_may_be_referred_to_where_aks_makes_them(record):  # Z-2
    recording = record(settings={"default_node_pools": "Auto"}, node_pools=[pool(node_class="default")], node_classes=[])
    assert recording.exports["pools"] == ["general"]


def test_subnets_too_small_for_the_nodes_are_warned_of(record):  # Z-12
    """A /24 without overlay has room for eight nodes of 30 pods; the class's own number of pods counts."""
    network = {"own": {"subnets": {"nodes": "10.224.0.0/18", "batch": "10.224.64.0/24"}}}
    settings = {"network": {"mode": "none"}, "nodes_at_most": 9}
    recording = record(network=network, settings=settings, class_subnets={"general": "batch"})
    [log] = warnings(recording)
    assert "subnet batch of class general has 251 addresses, and 9 nodes, each with 30 pods, need 279" in log.message
    roomy = record(
        network=network, settings=settings, class_subnets={"general": "batch"}, node_classes=[node_class(max_pods=10)]
    )
    assert warnings(roomy) == []
    tiny = {"own": {"subnets": {"nodes": "10.224.0.0/27", "batch": "10.224.64.0/18"}}}
    [log] = warnings(record(network=tiny, settings={"network": {"mode": "none"}}, class_subnets={"general": "batch"}))
    assert "network.own.subnets.nodes: subnet nodes has 27 addresses, and 3 nodes, each with 30 pods, need 93" in log.message
