"""The address ranges of an AKS cluster: which ones may not overlap, and how many nodes fit into them (spec: azure 1.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv4Network
from typing import Final

from cutlist.infrastructure.addresses import Block, check_apart, prefixes_in_words, read_block, usable
from cutlist.infrastructure.aks.notes import AksNotes
from cutlist.infrastructure.aks.profile import NetworkProfile

POD_CIDR: Final = "10.244.0.0/16"
SERVICE_CIDR: Final = "10.0.0.0/16"
SUBNET_PREFIXES: Final = range(2, 30)
"""Prefix lengths that Azure accepts for a network and for a subnet."""
_SERVICE_PREFIXES: Final = range(12, 32)
_NODE_PREFIX: Final = 24
"""Prefix length of each node's share of the pods' range in an overlay, for any number of pods."""
_KEPT_BY_AKS: Final = tuple(map(IPv4Network, ("169.254.0.0/16", "172.30.0.0/16", "172.31.0.0/16", "192.0.2.0/24")))
_DNS_HOST: Final = 10


@dataclass(frozen=True, slots=True)
class Ranges:
    """The ranges inside a cluster, invisible from outside; None means AKS's own choice."""

    pods: str | None = None
    services: str | None = None
    dns_service_ip: str | None = None


@dataclass(frozen=True, slots=True)
class ReadRanges:
    """The parsed ranges, None for an invalid one."""

    pods: Block | None
    services: Block | None


def dns_address(ranges: Ranges) -> str:
    """Return the address of the cluster's DNS service: the requested one, or the tenth of the services."""
    if ranges.dns_service_ip:
        return ranges.dns_service_ip
    return str(IPv4Network(ranges.services or SERVICE_CIDR)[_DNS_HOST])


def read_ranges(ranges: Ranges, profile: NetworkProfile, notes: AksNotes) -> ReadRanges:
    """Return the ranges of pods and services, and report the mistakes in each and in both together."""
    services = read_block(
        ranges.services or SERVICE_CIDR, notes.at("network.serviceCidr").path, "the range of services", notes.problems
    )
    pods = None
    if profile.is_flat and ranges.pods is not None:
        notes.refuse("network.podCidr", "a range of pods, where pods have addresses of the nodes' subnet", "leave it out")
    elif not profile.is_flat:
        pods = read_block(ranges.pods or POD_CIDR, notes.at("network.podCidr").path, "the range of pods", notes.problems)
    for block in (services, pods):
        check_not_reserved(block, notes)
    check_apart(services, [pods], notes.problems)
    if services is not None:
        _check_services(services, ranges, notes)
    return ReadRanges(pods, services)


def check_not_reserved(block: Block | None, notes: AksNotes) -> None:
    """Report a block that overlaps one that AKS uses itself."""
    for kept in _KEPT_BY_AKS:
        if block is not None and block.network.overlaps(kept):
            notes.problems.add(block.place, f"{block.what}, {block.network}, overlaps {kept}, which AKS uses itself")


def check_network_apart(network: Sequence[Block | None], ranges: ReadRanges, notes: AksNotes) -> None:
    """Report each block of a virtual network that overlaps the ranges of pods or services."""
    for block in network:
        check_not_reserved(block, notes)
        for inside in (ranges.services, ranges.pods):
            check_apart(inside, [block], notes.problems)


def check_room(subnet: Block, nodes: int, pods_per_node: int, profile: NetworkProfile, notes: AksNotes) -> None:
    """Warn of a subnet with too few addresses for this many nodes: one for each node, and without the overlay also one for each
    pod."""
    each = 1 + pods_per_node if profile.is_flat else 1
    free = usable(subnet.network.prefixlen)
    if nodes * each > free:
        pods = f", each with {pods_per_node} pods," if profile.is_flat else ""
        text = f"{subnet.what} has {free} addresses, and {nodes} nodes{pods} need {nodes * each}"
        notes.warnings.add(subnet.place, text, f"a larger subnet, or at most {free // each} nodes")


def check_pods_room(pods: Block | None, nodes: int, notes: AksNotes) -> None:
    """Warn of a range of pods with too few /24 shares for this many nodes."""
    if pods is None:
        return
    room = 1 << max(_NODE_PREFIX - pods.network.prefixlen, 0) if pods.network.prefixlen <= _NODE_PREFIX else 0
    if nodes > room:
        text = f"{pods.what}, {pods.network}, has room for {room} nodes of /{_NODE_PREFIX} each, not for {nodes}"
        notes.warnings.add(pods.place, text)


def _check_services(services: Block, ranges: Ranges, notes: AksNotes) -> None:
    if services.network.prefixlen not in _SERVICE_PREFIXES:
        message = f"{services.what} is a /{services.network.prefixlen}"
        notes.problems.add(services.place, message, prefixes_in_words(_SERVICE_PREFIXES))
        return
    if ranges.dns_service_ip is None:
        if services.network.num_addresses <= _DNS_HOST:
            notes.refuse("network.dnsServiceIp", f"{services.network} has no tenth address", "an address of the services")
        return
    try:
        address = IPv4Address(ranges.dns_service_ip)
    except AddressValueError:
        notes.refuse(
            "network.dnsServiceIp", f"{ranges.dns_service_ip!r} is not an address", "an IPv4 address such as 10.0.0.10"
        )
        return
    if address not in services.network:
        notes.refuse("network.dnsServiceIp", f"{address} is not in the range of services, {services.network}")
    elif address == services.network[1]:
        notes.refuse(
            "network.dnsServiceIp", f"{address} is the address of the Kubernetes API itself", "another of the services"
        )
