"""Inputs of an AksNetwork, as programs write them and as the checks read them."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from typing import NotRequired, TypedDict

import pulumi

from cutlist.infrastructure.aks.names import AksFacts
from cutlist.infrastructure.aks.network import (
    DEFAULT_CIDR,
    NODE_SUBNET,
    AdoptedNetwork,
    AdoptedSubnet,
    NetworkPlan,
    OwnNetwork,
    plan_adopted,
    plan_network,
)
from cutlist.infrastructure.aks.notes import AksNotes
from pulumi_cutlist.azure.names_args import AksClusterNames
from pulumi_cutlist.inputs.late import as_planned
from pulumi_cutlist.inputs.lists import MapOf


class AksOwnNetworkArgs(TypedDict):
    """A new virtual network."""

    cidr: NotRequired[str]
    """Its address block. Defaults to 10.224.0.0/16, which overlaps none of the ranges that AKS takes by default."""
    subnets: NotRequired[dict[str, str]]
    """Address blocks of its subnets by name, such as one for each kind of nodes. Defaults to nodes, with the first quarter of
    the network."""
    nat_gateway: NotRequired[bool]
    """Whether nodes leave it through its own NAT gateway; the cluster then needs it as its outboundType. Defaults to no: they
    leave through the cluster's load balancer."""
    peer_cidrs: NotRequired[list[str]]
    """Address blocks that the network has to reach, and so must not overlap."""


class AksAdoptedSubnetArgs(TypedDict):
    """An existing subnet. Cutlist does not check facts that you leave out."""

    cidr: NotRequired[str]
    """Its address block."""
    delegations: NotRequired[list[str]]
    """Services that it is delegated to, such as Microsoft.Web/serverFarms. AKS puts no nodes into such a subnet."""
    nat_gateway: NotRequired[bool]
    """Whether it has a NAT gateway."""
    route_table: NotRequired[bool]
    """Whether it has a route table."""


class AksAdoptedNetworkArgs(TypedDict):
    """An existing virtual network. Cutlist checks it and never changes it."""

    network_id: pulumi.Input[str]
    """Its id, /subscriptions/.../virtualNetworks/NAME."""
    subnets: dict[str, AksAdoptedSubnetArgs]
    """Those of its subnets that nodes use, by name."""
    outbound_type: NotRequired[str]
    """How nodes leave it. Defaults to loadBalancer."""


class AksNetworkArgs(TypedDict):
    """Inputs of AksNetwork: at most one of own and adopted, and without both a network of its own with one subnet."""

    cluster: AksClusterNames
    """The cluster whose nodes live in it."""
    own: NotRequired[AksOwnNetworkArgs]
    """A new virtual network."""
    adopted: NotRequired[AksAdoptedNetworkArgs]
    """An existing virtual network."""
    node_subnet: NotRequired[str]
    """Name of the subnet of the cluster's own nodes, and of every class that names none. Defaults to nodes."""
    tags: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Tags for everything that it creates."""


def read_network(args: AksNetworkArgs, facts: AksFacts, notes: AksNotes) -> NetworkPlan | None:
    """Return the network that the inputs describe, or None with every mistake noted."""
    node_subnet = args.get("node_subnet", NODE_SUBNET)
    if "own" in args and "adopted" in args:
        notes.refuse("own", "both own and adopted", "one of them")
        return None
    if "adopted" in args:
        adopted = args["adopted"]
        subnets = {name: AdoptedSubnet(**subnet) for name, subnet in adopted["subnets"].items()}
        outbound = adopted.get("outbound_type", "loadBalancer")
        return plan_adopted(AdoptedNetwork(as_planned(adopted["network_id"]), subnets), node_subnet, outbound, notes)
    own = args.get("own") or AksOwnNetworkArgs()
    wanted = OwnNetwork(
        cidr=own.get("cidr", DEFAULT_CIDR),
        subnets=own.get("subnets"),
        nat_gateway=own.get("nat_gateway", False),
        peer_cidrs=own.get("peer_cidrs", ()),
    )
    return plan_network(wanted, facts, node_subnet, notes)
