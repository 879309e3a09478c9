"""What an AutoModeCluster is given, as programs write it."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from typing import Any, NotRequired, TypedDict

from cutlist import api
from pulumi_cutlist.aws.add_ons import AddOn
from pulumi_cutlist.aws.karpenter_cluster_args import ClusterNetwork
from pulumi_cutlist.kubernetes.manifests import Manifest


class AutoModeClusterArgs(TypedDict):
    """Inputs of AutoModeCluster. Sections named like a component take that component's further inputs."""

    cluster_name: str
    """Name of the cluster: at most 100 letters, digits, - and _. Names of everything else come from it."""
    region: str
    """Region of the cluster, such as eu-west-1."""
    account_id: str
    """Id of the account, twelve digits."""
    kubernetes_version: str
    """Version of Kubernetes, such as "1.34"."""
    admins: dict[str, str]
    """ARNs of the roles or users who administer the cluster, by names of your choice. Who runs Pulumi has to be among them."""
    production: NotRequired[bool]
    """Whether the cluster and its key are protected from deletion, by Pulumi and by EKS: a destroy is refused before it takes
    anything away. Defaults to false. Turn it off by an update before the stack is destroyed."""
    public_access_cidrs: NotRequired[list[str]]
    """Address ranges from which the API is reached outside the VPC. Without them it is not."""
    network: NotRequired[ClusterNetwork]
    """The VPC. Defaults to one that is made."""
    built_in_pools: NotRequired[list[str]]
    """Which of EKS's own NodePools are on: general-purpose, system. Defaults to both; an empty list is none."""
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
    permissions_boundary: NotRequired[str]
    """ARN of the policy that bounds every role that is made."""
    tags: NotRequired[dict[str, str]]
    """Tags of every resource that is made."""
