"""Inputs of a Network, as programs write them and as the checks read them."""

# No `from __future__ import annotations`: the component host reads the annotations of this module as types.
from typing import Any, NotRequired, TypedDict

import pulumi

from cutlist.infrastructure.adopted import AdoptedNetwork, AdoptedSubnet
from cutlist.infrastructure.network import DEFAULT_CIDR, Nat, OwnNetwork
from cutlist.infrastructure.subnets import FREE_ADDRESSES, Sizes
from pulumi_cutlist.inputs.late import as_planned
from pulumi_cutlist.inputs.lists import ListOf, MapOf


class OwnNetworkArgs(TypedDict):
    """A new VPC."""

    cidr: NotRequired[str]
    """Address block of the VPC. Defaults to 10.0.0.0/16."""
    zones: NotRequired[list[str]]
    """Availability zones, at least two. Defaults to the first three of the region. Adding one moves no other subnet."""
    nat: NotRequired[str]
    """How nodes reach the internet: single (one NAT gateway, the default), per-zone, or none."""
    private_prefix: NotRequired[int]
    """Prefix length of the subnets of nodes. Defaults to 19, room for 8,187 pods and nodes a zone."""
    public_prefix: NotRequired[int]
    """Prefix length of the subnets of load balancers and NAT gateways. Defaults to 24."""
    control_plane_prefix: NotRequired[int]
    """Prefix length of the subnets of the control plane's interfaces. Defaults to 28."""
    endpoints: NotRequired[list[str]]
    """Endpoints of services of AWS by their short names, such as ecr.api or secretsmanager, and of any others by their full
    names. Defaults to what a private cluster needs when nat is `none`, and otherwise to no interface endpoints. The gateway
    endpoint of S3 is always created; dynamodb is a gateway too."""
    peer_cidrs: NotRequired[list[str]]
    """Address blocks that the VPC has to reach, and so must not overlap."""


class AdoptedSubnetArgs(TypedDict):
    """An existing subnet. Cutlist does not check facts that you leave out."""

    id: pulumi.Input[str]
    """Its id."""
    zone: str
    """Its availability zone."""
    zone_id: NotRequired[str]
    """The id of that zone, which is the same in every account."""
    cidr: NotRequired[str]
    """Its address block."""
    free_addresses: NotRequired[int]
    """How many addresses it has left. Defaults to what its block holds."""
    maps_public_ips: NotRequired[bool]
    """Whether instances in it get a public address."""
    has_default_route: NotRequired[bool]
    """Whether its route table leads to the internet."""
    tags: NotRequired[dict[str, str]]
    """Its tags."""


class AdoptedNetworkArgs(TypedDict):
    """An existing VPC. Cutlist checks it and never changes it."""

    vpc_id: pulumi.Input[str]
    """Its id."""
    private_subnets: list[AdoptedSubnetArgs]
    """Subnets for nodes, in at least two zones."""
    control_plane_subnets: NotRequired[list[AdoptedSubnetArgs]]
    """Subnets for the interfaces of the control plane. Defaults to those for nodes."""
    public_subnets: NotRequired[list[AdoptedSubnetArgs]]
    """Subnets for load balancers. Defaults to none."""
    private_route_table_ids: NotRequired[ListOf[pulumi.Input[str]]]
    """Route tables of the subnets for nodes, passed on as an output."""
    endpoint_security_group_id: NotRequired[pulumi.Input[str]]
    """Security group of the VPC's interface endpoints, passed on as an output."""
    dns_support: NotRequired[bool]
    """Whether the VPC resolves DNS names."""
    dns_hostnames: NotRequired[bool]
    """Whether the VPC gives its instances DNS names."""
    endpoints: NotRequired[list[str]]
    """Endpoints that the VPC has, by their short or full names, such as ecr.api. Required if nodes have no default route."""
    allow_public_ips: NotRequired[bool]
    """Whether nodes may have public addresses. Defaults to no."""
    free_addresses_at_least: NotRequired[int]
    """How many addresses a subnet for nodes must have left. Defaults to 64."""


class NetworkArgs(TypedDict):
    """Inputs of Network: exactly one of own and adopted."""

    cluster_name: str
    """Name of the cluster whose nodes live in it."""
    region: str
    """Region of the VPC."""
    own: NotRequired[OwnNetworkArgs]
    """A new VPC."""
    adopted: NotRequired[AdoptedNetworkArgs]
    """An existing VPC."""
    discovery: NotRequired[str]
    """How Karpenter finds the subnets: tag (the default), shared-tag for subnets that clusters share, id. New subnets get their
    tags when they are created; adopted ones get them from Discovery."""
    shared_with: NotRequired[list[str]]
    """Names of other clusters whose nodes live in the same subnets. Defaults to none."""
    service_cidr: NotRequired[str]
    """Address range of the cluster's services, which no subnet may overlap."""
    tags: NotRequired[MapOf[str, pulumi.Input[str]]]
    """Tags for everything that it creates."""


def named_zones(args: NetworkArgs) -> list[str]:
    """Return the zones that the inputs name: those of a new VPC, or of the subnets of an existing one."""
    if "own" in args:
        return list(args["own"].get("zones") or [])
    kinds = ("private_subnets", "control_plane_subnets", "public_subnets")
    subnets = (subnet for kind in kinds for subnet in args.get("adopted", {}).get(kind) or [])  # type: ignore[attr-defined]
    return [subnet["zone"] for subnet in subnets]


def own_network(args: NetworkArgs) -> OwnNetwork:
    """Return the inputs of a new VPC."""
    own = args["own"]
    sizes = {key: own[f"{key}_prefix"] for key in ("private", "public", "control_plane") if f"{key}_prefix" in own}  # type: ignore[literal-required]
    return OwnNetwork(
        args["region"],
        own.get("cidr", DEFAULT_CIDR),
        _texts(own.get("zones")),
        own.get("nat", Nat.SINGLE),
        Sizes(**sizes),
        _texts(own.get("endpoints")),
        args.get("service_cidr"),
        tuple(own.get("peer_cidrs", ())),
    )


def adopted_network(args: AdoptedNetworkArgs) -> AdoptedNetwork:
    """Return the facts given about an existing VPC."""
    return AdoptedNetwork(
        as_planned(args["vpc_id"]),
        _subnets(args["private_subnets"]),
        _subnets(args.get("control_plane_subnets")),
        _subnets(args.get("public_subnets")),
        args.get("dns_support"),
        args.get("dns_hostnames"),
        tuple(args.get("endpoints") or ()),
        args.get("allow_public_ips", False),
        args.get("free_addresses_at_least", FREE_ADDRESSES),
    )


def _texts(args: list[str] | None) -> tuple[str, ...] | None:
    return None if args is None else tuple(args)


def _subnets(args: list[AdoptedSubnetArgs] | None) -> tuple[AdoptedSubnet, ...]:
    return tuple(AdoptedSubnet(**_plain(subnet)) for subnet in args or ())


def _plain(subnet: AdoptedSubnetArgs) -> dict[str, Any]:
    return {**subnet, "id": as_planned(subnet["id"])}
