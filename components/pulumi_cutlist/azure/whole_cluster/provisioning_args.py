"""What an AksNodeProvisioning is given, as programs and stack files write it."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from typing import Any, NotRequired, TypedDict

import pulumi

import cutlist
from pulumi_cutlist.azure.cluster.settings_args import AksSettings
from pulumi_cutlist.azure.names_args import AksClusterNames
from pulumi_cutlist.azure.network.args import AksAdoptedNetworkArgs, AksOwnNetworkArgs
from pulumi_cutlist.inputs.lists import ListOf, MapOf
from pulumi_cutlist.kubernetes.manifests import Manifest
from pulumi_cutlist.node_plans.of_cluster import WorkloadsArgs


class AksNodeNetworkArgs(TypedDict):
    """The network of a cluster: at most one of own, adopted and made_by_aks."""

    own: NotRequired[AksOwnNetworkArgs]
    """A new virtual network, the default."""
    adopted: NotRequired[AksAdoptedNetworkArgs]
    """An existing virtual network."""
    made_by_aks: NotRequired[bool]
    """Whether AKS creates it. Then no class can name a subnet. Defaults to no."""
    node_subnet: NotRequired[str]
    """Name of the subnet of the cluster's own nodes, and of every class that names none. Defaults to nodes."""
    rights_on_subnets_alone: NotRequired[bool]
    """Whether the cluster may use only its subnets and nothing else of the network. Defaults to no: it may change the network,
    for load balancers inside it."""


class AksKeyArgs(TypedDict):
    """Your own key for disks."""

    vault_id: pulumi.Input[str]
    """Id of the key vault."""
    key_url: pulumi.Input[str]
    """Address of the key."""


class AksNodeProvisioningArgs(WorkloadsArgs):
    """Inputs of AksNodeProvisioning. Only ids, ranges and tags may come from other resources: all else is plain, so that it is
    checked before anything is made."""

    cluster: AksClusterNames
    """The cluster's names."""
    own_resource_group: NotRequired[bool]
    """Whether to create the cluster's resource group too. Defaults to yes."""
    network: NotRequired[AksNodeNetworkArgs]
    """Network of the nodes. Defaults to a new one with one subnet."""
    settings: NotRequired[AksSettings]
    """The cluster's settings."""
    own_kubelet_identity: NotRequired[bool]
    """Whether to create the nodes' identity before the cluster. Defaults to no: AKS creates one."""
    disk_key: NotRequired[AksKeyArgs]
    """Your own key for the nodes' disks. Defaults to Azure's."""
    node_pools: NotRequired[ListOf[Manifest[cutlist.NodePool]]]
    """The NodePools, as manifests. In Python also typed objects, cutlist.NodePool."""
    node_classes: NotRequired[ListOf[Manifest[cutlist.AKSNodeClass]]]
    """The AKSNodeClasses that they refer to. In Python also typed objects, cutlist.AKSNodeClass."""
    class_subnets: NotRequired[dict[str, str]]
    """Names of subnets by names of classes, for the nodes of each class. Defaults to the subnet of the cluster's own nodes."""
    further: NotRequired[dict[str, Any]]
    """Further arguments of azure_native's ManagedCluster, as they are."""
    tags: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Tags for everything that it creates."""
