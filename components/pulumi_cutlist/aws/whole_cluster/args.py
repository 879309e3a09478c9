"""Inputs of the calls that make a whole cluster, as programs write them."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from typing import NotRequired, TypeAlias, TypedDict

import pulumi

import cutlist
from pulumi_cutlist.aws.cluster.add_ons import AddOn
from pulumi_cutlist.aws.cluster.adopted_cluster import AdoptedClusterSection
from pulumi_cutlist.aws.cluster.auto_mode import AutoModeSection
from pulumi_cutlist.aws.cluster.control_plane import ControlPlaneSection
from pulumi_cutlist.aws.cluster.node_groups import ManagedNodeGroupArgs
from pulumi_cutlist.aws.cluster.system_capacity import FargateSystem, SystemNodes
from pulumi_cutlist.aws.identity.controller_identity_plan import ControllerIdentitySection
from pulumi_cutlist.aws.identity.external_dns_identity import ExternalDnsIdentitySection
from pulumi_cutlist.aws.identity.node_identity import NodeIdentitySection
from pulumi_cutlist.aws.karpenter.discovery import DiscoverySection
from pulumi_cutlist.aws.karpenter.interruption import InterruptionSection
from pulumi_cutlist.aws.karpenter.reservations import CapacityReservationArgs
from pulumi_cutlist.aws.network.args import AdoptedNetworkArgs, OwnNetworkArgs
from pulumi_cutlist.inputs.lists import ListOf, MapOf
from pulumi_cutlist.kubernetes.charts_plan import KarpenterChartsSection
from pulumi_cutlist.kubernetes.manifests import Manifest
from pulumi_cutlist.kubernetes.observability import ObservabilitySection
from pulumi_cutlist.node_plans.of_cluster import WorkloadsArgs


class ClusterNetwork(TypedDict):
    """The VPC of the cluster: a new one or an existing one."""

    own: NotRequired[OwnNetworkArgs]
    """A new VPC. Defaults to one with the defaults of Network, unless you adopt one."""
    adopted: NotRequired[AdoptedNetworkArgs]
    """An existing VPC. Cutlist checks it and never changes it, except for the tags by which Karpenter finds its subnets."""
    discovery: NotRequired[str]
    """How Karpenter finds subnets and security groups: tag (the default), shared-tag for what clusters share, or id."""
    shared_with: NotRequired[list[str]]
    """Names of other clusters whose nodes live in the same subnets. Defaults to none."""
    service_cidr: NotRequired[str]
    """Address range of the cluster's services, which no subnet may overlap. Defaults to EKS's choice."""


class KarpenterClusterArgs(WorkloadsArgs):
    """Inputs of KarpenterCluster. Sections named like a component take that component's further inputs."""

    cluster_name: str
    """Name of the cluster: at most 100 letters, digits, - and _. All other names derive from it."""
    region: str
    """Region of the cluster, such as eu-west-1."""
    account_id: pulumi.Input[str]
    """Id of the account, twelve digits."""
    karpenter_version: NotRequired[str]
    """The exact version of Karpenter, such as 1.15.1. Defaults to the newest one known here."""
    kubernetes_version: NotRequired[str]
    """Version of Kubernetes, such as "1.35". Required for a new cluster."""
    admins: NotRequired[MapOf[str, pulumi.Input[str]]]
    """ARNs of the roles or users who administer the cluster, by names of your choice. Whoever runs Pulumi has to be among them.
    Required for a new cluster."""
    production: NotRequired[bool]
    """Whether the cluster and its key are protected from deletion, by Pulumi and by EKS: a destroy stops before it removes
    anything. Defaults to false. Set it to false in an update before you destroy the stack."""
    public_access_cidrs: NotRequired[ListOf[pulumi.Input[str]]]
    """Address ranges outside the VPC that may reach the API. Without them, none may."""
    reachable_from: NotRequired[str]
    """How updates reach an API without public_access_cidrs: inside (they run in the VPC), vpn (a VPN, peering or Direct Connect
    leads there), or two-steps (nothing is created in the cluster yet; set inside after that update). Required with
    production."""
    network: NotRequired[ClusterNetwork]
    """The VPC. Defaults to a new one."""
    adopted_cluster: NotRequired[AdoptedClusterSection]
    """An existing cluster instead of a new one: inputs of AdoptedCluster; {} looks all of them up."""
    system_nodes: NotRequired[SystemNodes]
    """Where Karpenter itself runs. Defaults to two nodes in the subnets for nodes."""
    fargate: NotRequired[FargateSystem]
    """Fargate instead of system nodes. It requires the identity irsa."""
    node_groups: NotRequired[dict[str, ManagedNodeGroupArgs]]
    """Further managed node groups, by names of your choice, for pods that Karpenter's nodes are not for. Defaults to none."""
    identity: NotRequired[str]
    """How pods get their roles: pod-identity or irsa. Defaults to pod-identity."""
    trust_source_arn: NotRequired[bool]
    """With pod-identity: whether the trust of every pod's role also names the cluster as aws:SourceArn, in addition to the tags
    of each session. AWS's page on these roles shows only tags, so try it first in a cluster that you can afford to lose.
    Defaults to false."""
    add_ons: NotRequired[dict[str, AddOn]]
    """Settings of add-ons, by name. Naming one that is not a default installs it."""
    zonal_shift: NotRequired[bool]
    """Whether cluster and controller avoid zones that traffic was shifted away from, with the permissions for it. Defaults to
    false."""
    spot_role: NotRequired[str]
    """What to do about the account's role for spot instances: ensure (the default), create or skip."""
    static_profile: NotRequired[bool]
    """Whether to create the nodes' instance profile here, so that the controller creates none. Defaults to true if the VPC has
    no internet access, because the controller then cannot reach IAM."""
    foreign_node_pools: NotRequired[str]
    """What a destroy does about NodePools that the stack did not create: fail, delete or ignore. Defaults to delete for a new
    cluster, and to fail for an adopted one."""
    node_pools: NotRequired[ListOf[Manifest[cutlist.NodePool]]]
    """The NodePools, as manifests; in Python also typed objects. Defaults to none."""
    node_classes: NotRequired[ListOf[Manifest[cutlist.EC2NodeClass]]]
    """The EC2NodeClasses of these pools. If a class names a role, it is the role of this cluster's nodes."""
    capacity_reservations: NotRequired[dict[str, CapacityReservationArgs]]
    """Reserved machines in which nodes of NodePools start, by names of your choice. An EC2NodeClass selects them by its
    capacityReservationSelectorTerms. Defaults to none."""
    control_plane: NotRequired[ControlPlaneSection]
    """Further inputs of a Cluster's control_plane, such as encrypt_secrets or log_types."""
    node_identity: NotRequired[NodeIdentitySection]
    """Further inputs of NodeIdentity, such as extra_policy_arns."""
    controller_identity: NotRequired[ControllerIdentitySection]
    """Further inputs of ControllerIdentity, such as volume_key_arns."""
    interruption: NotRequired[InterruptionSection]
    """Further inputs of Interruption, such as encryption."""
    discovery: NotRequired[DiscoverySection]
    """Further inputs of Discovery, such as dedicated_group."""
    charts: NotRequired[KarpenterChartsSection]
    """Further inputs of KarpenterCharts, such as replicas or feature_gates."""
    external_dns_identity: NotRequired[ExternalDnsIdentitySection]
    """Further inputs of ExternalDnsIdentity: hosted_zone_ids, or every_zone. Without them, ExternalDNS gets no role."""
    observability: NotRequired[ObservabilitySection]
    """Inputs of Observability. Without them, it is not installed."""
    name_style: NotRequired[str]
    """How resources are named: karpenter, regional or auto. Defaults to karpenter."""
    permissions_boundary: NotRequired[pulumi.Input[str]]
    """ARN of the permissions boundary of every new role."""
    tags: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Tags for every resource that it creates. Nodes have the tags of their EC2NodeClass."""


class AutoModeClusterArgs(WorkloadsArgs):
    """Inputs of AutoModeCluster. Sections named like a component take that component's further inputs."""

    cluster_name: str
    """Name of the cluster: at most 100 letters, digits, - and _. All other names derive from it."""
    region: str
    """Region of the cluster, such as eu-west-1."""
    account_id: pulumi.Input[str]
    """Id of the account, twelve digits."""
    kubernetes_version: str
    """Version of Kubernetes, such as "1.35"."""
    admins: MapOf[str, pulumi.Input[str]]
    """ARNs of the roles or users who administer the cluster, by names of your choice. Whoever runs Pulumi has to be among
    them."""
    production: NotRequired[bool]
    """Whether the cluster and its key are protected from deletion, by Pulumi and by EKS: a destroy stops before it removes
    anything. Defaults to false. Set it to false in an update before you destroy the stack."""
    public_access_cidrs: NotRequired[ListOf[pulumi.Input[str]]]
    """Address ranges outside the VPC that may reach the API. Without them, none may."""
    reachable_from: NotRequired[str]
    """How updates reach an API without public_access_cidrs: inside (they run in the VPC), vpn (a VPN, peering or Direct Connect
    leads there), or two-steps (nothing is created in the cluster yet; set inside after that update). Required with
    production."""
    network: NotRequired[ClusterNetwork]
    """The VPC. Defaults to a new one."""
    built_in_pools: NotRequired[list[str]]
    """Which of EKS's own NodePools are on: general-purpose, system. Defaults to both; an empty list turns both off."""
    add_ons: NotRequired[dict[str, AddOn]]
    """Add-ons by name, in addition to those that Auto Mode has built in. Defaults to none."""
    spot_role: NotRequired[str]
    """What to do about the account's role for spot instances: ensure (the default), create or skip."""
    node_pools: NotRequired[ListOf[Manifest[cutlist.NodePool]]]
    """Your own NodePools, as manifests; in Python also typed objects. Defaults to none."""
    node_classes: NotRequired[ListOf[Manifest[cutlist.AutoNodeClass]]]
    """Your own NodeClasses, for these pools. Their role is the role of the cluster's nodes, or another one with access."""
    control_plane: NotRequired[ControlPlaneSection]
    """Further inputs of AutoMode's control_plane, such as encrypt_secrets or log_types."""
    auto_mode: NotRequired[AutoModeSection]
    """Further inputs of AutoMode, such as custom_node_roles."""
    external_dns_identity: NotRequired[ExternalDnsIdentitySection]
    """Further inputs of ExternalDnsIdentity: hosted_zone_ids, or every_zone. Without them, ExternalDNS gets no role."""
    observability: NotRequired[ObservabilitySection]
    """Inputs of Observability. Without them, it is not installed."""
    name_style: NotRequired[str]
    """How resources are named: karpenter, regional or auto. Defaults to karpenter."""
    permissions_boundary: NotRequired[pulumi.Input[str]]
    """ARN of the permissions boundary of every new role."""
    tags: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Tags for every resource that it creates."""


WholeClusterArgs: TypeAlias = KarpenterClusterArgs | AutoModeClusterArgs
"""Inputs of one of the calls."""
