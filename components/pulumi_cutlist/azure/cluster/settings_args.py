"""The settings of an AKS cluster, as programs write them. Plain, since they decide counts, branches and refusals; only ids of
groups and address ranges may come from other resources."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from typing import NotRequired, TypedDict

import pulumi

from pulumi_cutlist.inputs.lists import ListOf


class AksNetworkProfileArgs(TypedDict):
    """How pods get their addresses. What you leave out is as in the overlay with Cilium; none means that AKS does without
    it."""

    plugin: NotRequired[str]
    """azure, or none for a CNI that you bring yourself. Defaults to azure."""
    mode: NotRequired[str]
    """overlay, or none if pods have addresses of the nodes' subnet. Defaults to overlay."""
    dataplane: NotRequired[str]
    """cilium, azure or none. Defaults to cilium in an overlay, and to azure without."""
    policy: NotRequired[str]
    """What enforces network policies: cilium, azure or none. Defaults to cilium with its dataplane, and to none without."""
    load_balancer_sku: NotRequired[str]
    """standard or basic. Defaults to standard."""
    outbound_type: NotRequired[str]
    """How nodes leave their network, which cannot be changed later: loadBalancer, userAssignedNATGateway, userDefinedRouting,
    managedNATGateway or none. Defaults to loadBalancer."""
    ip_families: NotRequired[list[str]]
    """Defaults to IPv4, the only one that node provisioning supports."""
    pod_cidr: NotRequired[str]
    """Range of pods in an overlay, of which each node takes a /24. Defaults to 10.244.0.0/16."""
    service_cidr: NotRequired[str]
    """Range of services. Defaults to 10.0.0.0/16."""
    dns_service_ip: NotRequired[str]
    """Address of the DNS service, inside the range of services. Defaults to the tenth in it."""


class AksPoolArgs(TypedDict):
    """A pool with a fixed number of nodes, for the cluster's own software."""

    name: NotRequired[str]
    """At most 12 lower-case letters and digits. Defaults to system."""
    mode: NotRequired[str]
    """System or User. Defaults to System."""
    count: NotRequired[int]
    """How many nodes. Defaults to 3."""
    vm_size: NotRequired[str]
    """Their size. Defaults to Standard_D2s_v5."""
    os_sku: NotRequired[str]
    """Ubuntu or AzureLinux. Defaults to Ubuntu."""
    zones: NotRequired[list[str]]
    """The zones that they are spread over. Defaults to those of the location."""
    max_pods: NotRequired[int]
    """Pods on each node, 10 to 250. Defaults to what the network has: 250, or 30 without overlay."""
    shared: NotRequired[bool]
    """Whether other pods may run on these nodes: they have no taint then. Defaults to false."""
    os_type: NotRequired[str]
    """Linux, the only one that node provisioning supports."""
    auto_scaling: NotRequired[bool]
    """Whether the cluster autoscaler changes the count, which node provisioning does not support. Defaults to false."""
    min_count: NotRequired[int]
    """Fewest nodes if the autoscaler changes the count."""
    max_count: NotRequired[int]
    """Most nodes if the autoscaler changes the count."""
    pod_subnet_id: NotRequired[str]
    """A separate subnet for pods, which node provisioning does not support."""


class AksWindowArgs(TypedDict):
    """A recurring window for upgrades: exactly one of day_of_week and every_days."""

    start_time: str
    """HH:MM."""
    duration_hours: NotRequired[int]
    """4 to 24. Defaults to 4."""
    day_of_week: NotRequired[str]
    """Such as Sunday."""
    every_weeks: NotRequired[int]
    """1 to 4. Defaults to 1."""
    every_days: NotRequired[int]
    """1 to 7, only for node images."""
    utc_offset: NotRequired[str]
    """Such as +09:00. Defaults to +00:00."""
    start_date: NotRequired[str]
    """The first day, such as 2026-12-01. Defaults to today."""
    not_allowed: NotRequired[list[list[str]]]
    """First and last days of periods without upgrades."""


