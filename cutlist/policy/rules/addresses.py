"""Address ranges that may reach an API server or a machine (spec: aws-infrastructure H11)."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, collapse_addresses, ip_network
from typing import Final

_WIDEST: Final = 8  # no organisation has a wider block of either kind of addresses
_PRIVATE: Final = tuple(
    ip_network(text) for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")
)


def is_open(ranges: Iterable[str]) -> bool:
    """Tell whether ranges such as `203.0.113.0/24` are together more than any organisation has: the size of /8, in one piece or
    in several. Private ranges do not count. A text that is not a range counts as every address."""
    networks = [_network(text) for text in ranges]
    public = [network for network in networks if network is not None and not _is_private(network)]
    of_four = collapse_addresses(network for network in public if isinstance(network, IPv4Network))
    of_six = collapse_addresses(network for network in public if isinstance(network, IPv6Network))
    return None in networks or any(
        sum(network.num_addresses for network in kind) > 2 ** (width - _WIDEST)
        for kind, width in ((of_four, 32), (of_six, 128))
    )


def _is_private(network: IPv4Network | IPv6Network) -> bool:
    return any(network.version == own.version and network.subnet_of(own) for own in _PRIVATE)  # type: ignore[arg-type]


def _network(written: str) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(written.strip(), strict=False)
    except ValueError:
        return None
