"""Address ranges that may reach an API server (spec: aws-infrastructure H11)."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, collapse_addresses, ip_network
from typing import Final

_WIDEST: Final = 8  # no organisation has a wider block of either kind of addresses


def is_open(ranges: Iterable[str]) -> bool:
    """Tell whether ranges such as `203.0.113.0/24` include a large part of all addresses; texts that are not ranges do not
    count."""
    networks = [network for text in ranges if (network := _network(text)) is not None]
    of_four = collapse_addresses(n for n in networks if isinstance(n, IPv4Network))
    of_six = collapse_addresses(n for n in networks if isinstance(n, IPv6Network))
    return any(n.prefixlen < _WIDEST for n in of_four) or any(n.prefixlen < _WIDEST for n in of_six)


def _network(written: str) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(written.strip(), strict=False)
    except ValueError:
        return None
