"""An existing VPC: the given facts, and whether it is suitable (spec: aws-infrastructure 1.8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure import endpoints as of_aws
from cutlist.infrastructure.addresses import Block, check_apart, check_subnet_size, read_block, usable
from cutlist.infrastructure.discovery import DiscoveryStyle, Selection, check_foreign, check_id, check_ids
from cutlist.infrastructure.network import read_services
from cutlist.infrastructure.subnets import FREE_ADDRESSES, check_subnet_zones, check_zone

_SERVICES: Final = Place(path="serviceCidr")
CONTROL_PLANE_ADDRESSES: Final = 6
"""Free addresses that EKS needs in each subnet of a control plane."""


@dataclass(frozen=True, slots=True)
class AdoptedSubnet:
    """A subnet by its id and zone. Missing facts are None or empty, and are not checked."""

    id: str
    zone: str
    zone_id: str = ""
    cidr: str | None = None
    free_addresses: int | None = None
    maps_public_ips: bool | None = None
    has_default_route: bool | None = None
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def free(self) -> int | None:
        """Return how many addresses are free, or None if unknown."""
        if self.free_addresses is not None or self.cidr is None or "/" not in self.cidr:
            return self.free_addresses
        prefix = self.cidr.rpartition("/")[2]
        return usable(int(prefix)) if prefix.isdecimal() and int(prefix) <= 32 else None


@dataclass(frozen=True, slots=True)
class AdoptedNetwork:
    """A VPC and its subnets. Without subnets for the control plane, it uses those of nodes.

    `endpoints` are the names of the endpoints that the VPC has. Facts that are None are unknown and not checked.
    """

    vpc_id: str
    private: tuple[AdoptedSubnet, ...]
    control_plane: tuple[AdoptedSubnet, ...] = ()
    public: tuple[AdoptedSubnet, ...] = ()
    dns_support: bool | None = None
    dns_hostnames: bool | None = None
    endpoints: tuple[str, ...] = ()
    allow_public_ips: bool = False
    free_addresses_at_least: int = FREE_ADDRESSES


@dataclass(frozen=True, slots=True)
class AdoptingCluster:
    """The facts against which an adopted VPC is checked: the new cluster, the clusters already in it, and the region.
    `zone_ids` are the ids of the region's zones by name; empty if unknown. Names differ between accounts, ids do not.
    """

    cluster: str
    region: str
    style: DiscoveryStyle
    shared_with: tuple[str, ...] = ()
    zone_ids: Mapping[str, str] = field(default_factory=dict)
    service_cidr: str | None = None


def check_adopted(
    network: AdoptedNetwork,
    adopting: AdoptingCluster,
    problems: Problems,
    path: str = "adopted",
    services: Place = _SERVICES,
) -> None:
    """Add a problem for everything that makes a VPC unsuitable, each under its path."""
    check_id(network.vpc_id, "vpc", f"{path}.vpcId", problems)
    for key, value in (("dnsSupport", network.dns_support), ("dnsHostnames", network.dns_hostnames)):
        if value is False:
            problems.add(Place(path=f"{path}.{key}"), f"{key} of {network.vpc_id} is off", "on: nodes find the cluster by name")
    of_aws.check_names(network.endpoints, f"{path}.endpoints", problems, adopting.region)
    if any(subnet.has_default_route is False for subnet in network.private):
        names = [of_aws.endpoint_of(name, adopting.region).name for name in network.endpoints]
        of_aws.check_complete(names, f"{path}.endpoints", problems)
    # Each subnet is checked once: a tag for nodes on a subnet of the control plane would also select it for nodes.
    placed = [pair for of_kind, subnets in _lists(network, path) for pair in _placed(subnets, of_kind)]
    check_ids(((f"{place.path}.id", subnet.id) for place, subnet in placed), "subnet", problems)
    _check_zones(network, adopting, path, problems)
    _check_blocks(network, read_services(adopting.service_cidr, services, problems), path, problems)
    for place, subnet in _placed(network.private, f"{path}.privateSubnets"):
        _check_for_nodes(network, subnet, place, problems)
        check_foreign(subnet.tags, adopting.cluster, adopting.shared_with, adopting.style, place.member("tags"), problems)
    for place, subnet in _placed(network.control_plane, f"{path}.controlPlaneSubnets"):
        _check_free(subnet, CONTROL_PLANE_ADDRESSES, "the control plane", place, problems)
        _check_not_for_nodes(subnet, adopting, place, problems)
    for place, subnet in _placed(network.public, f"{path}.publicSubnets"):
        _check_not_for_nodes(subnet, adopting, place, problems)


def _lists(network: AdoptedNetwork, path: str) -> tuple[tuple[str, tuple[AdoptedSubnet, ...]], ...]:
    return (
        (f"{path}.privateSubnets", network.private),
        (f"{path}.controlPlaneSubnets", network.control_plane),
        (f"{path}.publicSubnets", network.public),
    )


def _placed(subnets: Sequence[AdoptedSubnet], path: str) -> Iterator[tuple[Place, AdoptedSubnet]]:
    return ((Place(path=f"{path}[{index}]"), subnet) for index, subnet in enumerate(subnets))


def _check_zones(network: AdoptedNetwork, adopting: AdoptingCluster, path: str, problems: Problems) -> None:
    known = sorted(adopting.zone_ids)
    ids = sorted(id_ for id_ in adopting.zone_ids.values() if id_)
    for of_kind, subnets in _lists(network, path):
        for place, subnet in _placed(subnets, of_kind):
            check_zone(subnet.zone, adopting.region, known, place.member("zone"), problems)
            if subnet.zone_id and ids and subnet.zone_id not in ids:
                message = f"zone id {subnet.zone_id!r} is not in {adopting.region}"
                problems.add(place.member("zoneId"), message, ", ".join(ids))
    for of_kind, subnets in _lists(network, path):
        if subnets or of_kind.endswith("privateSubnets"):
            check_subnet_zones([subnet.zone for subnet in subnets], None, Place(path=of_kind), problems)


def _check_blocks(network: AdoptedNetwork, services: Block | None, path: str, problems: Problems) -> None:
    """Add problems for blocks that AWS does not accept, or that overlap each other or the services."""
    before: list[Block | None] = [services]
    for of_kind, subnets in _lists(network, path):
        for place, subnet in _placed(subnets, of_kind):
            if subnet.cidr is None:
                continue
            block = read_block(subnet.cidr, f"{place.path}.cidr", f"subnet {subnet.id}", problems)
            if block is not None and check_subnet_size(block, problems):
                for other in before:
                    check_apart(other, [block], problems)
                before.append(block)


def _check_for_nodes(network: AdoptedNetwork, subnet: AdoptedSubnet, place: Place, problems: Problems) -> None:
    if subnet.maps_public_ips and not network.allow_public_ips:
        message = f"subnet {subnet.id} gives every node a public address"
        problems.add(place.member("mapsPublicIps"), message, "another subnet, or allowPublicIps")
    _check_free(subnet, network.free_addresses_at_least, "nodes and their pods", place, problems)


def _check_not_for_nodes(subnet: AdoptedSubnet, adopting: AdoptingCluster, place: Place, problems: Problems) -> None:
    """Add problems for tags by which Karpenter would select a subnet for nodes."""
    for key, value in Selection(adopting.cluster, adopting.style).tags.items():
        if subnet.tags.get(key) == value:
            problems.add(place.member("tags"), f"subnet {subnet.id} is not for nodes, but tagged {key}: {value}")


def _check_free(subnet: AdoptedSubnet, at_least: int, what: str, place: Place, problems: Problems) -> None:
    if subnet.free is not None and subnet.free < at_least:
        problems.add(place, f"subnet {subnet.id} has {subnet.free} free addresses for {what}", f"at least {at_least}")
