"""Whether the nodes and pods of a plan fit the subnets: a verdict for each of them, and warnings (AD-1 to AD-9)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import IPv4Network
from typing import Final

from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.read import NodeClass
from cutlist.catalog.machines import Machine
from cutlist.catalog.regions import is_azure
from cutlist.core.notes import Note
from cutlist.core.quantity import NANO
from cutlist.core.wording import counted
from cutlist.infrastructure.addresses import usable
from cutlist.planning.address_figures import AddressFigures, KnownSubnet
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import PlannedNode
from cutlist.planning.model.addresses import SubnetUse
from cutlist.planning.pool_types import node_classes_by_pool
from cutlist.providers.aws.capacity import interface_pods
from cutlist.providers.aws.profile import NodeProfile
from cutlist.providers.instance_types import PODS
from cutlist.providers.node_addresses import (
    CUSTOM_PREFIX,
    NODE_SUBNET,
    OVERLAY,
    PREFIX,
    SECONDARY,
    NodeAddresses,
    aws_addresses,
    azure_addresses,
)

_DAYS_PER_MONTH: Final = 365.25 / 12
_MOST_MONTHS: Final = 1200
"""A hundred years: beyond, a subnet counts as never full."""


def subnet_uses(inputs: PlanInputs, nodes: Sequence[PlannedNode]) -> tuple[SubnetUse, ...]:
    """Return what the nodes of a plan take of each known subnet; empty where no subnet is known.

    Nodes that may be in several zones are spread over those with a subnet, and each takes the subnet of its zone with the most
    free addresses (A-58).
    """
    figures = inputs.figures.addresses
    if not figures.subnets:
        return ()
    rooms = [_Room(subnet, usable(IPv4Network(subnet.cidr).prefixlen)) for subnet in figures.subnets]
    of_nodes, of_pods = [r for r in rooms if not r.subnet.is_for_pods], [r for r in rooms if r.subnet.is_for_pods]
    by_pool = _rooms_by_pool(inputs, of_nodes)
    mode, turn = addresses_mode(inputs), 0
    for node in nodes:
        own = by_pool.get(node.node_pool, of_nodes)
        zones = sorted(set(node.zones) & {r.subnet.zone for r in own}) or list(node.zones) or [""]
        needs = _needs(inputs, node, mode)
        left = node.count
        while left:
            in_turn = [zones[(turn + number) % len(zones)] for number in range(min(left, len(zones)))]
            taken = sum(_take_for(needs, own, of_pods, zone) for zone in in_turn)
            # Where a whole turn finds no address, none is left, and all further turns do the same.
            rounds = 1 if taken else left // len(in_turn)
            for zone in in_turn if rounds > 1 else ():
                _take_for(needs, own, of_pods, zone, rounds - 1)
            turn += rounds * len(in_turn)
            left -= rounds * len(in_turn)
    return tuple(room.use(figures) for room in rooms)


def _rooms_by_pool(inputs: PlanInputs, rooms: Sequence[_Room]) -> dict[str, list[_Room]]:
    """Return the subnets of each NodePool whose node class found some of them; nodes of others may be in any."""
    found: dict[str, list[_Room]] = {}
    for pool, node_class in node_classes_by_pool(inputs.node_pools, inputs.node_classes).items():
        if isinstance(node_class, EC2NodeClass | AutoNodeClass):
            ids = {subnet.id for subnet in node_class.status.subnets}
            own = [room for room in rooms if room.subnet.name in ids]
            if own:
                found[pool] = own
    return found


@dataclass(slots=True)
class _Room:
    """A subnet while nodes take its addresses; `missing` are those that did not fit."""

    subnet: KnownSubnet
    addresses: int
    needed: int = 0
    nodes: int = 0
    missing: int = 0

    @property
    def free(self) -> int:
        """Return how many addresses are left."""
        return self.addresses - self.subnet.used - self.needed

    def use(self, figures: AddressFigures) -> SubnetUse:
        """Return what the plan takes of it, and when it is full."""
        taken = self.subnet.used + self.needed
        months = _months_until_full(taken, self.addresses, figures.growth) if not self.missing else 0.0
        since = figures.as_of
        day = None if months is None or since is None else since + timedelta(days=months * _DAYS_PER_MONTH)
        return SubnetUse(
            self.subnet.name,
            self.subnet.zone,
            self.subnet.cidr,
            self.addresses,
            self.subnet.used,
            self.needed,
            self.nodes,
            self.missing,
            self.subnet.is_for_pods,
            None if months is None else round(months, 1),
            "" if day is None else day.isoformat(),
        )


def _months_until_full(taken: int, addresses: int, growth: float) -> float | None:
    """Return after how many months of growth as many addresses are taken as there are, None if never."""
    if not growth or not taken:
        return None
    if taken >= addresses:
        return 0.0
    months = math.log(addresses / taken) / math.log(1 + growth)
    return months if months <= _MOST_MONTHS else None


def _take_for(needs: NodeAddresses, own: Sequence[_Room], of_pods: Sequence[_Room], zone: str, nodes: int = 1) -> int:
    """Take the addresses of a node in a zone, or of several where none is left; return how many there were."""
    taken = _take(own, zone, needs.node_subnet, nodes, is_node=True)
    return taken + (_take(of_pods, zone, needs.pod_subnet, nodes, is_node=False) if needs.pod_subnet else 0)


def _take(rooms: Sequence[_Room], zone: str, addresses: int, nodes: int, *, is_node: bool) -> int:
    """Take addresses of the subnet of a zone with the most free ones, and return how many; what is missing is noted there."""
    of_zone = [r for r in rooms if r.subnet.zone in ("", zone)]
    if not of_zone:
        return 0
    room = max(of_zone, key=lambda r: r.free)
    fitting = min(addresses, max(room.free, 0))
    room.needed += fitting
    room.missing += addresses * nodes - fitting
    room.nodes += nodes if is_node else 0
    return fitting


def addresses_mode(inputs: PlanInputs) -> str:
    """Return how pods get addresses: as Figures say, else as the cluster's settings do, else the usual way of the cloud."""
    figures = inputs.figures
    if figures.addresses.cni:
        return figures.addresses.cni
    if is_azure(inputs.catalog):
        return OVERLAY if figures.aks.settings.network_plugin_mode == "overlay" else NODE_SUBNET
    return SECONDARY


