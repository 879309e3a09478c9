"""What nodes that AKS makes by itself need, as resources of a stack."""

from pulumi_cutlist.azure.adopted_cluster import AksAdoptedCluster, AksAdoptedClusterArgs
from pulumi_cutlist.azure.cluster import AksCluster
from pulumi_cutlist.azure.cluster_args import AksClusterArgs, AksKubeletIdentityArgs
from pulumi_cutlist.azure.disk_keys import AksDiskKeys, AksDiskKeysArgs
from pulumi_cutlist.azure.identity import AksIdentity, AksIdentityArgs
from pulumi_cutlist.azure.karpenter import AksKarpenter, AksKarpenterArgs
from pulumi_cutlist.azure.kubernetes_provider import kubeconfig_of, kubernetes_provider
from pulumi_cutlist.azure.names_args import AksClusterNames
from pulumi_cutlist.azure.network import AksNetwork
from pulumi_cutlist.azure.network_args import AksAdoptedNetworkArgs, AksAdoptedSubnetArgs, AksNetworkArgs, AksOwnNetworkArgs
from pulumi_cutlist.azure.provisioning import AksNodeProvisioning
from pulumi_cutlist.azure.provisioning_args import AksKeyArgs, AksNodeNetworkArgs, AksNodeProvisioningArgs
from pulumi_cutlist.azure.settings_args import (
    AksMonitoringArgs,
    AksNetworkProfileArgs,
    AksPoolArgs,
    AksPrivateArgs,
    AksSettings,
    AksWindowArgs,
)

__all__ = [
    "AksAdoptedCluster",
    "AksAdoptedClusterArgs",
    "AksAdoptedNetworkArgs",
    "AksAdoptedSubnetArgs",
    "AksCluster",
    "AksClusterArgs",
    "AksClusterNames",
    "AksDiskKeys",
    "AksDiskKeysArgs",
    "AksIdentity",
    "AksIdentityArgs",
    "AksKarpenter",
    "AksKarpenterArgs",
    "AksKeyArgs",
    "AksKubeletIdentityArgs",
    "AksMonitoringArgs",
    "AksNetwork",
    "AksNetworkArgs",
    "AksNetworkProfileArgs",
    "AksNodeNetworkArgs",
    "AksNodeProvisioning",
    "AksNodeProvisioningArgs",
    "AksOwnNetworkArgs",
    "AksPoolArgs",
    "AksPrivateArgs",
    "AksSettings",
    "AksWindowArgs",
    "kubeconfig_of",
    "kubernetes_provider",
]
