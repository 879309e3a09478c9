"""What stacks on AWS need."""

from pulumi_cutlist.aws.discovery import AdoptedGroupArgs, Discovery, DiscoveryArgs
from pulumi_cutlist.aws.look_up import look_up_network
from pulumi_cutlist.aws.network import Network
from pulumi_cutlist.aws.network_args import AdoptedNetworkArgs, AdoptedSubnetArgs, NetworkArgs, OwnNetworkArgs
from pulumi_cutlist.aws.node_group_rules import NodeGroupArgs
from pulumi_cutlist.aws.spot_role import SpotServiceLinkedRole, SpotServiceLinkedRoleArgs
from pulumi_cutlist.aws.user_data import NodeUserData, NodeUserDataArgs

__all__ = [
    "AdoptedGroupArgs",
    "AdoptedNetworkArgs",
    "AdoptedSubnetArgs",
    "Discovery",
    "DiscoveryArgs",
    "Network",
    "NetworkArgs",
    "NodeGroupArgs",
    "NodeUserData",
    "NodeUserDataArgs",
    "OwnNetworkArgs",
    "SpotServiceLinkedRole",
    "SpotServiceLinkedRoleArgs",
    "look_up_network",
]
