"""How many addresses of subnets a node takes, by how the CNI gives pods theirs (AD-1 to AD-6, AD-11)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from cutlist.catalog.machines import Machine

SECONDARY: Final = "secondary"
PREFIX: Final = "prefix"
CUSTOM: Final = "custom"
CUSTOM_PREFIX: Final = "custom-prefix"
OVERLAY: Final = "overlay"
NODE_SUBNET: Final = "node-subnet"
AWS_MODES: Final = (SECONDARY, PREFIX, CUSTOM, CUSTOM_PREFIX, OVERLAY)
AZURE_MODES: Final = (OVERLAY, NODE_SUBNET)
_PREFIX_SIZE: Final = 16


@dataclass(frozen=True, slots=True)
class NodeAddresses:
    """The addresses that one node takes: of the subnet that it is in, and of a subnet for pods alone."""

    node_subnet: int
    pod_subnet: int = 0


@dataclass(frozen=True, slots=True)
class Warm:
    """What the VPC CNI keeps ready beyond what pods need: interfaces, prefixes, or `addresses` of which a node has at least
    `minimum`; None where that target is not set, and the others count (AD-11)."""

    interfaces: int = 1
    prefixes: int = 1
    addresses: int | None = None
    minimum: int | None = None

    def wanted(self, pods: int) -> int | None:
        """Return how many addresses for pods a node has with some pods, or None where only interfaces or prefixes are kept
        ready."""
        if self.addresses is None and self.minimum is None:
            return None
        return max(pods + (self.addresses or 0), self.minimum or 0)


@dataclass(frozen=True, slots=True)
class _Interfaces:
    """The interfaces that a node may have, and how many addresses beside its own each has for pods."""

    most: int
    each: int

    def with_addresses(self, pods: int, warm: Warm) -> int:
        """Return the addresses of the interfaces that some pods need, those of the interfaces themselves included."""
        wanted = warm.wanted(pods)
        if wanted is None:
            used = min(math.ceil(pods / max(self.each, 1)) + warm.interfaces, self.most)
            return used * (self.each + 1)
        used = min(max(math.ceil(wanted / max(self.each, 1)), 1), self.most)
        return used + min(wanted, used * self.each)

    def with_prefixes(self, pods: int, warm: Warm) -> int:
        """Return the same where pods get addresses of prefixes."""
        wanted = warm.wanted(pods)
        needed = math.ceil(pods / _PREFIX_SIZE) + warm.prefixes if wanted is None else math.ceil(wanted / _PREFIX_SIZE)
        used = min(max(math.ceil(needed / max(self.each, 1)), 1), self.most)
        return used + min(needed, used * self.each) * _PREFIX_SIZE


def aws_addresses(machine: Machine, pods: int, mode: str, warm: Warm | None = None) -> NodeAddresses:
    """Return the addresses of a node of EC2 with some pods, as the VPC CNI takes them, with its defaults unless `warm` says
    otherwise."""
    interfaces, each, warm = machine.network_cards[machine.default_card], machine.ipv4_per_interface - 1, warm or Warm()
    if mode == OVERLAY:
        return NodeAddresses(1)
    if mode == CUSTOM:
        return NodeAddresses(1, _Interfaces(interfaces - 1, each).with_addresses(pods, warm))
    if mode == CUSTOM_PREFIX:
        return NodeAddresses(1, _Interfaces(interfaces - 1, each).with_prefixes(pods, warm))
    whole = _Interfaces(interfaces, each)
    return NodeAddresses(whole.with_prefixes(pods, warm) if mode == PREFIX else whole.with_addresses(pods, warm))


def azure_addresses(max_pods: int, mode: str) -> NodeAddresses:
    """Return the addresses of a node of AKS: with pods in the subnet of nodes, Azure assigns those of all pods at once."""
    return NodeAddresses(1 + max_pods if mode == NODE_SUBNET else 1)
