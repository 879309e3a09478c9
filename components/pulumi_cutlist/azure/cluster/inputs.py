"""A planned cluster as azure_native's ManagedCluster (spec: azure 1.2 to 1.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar, cast

import pulumi
import pulumi_azure_native as azure

from cutlist.infrastructure.aks.cluster import check_range
from cutlist.infrastructure.aks.names import AksFacts
from cutlist.infrastructure.aks.notes import AksNotes
from cutlist.infrastructure.aks.pools import AgentPool, zones_of
from cutlist.infrastructure.aks.ranges import POD_CIDR, SERVICE_CIDR, dns_address
from pulumi_cutlist.azure.cluster.args import AksClusterArgs
from pulumi_cutlist.azure.cluster.settings import ClusterPlan
from pulumi_cutlist.azure.cluster.settings_args import AksMonitoringArgs, AksSettings

_LOGS: Final = ("karpenter-events", "kube-audit-admin")
T = TypeVar("T")


def make_managed_cluster(
    name: str, args: AksClusterArgs, facts: AksFacts, plan: ClusterPlan, opts: pulumi.ResourceOptions
) -> azure.containerservice.ManagedCluster:
    """Register a planned cluster."""
    settings, choices = args.get("settings") or AksSettings(), plan.choices
    further = dict(args.get("further") or {})  # leaves out what is made from other inputs
    security: azure.containerservice.ManagedClusterSecurityProfileArgsDict = {"workload_identity": {"enabled": True}}
    own_security: azure.containerservice.ManagedClusterSecurityProfileArgsDict | None = further.pop("security_profile", None)
    return azure.containerservice.ManagedCluster(
        name,
        resource_name_=facts.cluster,
        resource_group_name=facts.resource_group,
        location=facts.location,
        dns_prefix=further.pop("dns_prefix", facts.dns_prefix),
        node_resource_group=facts.given_node_group,
        kubernetes_version=choices.version,
        sku={"name": choices.sku, "tier": choices.tier},
        support_plan=choices.chosen_support_plan,
        identity=_identity(args),
        identity_profile=_kubelet_identity(args),
        node_provisioning_profile=_provisioning(plan),
        network_profile=_network(plan),
        agent_pool_profiles=[_pool_profile(pool, args, plan) for pool in plan.pools] or None,
        oidc_issuer_profile=further.pop("oidc_issuer_profile", {"enabled": True}),
        auto_upgrade_profile={
            "upgrade_channel": choices.upgrade_channel,
            "node_os_upgrade_channel": choices.image_channel,
        },
        api_server_access_profile=_api_server(settings),
        enable_rbac=further.pop("enable_rbac", True),
        aad_profile=_administrators(settings),
        disable_local_accounts=choices.disable_local_accounts,
        disk_encryption_set_id=args.get("disk_encryption_set_id"),
        security_profile={**security, **own_security} if own_security else security,
        addon_profiles=_add_on_profiles(args, further.pop("addon_profiles", None)),
        azure_monitor_profile=_metrics(args),
        tags=args.get("tags"),
        **further,
        opts=opts,
    )


def monitored_by(args: AksClusterArgs) -> tuple[str, list[str]] | None:
    """Return where logs of the control plane are sent, and which, or None if no input asks for them."""
    monitoring = _monitored(args)
    workspace = monitoring.get("logs_workspace_id")
    return None if workspace is None else (workspace, list(monitoring.get("log_categories", _LOGS)))


def _provisioning(plan: ClusterPlan) -> azure.containerservice.ManagedClusterNodeProvisioningProfileArgsDict:
    inputs: azure.containerservice.ManagedClusterNodeProvisioningProfileArgsDict = {
        "mode": plan.choices.provisioning,
        "default_node_pools": plan.choices.default_pools,
    }
    return _without_none(inputs)


def _identity(args: AksClusterArgs) -> azure.containerservice.ManagedClusterIdentityArgsDict:
    if "identity_id" in args:
        return {"type": "UserAssigned", "user_assigned_identities": [args["identity_id"]]}
    return {"type": "SystemAssigned"}


def _kubelet_identity(
    args: AksClusterArgs,
) -> Mapping[str, azure.containerservice.UserAssignedIdentityArgsDict] | None:
    if "kubelet_identity" not in args:
        return None
    kubelet = args["kubelet_identity"]
    return {
        "kubeletidentity": {
            "client_id": kubelet["client_id"],
            "object_id": kubelet["object_id"],
            "resource_id": kubelet["resource_id"],
        }
    }


def _network(plan: ClusterPlan) -> azure.containerservice.ContainerServiceNetworkProfileArgsDict:
    profile, ranges = plan.profile, plan.ranges
    inputs: azure.containerservice.ContainerServiceNetworkProfileArgsDict = {
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
    return _without_none(inputs)


def _pool_profile(
    pool: AgentPool, args: AksClusterArgs, plan: ClusterPlan
) -> azure.containerservice.ManagedClusterAgentPoolProfileArgsDict:
    inputs: azure.containerservice.ManagedClusterAgentPoolProfileArgsDict = {
        "name": pool.name,
        "mode": pool.mode,
        "count": pool.count,
        "vm_size": pool.vm_size,
        "os_type": pool.os_type,
        "os_sku": pool.os_sku,
        "type": "VirtualMachineScaleSets",
        "availability_zones": list(zones_of(pool, plan.location_zones)) or None,
        "node_taints": list(pool.taints) or None,
        "vnet_subnet_id": args.get("subnet_id"),
        "pod_subnet_id": pool.pod_subnet_id,
        "enable_auto_scaling": pool.auto_scaling,
        "min_count": pool.min_count,
        "max_count": pool.max_count,
        "max_pods": pool.max_pods,
    }
    return _without_none(inputs)


def _api_server(settings: AksSettings) -> azure.containerservice.ManagedClusterAPIServerAccessProfileArgsDict | None:
    if "private" in settings:
        private = settings["private"]
        return {
            "enable_private_cluster": True,
            "private_dns_zone": private.get("dns_zone", "system"),
            "enable_private_cluster_public_fqdn": private.get("public_fqdn", False),
        }
    ranges = [_checked_range(value, number) for number, value in enumerate(settings.get("authorized_ip_ranges", ()))]
    return {"authorized_ip_ranges": ranges} if ranges else None


def _checked_range(value: pulumi.Input[str], number: int) -> pulumi.Input[str]:
    """Return a range of addresses; one that is known later ends the update if it turns out not to be one."""

    def check(text: str) -> str:
        notes = AksNotes(root="settings")
        check_range(text, f"authorizedIpRanges[{number}]", notes)
        notes.problems.raise_if_any()
        return text

    return value if isinstance(value, str) else pulumi.Output.all(value).apply(lambda known: check(known[0]))


def _administrators(settings: AksSettings) -> azure.containerservice.ManagedClusterAADProfileArgsDict | None:
    groups, by_azure = settings.get("admin_group_ids"), settings.get("azure_rbac", False)
    if not groups and not by_azure:
        return None
    return {"managed": True, "admin_group_object_ids": groups or [], "enable_azure_rbac": by_azure}


def _monitored(args: AksClusterArgs) -> AksMonitoringArgs:
    return (args.get("settings") or AksSettings()).get("monitoring") or AksMonitoringArgs()


def _add_on_profiles(
    args: AksClusterArgs, further: Mapping[str, azure.containerservice.ManagedClusterAddonProfileArgsDict] | None
) -> Mapping[str, azure.containerservice.ManagedClusterAddonProfileArgsDict] | None:
    workspace = _monitored(args).get("container_insights_workspace_id")
    if not workspace:
        return further
    config = {"logAnalyticsWorkspaceResourceID": workspace, "useAADAuth": "true"}
    return {**(further or {}), "omsagent": {"enabled": True, "config": config}}


def _metrics(args: AksClusterArgs) -> azure.containerservice.ManagedClusterAzureMonitorProfileArgsDict | None:
    wanted = _monitored(args).get("prometheus")
    return {"metrics": {"enabled": True, "kube_state_metrics": {}}} if wanted else None


def _unless_none(value: str) -> str | None:
    return None if value == "none" else value


def _without_none(inputs: T) -> T:
    """Return the inputs that are not None; for the others Azure has its own choice."""
    return cast("T", {key: value for key, value in cast("Mapping[str, object]", inputs).items() if value is not None})
