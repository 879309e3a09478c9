"""A cluster of AKS with node auto-provisioning, and a NodePool with its class."""

import pulumi
import pulumi_azure_native as azure
import pulumi_kubernetes as k8s
import yaml
from pulumi_cutlist.plan import NodePlan

group = azure.resources.ResourceGroup("shop", resource_group_name="shop", location="eastus")
cluster = azure.containerservice.ManagedCluster(
    "shop",
    resource_name_="shop",
    resource_group_name=group.name,
    location="eastus",
    kubernetes_version="1.34",
    dns_prefix="shop",
    sku={"name": "Base", "tier": "Standard"},
    identity={"type": azure.containerservice.ResourceIdentityType.SYSTEM_ASSIGNED},
    disable_local_accounts=True,
    aad_profile={"managed": True, "enable_azure_rbac": True},
    api_server_access_profile={"authorized_ip_ranges": ["203.0.113.0/24"]},
    node_provisioning_profile={"mode": "Auto", "default_node_pools": "None"},
    network_profile={
        "network_plugin": "azure",
        "network_plugin_mode": "overlay",
        "network_dataplane": "cilium",
        "network_policy": "cilium",
        "load_balancer_sku": "standard",
    },
    agent_pool_profiles=[
        {
            "name": "system",
            "mode": "System",
            "count": 3,
            "vm_size": "Standard_D4ds_v5",
            "availability_zones": ["1", "2", "3"],
            "node_taints": ["CriticalAddonsOnly=true:NoSchedule"],
            "os_sku": "AzureLinux",
        }
    ],
    auto_upgrade_profile={"upgrade_channel": "stable", "node_os_upgrade_channel": "NodeImage"},
    security_profile={"image_cleaner": {"enabled": True, "interval_hours": 48}},
)
provider = k8s.Provider("shop", kubeconfig="{}", opts=pulumi.ResourceOptions(depends_on=[cluster]))
with open("objects.yaml", encoding="utf-8") as file:
    objects = list(yaml.safe_load_all(file))
NodePlan("nodes", {"region": "eastus", "manifests": objects, "allow_empty": True})
for manifest in objects:
    k8s.apiextensions.CustomResource(
        f"{manifest['kind']}-{manifest['metadata']['name']}".lower(),
        api_version=manifest["apiVersion"],
        kind=manifest["kind"],
        metadata=manifest["metadata"],
        spec=manifest["spec"],
        opts=pulumi.ResourceOptions(provider=provider),
    )
