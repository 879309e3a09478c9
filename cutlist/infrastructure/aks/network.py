"""The virtual network of an AKS cluster, made or adopted: the request, its mistakes, and the plan (spec: azure 1.6)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import nearest
from cutlist.infrastructure.addresses import Block, check_apart, prefixes_in_words, read_block
from cutlist.infrastructure.aks.names import AksFacts
from cutlist.infrastructure.aks.notes import AksNotes
from cutlist.infrastructure.aks.profile import OUTBOUND_TYPES
from cutlist.infrastructure.aks.ranges import SUBNET_PREFIXES
from cutlist.infrastructure.aks.resource_ids import NetworkId, read_network_id

DEFAULT_CIDR: Final = "10.224.0.0/16"
NODE_SUBNET: Final = "nodes"
_SUBNET_NAME: Final = re.compile(r"[0-9A-Za-z]([\w.-]{0,78}\w)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class OwnNetwork:
    """The request for a network that Cutlist makes: subnets by name, and whether nodes leave it through their own NAT gateway.

    Without `subnets`, the first quarter of the network is one subnet for all nodes; without `cidr`, the network is
    10.224.0.0/16, which does not overlap AKS's own ranges.
    """

    cidr: str = DEFAULT_CIDR
    subnets: Mapping[str, str] | None = None
    nat_gateway: bool = False
    peer_cidrs: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class AdoptedSubnet:
    """An existing subnet; missing facts are not checked."""

    cidr: str | None = None
    delegations: Sequence[str] = ()
    nat_gateway: bool | None = None
    route_table: bool | None = None


@dataclass(frozen=True, slots=True)
class AdoptedNetwork:
    """An existing network by its id, with the subnets that nodes use."""

    network_id: str
    subnets: Mapping[str, AdoptedSubnet]


@dataclass(frozen=True, slots=True)
class NetworkPlan:
    """A network that a cluster can use: its id, its subnets by name, and which of them the cluster's own nodes use.

    `block` is None for one that is adopted. Subnets whose addresses are unknown have no block.
    """

    network: NetworkId
    subnets: Mapping[str, Block | None]
    node_subnet: str
    block: Block | None = None
    nat_gateway: bool = False

    @property
    def subnet_ids(self) -> dict[str, str]:
        """Return the ids of the subnets by name, which are known before they exist."""
        return {name: self.network.subnet_id(name) for name in self.subnets}

    @property
    def blocks(self) -> list[Block]:
        """Return every known block: that of the network, or else those of the subnets."""
        return [self.block] if self.block else [block for block in self.subnets.values() if block]

    @property
    def outbound_types(self) -> tuple[str, ...]:
        """Return the outbound types of a network that Cutlist makes, the usual one first: it has no routes for others."""
        return ("userAssignedNATGateway",) if self.nat_gateway else ("loadBalancer", "none")


def plan_network(options: OwnNetwork, facts: AksFacts, node_subnet: str, notes: AksNotes) -> NetworkPlan | None:
    """Return the plan of the requested network, or None with every mistake reported."""
    before = len(notes.problems.found)
    block = _read(options.cidr, "own.cidr", "the network", notes)
    for n, peer in enumerate(options.peer_cidrs):
        check_apart(block, [read_block(peer, notes.at(f"own.peerCidrs[{n}]").path, "the peer", notes.problems)], notes.problems)
    subnets: dict[str, Block | None] = {}
    wanted = _first_quarter(block) if options.subnets is None else options.subnets
    for name, cidr in wanted.items():
        path = f"own.subnets.{name}"
        _check_name(name, path, notes)
        subnet = _read(cidr, path, f"subnet {name}", notes)
        if block and subnet and not subnet.network.subnet_of(block.network):
            message = f"subnet {name}, {subnet.network}, is not inside the network, {block.network}"
            notes.refuse(path, message, f"a block inside {block.network}, or an own.cidr that holds it")
        _check_apart_from_all(subnet, subnets, notes)
        subnets[name] = subnet
    _check_node_subnet(node_subnet, wanted, notes)
    if len(notes.problems.found) > before:
        return None
    network = NetworkId(facts.subscription, facts.resource_group, facts.network)
    return NetworkPlan(network, subnets, node_subnet, block, options.nat_gateway)


def plan_adopted(adopted: AdoptedNetwork, node_subnet: str, outbound_type: str, notes: AksNotes) -> NetworkPlan | None:
    """Return the plan of an existing network, or None with every reason reported for which it is not suitable."""
    before = len(notes.problems.found)
    notes.one_of("adopted.outboundType", outbound_type, OUTBOUND_TYPES)
    network = read_network_id(adopted.network_id, notes.at("adopted.networkId").path, notes.problems)
    subnets: dict[str, Block | None] = {}
    for name, subnet in adopted.subnets.items():
        path = f"adopted.subnets.{name}"
        block = _read(subnet.cidr, f"{path}.cidr", f"subnet {name}", notes) if subnet.cidr else None
        _check_apart_from_all(block, subnets, notes)
        subnets[name] = block
        if subnet.delegations:
            message = f"subnet {name} is given over to {', '.join(subnet.delegations)}"
            notes.refuse(f"{path}.delegations", message, "a subnet without delegations, because AKS puts nodes into no other")
        _check_outbound_type(name, subnet, outbound_type, notes)
    _check_node_subnet(node_subnet, adopted.subnets, notes)
    if network is None or len(notes.problems.found) > before:
        return None
    return NetworkPlan(network, subnets, node_subnet)


def _first_quarter(block: Block | None) -> dict[str, str]:
    """Return a single subnet that leaves room for later ones."""
    if block is None:
        return {NODE_SUBNET: DEFAULT_CIDR}  # the network is refused already; its subnet would only repeat that
    longer = min(block.network.prefixlen + 2, SUBNET_PREFIXES[-1])
    return {NODE_SUBNET: str(next(block.network.subnets(new_prefix=longer)))}


def _check_outbound_type(name: str, subnet: AdoptedSubnet, outbound_type: str, notes: AksNotes) -> None:
    """Report an outbound type whose gateway or route must exist already but does not."""
    ways = {
        "userAssignedNATGateway": ("natGateway", subnet.nat_gateway),
        "userDefinedRouting": ("routeTable", subnet.route_table),
    }
    key, resource = ways.get(outbound_type, ("", None))
    if resource is False:
        notes.refuse(f"adopted.subnets.{name}.{key}", f"subnet {name} has none, as {outbound_type} needs it", "true")


def _check_node_subnet(name: str, subnets: Mapping[str, object], notes: AksNotes) -> None:
    if name not in subnets:
        message = f"no subnet {name!r} for the cluster's own nodes"
        notes.refuse("nodeSubnet", message, ", ".join(subnets) or "the name of a subnet", nearest(name, subnets))


def _check_name(name: str, path: str, notes: AksNotes) -> None:
    if not _SUBNET_NAME.fullmatch(name):
        allowed = "at most 80 letters, digits, - _ and ., beginning with a letter or digit"
        notes.refuse(path, f"subnet name {name!r}", allowed)


def _check_apart_from_all(block: Block | None, others: Mapping[str, Block | None], notes: AksNotes) -> None:
    for other in others.values():
        check_apart(other, [block], notes.problems)


def _read(text: str, path: str, what: str, notes: AksNotes) -> Block | None:
    block = read_block(text, notes.at(path).path, what, notes.problems)
    if block is not None and block.network.prefixlen not in SUBNET_PREFIXES:
        notes.refuse(path, f"{what} is a /{block.network.prefixlen}", prefixes_in_words(SUBNET_PREFIXES))
        return None
    return block
