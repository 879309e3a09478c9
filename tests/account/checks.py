"""Kinds of limits: what a service accepts in one place of an input, in words and as a test of a value."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Network, ip_network
from typing import Any


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


def id_of(*kinds: str) -> Check:
    """Accept ids of kinds, such as `subnet`. Stand-ins give ids with names in place of digits."""
    form = re.compile(rf"({'|'.join(kinds)})-[0-9A-Za-z_.-]+", re.ASCII)
    return Check(f"an id such as {kinds[0]}-0a1b2c3d", lambda value: isinstance(value, str) and bool(form.fullmatch(value)))


def block(shortest: int, longest: int) -> Check:
    """Accept IPv4 blocks with a prefix of some length, written by their first address."""
    return Check(f"an IPv4 block from /{shortest} to /{longest}", lambda value: _is_block(value, shortest, longest))


def _is_block(value: Any, shortest: int, longest: int) -> bool:
    try:
        network = ip_network(value)
    except ValueError:
        return False
    return isinstance(network, IPv4Network) and shortest <= network.prefixlen <= longest
