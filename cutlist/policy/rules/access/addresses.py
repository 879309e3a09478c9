"""Address ranges that may reach an API server or a machine (spec: aws-infrastructure H11)."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, collapse_addresses, ip_network
from typing import Final

_WIDEST: Final = 8
"""No organisation has a wider block of IPv4."""
_WIDEST_OF_SIX: Final = 12
"""What a registry of addresses hands out from: no organisation has as much of IPv6."""
_PRIVATE: Final = tuple(
    ip_network(text) for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")
)


def is_open(ranges: Iterable[str]) -> bool:
    """Tell whether ranges such as `203.0.113.0/24` together hold more addresses than any organisation has, in one range or in
    several.

    That is more than a /8 of IPv4, or a /12 of IPv6. Private ranges do not count. A text that is not a range counts as every
    address.
    """
    networks = [_network(text) for text in ranges]
    public = [network for network in networks if network is not None and not _is_private(network)]
    of_four = sum(n.num_addresses for n in collapse_addresses(n for n in public if isinstance(n, IPv4Network)))
    of_six = sum(n.num_addresses for n in collapse_addresses(n for n in public if isinstance(n, IPv6Network)))
    return None in networks or of_four > 2 ** (32 - _WIDEST) or of_six >= 2 ** (128 - _WIDEST_OF_SIX)


def is_public(ranges: Iterable[str]) -> bool:
    """Tell whether any of some ranges is not private."""
    return any(network is None or not _is_private(network) for network in map(_network, ranges))


def _is_private(network: IPv4Network | IPv6Network) -> bool:
    return any(network.version == own.version and network.subnet_of(own) for own in _PRIVATE)  # type: ignore[arg-type]


def _network(written: str) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(written.strip(), strict=False)
    except ValueError:
        return None
