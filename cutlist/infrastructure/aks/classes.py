"""Whether node classes fit the network of their cluster (spec: azure 1.6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.api.built_in import AKS_CLASSES, AKS_POOLS
from cutlist.api.nodepool import NodePool
from cutlist.api.read import Objects
from cutlist.core.errors import nearest
from cutlist.infrastructure.aks.network import NetworkPlan
from cutlist.infrastructure.aks.notes import AksNotes
from cutlist.infrastructure.aks.profile import NetworkProfile
from cutlist.infrastructure.aks.ranges import check_room
from cutlist.infrastructure.aks.resource_ids import NetworkId, SubnetId, subnet_of

_FIELD: Final = "spec.vnetSubnetID"


def check_classes(
    classes: Iterable[AKSNodeClass],
    network: NetworkPlan | None,
    profile: NetworkProfile,
    nodes: int | None,
    notes: AksNotes,
    subnets: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Report each class whose nodes could not be made in the cluster's network; None is a network that AKS makes. Given the
    largest number of `nodes`, a class whose subnet is too small for them gets a warning. `subnets` are the names of the subnets
    for classes that do not name one.
    """
    for node_class in classes:
        place = node_class.source.at(_FIELD)
        if node_class.vnet_subnet_id is not None:
            subnet = subnet_of(node_class.vnet_subnet_id)
            if network is None:
                message = f"class {node_class.name} names a subnet, and the cluster is in a network that AKS makes"
                notes.problems.add(place, message, "no vnetSubnetID, or a cluster in your own network")
                continue
            if subnet is None:
                continue  # not the id of a subnet, which was reported when the class was read
            differing = _difference(subnet, network.network)
            if differing:
                allowed = f"a subnet of {network.network.text}; names are compared as they are written"
                notes.problems.add(place, f"class {node_class.name} names a subnet in {differing}", allowed)
                continue
            if subnet.name not in network.subnets:
                text = f"class {node_class.name} names subnet {subnet.name}, which is not one of those given"
                notes.warnings.add(place, text, ", ".join(network.subnets))
                continue
        if network is not None and nodes is not None:
            _check_class_room(node_class, network, subnets.get(node_class.name), profile, nodes, notes)


def check_kinds(objects: Objects, notes: AksNotes) -> None:
    """Report node classes of other clouds, and NodePools that refer to them."""
    for node_class in objects.node_classes:
        message = f"{node_class.KIND} {node_class.name}, of which nodes of AKS are not made"
        notes.problems.add(node_class.source.at("kind"), message, AKSNodeClass.KIND)
    for pool in objects.node_pools:
        if pool.node_class_ref.kind != AKSNodeClass.KIND:
            place = pool.source.at("spec.template.spec.nodeClassRef.kind")
            notes.problems.add(place, f"NodePool {pool.name} refers to the kind {pool.node_class_ref.kind}", AKSNodeClass.KIND)


def check_names(pools: Iterable[NodePool], classes: Collection[AKSNodeClass], made_by_aks: bool, notes: AksNotes) -> None:
    """Report objects that AKS also makes, and references to classes that do not exist."""
    names = [api_object.name for api_object in classes]
    everything: list[NodePool | AKSNodeClass] = [*pools, *classes]
    for api_object in everything:
        if made_by_aks and api_object.name in (AKS_POOLS if isinstance(api_object, NodePool) else AKS_CLASSES):
            message = f"{api_object.KIND} {api_object.name} is AKS's own with defaultNodePools Auto"
            notes.problems.add(api_object.source.at("metadata.name"), message, "another name, or defaultNodePools None")
        if made_by_aks or not isinstance(api_object, NodePool) or api_object.node_class_ref.kind != AKSNodeClass.KIND:
            continue
        if api_object.node_class_ref.name in AKS_CLASSES and api_object.node_class_ref.name not in names:
            place = api_object.source.at("spec.template.spec.nodeClassRef.name")
            message = f"class {api_object.node_class_ref.name} is made by AKS with defaultNodePools Auto alone"
            notes.problems.add(place, message, ", ".join(names) or "a class among nodeClasses")


def placed(
    node_class: AKSNodeClass, subnets: Mapping[str, str], network: NetworkPlan | None, notes: AksNotes
) -> dict[str, Any]:
    """Return the manifest of a class with its subnet of the network; `subnets` are their names by class."""
    manifest = node_class.manifest()
    name = subnets.get(node_class.name)
    if name is None:
        return manifest
    path = f"classSubnets.{node_class.name}"
    known = network.subnet_ids if network else {}
    if name not in known:
        notes.refuse(path, f"no subnet {name!r}", ", ".join(known) or "your own network", nearest(name, known))
        return manifest
    if node_class.vnet_subnet_id not in (None, known[name]):
        notes.refuse(path, f"subnet {name}, and the class itself names {node_class.vnet_subnet_id}", "one of them")
    return {**manifest, "spec": {**manifest["spec"], "vnetSubnetID": known[name]}}


def _check_class_room(
    node_class: AKSNodeClass,
    network: NetworkPlan,
    assigned_subnet: str | None,
    profile: NetworkProfile,
    nodes: int,
    notes: AksNotes,
) -> None:
    subnet = subnet_of(node_class.vnet_subnet_id) if node_class.vnet_subnet_id else None
    name = subnet.name if subnet else assigned_subnet or network.node_subnet
    block = network.subnets.get(name)
    if block is not None:
        of_class = replace(block, place=node_class.source.at("spec.maxPods"), what=f"{block.what} of class {node_class.name}")
        check_room(of_class, nodes, node_class.max_pods or profile.pods_per_node, profile, notes)


def _difference(subnet: SubnetId, network: NetworkId) -> str:
    """Return in words how a subnet's network differs from another, or an empty string if it does not."""
    pairs = (
        ("subscription", subnet.network.subscription, network.subscription),
        ("resource group", subnet.network.group, network.group),
        ("network", subnet.network.name, network.name),
    )
    return " and ".join(f"{what} {value}" for what, value, right in pairs if value != right)