def _needs(inputs: PlanInputs, node: PlannedNode, mode: str) -> NodeAddresses:
    machine = inputs.catalog.machines.get(node.instance_type)
    if not isinstance(machine, Machine):
        return azure_addresses(node.allocatable.get(PODS, 0) // NANO, mode)
    return aws_addresses(machine, node.requests.get(PODS, 0) // NANO, mode, inputs.figures.addresses.warm)


def address_notes(inputs: PlanInputs, nodes: Sequence[PlannedNode], uses: Sequence[SubnetUse]) -> list[Note]:
    """Return warnings: subnets that are too small, and nodes that accept more pods than they have addresses for."""
    notes = [
        Note("addresses", f"subnet {use.name} has {counted(use.missing, 'address', 'addresses')} too few for this plan")
        for use in uses
        if use.missing
    ]
    classes = node_classes_by_pool(inputs.node_pools, inputs.node_classes)
    return [*notes, *_pods_beyond_addresses(inputs, nodes, classes)]


def _pods_beyond_addresses(
    inputs: PlanInputs, nodes: Sequence[PlannedNode], classes: Mapping[str, NodeClass]
) -> Iterator[Note]:
    """Yield the node classes whose `maxPods` is more than a node's interfaces have addresses for (AD-8)."""
    if is_azure(inputs.catalog) or addresses_mode(inputs) in (PREFIX, CUSTOM_PREFIX, OVERLAY):
        return
    beyond: dict[tuple[str, int], dict[str, int]] = {}
    for node in nodes:
        node_class = classes.get(node.node_pool)
        machine = inputs.catalog.machines.get(node.instance_type)
        if not isinstance(node_class, EC2NodeClass) or not isinstance(machine, Machine):
            continue
        profile = NodeProfile.of(node_class, inputs.figures.settings)
        addresses = interface_pods(machine, profile, profile.reserved_enis)
        if profile.max_pods is not None and not profile.family.is_windows and profile.max_pods > addresses:
            beyond.setdefault((node_class.name, profile.max_pods), {})[node.instance_type] = addresses
    for (name, most), by_type in sorted(beyond.items(), key=lambda entry: entry[0]):
        types = ", ".join(f"{t} {n}" for t, n in sorted(by_type.items()))
        text = f"EC2NodeClass {name} has maxPods {most}, and its nodes have addresses for fewer pods: {types}"
        fix = "pods beyond that do not start; let the CNI delegate prefixes and say so (`addresses.cni: prefix` of Figures)"
        yield Note("max-pods-addresses", f"{text}; {fix}, or lower maxPods")
