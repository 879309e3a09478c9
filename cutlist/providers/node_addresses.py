"""How many addresses of subnets a node takes, by how the CNI gives pods theirs (AD-1 to AD-6)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from cutlist.catalog import Machine

SECONDARY: Final = "secondary"
PREFIX: Final = "prefix"
CUSTOM: Final = "custom"
OVERLAY: Final = "overlay"
NODE_SUBNET: Final = "node-subnet"
AWS_MODES: Final = (SECONDARY, PREFIX, CUSTOM, OVERLAY)
AZURE_MODES: Final = (OVERLAY, NODE_SUBNET)
_PREFIX_SIZE: Final = 16
_WARM: Final = 1  # the CNI keeps one interface, or one prefix, more than the pods need


@dataclass(frozen=True, slots=True)
class NodeAddresses:
    """The addresses that one node takes: of the subnet that it is in, and of a subnet for pods alone."""

    node_subnet: int
    pod_subnet: int = 0


def aws_addresses(machine: Machine, pods: int, mode: str) -> NodeAddresses:
    """Return the addresses of a node of EC2 with some pods, as the VPC CNI takes them with its defaults."""
    interfaces, each = machine.network_cards[machine.default_card], machine.ipv4_per_interface
    if mode == OVERLAY:
        return NodeAddresses(1)
    if mode == CUSTOM:
        return NodeAddresses(1, _interfaces_for(pods, each - 1, interfaces - 1) * each)
    if mode == PREFIX:
        prefixes = math.ceil(pods / _PREFIX_SIZE) + _WARM
        used = min(max(math.ceil(prefixes / max(each - 1, 1)), 1), interfaces)
        return NodeAddresses(used + min(prefixes, used * (each - 1)) * _PREFIX_SIZE)
    return NodeAddresses(_interfaces_for(pods, each - 1, interfaces) * each)


def _interfaces_for(pods: int, pods_each: int, most: int) -> int:
    """Return how many interfaces pods need, with the one that the CNI keeps ready."""
    return min(math.ceil(pods / max(pods_each, 1)) + _WARM, most)


def azure_addresses(max_pods: int, mode: str) -> NodeAddresses:
    """Return the addresses of a node of AKS: with pods in the subnet of nodes, Azure assigns those of all pods at once."""
    return NodeAddresses(1 + max_pods if mode == NODE_SUBNET else 1)
