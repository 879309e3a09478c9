"""A VPC that Cutlist makes: the request, the mistakes in it, and the plan (spec: aws-infrastructure 1.7, 1.9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from ipaddress import IPv4Network
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.infrastructure import endpoints as of_aws
from cutlist.infrastructure.addresses import Block, check_apart, check_subnet_size, read_block
from cutlist.infrastructure.endpoints import Endpoint
from cutlist.infrastructure.inputs import chosen
from cutlist.infrastructure.subnets import ZONES_WANTED, Sizes, ZoneSubnets, check_subnet_zones, check_zone, cut, repairs

_SERVICES: Final = Place(path="serviceCidr")
DEFAULT_CIDR: Final = "10.0.0.0/16"


class Nat(StrEnum):
    """How nodes reach the internet: through one gateway for all zones, one in each, or not at all."""

    SINGLE = "single"
    PER_ZONE = "per-zone"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class OwnNetwork:
    """The request for a VPC, as it is written.

    Without `zones`, the first three of the region are used. Without `endpoints`, a VPC without internet access gets those that
    a private cluster needs, any other none; the gateway to S3 is always created.
    """

    region: str
    cidr: str = DEFAULT_CIDR
    zones: tuple[str, ...] | None = None
    nat: str = Nat.SINGLE
    sizes: Sizes = field(default_factory=Sizes)
    endpoints: tuple[str, ...] | None = None
    service_cidr: str | None = None
    peer_cidrs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NetworkPlan:
    """The plan of a VPC: zones in the order of their names, how they reach the internet, and the endpoints besides the gateway
    to S3."""

    block: IPv4Network
    zones: tuple[ZoneSubnets, ...]
    nat: Nat
    endpoints: tuple[Endpoint, ...]

    @property
    def public(self) -> tuple[ZoneSubnets, ...]:
        """Return the zones with a public subnet: none without internet access."""
        return () if self.nat is Nat.NONE else self.zones

    @property
    def nat_zones(self) -> tuple[str, ...]:
        """Return the zones with a NAT gateway."""
        return tuple(zone.zone for zone in (self.public if self.nat is Nat.PER_ZONE else self.public[:1]))

    def nat_zone_of(self, zone: str) -> str | None:
        """Return the zone whose NAT gateway a zone's nodes use, or None without one."""
        return zone if zone in self.nat_zones else next(iter(self.nat_zones), None)


def plan_network(
    options: OwnNetwork,
    known_zones: Sequence[str],
    problems: Problems,
    path: str = "own",
    services: Place = _SERVICES,
) -> NetworkPlan | None:
    """Return the plan of the requested VPC, or None with every mistake added to `problems`, each under its path.

    `known_zones` are the names of the region's zones, empty if unknown.
    """
    mistakes = Problems()
    zones = _zones(options, known_zones, f"{path}.zones", mistakes)
    nat = chosen(options.nat, Nat.SINGLE, Place(path=f"{path}.nat"), mistakes)
    endpoints = _endpoints(options, nat, f"{path}.endpoints", mistakes)
    block = _block(options, path, services, mistakes)
    subnets = None
    if options.sizes.check(path, mistakes) and block is not None and zones:
        subnets = cut(block.network, zones, options.sizes)
        if subnets is None:
            choices = " or ".join(repairs(block.network, zones, options.sizes))
            wanted = f"private subnets of /{options.sizes.private} up to zone {zones[-1]}"
            mistakes.add(block.place, f"{block.network} has no room for {wanted}", choices or "fewer zones")
    problems.extend(mistakes.found)
    if mistakes or block is None or subnets is None:
        return None
    return NetworkPlan(block.network, subnets, nat, endpoints)


def _zones(options: OwnNetwork, known: Sequence[str], path: str, problems: Problems) -> tuple[str, ...]:
    """Return the zones in the order of their names, or none when one of them is not in the region."""
    if options.zones is None:
        if not known:
            problems.add(Place(path=path), f"the zones of {options.region} are not known", "the names of its zones")
        return tuple(sorted(known)[:ZONES_WANTED])
    right = True
    for index, zone in enumerate(options.zones):
        place = Place(path=f"{path}[{index}]")
        right &= check_zone(zone, options.region, known, place, problems)
        if zone in options.zones[:index]:
            problems.add(place, f"zone {zone!r} appears twice")
    check_subnet_zones(options.zones, None, Place(path=path), problems)
    return tuple(sorted(set(options.zones))) if right else ()


def _endpoints(options: OwnNetwork, nat: Nat, path: str, problems: Problems) -> tuple[Endpoint, ...]:
    """Return the endpoints to create besides the gateway to S3, which is always created, listed or not: those that a private
    cluster may need first."""
    names = options.endpoints
    if names is None:
        names = tuple(e.name for e in of_aws.REQUIRED) if nat is Nat.NONE else ()
    of_aws.check_names(names, path, problems, options.region)
    listed = {e.name: e for e in (of_aws.endpoint_of(name, options.region) for name in names) if e.name != of_aws.GATEWAY}
    if nat is Nat.NONE:
        of_aws.check_complete((*listed, of_aws.GATEWAY), path, problems)
    return (*(e for e in of_aws.ENDPOINTS if e.name in listed), *(e for e in listed.values() if e.name not in of_aws.BY_NAME))


def _block(options: OwnNetwork, path: str, services_place: Place, problems: Problems) -> Block | None:
    """Return the VPC's block, which must not overlap that of the services or the networks that the VPC has to reach."""
    block = read_block(options.cidr, f"{path}.cidr", "the VPC", problems)
    services = read_services(options.service_cidr, services_place, problems)
    peers = [
        read_block(peer, f"{path}.peerCidrs[{index}]", "the peer", problems) for index, peer in enumerate(options.peer_cidrs)
    ]
    check_apart(block, [services, *peers], problems)
    check_apart(services, peers, problems)
    return block if block is not None and check_subnet_size(block, problems) else None


def read_services(text: str | None, place: Place, problems: Problems) -> Block | None:
    """Return the block of the cluster's services, if one is given."""
    return None if text is None else read_block(text, place.path, "the range of services", problems)
