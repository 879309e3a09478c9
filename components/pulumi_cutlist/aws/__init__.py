"""What stacks on AWS need."""

from pulumi_cutlist.aws.adopted_cluster import AdoptedCluster, AdoptedClusterArgs
from pulumi_cutlist.aws.auto_mode import AutoMode, AutoModeArgs
from pulumi_cutlist.aws.auto_mode_cluster import AutoModeCluster
from pulumi_cutlist.aws.cluster import Cluster, ClusterArgs
from pulumi_cutlist.aws.cluster_outputs import ClusterOutputs
from pulumi_cutlist.aws.controller_identity import ControllerIdentity
from pulumi_cutlist.aws.controller_plan import ControllerIdentityArgs
from pulumi_cutlist.aws.discovery import AdoptedGroupArgs, Discovery, DiscoveryArgs
from pulumi_cutlist.aws.drain_gate import DrainGate, DrainGateArgs
from pulumi_cutlist.aws.external_dns_identity import ExternalDnsIdentity, ExternalDnsIdentityArgs
from pulumi_cutlist.aws.interface_pass import InterfacePass, InterfacePassArgs
from pulumi_cutlist.aws.interruption import Interruption, InterruptionArgs
from pulumi_cutlist.aws.joined_args import AutoModeClusterArgs, ClusterNetwork, KarpenterClusterArgs
from pulumi_cutlist.aws.karpenter_cluster import KarpenterCluster
from pulumi_cutlist.aws.kubernetes_provider import kubernetes_provider
from pulumi_cutlist.aws.look_up import look_up_network
from pulumi_cutlist.aws.network import Network
from pulumi_cutlist.aws.network_args import AdoptedNetworkArgs, AdoptedSubnetArgs, NetworkArgs, OwnNetworkArgs
from pulumi_cutlist.aws.node_group_rules import NodeGroupArgs
from pulumi_cutlist.aws.node_identity import NodeIdentity, NodeIdentityArgs
from pulumi_cutlist.aws.on_pulumi_eks import adopt_pulumi_eks, karpenter_on_pulumi_eks
from pulumi_cutlist.aws.spot_role import SpotServiceLinkedRole, SpotServiceLinkedRoleArgs
from pulumi_cutlist.aws.teardown import Teardown, TeardownArgs
from pulumi_cutlist.aws.user_data import NodeUserData, NodeUserDataArgs

__all__ = [
    "AdoptedCluster",
    "AdoptedClusterArgs",
    "AdoptedGroupArgs",
    "AdoptedNetworkArgs",
    "AdoptedSubnetArgs",
    "AutoMode",
    "AutoModeArgs",
    "AutoModeCluster",
    "AutoModeClusterArgs",
    "Cluster",
    "ClusterArgs",
    "ClusterNetwork",
    "ClusterOutputs",
    "ControllerIdentity",
    "ControllerIdentityArgs",
    "Discovery",
    "DiscoveryArgs",
    "DrainGate",
    "DrainGateArgs",
    "ExternalDnsIdentity",
    "ExternalDnsIdentityArgs",
    "InterfacePass",
    "InterfacePassArgs",
    "Interruption",
    "InterruptionArgs",
    "KarpenterCluster",
    "KarpenterClusterArgs",
    "Network",
    "NetworkArgs",
    "NodeGroupArgs",
    "NodeIdentity",
    "NodeIdentityArgs",
    "NodeUserData",
    "NodeUserDataArgs",
    "OwnNetworkArgs",
    "SpotServiceLinkedRole",
    "SpotServiceLinkedRoleArgs",
    "Teardown",
    "TeardownArgs",
    "adopt_pulumi_eks",
    "karpenter_on_pulumi_eks",
    "kubernetes_provider",
    "look_up_network",
]
