"""Inputs of an AksCluster, as programs write them."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from typing import Any, NotRequired, TypedDict

import pulumi

from pulumi_cutlist.azure.cluster.settings_args import AksSettings
from pulumi_cutlist.azure.names_args import AksClusterNames
from pulumi_cutlist.inputs.lists import MapOf


class AksKubeletIdentityArgs(TypedDict):
    """An identity of the nodes that exists before the cluster."""

    client_id: pulumi.Input[str]
    """Its client id."""
    object_id: pulumi.Input[str]
    """Principal id of the cluster's identity, for role assignments."""
    resource_id: pulumi.Input[str]
    """Its id."""


class AksClusterArgs(TypedDict):
    """Inputs of AksCluster."""

    cluster: AksClusterNames
    """Its names."""
    settings: NotRequired[AksSettings]
    """Its settings."""
    subnet_id: NotRequired[pulumi.Input[str]]
    """Subnet of the cluster's own nodes, and of every class that names none. Without it, AKS creates a network."""
    identity_id: NotRequired[pulumi.Input[str]]
    """The cluster's identity on Azure with its permissions, such as an AksIdentity's. Required with a subnet. Without it, AKS
    creates one."""
    kubelet_identity: NotRequired[AksKubeletIdentityArgs]
    """Identity of the cluster's nodes. Without it, AKS creates one."""
    disk_encryption_set_id: NotRequired[pulumi.Input[str]]
    """Disk encryption set for the nodes' disks, such as an AksDiskKeys'. Defaults to Azure's own keys."""
    further: NotRequired[dict[str, Any]]
    """Further arguments of azure_native's ManagedCluster, such as storage_profile, as they are."""
    tags: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Tags of the cluster."""
