"""Inputs of the calls that join all parts of a cluster, as programs write them."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types. It takes the
# descriptions of inputs from the class itself, not from its bases, so what both calls have is written for each of them.
from typing import Any, NotRequired, TypeAlias, TypedDict

import pulumi

from cutlist import api
from pulumi_cutlist.aws.add_ons import AddOn
from pulumi_cutlist.aws.network_args import AdoptedNetworkArgs, OwnNetworkArgs
from pulumi_cutlist.aws.system_capacity import FargateSystem, SystemNodes
from pulumi_cutlist.kubernetes.manifests import Manifest


class ClusterNetwork(TypedDict):
    """The VPC that the cluster lives in: a new one or an existing one."""

    own: NotRequired[OwnNetworkArgs]
    """A VPC to make. Defaults to one with the defaults of Network, unless one is adopted."""
    adopted: NotRequired[AdoptedNetworkArgs]
    """An existing VPC. It is checked and never changed, except for the tags by which Karpenter finds its subnets."""
    discovery: NotRequired[str]
    """How Karpenter finds subnets and security groups: tag (the default), shared-tag for what clusters share, or id."""
    shared_with: NotRequired[list[str]]
    """Names of other clusters whose nodes live in the same subnets. Defaults to none."""
    service_cidr: NotRequired[str]
    """Address range of the cluster's services, which no subnet may overlap. Defaults to EKS's choice."""


class KarpenterClusterArgs(TypedDict):
    """Inputs of KarpenterCluster. Sections named like a component take that component's further inputs."""

    cluster_name: str
    """Name of the cluster: at most 100 letters, digits, - and _. Names of everything else come from it."""
    region: str
    """Region of the cluster, such as eu-west-1."""
    account_id: pulumi.Input[str]
    """Id of the account, twelve digits."""
    karpenter_version: NotRequired[str]
    """The exact version of Karpenter, such as 1.15.1. Defaults to the newest one known here."""
    kubernetes_version: NotRequired[str]
    """Version of Kubernetes, such as "1.35". Needed for a cluster that is made."""
    admins: NotRequired[dict[str, pulumi.Input[str]]]
    """ARNs of the roles or users who administer the cluster, by names of your choice. Who runs Pulumi has to be among them.
    Needed for a cluster that is made."""
    production: NotRequired[bool]
    """Whether the cluster and its key are protected from deletion, by Pulumi and by EKS: a destroy is refused before it takes
    anything away. Defaults to false. Turn it off by an update before the stack is destroyed."""
    public_access_cidrs: NotRequired[list[pulumi.Input[str]]]
    """Address ranges from which the API is reached outside the VPC. Without them it is not."""
    reachable_from: NotRequired[str]
    """How whoever updates reaches an API without public_access_cidrs: inside (updates run in the VPC), vpn (a VPN, peering or
    Direct Connect leads there), or two-steps (nothing is made in the cluster yet; after that update, say inside). Needed with
    production."""
    network: NotRequired[ClusterNetwork]
    """The VPC. Defaults to one that is made."""
    adopted_cluster: NotRequired[dict[str, Any]]
    """An existing cluster, in place of one that is made: inputs of AdoptedCluster; {} looks all of them up."""
    system_nodes: NotRequired[SystemNodes]
    """Where Karpenter itself runs. Defaults to two nodes in the subnets for nodes."""
    fargate: NotRequired[FargateSystem]
    """Fargate in place of system nodes. It takes the identity irsa."""
    identity: NotRequired[str]
    """How pods get their roles: pod-identity or irsa. Defaults to pod-identity."""
    trust_source_arn: NotRequired[bool]
    """With pod-identity: whether the trust of every pod's role also names the cluster as aws:SourceArn, beside the tags of each
    session. AWS's page on these roles shows tags alone, so try it in a cluster that you can lose first. Defaults to false."""
    add_ons: NotRequired[dict[str, AddOn]]
    """Settings of add-ons, by name. One that is not there by default is made when it is named."""
    zonal_shift: NotRequired[bool]
    """Whether cluster, controller and its rights keep out of zones that traffic was shifted away from. Defaults to false."""
    spot_role: NotRequired[str]
    """What is done for the account's role for spot instances: ensure (the default), create or skip."""
    static_profile: NotRequired[bool]
    """Whether nodes have an instance profile that is made here, and the controller makes none. Defaults to whether the VPC has
    no way to the internet, where the controller cannot reach IAM."""
    foreign_node_pools: NotRequired[str]
    """What a destroy does about NodePools that the stack did not make: fail, delete or ignore. Defaults to delete for a cluster
    that is made, and to fail for an adopted one."""
    node_pools: NotRequired[list[Manifest[api.NodePool]]]
    """The NodePools as Kubernetes has them; in Python also typed objects. Defaults to none."""
    node_classes: NotRequired[list[Manifest[api.EC2NodeClass]]]
    """The EC2NodeClasses that the pools refer to. Those of them that name a role name that of this cluster's nodes."""
    control_plane: NotRequired[dict[str, Any]]
    """Further inputs of a Cluster's control_plane, such as encrypt_secrets or log_types."""
    node_identity: NotRequired[dict[str, Any]]
    """Further inputs of NodeIdentity, such as extra_policy_arns."""
    controller_identity: NotRequired[dict[str, Any]]
    """Further inputs of ControllerIdentity, such as volume_key_arns."""
    interruption: NotRequired[dict[str, Any]]
    """Further inputs of Interruption, such as encryption."""
    discovery: NotRequired[dict[str, Any]]
    """Further inputs of Discovery, such as dedicated_group."""
    charts: NotRequired[dict[str, Any]]
    """Further inputs of KarpenterCharts, such as replicas or feature_gates."""
    external_dns_identity: NotRequired[dict[str, Any]]
    """Further inputs of ExternalDnsIdentity: hosted_zone_ids, or every_zone. Left out, ExternalDNS gets no role here."""
    observability: NotRequired[dict[str, Any]]
    """Inputs of Observability. Left out, it is not installed."""
    name_style: NotRequired[str]
    """How names are made: karpenter, regional or auto. Defaults to karpenter."""
    permissions_boundary: NotRequired[pulumi.Input[str]]
    """ARN of the policy that bounds every role that is made."""
    tags: NotRequired[dict[str, pulumi.Input[str]]]
    """Tags of every resource that is made. Nodes have those of their EC2NodeClass."""


