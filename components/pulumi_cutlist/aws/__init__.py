"""What stacks on AWS need."""

from pulumi_cutlist.aws.cluster.access_entries import AccessEntryArgs
from pulumi_cutlist.aws.cluster.adopted_cluster import AdoptedCluster, AdoptedClusterArgs, AdoptedClusterSection
from pulumi_cutlist.aws.cluster.auto_mode import AutoMode, AutoModeArgs, AutoModeSection
from pulumi_cutlist.aws.cluster.capabilities import (
    AckCapabilityArgs,
    ArgoCdCapabilityArgs,
    ArgoCdIdentityArgs,
    ArgoCdRoleArgs,
    CapabilitiesArgs,
    KroCapabilityArgs,
)
from pulumi_cutlist.aws.cluster.cluster import Cluster, ClusterArgs
from pulumi_cutlist.aws.cluster.control_plane import ControlPlane, ControlPlaneSection
from pulumi_cutlist.aws.cluster.node_groups import ManagedNodeGroupArgs, NodeGroupUpdateArgs, NodeTaintArgs
from pulumi_cutlist.aws.cluster.outputs import ClusterOutputs, kubernetes_provider
from pulumi_cutlist.aws.cluster.system_capacity import FargateSystem, SystemNodes
from pulumi_cutlist.aws.identity.controller_identity import ControllerIdentity
from pulumi_cutlist.aws.identity.controller_identity_plan import ControllerIdentityArgs, ControllerIdentitySection
from pulumi_cutlist.aws.identity.external_dns_identity import (
    ExternalDnsIdentity,
    ExternalDnsIdentityArgs,
    ExternalDnsIdentitySection,
)
from pulumi_cutlist.aws.identity.node_identity import NodeIdentity, NodeIdentityArgs, NodeIdentitySection
from pulumi_cutlist.aws.identity.pod_identity import PodIdentity, PodIdentityArgs
from pulumi_cutlist.aws.identity.spot_role import SpotServiceLinkedRole, SpotServiceLinkedRoleArgs
from pulumi_cutlist.aws.karpenter.discovery import AdoptedGroupArgs, Discovery, DiscoveryArgs, DiscoverySection
from pulumi_cutlist.aws.karpenter.interruption import Interruption, InterruptionArgs, InterruptionSection
from pulumi_cutlist.aws.karpenter.node_group_rules import NodeGroupArgs
from pulumi_cutlist.aws.karpenter.reservations import CapacityReservationArgs
from pulumi_cutlist.aws.karpenter.user_data import NodeUserData, NodeUserDataArgs
from pulumi_cutlist.aws.network.args import AdoptedNetworkArgs, AdoptedSubnetArgs, NetworkArgs, OwnNetworkArgs
from pulumi_cutlist.aws.network.look_up import look_up_network
from pulumi_cutlist.aws.network.network import Network
from pulumi_cutlist.aws.teardown.drain_gate import DrainGate, DrainGateArgs
from pulumi_cutlist.aws.teardown.interface_pass import InterfacePass, InterfacePassArgs
from pulumi_cutlist.aws.teardown.teardown import Teardown, TeardownArgs
from pulumi_cutlist.aws.whole_cluster.args import AutoModeClusterArgs, ClusterNetwork, KarpenterClusterArgs
from pulumi_cutlist.aws.whole_cluster.auto_mode_cluster import AutoModeCluster
from pulumi_cutlist.aws.whole_cluster.karpenter_cluster import KarpenterCluster
from pulumi_cutlist.aws.whole_cluster.on_pulumi_eks import adopt_pulumi_eks, karpenter_on_pulumi_eks

__all__ = [
    "AccessEntryArgs",
    "AckCapabilityArgs",
    "AdoptedCluster",
    "AdoptedClusterArgs",
    "AdoptedClusterSection",
    "AdoptedGroupArgs",
    "AdoptedNetworkArgs",
    "AdoptedSubnetArgs",
    "ArgoCdCapabilityArgs",
    "ArgoCdIdentityArgs",
    "ArgoCdRoleArgs",
    "AutoMode",
    "AutoModeArgs",
    "AutoModeCluster",
    "AutoModeClusterArgs",
    "AutoModeSection",
    "CapabilitiesArgs",
    "CapacityReservationArgs",
    "Cluster",
    "ClusterArgs",
    "ClusterNetwork",
    "ClusterOutputs",
    "ControlPlane",
    "ControlPlaneSection",
    "ControllerIdentity",
    "ControllerIdentityArgs",
    "ControllerIdentitySection",
    "Discovery",
    "DiscoveryArgs",
    "DiscoverySection",
    "DrainGate",
    "DrainGateArgs",
    "ExternalDnsIdentity",
    "ExternalDnsIdentityArgs",
    "ExternalDnsIdentitySection",
    "FargateSystem",
    "InterfacePass",
    "InterfacePassArgs",
    "Interruption",
    "InterruptionArgs",
    "InterruptionSection",
    "KarpenterCluster",
    "KarpenterClusterArgs",
    "KroCapabilityArgs",
    "ManagedNodeGroupArgs",
    "Network",
    "NetworkArgs",
    "NodeGroupArgs",
    "NodeGroupUpdateArgs",
    "NodeIdentity",
    "NodeIdentityArgs",
    "NodeIdentitySection",
    "NodeTaintArgs",
    "NodeUserData",
    "NodeUserDataArgs",
    "OwnNetworkArgs",
    "PodIdentity",
    "PodIdentityArgs",
    "SpotServiceLinkedRole",
    "SpotServiceLinkedRoleArgs",
    "SystemNodes",
    "Teardown",
    "TeardownArgs",
    "adopt_pulumi_eks",
    "karpenter_on_pulumi_eks",
    "kubernetes_provider",
    "look_up_network",
]
