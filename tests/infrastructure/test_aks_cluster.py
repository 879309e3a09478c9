"""AksCluster and what surrounds it: what is registered, in which order, and what is refused before anything is made."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pulumi
import pytest
from pulumi.runtime import rpc
from pulumi_cutlist.azure.cluster.cluster import warn_of_change
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.protection import HOW_TO_LIFT
from pulumi_cutlist.recorded.recording import Recording

from cutlist.core.errors import InputError
from tests.infrastructure.azure_stand_in import (
    ASSIGNMENT,
    CLUSTER,
    DEFINITION,
    DISK_KEYS,
    GROUP,
    IDENTITY,
    ISSUER,
    LOGS,
    MANAGED,
    NETWORK,
    NETWORK_ID,
    SUBNET,
    SUBSCRIPTION,
    VAULT_ID,
    WINDOW,
    one,
    run,
)
from tests.infrastructure.graph import Graph, unguarded
from tests.infrastructure.unknowns import has_unknowns

ALONE = """
from pulumi_cutlist.azure import AksCluster, kubernetes_provider
import pulumi_kubernetes as k8s

cluster = AksCluster("main", {"cluster": names, **args})
provider = kubernetes_provider("main", cluster)
k8s.core.v1.Namespace("team", opts=pulumi.ResourceOptions(provider=provider))
outputs = ("cluster_id", "cluster_name", "fqdn", "version", "node_resource_group", "oidc_issuer", "kubelet_object_id")
pulumi.export("reported", pulumi.Output.all(**{name: getattr(cluster, name) for name in outputs}))
"""
WHOLE = """
from pulumi_cutlist.azure import AksCluster, AksDiskKeys, AksIdentity, AksNetwork, kubernetes_provider
import pulumi_kubernetes as k8s

