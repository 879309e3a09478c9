"""The subnets of a VPC that Cutlist makes, cut out of its block (spec: aws-infrastructure 1.7). A zone's letter decides its
place in the block: private subnets from the start, the small ones from the end. So adding or removing a zone later does not
move another zone's subnets, and nothing that runs is replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from ipaddress import IPv4Network
from typing import Final

from cutlist.core.errors import Place, Problems, nearest
from cutlist.infrastructure.addresses import SUBNET_PREFIXES, prefixes_in_words, usable

FREE_ADDRESSES: Final = 64
"""The free addresses that a subnet of nodes must have, since each pod has its own address."""
PRIVATE_PREFIXES: Final = range(SUBNET_PREFIXES[0], max(p for p in SUBNET_PREFIXES if usable(p) >= FREE_ADDRESSES) + 1)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Prefix lengths of subnets: 19 is a subnet of 8,192 addresses."""

    private: int = 19
    public: int = 24
    control_plane: int = 28

    @property
    def edge(self) -> int:
        """Return the prefix length of a zone's part at the end of the block: double the size of the larger of its small
        subnets."""
        return min(self.public, self.control_plane) - 1

    def check(self, path: str, problems: Problems) -> bool:
        """Report impossible sizes, and return whether all are possible."""
        reason = f", and nodes with their pods need {FREE_ADDRESSES} addresses"
        sizes = (
            ("privatePrefix", self.private, PRIVATE_PREFIXES, reason if self.private > PRIVATE_PREFIXES[-1] else ""),
            ("publicPrefix", self.public, SUBNET_PREFIXES, ""),
            ("controlPlanePrefix", self.control_plane, SUBNET_PREFIXES, ""),
        )
        wrong = [size for size in sizes if size[1] not in size[2]]
        for key, prefix, allowed, why in wrong:
            problems.add(Place(path=f"{path}.{key}"), f"a subnet of /{prefix}{why}", prefixes_in_words(allowed))
        return not wrong


@dataclass(frozen=True, slots=True)
class ZoneSubnets:
    """The subnets of one zone: for nodes, for the interfaces of the control plane, and for load balancers and NAT."""

    zone: str
    private: IPv4Network
    control_plane: IPv4Network
    public: IPv4Network


def cut(block: IPv4Network, zones: Sequence[str], sizes: Sizes) -> tuple[ZoneSubnets, ...] | None:
    """Return the subnets of each zone, or None when the block is too small for them. The names of the zones must end in
    different letters."""
    subnets = []
    for zone in zones:
        number = ord(zone[-1]) - ord("a")
        private, edge = _nth(block, sizes.private, number), _nth_last(block, sizes.edge, number)
        if private is None or edge is None:
            return None
        lower, upper = edge.subnets()
        public, control_plane = _first(lower, sizes.public), _first(upper, sizes.control_plane)
        subnets.append(ZoneSubnets(zone, private, control_plane, public))
    end_of_private = max((zone.private.broadcast_address for zone in subnets), default=block.network_address)
    start_of_edge = min((zone.public.network_address for zone in subnets), default=block.broadcast_address)
    return tuple(subnets) if end_of_private < start_of_edge else None


def repairs(block: IPv4Network, zones: Sequence[str], sizes: Sizes) -> Iterator[str]:
    """Yield remedies for a block that is too small: the smallest block that is large enough, the largest private subnets that
    fit."""
    larger = range(block.prefixlen - 1, SUBNET_PREFIXES[0] - 1, -1)
    blocks = (p for p in larger if cut(block.supernet(new_prefix=p), zones, sizes) is not None)
    prefixes = (p for p in PRIVATE_PREFIXES if p > sizes.private and cut(block, zones, replace(sizes, private=p)) is not None)
    yield from (f"a block of /{prefix}" for prefix in [next(blocks, None)] if prefix is not None)
    yield from (f"private subnets of /{prefix}" for prefix in [next(prefixes, None)] if prefix is not None)


def _nth(block: IPv4Network, prefix: int, number: int) -> IPv4Network | None:
    """Return the subnet of a size at a position in a block, or None if the block has no such position."""
    if prefix < block.prefixlen or number >= 1 << (prefix - block.prefixlen):
        return None
    return IPv4Network((int(block.network_address) + (number << (32 - prefix)), prefix))


def _nth_last(block: IPv4Network, prefix: int, number: int) -> IPv4Network | None:
    """Return the subnet of a size at a position counted from the block's end, or None."""
    places = 1 << max(prefix - block.prefixlen, 0)
    return _nth(block, prefix, places - 1 - number) if number < places else None


def _first(block: IPv4Network, prefix: int) -> IPv4Network:
    return IPv4Network((block.network_address, prefix))


ZONES_AT_LEAST: Final = 2
"""The number of zones that EKS requires for the subnets of a control plane."""
ZONES_WANTED: Final = 3
"""The number of zones that keeps a cluster running when a zone fails: used if the region has that many."""


def check_zone(zone: str, region: str, known: Sequence[str], place: Place, problems: Problems) -> bool:
    """Report a zone that is not in the region, and return whether it is.

    `known` are the names of the region's zones. Without any, the form of the name has to suffice: the region and a
    letter.
    """
    if zone in known or (not known and re.fullmatch(rf"{re.escape(region)}[a-z]", zone)):
        return True
    problems.add(place, f"zone {zone!r} is not in {region}", ", ".join(known) or f"{region}a and so on", nearest(zone, known))
    return False


def check_subnet_zones(zones: Sequence[str], subnets: int | None, place: Place, problems: Problems) -> None:
    """Report subnets in too few different zones, and fewer subnets than requested zones; None is a number that is unknown."""
    different = sorted(set(zones))
    if len(different) < ZONES_AT_LEAST:
        message = f"subnets in one zone, {different[0]}" if different else "subnets in no zone"
        problems.add(place, message, f"at least {ZONES_AT_LEAST} zones, since a zone may fail")
    elif subnets is not None and subnets < ZONES_AT_LEAST:
        problems.add(place, f"{subnets} subnet for {len(different)} zones", "at least one subnet in each zone")
