"""What nodes that AKS makes by itself need, as resources of a stack."""

from pulumi_cutlist.azure.cluster.adopted_cluster import AksAdoptedCluster, AksAdoptedClusterArgs
from pulumi_cutlist.azure.cluster.args import AksClusterArgs, AksKubeletIdentityArgs
from pulumi_cutlist.azure.cluster.cluster import AksCluster
from pulumi_cutlist.azure.cluster.outputs import kubeconfig_of, kubernetes_provider
from pulumi_cutlist.azure.cluster.settings_args import (
    AksMonitoringArgs,
    AksNetworkProfileArgs,
    AksPoolArgs,
    AksPrivateArgs,
    AksSettings,
    AksWindowArgs,
)
from pulumi_cutlist.azure.identity.disk_keys import AksDiskKeys, AksDiskKeysArgs
from pulumi_cutlist.azure.identity.identity import AksIdentity, AksIdentityArgs
from pulumi_cutlist.azure.karpenter import AksKarpenter, AksKarpenterArgs
from pulumi_cutlist.azure.names_args import AksClusterNames
from pulumi_cutlist.azure.network.args import AksAdoptedNetworkArgs, AksAdoptedSubnetArgs, AksNetworkArgs, AksOwnNetworkArgs
from pulumi_cutlist.azure.network.network import AksNetwork
from pulumi_cutlist.azure.whole_cluster.provisioning import AksNodeProvisioning
from pulumi_cutlist.azure.whole_cluster.provisioning_args import AksKeyArgs, AksNodeNetworkArgs, AksNodeProvisioningArgs

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
