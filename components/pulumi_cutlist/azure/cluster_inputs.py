"""The inputs of azure_native's ManagedCluster for a cluster that is asked for (spec: azure 1.2 to 1.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.infrastructure.aks.names import AksFacts
from cutlist.infrastructure.aks.pools import Pool, zones_of
from cutlist.infrastructure.aks.ranges import POD_CIDR, SERVICE_CIDR, dns_address
from pulumi_cutlist.azure.cluster_args import AksClusterArgs
from pulumi_cutlist.azure.settings import ClusterPlan
from pulumi_cutlist.azure.settings_args import AksMonitoringArgs, AksSettings

_LOGS: Final = ("karpenter-events", "kube-audit-admin")


def cluster_inputs(given: AksClusterArgs, facts: AksFacts, plan: ClusterPlan) -> dict[str, Any]:
    """All of them, those that are not said left out."""
    settings = given.get("settings") or AksSettings()
    choices, further = plan.choices, given.get("further") or {}
    made: dict[str, Any] = {
        "resource_name_": facts.cluster,
        "resource_group_name": facts.resource_group,
        "location": facts.location,
        "dns_prefix": facts.dns_prefix,
        "node_resource_group": facts.given_node_group,
        "kubernetes_version": choices.version,
        "sku": {"name": choices.sku, "tier": choices.tier},
        "identity": _identity(given),
        "identity_profile": {"kubeletidentity": given["kubelet_identity"]} if "kubelet_identity" in given else None,
        "node_provisioning_profile": _provisioning(plan),
        "network_profile": _network(plan),
        "agent_pool_profiles": [_pool(pool, given, plan) for pool in plan.pools] or None,
        "oidc_issuer_profile": {"enabled": True},
        "auto_upgrade_profile": {
            "upgrade_channel": choices.upgrade_channel,
            "node_os_upgrade_channel": choices.image_channel,
        },
        "api_server_access_profile": _api_server(settings),
        "enable_rbac": True,
        "aad_profile": _people(settings),
        "disable_local_accounts": choices.disable_local_accounts,
        "disk_encryption_set_id": given.get("disk_encryption_set_id"),
        "tags": given.get("tags"),
        **further,
        "security_profile": {"workload_identity": {"enabled": True}, **(further.get("security_profile") or {})},
        **_monitoring(given),
    }
    return _said(made)


def monitored_by(given: AksClusterArgs) -> tuple[str, list[str]] | None:
    """Where logs of the control plane go, and which; None where nobody asked for them."""
    monitoring = _monitored(given)
    workspace = monitoring.get("logs_workspace_id")
    return None if workspace is None else (workspace, list(monitoring.get("log_categories", _LOGS)))


def _provisioning(plan: ClusterPlan) -> dict[str, Any]:
    return _said({"mode": plan.choices.provisioning, "default_node_pools": plan.choices.default_pools})


def _identity(given: AksClusterArgs) -> dict[str, Any]:
    if "identity_id" in given:
        return {"type": "UserAssigned", "user_assigned_identities": [given["identity_id"]]}
    return {"type": "SystemAssigned"}


def _network(plan: ClusterPlan) -> dict[str, Any]:
    profile, ranges = plan.profile, plan.ranges
    inputs = {
        "network_plugin": profile.plugin,
        "network_plugin_mode": _unless_none(profile.mode),
        "network_dataplane": _unless_none(profile.dataplane),
        "network_policy": profile.policy,
        "load_balancer_sku": profile.load_balancer_sku,
        "outbound_type": profile.outbound_type,
        "pod_cidr": None if profile.is_flat else ranges.pods or POD_CIDR,
        "service_cidr": ranges.services or SERVICE_CIDR,
        "dns_service_ip": dns_address(ranges),
        "ip_families": list(profile.ip_families),
    }
    return _said(inputs)


def _pool(pool: Pool, given: AksClusterArgs, plan: ClusterPlan) -> dict[str, Any]:
    inputs = {
        "name": pool.name,
        "mode": pool.mode,
        "count": pool.count,
        "vm_size": pool.vm_size,
        "os_type": pool.os_type,
        "os_sku": pool.os_sku,
        "type": "VirtualMachineScaleSets",
        "availability_zones": list(zones_of(pool, plan.location_zones)) or None,
        "node_taints": list(pool.taints) or None,
        "vnet_subnet_id": given.get("subnet_id"),
        "pod_subnet_id": pool.pod_subnet_id,
        "enable_auto_scaling": pool.auto_scaling,
        "min_count": pool.min_count,
        "max_count": pool.max_count,
        "max_pods": pool.max_pods,
    }
    return _said(inputs)


def _api_server(settings: AksSettings) -> dict[str, Any] | None:
    if "private" in settings:
        private = settings["private"]
        return {
            "enable_private_cluster": True,
            "private_dns_zone": private.get("dns_zone", "system"),
            "enable_private_cluster_public_fqdn": private.get("public_fqdn", False),
        }
    ranges = settings.get("authorized_ip_ranges")
    return {"authorized_ip_ranges": ranges} if ranges else None


def _people(settings: AksSettings) -> dict[str, Any] | None:
    groups, by_azure = settings.get("admin_group_ids"), settings.get("azure_rbac", False)
    if not groups and not by_azure:
        return None
    return {"managed": True, "admin_group_object_ids": groups or [], "enable_azure_rbac": by_azure}


def _monitored(given: AksClusterArgs) -> AksMonitoringArgs:
    return (given.get("settings") or AksSettings()).get("monitoring") or AksMonitoringArgs()


def _monitoring(given: AksClusterArgs) -> dict[str, Any]:
    """The add-ons that send logs of containers and metrics; other add-ons that are given stay beside them."""
    monitoring, further = _monitored(given), given.get("further") or {}
    made: dict[str, Any] = {}
    if workspace := monitoring.get("container_insights_workspace_id"):
        config = {"logAnalyticsWorkspaceResourceID": workspace, "useAADAuth": "true"}
        insights = {"omsagent": {"enabled": True, "config": config}}
        made["addon_profiles"] = {**(further.get("addon_profiles") or {}), **insights}
    if monitoring.get("prometheus"):
        made["azure_monitor_profile"] = {"metrics": {"enabled": True, "kube_state_metrics": {}}}
    return made


def _unless_none(value: str) -> str | None:
    return None if value == "none" else value


def _said(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs without those that are None, for which Azure has a choice of its own."""
    return {key: value for key, value in inputs.items() if value is not None}