class AksPrivateArgs(TypedDict):
    """An API server that only the network can reach."""

    dns_zone: NotRequired[str]
    """system, none, or the id of your own DNS zone. Defaults to system."""
    public_fqdn: NotRequired[bool]
    """Whether its name also resolves outside. Defaults to false."""


class AksMonitoringArgs(TypedDict):
    """What AKS reports about the cluster, and where."""

    container_insights_workspace_id: NotRequired[str]
    """Id of the workspace for logs of containers."""
    prometheus: NotRequired[bool]
    """Whether metrics go to Azure Monitor's Prometheus. Defaults to false."""
    logs_workspace_id: NotRequired[str]
    """Id of the workspace for logs of the control plane. What node provisioning does is among them."""
    log_categories: NotRequired[list[str]]
    """Which of them. Defaults to karpenter-events and kube-audit-admin."""


class AksSettings(TypedDict):
    """Settings of a cluster. All of them are optional."""

    node_provisioning: NotRequired[str]
    """Whether AKS provisions nodes: Auto or Manual. Defaults to Auto."""
    default_node_pools: NotRequired[str]
    """Auto: AKS also creates the NodePools default and system-surge; or None. Defaults to None: all NodePools are yours."""
    kubernetes_version: NotRequired[str]
    """Such as "1.35", or an exact version. Defaults to AKS's choice, which upgrades then raise."""
    network: NotRequired[AksNetworkProfileArgs]
    """How pods get their addresses. Defaults to the overlay with Cilium."""
    pools: NotRequired[list[AksPoolArgs]]
    """Pools with a fixed number of nodes. Defaults to three system nodes with the taint CriticalAddonsOnly."""
    location_zones: NotRequired[list[str]]
    """The zones of the location, [] for one without zones. Defaults to the known zones of the location; for an unknown
    location, to 1, 2 and 3."""
    nodes_at_most: NotRequired[int]
    """The highest number of nodes. With it, the preview warns about ranges and subnets that are too small for them."""
    autoscaler_beside: NotRequired[bool]
    """Whether the subscription has the feature AllowClusterAutoscalerAndNAP. Defaults to false."""
    sku: NotRequired[str]
    """Base or Automatic. Defaults to Base."""
    tier: NotRequired[str]
    """Free, Standard or Premium. Defaults to Standard."""
    support_plan: NotRequired[str]
    """KubernetesOfficial, or AKSLongTermSupport in tier Premium, which older versions of Kubernetes need. Defaults to AKS's
    choice, the first."""
    upgrade_channel: NotRequired[str]
    """Which upgrades of Kubernetes AKS makes: rapid, stable, patch, node-image or none. Defaults to patch."""
    node_os_upgrade_channel: NotRequired[str]
    """Which upgrades of node images: None, Unmanaged, NodeImage or SecurityPatch. Defaults to NodeImage."""
    windows: NotRequired[dict[str, AksWindowArgs]]
    """Maintenance windows, for nodeImages and for kubernetes. Without a window, node images change at any time."""
    private: NotRequired[AksPrivateArgs]
    """A private API server. Defaults to a public address."""
    authorized_ip_ranges: NotRequired[ListOf[pulumi.Input[str]]]
    """The address ranges that may reach the API server. Defaults to every address, with a warning."""
    admin_group_ids: NotRequired[ListOf[pulumi.Input[str]]]
    """Ids of the Entra groups that administer the cluster. With them, people log in with their own accounts."""
    azure_rbac: NotRequired[bool]
    """Whether Azure's roles decide what people may do in the cluster. Defaults to false."""
    disable_local_accounts: NotRequired[bool]
    """Whether to forbid all other logins. Defaults to false."""
    monitoring: NotRequired[AksMonitoringArgs]
    """What AKS reports about the cluster. Defaults to nothing."""
    production: NotRequired[bool]
    """Whether Pulumi protects the cluster from deletion: a destroy stops before it removes anything of the cluster, or of what
    one call creates with it. Defaults to false. Set it to false in an update before you destroy the stack."""
