"""Whether node classes fit the network that their cluster lives in (spec: azure 1.6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from cutlist.api import AKSNodeClass
from cutlist.infrastructure.aks.network import NetworkPlan
from cutlist.infrastructure.aks.notes import Notes
from cutlist.infrastructure.aks.profile import NetworkProfile
from cutlist.infrastructure.aks.ranges import check_room
from cutlist.infrastructure.aks.subnet_ids import NetworkId, SubnetId, subnet_of

_FIELD = "spec.vnetSubnetID"


def check_classes(
    classes: Iterable[AKSNodeClass],
    network: NetworkPlan | None,
    profile: NetworkProfile,
    nodes: int | None,
    notes: Notes,
) -> None:
    """Note each class whose nodes could not be made in the cluster's network, None standing for one that AKS makes.

    With the number of `nodes` that there may be, a class whose subnet is too small for them is warned of.
    """
    for one in classes:
        place = one.source.at(_FIELD)
        if one.vnet_subnet_id is not None:
            subnet = subnet_of(one.vnet_subnet_id)
            if network is None:
                found = f"class {one.name} names a subnet, and the cluster is in a network that AKS makes"
                notes.problems.add(place, found, "no vnetSubnetID, or a cluster in a network of your own")
                continue
            if subnet is None:
                continue  # not the id of a subnet, which reading the class has told
            differing = _difference(subnet, network.network)
            if differing:
                allowed = f"a subnet of {network.network.text}; names are compared as they are written"
                notes.problems.add(place, f"class {one.name} names a subnet in {differing}", allowed)
                continue
            if subnet.name not in network.subnets:
                text = f"class {one.name} names subnet {subnet.name}, which is not one of those told"
                notes.warnings.add(place, text, ", ".join(network.subnets))
                continue
        if network is not None and nodes is not None:
            _check_class_room(one, network, profile, nodes, notes)


def _check_class_room(one: AKSNodeClass, network: NetworkPlan, profile: NetworkProfile, nodes: int, notes: Notes) -> None:
    subnet = subnet_of(one.vnet_subnet_id) if one.vnet_subnet_id else None
    name = subnet.name if subnet else network.node_subnet
    block = network.subnets.get(name)
    if block is not None:
        of_class = replace(block, place=one.source.at("spec.maxPods"), what=f"{block.what} of class {one.name}")
        check_room(of_class, nodes, one.max_pods or profile.pods_per_node, profile, notes)


def _difference(subnet: SubnetId, network: NetworkId) -> str:
    """In what a subnet's network differs from another, in words; empty when it does not."""
    pairs = (
        ("subscription", subnet.network.subscription, network.subscription),
        ("resource group", subnet.network.group, network.group),
        ("network", subnet.network.name, network.name),
    )
    return " and ".join(f"{what} {found}" for what, found, right in pairs if found != right)