class AutoModeClusterArgs(TypedDict):
    """Inputs of AutoModeCluster. Sections named like a component take that component's further inputs."""

    cluster_name: str
    """Name of the cluster: at most 100 letters, digits, - and _. Names of everything else come from it."""
    region: str
    """Region of the cluster, such as eu-west-1."""
    account_id: pulumi.Input[str]
    """Id of the account, twelve digits."""
    kubernetes_version: str
    """Version of Kubernetes, such as "1.35"."""
    admins: dict[str, pulumi.Input[str]]
    """ARNs of the roles or users who administer the cluster, by names of your choice. Who runs Pulumi has to be among them."""
    production: NotRequired[bool]
    """Whether the cluster and its key are protected from deletion, by Pulumi and by EKS: a destroy is refused before it takes
    anything away. Defaults to false. Turn it off by an update before the stack is destroyed."""
    public_access_cidrs: NotRequired[list[pulumi.Input[str]]]
    """Address ranges from which the API is reached outside the VPC. Without them it is not."""
    reachable_from: NotRequired[str]
    """How whoever updates reaches an API without public_access_cidrs: inside (updates run in the VPC), vpn (a VPN, peering or
    Direct Connect leads there), or two-steps (nothing is made in the cluster yet; after that update, say inside). Needed with
    production."""
    network: NotRequired[ClusterNetwork]
    """The VPC. Defaults to one that is made."""
    built_in_pools: NotRequired[list[str]]
    """Which of EKS's own NodePools are on: general-purpose, system. Defaults to both; an empty list turns both off."""
    add_ons: NotRequired[dict[str, AddOn]]
    """Add-ons by name, beside what Auto Mode has built in. Defaults to none."""
    spot_role: NotRequired[str]
    """What is done for the account's role for spot instances: ensure (the default), create or skip."""
    node_pools: NotRequired[list[Manifest[api.NodePool]]]
    """NodePools of your own as Kubernetes has them; in Python also typed objects. Defaults to none."""
    node_classes: NotRequired[list[Manifest[api.AutoNodeClass]]]
    """NodeClasses of your own that the pools refer to. Their role is that of the cluster's nodes, or one that is let in."""
    control_plane: NotRequired[dict[str, Any]]
    """Further inputs of AutoMode's control_plane, such as encrypt_secrets or log_types."""
    auto_mode: NotRequired[dict[str, Any]]
    """Further inputs of AutoMode, such as custom_node_roles."""
    external_dns_identity: NotRequired[dict[str, Any]]
    """Further inputs of ExternalDnsIdentity: hosted_zone_ids, or every_zone. Left out, ExternalDNS gets no role here."""
    observability: NotRequired[dict[str, Any]]
    """Inputs of Observability. Left out, it is not installed."""
    name_style: NotRequired[str]
    """How names are made: karpenter, regional or auto. Defaults to karpenter."""
    permissions_boundary: NotRequired[pulumi.Input[str]]
    """ARN of the policy that bounds every role that is made."""
    tags: NotRequired[dict[str, pulumi.Input[str]]]
    """Tags of every resource that is made."""


JoinedArgs: TypeAlias = KarpenterClusterArgs | AutoModeClusterArgs
"""Inputs of one of the calls."""