group = f"/subscriptions/{names['subscription']}/resourceGroups/{names['resource_group']}"
vault = f"{group}/providers/Microsoft.KeyVault/vaults/shop"
network = AksNetwork("net", {"cluster": names})
keys = AksDiskKeys("keys", {"cluster": names, "vault_id": vault, "key_url": "https://vault/keys/disks"})
identity = AksIdentity(
    "who",
    {
        "cluster": names,
        "network_id": network.network_id,
        "disk_encryption_set_id": keys.disk_encryption_set_id,
        "own_kubelet_identity": True,
    },
)
kubelet = {
    "client_id": identity.kubelet_client_id,
    "object_id": identity.kubelet_object_id,
    "resource_id": identity.kubelet_resource_id,
}
cluster = AksCluster(
    "main",
    {
        "cluster": names,
        "subnet_id": network.node_subnet_id,
        "identity_id": identity.identity_id,
        "kubelet_identity": kubelet,
        "disk_encryption_set_id": keys.disk_encryption_set_id,
        **args,
    },
)
provider = kubernetes_provider("main", cluster)
k8s.core.v1.Namespace("team", opts=pulumi.ResourceOptions(provider=provider))
"""
NAMESPACE = "kubernetes:core/v1:Namespace"
TAINT = "CriticalAddonsOnly=true:NoSchedule"


@pytest.fixture
def record(tmp_path: Path):
    def make(mode: Mode = Mode.UPDATE, body: str = ALONE, **settings: Any) -> Recording:
        further = {key: settings.pop(key) for key in ("further", "subnet_id", "names", "tags") if key in settings}
        names = further.pop("names", CLUSTER)
        closed = {} if "private" in settings else {"authorized_ip_ranges": ["198.51.100.0/24"]}
        return run(tmp_path, body, mode, names=names, args={"settings": {**closed, **settings}, **further})

    return make


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("mode", Mode)
def test_a_cluster_without_wishes_makes_its_nodes_by_itself(record, mode):  # Z-1, Z-2, Z-3, Z-6, Z-10, K-183, K-184, K-185
    recording = record(mode)
    inputs = one(recording, MANAGED).inputs
    assert inputs["resourceName"] == "shop"
    assert inputs["nodeProvisioningProfile"] == {"mode": "Auto", "defaultNodePools": "None"}
    assert inputs["networkProfile"] == {
        "networkPlugin": "azure",
        "networkPluginMode": "overlay",
        "networkDataplane": "cilium",
        "networkPolicy": "cilium",
        "loadBalancerSku": "standard",
        "outboundType": "loadBalancer",
        "ipFamilies": ["IPv4"],
        "podCidr": "10.244.0.0/16",
        "serviceCidr": "10.0.0.0/16",
        "dnsServiceIP": "10.0.0.10",
    }
    [pool] = inputs["agentPoolProfiles"]
    assert (pool["mode"], pool["count"], pool["nodeTaints"], pool["enableAutoScaling"]) == ("System", 3, [TAINT], False)
    assert pool["availabilityZones"] == ["1", "2", "3"]
    assert "vnetSubnetID" not in pool
    assert inputs["oidcIssuerProfile"] == {"enabled": True}
    assert inputs["securityProfile"] == {"workloadIdentity": {"enabled": True}}
    assert inputs["autoUpgradeProfile"] == {"upgradeChannel": "patch", "nodeOSUpgradeChannel": "NodeImage"}
    assert not {"kubernetesVersion", "nodeResourceGroup", "identityProfile", "diskEncryptionSetID"} & set(inputs)
    assert recording.logs == []


def test_long_term_support_is_sent_with_its_tier(record):
    """Without a choice of a plan none is sent, so that what AKS holds stays."""
    choice = {"tier": "Premium", "support_plan": "AKSLongTermSupport", "kubernetes_version": "1.33"}
    inputs = one(record(**choice), MANAGED).inputs
    assert (inputs["sku"]["tier"], inputs["supportPlan"]) == ("Premium", "AKSLongTermSupport")
    assert "supportPlan" not in one(record(), MANAGED).inputs


def test_outputs_are_azures_without_a_cloud_call(record, tmp_path):  # Z-9 K-186
    """The stand-in turns the identities into a map and refuses every look-up but that of credentials."""
    body = ALONE.replace("provider = kubernetes_provider", "provider = None #").replace("k8s.core", "#")
    recording = record(body=body)
    assert recording.exports["reported"] == {
        "cluster_id": "main-id",
        "cluster_name": "shop",
        "fqdn": "shop.example",
        "version": "1.33.5",
        "node_resource_group": "MC_rg-shop_shop_japaneast",
        "oidc_issuer": ISSUER,
        "kubelet_object_id": "kubelet-object",
    }


@pytest.mark.parametrize("mode", Mode)
def test_the_whole_registers_and_an_update_knows_every_input(record, mode):  # Z-9
    recording = record(mode, WHOLE)
    unknown = [r.urn for r in recording.resources.values() if has_unknowns(r)]
    if mode is Mode.UPDATE:
        assert unknown == []
    assert len(recording.of_type(ASSIGNMENT)) == 4


def test_without_the_mode_node_provisioning_is_off(record):  # Z-1, Z-2
    inputs = one(record(node_provisioning="Manual"), MANAGED).inputs
    assert inputs["nodeProvisioningProfile"] == {"mode": "Manual"}


def test_pools_of_aks_are_made_where_they_are_asked_for(record):  # Z-2
    inputs = one(record(default_node_pools="Auto"), MANAGED).inputs
    assert inputs["nodeProvisioningProfile"] == {"mode": "Auto", "defaultNodePools": "Auto"}


@pytest.mark.parametrize("mode", Mode)
def test_one_identity_has_its_rights_before_the_cluster(record, mode):  # Z-7
    recording = record(mode, WHOLE)
    cluster = one(recording, MANAGED)
    identity = cluster.inputs["identity"]
    assert identity["type"] == "UserAssigned"
    [only] = identity["userAssignedIdentities"]
    assert only == f"{GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/shop-cluster"
    assert Graph.of(recording).reaches(cluster, recording.of_type(ASSIGNMENT))


def test_each_right_is_on_what_it_is_needed_for(record):  # Z-8
    recording = record(body=WHOLE)
    made = {r.name: r.inputs for r in recording.of_type(ASSIGNMENT)}
    roles = f"/subscriptions/{SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/"
    disks = f"{GROUP}/providers/Microsoft.Compute/diskEncryptionSets/shop-disks"
    kubelet = f"{GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/shop-kubelet"
    reported = {name: (one["roleDefinitionId"], one["scope"], one["principalId"]) for name, one in made.items()}
    assert reported == {
        "who-network": (f"{roles}4d97b98b-1d4f-4787-a291-c67834d212e7", NETWORK_ID, "principal-who"),
        "who-reader": (f"{roles}acdd72a7-3385-48ef-bd42-f606fba81ae7", disks, "principal-who"),
        "who-kubelet": (f"{roles}f1a07417-d97a-45cb-824c-7a7467783830", kubelet, "principal-who"),
        "keys-key-user": (f"{roles}e147488a-f6f5-4113-8e2d-b22465e65bf6", VAULT_ID, "principal-keys"),
    }
    assert {one["principalType"] for one in made.values()} == {"ServicePrincipal"}
    names = [one["roleAssignmentName"] for one in made.values()]
    assert [str(uuid.UUID(name)) for name in names] == names
    again = [r.inputs["roleAssignmentName"] for r in record(body=WHOLE).of_type(ASSIGNMENT)]
    assert sorted(again) == sorted(names)


def test_what_is_deleted_first_is_what_nobody_needs(record):
    """Objects before the cluster, the cluster before its subnet, rights and keys, the subnet before its network."""
    recording = record(body=WHOLE)
    steps = Graph.of(recording).deletions()
    step_of = {urn: number for number, step in enumerate(steps) for urn in step}
    in_order = [NAMESPACE, MANAGED, SUBNET, NETWORK]
    numbers = [max(step_of[r.urn] for r in recording.of_type(token)) for token in in_order]
    assert numbers == sorted(numbers)
    assert len(set(numbers)) == len(numbers)
    first_right = min(step_of[r.urn] for r in recording.of_type(ASSIGNMENT))
    assert step_of[one(recording, MANAGED).urn] < first_right
    assert step_of[one(recording, MANAGED).urn] < step_of[one(recording, DISK_KEYS).urn]
    assert Graph.of(recording).reaches(one(recording, NAMESPACE), one(recording, MANAGED))


def test_the_cluster_may_use_subnets_and_nothing_else_where_that_is_asked_for(tmp_path):
    body = """
