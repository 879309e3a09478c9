"""Settings of a cluster as the checks read them, all that is wrong with them noted together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from inspect import signature
from typing import Any

import pulumi_azure_native as azure

from cutlist.infrastructure.aks.cluster import ClusterChoices, IdentityType, check_choices, check_further, check_identity
from cutlist.infrastructure.aks.maintenance import MaintenanceWindow, check_windows
from cutlist.infrastructure.aks.network import NetworkPlan
from cutlist.infrastructure.aks.notes import AksNotes
from cutlist.infrastructure.aks.pools import AgentPool, PoolRules, check_pools
from cutlist.infrastructure.aks.profile import NetworkProfile, check_profile
from cutlist.infrastructure.aks.ranges import Ranges, ReadRanges, check_network_apart, check_pods_room, check_room, read_ranges
from pulumi_cutlist.azure.cluster.settings_args import AksNetworkProfileArgs, AksPoolArgs, AksSettings, AksWindowArgs
from pulumi_cutlist.azure.known_location import KnownLocation
from pulumi_cutlist.day import today


@dataclass(frozen=True, slots=True)
class ClusterContext:
    """What a cluster is put into: whether AKS makes the network, and which identities exist before."""

    given_network: bool
    has_identity: bool
    location: KnownLocation
    own_kubelet_identity: bool = False
    further: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of the SDK's ManagedCluster that are given beside."""


@dataclass(frozen=True, slots=True)
class ClusterPlan:
    """A cluster that can be made."""

    choices: ClusterChoices
    profile: NetworkProfile
    ranges: Ranges
    read: ReadRanges
    pools: Sequence[AgentPool]
    location_zones: Sequence[str] | None
    windows: Mapping[str, MaintenanceWindow]
    nodes_at_most: int | None
    is_protected: bool
    """Whether a destroy is refused."""


def read_settings(args: AksSettings, around: ClusterContext, notes: AksNotes) -> ClusterPlan:
    """Return the plan of a cluster; every mistake is noted, and with one the plan is of no use."""
    inside = notes.under("settings")
    choices = _choices(args, around)
    check_choices(choices, inside)
    check_identity(choices, notes)
    check_further(around.further, _arguments(), provisioned=choices.is_provisioned, notes=notes)
    network = args.get("network") or AksNetworkProfileArgs()
    profile = read_profile(network)
    check_profile(profile, provisioned=choices.is_provisioned, given_network=around.given_network, notes=inside)
    ranges = Ranges(network.get("pod_cidr"), network.get("service_cidr"), network.get("dns_service_ip"))
    read = read_ranges(ranges, profile, inside)
    zones = args.get("location_zones", around.location.zones)
    pools = [AgentPool(**pool) for pool in args.get("pools", _default_pools(choices))]
    beside = args.get("autoscaler_beside", False)
    rules = PoolRules(choices.is_provisioned, choices.is_automatic, zones, beside, around.location.sizes, around.location.name)
    check_pools(pools, rules, inside)
    windows = {key: _window(window) for key, window in (args.get("windows") or {}).items()}
    check_windows(windows, inside)
    most, protected = args.get("nodes_at_most"), args.get("production", False)
    plan = ClusterPlan(choices, profile, ranges, read, pools, zones, windows, most, protected)
    if plan.nodes_at_most is not None and plan.nodes_at_most < 1:
        inside.refuse("nodesAtMost", f"{plan.nodes_at_most} nodes", "at least 1")
    elif plan.nodes_at_most is not None:
        check_pods_room(read.pods, plan.nodes_at_most, inside)
    return plan


def check_inside(plan: ClusterPlan, network: NetworkPlan, notes: AksNotes) -> None:
    """Note where a cluster's ranges meet those of the network that it is put into, and a subnet too small for its pools."""
    check_network_apart(network.blocks, plan.read, notes)
    block = network.subnets[network.node_subnet]
    if block is not None and plan.pools:
        pods = max(pool.max_pods or plan.profile.pods_per_node for pool in plan.pools)
        check_room(block, sum(pool.count for pool in plan.pools), pods, plan.profile, notes)


def read_profile(args: AksNetworkProfileArgs) -> NetworkProfile:
    """Return the network of pods that the inputs describe."""
    return NetworkProfile(
        plugin=args.get("plugin", "azure"),
        chosen_mode=args.get("mode"),
        chosen_dataplane=args.get("dataplane"),
        chosen_policy=args.get("policy"),
        load_balancer_sku=args.get("load_balancer_sku", "standard"),
        outbound_type=args.get("outbound_type", "loadBalancer"),
        ip_families=args.get("ip_families", ("IPv4",)),
    )


@lru_cache(maxsize=1)
def _arguments() -> frozenset[str]:
    """Return the arguments that the SDK's ManagedCluster has, the class of its inputs being the one place that lists them."""
    inputs = azure.containerservice.ManagedClusterArgs
    return frozenset(signature(inputs.__init__).parameters) - {"__self__"}


def _choices(args: AksSettings, around: ClusterContext) -> ClusterChoices:
    private = args.get("private")
    return ClusterChoices(
        provisioning=args.get("node_provisioning", "Auto"),
        chosen_default_pools=args.get("default_node_pools"),
        version=args.get("kubernetes_version"),
        sku=args.get("sku", "Base"),
        tier=args.get("tier", "Standard"),
        chosen_support_plan=args.get("support_plan"),
        identity_type=IdentityType.USER_ASSIGNED if around.has_identity else IdentityType.SYSTEM_ASSIGNED,
        given_network=around.given_network,
        own_kubelet_identity=around.own_kubelet_identity,
        chosen_upgrade_channel=args.get("upgrade_channel"),
        image_channel=args.get("node_os_upgrade_channel", "NodeImage"),
        private=private is not None,
        private_dns_zone=(private or {}).get("dns_zone", "system"),
        authorized_ranges=args.get("authorized_ip_ranges", ()),
        has_admin_groups=bool(args.get("admin_group_ids")),
        disable_local_accounts=args.get("disable_local_accounts", False),
        day=today(),
    )


def _default_pools(choices: ClusterChoices) -> list[AksPoolArgs]:
    """Return three system nodes, unless the cluster brings its own."""
    return [] if choices.is_automatic else [AksPoolArgs()]


def _window(args: AksWindowArgs) -> MaintenanceWindow:
    plain = {key: value for key, value in args.items() if key != "not_allowed"}
    spans = [(span[0], span[-1]) for span in args.get("not_allowed") or [] if span]
    return MaintenanceWindow(**plain, not_allowed=spans)  # type: ignore[arg-type]
