"""IPv4 address blocks as people write them, and which of them overlap."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Network
from typing import Final

from cutlist.core.errors import Place, Problems

RESERVED: Final = 5
"""Number of addresses in every subnet that the cloud reserves, AWS and Azure alike: the first four and the last."""
SUBNET_PREFIXES: Final = range(16, 29)
"""Prefix lengths that AWS accepts for a VPC and for a subnet."""


@dataclass(frozen=True, slots=True)
class Block:
    """An address block, where it is written, and its description, such as `the VPC`."""

    network: IPv4Network
    place: Place
    what: str


def usable(prefix: int) -> int:
    """Return the number of addresses for interfaces in a subnet with this prefix length."""
    return max((1 << (32 - prefix)) - RESERVED, 0)


def read_block(text: str, path: str, what: str, problems: Problems) -> Block | None:
    """Return a block from text such as `10.0.0.0/16`; None, with a problem added, if the text is not a block."""
    place = Place(path=path)
    try:
        loose = IPv4Network(text, strict=False)
    except ValueError:
        problems.add(place, f"{text!r} is not an address block", "an IPv4 block such as 10.0.0.0/16")
        return None
    if "/" not in text:
        problems.add(place, f"{text!r} is a single address", "an IPv4 block such as 10.0.0.0/16")
        return None
    if str(loose) != text:
        problems.add(place, f"{text!r} is not the beginning of its block", nearest=str(loose))
        return None
    return Block(loose, place, what)


def check_subnet_size(block: Block, problems: Problems) -> bool:
    """Add a problem for a block that AWS accepts neither for a VPC nor for a subnet, and return whether it would accept it."""
    if block.network.prefixlen in SUBNET_PREFIXES:
        return True
    problems.add(block.place, f"{block.what} is a /{block.network.prefixlen}", prefixes_in_words(SUBNET_PREFIXES))
    return False


def check_apart(block: Block | None, others: Iterable[Block | None], problems: Problems) -> None:
    """Add a problem, at their places, for each of some blocks that overlaps a block. None is a block with a mistake."""
    for other in others:
        if block is not None and other is not None and block.network.overlaps(other.network):
            problems.add(other.place, f"{other.what}, {other.network}, overlaps {block.what}, {block.network}")


def prefixes_in_words(prefixes: range) -> str:
    """Return prefix lengths as messages write them, such as `/16 to /28`."""
    return f"/{prefixes[0]} to /{prefixes[-1]}"
