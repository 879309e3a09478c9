"""Functions on IP addresses and networks that expressions in objects of Kubernetes may call (spec: R-124)."""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Interface, IPv6Address, IPv6Interface, ip_address, ip_interface
from typing import Any, Final

from cutlist.devices.cel_values import CIDR, IP, address_value, network_value

Address = IPv4Address | IPv6Address
Interface = IPv4Interface | IPv6Interface
_WITH_LENGTH: Final = re.compile(r"[^/]*/(0|[1-9][0-9]{0,2})")


def network_functions(declared: Callable[..., Any]) -> list[Any]:
    """Return the declarations of functions; `declared` makes one of a name and its overloads.

    string() of an address is missing: CEL's own function takes the name.
    """
    from cel_expr_python import cel

    text, whole, truth = cel.Type.STRING, cel.Type.INT, cel.Type.BOOL
    address, network = cel.Type(IP), cel.Type(CIDR)

    def is_a(name: str, key: str, tells: Callable[[Address], bool]) -> Any:
        return declared(name, (key, truth, [address], True, lambda value: tells(_address(value))))

    return [
        declared("isIP", ("is_ip", truth, [text], False, lambda raw: _parses(parse_address, raw))),
        declared("ip.isCanonical", ("ip_is_canonical", truth, [text], False, lambda raw: str(parse_address(raw)) == raw)),
        declared("family", ("ip_family", whole, [address], True, lambda value: _address(value).version)),
        is_a("isUnspecified", "ip_is_unspecified", lambda a: a.is_unspecified),
        is_a("isLoopback", "ip_is_loopback", lambda a: a.is_loopback),
        is_a("isLinkLocalUnicast", "ip_is_link_local_unicast", lambda a: a.is_link_local),
        is_a("isLinkLocalMulticast", "ip_is_link_local_multicast", _is_link_local_multicast),
        is_a("isGlobalUnicast", "ip_is_global_unicast", _is_global_unicast),
        declared(
            "ip",
            ("string_to_ip", address, [text], False, lambda raw: address_value(parse_address(raw))),
            ("cidr_ip", address, [network], True, lambda value: address_value(_interface(value).ip)),
        ),
        declared("isCIDR", ("is_cidr", truth, [text], False, lambda raw: _parses(parse_network, raw))),
        declared("cidr", ("string_to_cidr", network, [text], False, lambda raw: network_value(parse_network(raw)))),
        declared("prefixLength", ("cidr_prefix_length", whole, [network], True, lambda v: _interface(v).network.prefixlen)),
        declared(
            "masked", ("cidr_masked", network, [network], True, lambda v: network_value(ip_interface(_interface(v).network)))
        ),
        declared(
            "containsIP",
            ("cidr_contains_ip_string", truth, [network, text], True, lambda v, raw: _contains(v, parse_address(raw))),
            ("cidr_contains_ip_ip", truth, [network, address], True, lambda v, other: _contains(v, _address(other))),
        ),
        declared(
            "containsCIDR",
            ("cidr_contains_cidr_string", truth, [network, text], True, lambda v, raw: _covers(v, parse_network(raw))),
            ("cidr_contains_cidr", truth, [network, network], True, lambda v, other: _covers(v, _interface(other))),
        ),
    ]


def parse_address(raw: str) -> Address:
    """Return an address. Raises ValueError for what the API server does not take for one."""
    address = ip_address(raw)
    if "%" in raw:
        raise ValueError(f'IP address "{raw}" with zone value is not allowed')
    return _not_mapped(address, raw)


def parse_network(raw: str) -> Interface:
    """Return an address with the length of its network's prefix. Raises ValueError for what the API server does not take."""
    if not _WITH_LENGTH.fullmatch(raw) or "%" in raw:
        raise ValueError(f'network address parse error during conversion from string: "{raw}"')
    interface = ip_interface(raw)
    _not_mapped(interface.ip, raw)
    return interface


def _not_mapped(address: Address, raw: str) -> Address:
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        raise ValueError(f'IPv4-mapped IPv6 address "{raw}" is not allowed')
    return address


def _parses(parse: Callable[[str], object], raw: str) -> bool:
    try:
        parse(raw)
    except ValueError:
        return False
    return True


def _address(value: Any) -> Address:
    return ip_address(value.text)


def _interface(value: Any) -> Interface:
    return ip_interface(value.text)


def _contains(value: Any, address: Address) -> bool:
    network = _interface(value).network
    return network.version == address.version and address in network


def _covers(value: Any, other: Interface) -> bool:
    network = _interface(value).network
    return network.version == other.version and other.ip in network and network.prefixlen <= other.network.prefixlen


def _is_link_local_multicast(address: Address) -> bool:
    if isinstance(address, IPv4Address):
        return address.packed[:3] == b"\xe0\x00\x00"
    return address.packed[0] == 0xFF and address.packed[1] & 0x0F == 0x02


def _is_global_unicast(address: Address) -> bool:
    if isinstance(address, IPv4Address) and address == IPv4Address("255.255.255.255"):
        return False
    return not (address.is_unspecified or address.is_loopback or address.is_multicast or address.is_link_local)