from pulumi_cutlist.azure import AksIdentity

AksIdentity("who", {"cluster": names, "subnet_ids": subnets})
"""
    network = f"{GROUP.replace('rg-shop', 'rg-net')}/providers/Microsoft.Network/virtualNetworks/hub"
    subnets = {name: f"{network}/subnets/{name}" for name in ("nodes", "batch")}
    recording = run(tmp_path, body, names=CLUSTER, subnets=subnets)
    role = one(recording, DEFINITION).inputs
    actions = ["Microsoft.Network/virtualNetworks/subnets/read", "Microsoft.Network/virtualNetworks/subnets/join/action"]
    assert (role["roleType"], role["permissions"]) == ("CustomRole", [{"actions": actions}])
    assert role["scope"] == GROUP.replace("rg-shop", "rg-net")
    assert role["assignableScopes"] == [GROUP.replace("rg-shop", "rg-net")]
    assert {r.inputs["scope"] for r in recording.of_type(ASSIGNMENT)} == set(subnets.values())
    with pytest.raises(InputError, match="subnet_ids: both network_id and subnet_ids"):
        run(tmp_path, body.replace('"cluster": names', '"cluster": names, "network_id": "/n"'), names=CLUSTER, subnets=subnets)


@pytest.mark.parametrize("mode", Mode)
def test_windows_are_named_by_what_they_are_for(record, mode):  # Z-10
    weekly = {"start_time": "02:00", "day_of_week": "Sunday", "utc_offset": "+09:00"}
    spans = {"start_time": "03:00", "every_days": 1, "not_allowed": [["2026-12-24", "2027-01-04"]]}
    recording = record(mode, windows={"kubernetes": weekly, "nodeImages": spans})
    made = {r.inputs["configName"]: r.inputs for r in recording.of_type(WINDOW)}
    assert set(made) == {"aksManagedAutoUpgradeSchedule", "aksManagedNodeOSUpgradeSchedule"}
    assert {window["resourceName"] for window in made.values()} == {"shop"}
    assert made["aksManagedAutoUpgradeSchedule"]["maintenanceWindow"] == {
        "durationHours": 4,
        "startTime": "02:00",
        "utcOffset": "+09:00",
        "schedule": {"weekly": {"dayOfWeek": "Sunday", "intervalWeeks": 1}},
    }
    images = made["aksManagedNodeOSUpgradeSchedule"]["maintenanceWindow"]
    assert images["schedule"] == {"daily": {"intervalDays": 1}}
    assert images["notAllowedDates"] == [{"start": "2026-12-24", "end": "2027-01-04"}]
    assert Graph.of(recording).reaches(recording.of_type(WINDOW), one(recording, MANAGED))


def test_logs_of_node_provisioning_and_metrics_go_where_they_are_sent(record):
    monitoring = {"container_insights_workspace_id": "/w", "prometheus": True, "logs_workspace_id": "/logs"}
    recording = record(monitoring=monitoring, further={"addon_profiles": {"azurepolicy": {"enabled": True}}})
    inputs, logs = one(recording, MANAGED).inputs, one(recording, LOGS).inputs
    assert set(inputs["addonProfiles"]) == {"azurepolicy", "omsagent"}
    assert inputs["addonProfiles"]["omsagent"]["config"]["logAnalyticsWorkspaceResourceID"] == "/w"
    assert inputs["azureMonitorProfile"]["metrics"]["enabled"] is True
    assert (logs["resourceUri"], logs["workspaceId"]) == ("main-id", "/logs")
    assert [one["category"] for one in logs["logs"]] == ["karpenter-events", "kube-audit-admin"]


def test_a_private_cluster_has_no_public_address(record):
    profile = one(record(private={}), MANAGED).inputs["apiServerAccessProfile"]
    assert profile == {"enablePrivateCluster": True, "privateDNSZone": "system", "enablePrivateClusterPublicFQDN": False}


def test_people_log_in_as_themselves_where_groups_are_named(record):
    inputs = one(record(admin_group_ids=["group"], disable_local_accounts=True, azure_rbac=True), MANAGED).inputs
    assert inputs["aadProfile"] == {"managed": True, "adminGroupObjectIDs": ["group"], "enableAzureRBAC": True}
    assert inputs["disableLocalAccounts"] is True


def test_the_kubeconfig_is_a_secret_and_asked_for_once_there_is_a_cluster(record):
    provider = one(record(), "pulumi:providers:kubernetes").inputs["kubeconfig"]
    assert rpc.is_rpc_secret(provider)
    assert rpc.unwrap_rpc_secret(provider) == "kubeconfig of shop"
    assert has_unknowns(one(record(Mode.PREVIEW), "pulumi:providers:kubernetes"))


def test_production_is_protected(record):
    protected = {r.name for r in record(production=True).resources.values() if r.request.protect}
    assert protected == {"main", f"main-protection{HOW_TO_LIFT}"}
    assert not any(r.request.protect for r in record().resources.values())


@pytest.mark.sampled(one_in=2)
@pytest.mark.parametrize("production", [True, False])
@pytest.mark.parametrize("body", [ALONE, WHOLE])
def test_a_destroy_meets_the_protection_before_all_that_the_cluster_has(record, production, body):
    """An engine deletes what nothing depends on first; so while it is protected, windows and logs stay as well."""
    windows = {key: {"start_time": "02:00", "day_of_week": "Sunday"} for key in ("kubernetes", "nodeImages")}
    recording = record(
        body=body, production=production, windows=windows, monitoring={"logs_workspace_id": f"{GROUP}/workspaces/logs"}
    )
    assert len(recording.of_type(WINDOW)) == 2
    assert len(recording.of_type(LOGS)) == 1
    protection = one(recording, "cutlist:index:Protection")
    assert protection.request.protect == production
    assert unguarded(recording, protection) == []


def test_zones_are_left_out_where_the_location_has_none(record):
    [pool] = one(record(location_zones=[]), MANAGED).inputs["agentPoolProfiles"]
    assert "availabilityZones" not in pool


def test_zones_and_sizes_are_those_of_the_location(record):
    """westus has no zones; nobody sells a size of the ninth version."""
    [pool] = one(record(names={**CLUSTER, "location": "westus"}), MANAGED).inputs["agentPoolProfiles"]
    assert "availabilityZones" not in pool
    with pytest.raises(InputError, match=r"settings\.pools\[0\]\.zones\[0\]: zone '1' is not one of the location's"):
        record(names={**CLUSTER, "location": "westus"}, pools=[{"zones": ["1"]}])
    [log] = record(pools=[{"vm_size": "Standard_D2s_v9"}]).logs
    assert log.message.startswith("settings.pools[0].vmSize: size Standard_D2s_v9 is not known to be sold in japaneast")


def test_a_location_that_is_not_known_is_warned_of(record):
    recording = record(names={**CLUSTER, "location": "japaneats"})
    assert [log.message for log in recording.logs] == [
        "cluster.location: location 'japaneats' is not known; its zones are assumed to be 1, 2 and 3; did you mean japaneast?"
    ]
    assert one(recording, MANAGED).inputs["agentPoolProfiles"][0]["availabilityZones"] == ["1", "2", "3"]


def test_further_arguments_reach_the_cluster_as_they_are(record):
    inputs = one(record(further={"storage_profile": {"disk_csi_driver": {"enabled": True}}}), MANAGED).inputs
    assert inputs["storageProfile"] == {"diskCSIDriver": {"enabled": True}}


@pytest.mark.parametrize(
    ("settings", "path"),
    [
        ({"network": {"plugin": "kubenet"}}, "settings.network.plugin"),
        ({"network": {"policy": "calico"}}, "settings.network.policy"),
        ({"network": {"ip_families": ["IPv4", "IPv6"]}}, "settings.network.ip_families"),
        ({"pools": [{"os_type": "Windows"}]}, "settings.pools[0].os_type"),
        ({"pools": [{"pod_subnet_id": "/subnet"}]}, "settings.pools[0].pod_subnet_id"),
        ({"pools": [{"auto_scaling": True, "min_count": 1, "max_count": 5}]}, "settings.pools[0].auto_scaling"),  # Z-5
        ({"pools": [{"mode": "User"}]}, "settings.pools"),  # Z-6
        ({"pools": [{"zones": ["3"]}], "location_zones": ["1", "2"]}, "settings.pools[0].zones[0]"),
        ({"further": {"service_principal_profile": {"client_id": "x"}}}, "further.service_principal_profile"),
        ({"subnet_id": "/subnet", "network": {"load_balancer_sku": "basic"}}, "identity_id"),
        ({"further": {"storageProfile": {}}}, "further.storageProfile"),
        ({"kubernetes_version": "1.33"}, "settings.kubernetes_version"),
        ({"support_plan": "AKSLongTermSupport"}, "settings.support_plan"),
        ({"nework": {}}, "settings.nework"),
        ({"production": "yes"}, "settings.production"),
    ],
)
def test_what_node_provisioning_refuses_is_reported_before_anything_is_made(record, settings, path):  # Z-4 K-184 K-192
    with pytest.raises(InputError) as caught:
        record(**settings)
    assert str(caught.value.problems[0].place) == path


def test_everything_wrong_is_reported_together(record):
    with pytest.raises(InputError) as caught:
        record(
            names={**CLUSTER, "name": "-"},
            subnet_id="/subnet",
            network={"plugin": "kubenet", "load_balancer_sku": "basic", "service_cidr": "10.0.0.0/8"},
            pools=[{"name": "Sys", "os_type": "Windows"}],
            windows={"images": {"start_time": "2"}},
        )
    assert sorted({str(problem.place) for problem in caught.value.problems}) == [
        "cluster.name",
        "identity_id",
        "settings.network.load_balancer_sku",
        "settings.network.plugin",
        "settings.network.pod_cidr",
        "settings.network.service_cidr",
        "settings.pools[0].name",
        "settings.pools[0].os_type",
        "settings.windows.images",
        "settings.windows.images.start_time",
    ]


def test_warnings_are_shown_and_end_nothing(record):  # Z-5
    recording = record(
        further={"auto_scaler_profile": {"scan_interval": "10s"}},
        network={"mode": "none", "dataplane": "cilium"},
        authorized_ip_ranges=[],
    )
    assert [log.message.partition(":")[0] for log in recording.logs] == [
        "further.auto_scaler_profile",
        "settings.authorizedIpRanges",
        "settings.network.dataplane",
    ]
    assert {log.severity for log in recording.logs} == {"warning"}
    assert "autoScalerProfile" in one(recording, MANAGED).inputs


def test_a_range_with_too_few_parts_for_the_nodes_is_warned_of(record):  # Z-12
    [log] = record(nodes_at_most=500, network={"pod_cidr": "10.244.0.0/16"}).logs
    assert log.message.startswith("settings.network.podCidr: the range of pods, 10.244.0.0/16, has room for 256 nodes")


def change(before: dict[str, Any], after: dict[str, Any]) -> pulumi.ResourceHookArgs:
    reported = {"networkProfile": {"outboundType": "loadBalancer"}}
    return pulumi.ResourceHookArgs("urn", "id", "main", MANAGED, after | reported, before | reported, None, None)


def test_a_change_that_destroys_is_reported_in_a_preview_already(record, monkeypatch):  # Z-2
    recording = record()
    hooks = one(recording, MANAGED).request.hooks.before_update
    assert [(hook.name, hook.on_dry_run) for hook in recording.hooks] == [("main-aks-stays", True), ("main-changes", True)]
    assert list(hooks) == ["main-changes"]
    reported: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", reported.append)
    after = one(recording, MANAGED).inputs
    warn_of_change(change({"nodeProvisioningProfile": {"mode": "Auto", "defaultNodePools": "Auto"}}, after))
    assert len(reported) == 1
    assert reported[0].startswith("defaultNodePools: Auto becomes None")
    warn_of_change(change(after, after))
    assert len(reported) == 1


def test_a_change_that_aks_does_not_make_ends_the_run():
    before, after = change({}, {}), change({}, {})
    after.new_inputs["networkProfile"] = {"outboundType": "none"}
    warn_of_change(before)
    with pytest.raises(InputError, match="outboundType goes from loadBalancer to none"):
        warn_of_change(after)


ADOPTED = """
from pulumi_cutlist.azure import AksAdoptedCluster, kubernetes_provider

