"""Kinds of limits: what a service accepts in one place of an input, in words and as a test of a value."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any, Final

_PRIVATE: Final = tuple(map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
_NO_CALLERS: Final = (*_PRIVATE, IPv4Network("127.0.0.0/8"), IPv4Network("169.254.0.0/16"))


@dataclass(frozen=True, slots=True)
class Check:
    """What is accepted, in words, and the function that tells whether a value is."""

    says: str
    accepts: Callable[[Any], bool]


def matches(pattern: str, says: str, longest: int = 0, shortest: int = 1) -> Check:
    """Accept texts of a pattern, not longer than the longest, where there is one."""
    form, length = re.compile(pattern, re.ASCII), f", at most {longest} characters" if longest else ""

    def accepts(value: Any) -> bool:
        return isinstance(value, str) and shortest <= len(value) <= (longest or len(value)) and bool(form.fullmatch(value))

    return Check(f"{says}{length}", accepts)


def text(longest: int, shortest: int = 0) -> Check:
    """Accept texts of some length."""
    says = f"{shortest} to {longest} characters" if shortest else f"at most {longest} characters"
    return Check(says, lambda value: isinstance(value, str) and shortest <= len(value) <= longest)


def one_of(*values: Any) -> Check:
    """Accept members of a closed set."""
    return Check(
        " or ".join(map(str, values)) if len(values) < 3 else ", ".join(map(str, values)), lambda value: value in values
    )


def between(least: int, most: int) -> Check:
    """Accept whole numbers of a range, as numbers or as texts."""

    def accepts(value: Any) -> bool:
        whole = isinstance(value, int) or (isinstance(value, str) and value.isdecimal()) or value == int(value)
        return bool(whole) and least <= int(value) <= most

    return Check(f"{least:,} to {most:,}", accepts)


def at_most(most: int, what: str) -> Check:
    """Accept lists and mappings of no more than a number of members."""
    return Check(f"at most {most} {what}", lambda value: len(value) <= most)


def at_least(least: int, what: str) -> Check:
    """Accept lists of no fewer than a number of members."""
    return Check(f"at least {least} {what}", lambda value: len(value) >= least)


def arn(service: str, resource: str, says: str) -> Check:
    """Accept ARNs of a service whose last part has a form."""
    form = re.compile(rf"arn:aws[a-z-]*:{service}:[a-z0-9-]*:([0-9]{{12}}|aws)?:{resource}", re.ASCII)
    return Check(says, lambda value: isinstance(value, str) and bool(form.fullmatch(value)))


def iam_arn(resource: str, says: str) -> Check:
    """Accept ARNs of IAM, which have no region, whose last part has a form."""
    form = re.compile(rf"arn:aws[a-z-]*:iam::([0-9]{{12}}|aws):{resource}", re.ASCII)
    return Check(says, lambda value: isinstance(value, str) and bool(form.fullmatch(value)))


def id_of(*kinds: str) -> Check:
    """Accept ids of kinds, such as `subnet`. Stand-ins give ids with names in place of digits."""
    form = re.compile(rf"({'|'.join(kinds)})-[0-9A-Za-z_.-]+", re.ASCII)
    return Check(f"an id such as {kinds[0]}-0a1b2c3d", lambda value: isinstance(value, str) and bool(form.fullmatch(value)))


def block(shortest: int, longest: int) -> Check:
    """Accept IPv4 blocks with a prefix of some length, written by their first address."""
    return Check(f"an IPv4 block from /{shortest} to /{longest}", lambda value: _is_block(value, shortest, longest))


def private_block(shortest: int, longest: int) -> Check:
    """Accept IPv4 blocks of private addresses with a prefix of some length."""
    says = f"a private IPv4 block from /{shortest} to /{longest}"
    return Check(says, lambda value: _is_block(value, shortest, longest) and _is_within(ip_network(value), _PRIVATE))


def _is_within(network: IPv4Network | IPv6Network, blocks: tuple[IPv4Network, ...]) -> bool:
    return isinstance(network, IPv4Network) and any(map(network.subnet_of, blocks))


def _is_public(value: Any) -> bool:
    try:
        return not _is_within(ip_network(value), _NO_CALLERS)
    except ValueError:
        return False


PUBLIC_BLOCK: Final = Check("a block of public addresses, written by its first", _is_public)


def not_both(one: str, other: str) -> Check:
    """Accept inputs that have at most one of two members."""
    return Check(f"{one} or {other}, not both", lambda inputs: inputs.get(one) is None or inputs.get(other) is None)


def unlike(member: str, what: str) -> Check:
    """Accept lists whose objects differ in a member."""

    def accepts(value: Any) -> bool:
        members = [inner.get(member) for inner in value if isinstance(inner, Mapping)]
        return len({repr(inner) for inner in members}) == len(members)

    return Check(f"{what} once", accepts)


def encoded(most: int) -> Check:
    """Accept texts in base64 that hold no more than a number of bytes."""

    def accepts(value: Any) -> bool:
        try:
            return len(base64.b64decode(value, validate=True)) <= most
        except ValueError:
            return False

    return Check(f"base64 of at most {most:,} bytes", accepts)


def in_region(path: str, part: int = 3) -> Check:
    """Accept inputs whose ARNs at a member, a text or a list, are of the region of the resource."""

    def accepts(inputs: Any) -> bool:
        value, region = inputs.get(path), inputs.get("region")
        arns = value if isinstance(value, list) else [value]
        regions = {arn.split(":")[part] for arn in arns if isinstance(arn, str) and arn.count(":") > part}
        return not isinstance(region, str) or regions <= {region, ""}

    return Check(f"{path} of the region of the resource", accepts)


def _is_block(value: Any, shortest: int, longest: int) -> bool:
    try:
        network = ip_network(value)
    except ValueError:
        return False
    return isinstance(network, IPv4Network) and shortest <= network.prefixlen <= longest