cluster = AksAdoptedCluster("old", args)
kubernetes_provider("old", cluster)
pulumi.export("reported", pulumi.Output.all(cluster.cluster_id, cluster.node_resource_group, cluster.oidc_issuer))
"""
GIVEN = {"cluster": CLUSTER, "version": "1.33", "fqdn": "old.example", "oidc_issuer": ISSUER, "kubeconfig": "text"}


@pytest.mark.parametrize("mode", Mode)
def test_a_cluster_that_is_there_is_used_and_not_touched(tmp_path, mode):
    recording = run(tmp_path, ADOPTED, mode, args=GIVEN)
    cluster = f"{GROUP}/providers/Microsoft.ContainerService/managedClusters/shop"
    assert recording.exports["reported"] == [cluster, "MC_rg-shop_shop_japaneast", ISSUER]
    assert [r.type for r in recording.resources.values() if r.type.startswith("azure-native:")] == []
    assert one(recording, "pulumi:providers:kubernetes").inputs["upsertExistingObjects"] == "true"


@pytest.mark.parametrize(
    ("reported", "path"),
    [
        ({"network": {"plugin": "kubenet"}}, "network.plugin"),
        ({"identity_type": "ServicePrincipal"}, "identity_type"),
        ({"pools": [{}, {"name": "win", "mode": "User", "os_type": "Windows"}]}, "pools[1].os_type"),
        ({"pools": [{"auto_scaling": True, "min_count": 1, "max_count": 5}]}, "pools[0].auto_scaling"),
        ({"subnet_id": "nodes"}, "subnet_id"),
        ({"version": "latest"}, "version"),
        ({"node_provisioning": "auto"}, "node_provisioning"),
        ({"subnet_id": f"{NETWORK_ID}/subnets/nodes", "identity_type": "SystemAssigned"}, "identityId"),
    ],
)
def test_a_cluster_that_is_there_and_would_not_do_is_refused(tmp_path, reported, path):  # Z-4, Z-5, Z-7
    with pytest.raises(InputError) as caught:
        run(tmp_path, ADOPTED, args={**GIVEN, **reported})
    assert [str(problem.place) for problem in caught.value.problems] == [path]


def test_identities_of_a_cluster_and_its_nodes_are_named_after_it(record):
    assert [r.inputs["resourceName"] for r in record(body=WHOLE).of_type(IDENTITY)] == ["shop-cluster", "shop-kubelet"]
